"""Give a new report the look of a template that came along: colours, backgrounds, lines and fonts of its parts."""

from __future__ import annotations

from bandsmith.shared.fonts import FAMILIES
from bandsmith.shared.jrxml.template_look import PartLook, TemplateLook
from bandsmith.shared.model.plan import AnyElement, Band, Line, Plan, StaticText, TextField

MAX_TITLE_SHARE = 0.7
"""The share of a title's height that its font size may have."""


def adopt(plan: Plan, look: TemplateLook) -> Plan:
    """Return the plan in the look of the example. Where the example lacks a part, the plan's own look stays."""
    bands = [_adopted(band, look) for band in plan.bands]
    groups = [
        group.model_copy(update={"header": _if_any(group.header, look), "footer": _if_any(group.footer, look)})
        for group in plan.groups
    ]
    detail = look.parts.get("detail")
    styles = [] if detail and detail.fill is None else plan.styles
    names = {style.name for style in styles}
    bands = [_without_styles(band, names) for band in bands]
    return plan.model_copy(update={"bands": bands, "groups": groups, "styles": styles})


def _if_any(band: Band | None, look: TemplateLook) -> Band | None:
    return None if band is None else _adopted(band, look)


def _adopted(band: Band, look: TemplateLook) -> Band:
    part = look.parts.get("summary" if band.name == "groupFooter" else band.name)
    if part is None:
        return band
    restyled = _title if band.name == "title" else _cell
    return band.model_copy(update={"elements": [restyled(element, part) for element in band.elements]})


def _title(element: AnyElement, part: PartLook) -> AnyElement:
    if isinstance(element, Line):
        return element.model_copy(
            update={"forecolour": part.ink, "pen": element.pen.model_copy(update={"colour": part.ink})}
        )
    if element.key != "title" or not isinstance(element, StaticText):
        return element
    size = min(part.font.size, element.height * MAX_TITLE_SHARE)
    font = element.font.model_copy(
        update={"size": size, "bold": part.font.bold, "family": _family(part, element.font.family)}
    )
    look = {"font": font, "forecolour": part.ink, "backcolour": part.fill, "align": part.align or element.align}
    return element.model_copy(update=look)


def _cell(element: AnyElement, part: PartLook) -> AnyElement:
    if not isinstance(element, StaticText | TextField):
        return element
    bold = element.font.bold or part.font.bold
    font = element.font.model_copy(update={"bold": bold, "family": _family(part, element.font.family)})
    return element.model_copy(
        update={"font": font, "forecolour": part.ink, "backcolour": part.fill, "borders": part.borders}
    )


def _family(part: PartLook, own: str) -> str:
    return part.font.family if part.font.family in FAMILIES else own


def _without_styles(band: Band, names: set[str]) -> Band:
    elements = [
        one if one.style is None or one.style in names else one.model_copy(update={"style": None})
        for one in band.elements
    ]
    return band.model_copy(update={"elements": elements})
