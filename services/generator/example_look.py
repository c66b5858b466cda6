"""Give a new report the look of a template that came along: colours, backgrounds, lines and fonts of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bandsmith.shared.errors import BadInput
from bandsmith.shared.fonts import DEFAULT_FAMILY, FAMILIES
from bandsmith.shared.jrxml.dom import J, content_of, float_attribute
from bandsmith.shared.jrxml.template import Template, TemplateElement
from bandsmith.shared.jrxml.text_styles import style_chain, text_attributes, text_style
from bandsmith.shared.model.layout import Align, TextStyle
from bandsmith.shared.model.plan import AnyElement, Band, Borders, Line, Pen, Plan, StaticText, TextField
from bandsmith.shared.xml import parse

COMPONENTS = "{http://jasperreports.sourceforge.net/jasperreports/components}"
TABLE_CELLS = {"columnHeader": "columnHeader", "detail": "detailCell", "summary": "columnFooter"}
"""The cells of a table component that are like a section of a report."""
TITLE_SECTIONS = ("title", "pageHeader")
TOTAL_SECTIONS = ("summary", "columnFooter", "groupFooter")
MAX_TITLE_SHARE = 0.7
"""The share of a title's height that its font size may have."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_SIDES = ("top", "left", "bottom", "right")


@dataclass(frozen=True)
class PartLook:
    """The look of one part of a report, such as its column headings."""

    font: TextStyle
    ink: str
    fill: str | None
    borders: Borders
    align: Align | None = None


@dataclass(frozen=True)
class ExampleLook:
    """The look of a template; None for a part that it does not have."""

    parts: dict[str, PartLook] = field(default_factory=dict)
    """By the section of a plan's bands: ``title``, ``columnHeader``, ``detail``, ``groupHeader``, ``summary``."""


def look_of(template: bytes) -> ExampleLook | None:
    """Return the look of a template; None if it cannot be read."""
    try:
        example = Template(parse(template))
    except BadInput:
        return None
    found = {
        "title": max(_texts(example, TITLE_SECTIONS), key=lambda one: example.font(one).size, default=None),
        "columnHeader": next(iter(_texts(example, ("columnHeader",))), None),
        "groupHeader": next(iter(_texts(example, ("groupHeader",))), None),
        "detail": next(iter(_texts(example, ("detail",))), None),
        "summary": next(iter(_texts(example, TOTAL_SECTIONS)), None),
    }
    parts = {name: _part(example, element) for name, element in found.items() if element is not None}
    cells = {name: _part_of_cell(example, cell) for name, cell in TABLE_CELLS.items()}
    return ExampleLook(parts | {name: part for name, part in cells.items() if part is not None})


def _texts(example: Template, sections: Iterable[str]) -> list[TemplateElement]:
    elements = (element for band in example.bands if band.section in sections for element in band.elements)
    return [element for element in elements if element.kind in ("staticText", "textField") and content_of(element.node)]


def _part(example: Template, element: TemplateElement) -> PartLook:
    chain = _chain(example, element)
    attributes = text_attributes(element.node, chain)
    colours = [element.report_element, *chain]
    return PartLook(
        font=example.font(element),
        ink=_first(colours, "forecolor") or attributes.get("forecolor") or "#000000",
        fill=_fill(example, element, colours),
        borders=_borders([element.node, *chain]),
        align=_align(attributes),
    )


def _align(attributes: Mapping[str, str]) -> Align | None:
    sides: dict[str, Align] = {"Left": "Left", "Center": "Center", "Right": "Right"}
    return sides.get(attributes.get("textAlignment", ""))


def _part_of_cell(example: Template, section: str) -> PartLook | None:
    """Return the look of the first cell of a table component that has a text: its own style, and its text's font."""
    for cell in example.root.iter(f"{COMPONENTS}{section}"):
        text = next(cell.iterchildren(f"{J}staticText", f"{J}textField"), None)
        if text is None:
            continue
        styles = {node.get("name") or "": node for node in example.root.findall(f"{J}style")}
        report = text.find(f"{J}reportElement")
        chain = style_chain(styles, cell.get("style"))
        own = [report, *style_chain(styles, report.get("style"))]
        attributes = text_attributes(text, [*own[1:], *chain])
        fill = _first(chain, "backcolor") if any(node.get("mode") == "Opaque" for node in chain) else None
        return PartLook(
            font=text_style(attributes, DEFAULT_FAMILY),
            ink=_first([*own, *chain], "forecolor") or "#000000",
            fill=fill,
            borders=_borders([cell, *chain]),
        )
    return None


def _chain(example: Template, element: TemplateElement) -> list[Any]:
    styles = {node.get("name") or "": node for node in example.root.findall(f"{J}style")}
    return style_chain(styles, element.report_element.get("style"))


def _first(nodes: Iterable[Any], attribute: str) -> str | None:
    """Return the first colour that a node sets."""
    values = (node.get(attribute) for node in nodes)
    return next((value.upper() for value in values if value and _COLOUR.fullmatch(value)), None)


def _fill(example: Template, element: TemplateElement, colours: list[Any]) -> str | None:
    """Return the background of a text: its own, else that of the frame or rectangle behind it."""
    mode = next((node.get("mode") for node in colours if node.get("mode")), "Transparent")
    if mode == "Opaque":
        return _first(colours, "backcolor")
    behind = [one for one in element.band.elements if one.kind in ("rectangle", "frame") and _covers(one, element)]
    for one in behind:
        nodes = [one.report_element, *_chain(example, one)]
        mode = next((node.get("mode") for node in nodes if node.get("mode")), None)
        if mode == "Opaque" or (mode is None and one.kind == "rectangle"):
            return _first(nodes, "backcolor")
    return None


def _covers(one: TemplateElement, text: TemplateElement) -> bool:
    if text.frame is not None:
        return text.frame.node is one.node
    inside = one.x <= text.x and one.x + one.width >= text.x + text.width
    return inside and one.y <= text.y and one.y + one.height >= text.y + text.height


def _borders(nodes: list[Any]) -> Borders:
    boxes = [box for node in nodes if (box := node.find(f"{J}box")) is not None]
    return Borders(**{side: _pen(boxes, side) for side in _SIDES})


def _pen(boxes: list[Any], side: str) -> Pen:
    for box in boxes:
        for pen in (box.find(f"{J}{side}Pen"), box.find(f"{J}pen")):
            if pen is not None and pen.get("lineWidth"):
                return Pen(width=float_attribute(pen, "lineWidth"), colour=_first([pen], "lineColor") or "#000000")
    return Pen()


# --- applying it ----------------------------------------------------------------------------------------------------


def adopt(plan: Plan, look: ExampleLook) -> Plan:
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


def _if_any(band: Band | None, look: ExampleLook) -> Band | None:
    return None if band is None else _adopted(band, look)


def _adopted(band: Band, look: ExampleLook) -> Band:
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
