"""The look of a template by its parts: colours, backgrounds, lines and fonts of title, headings, rows and totals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput
from ..fonts import DEFAULT_FAMILY
from ..model.layout import Align, TextStyle
from ..model.plan import Borders, Pen
from ..xml import parse
from .dom import COMPONENTS, J, content_of, float_attribute
from .template import Template, TemplateElement
from .text_styles import style_chain, text_attributes, text_style

TABLE_CELLS = {"columnHeader": "columnHeader", "detail": "detailCell", "summary": "columnFooter"}
"""The cells of a table component that are like a section of a report."""
TITLE_SECTIONS = ("title", "pageHeader")
TOTAL_SECTIONS = ("summary", "columnFooter", "groupFooter")
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
class TemplateLook:
    """The look of a template; None for a part that it does not have."""

    parts: dict[str, PartLook] = field(default_factory=dict)
    """By the section of a plan's bands: ``title``, ``columnHeader``, ``detail``, ``groupHeader``, ``summary``."""


def look_of(jrxml: bytes) -> TemplateLook | None:
    """Return the look of a template; None if it cannot be read."""
    try:
        template = Template(parse(jrxml))
    except BadInput:
        return None
    found = {
        "title": max(_texts(template, TITLE_SECTIONS), key=lambda one: template.font(one).size, default=None),
        "columnHeader": next(iter(_texts(template, ("columnHeader",))), None),
        "groupHeader": next(iter(_texts(template, ("groupHeader",))), None),
        "detail": next(iter(_texts(template, ("detail",))), None),
        "summary": next(iter(_texts(template, TOTAL_SECTIONS)), None),
    }
    parts = {name: _part(template, element) for name, element in found.items() if element is not None}
    cells = {name: _part_of_cell(template, cell) for name, cell in TABLE_CELLS.items()}
    return TemplateLook(parts | {name: part for name, part in cells.items() if part is not None})


def _texts(template: Template, sections: Iterable[str]) -> list[TemplateElement]:
    elements = (element for band in template.bands if band.section in sections for element in band.elements)
    return [element for element in elements if element.kind in ("staticText", "textField") and content_of(element.node)]


def _part(template: Template, element: TemplateElement) -> PartLook:
    chain = _chain(template, element)
    attributes = text_attributes(element.node, chain)
    colours = [element.report_element, *chain]
    return PartLook(
        font=template.font(element),
        ink=_first(colours, "forecolor") or attributes.get("forecolor") or "#000000",
        fill=_fill(template, element, colours),
        borders=_borders([element.node, *chain]),
        align=_align(attributes),
    )


def _align(attributes: Mapping[str, str]) -> Align | None:
    sides: dict[str, Align] = {"Left": "Left", "Center": "Center", "Right": "Right"}
    return sides.get(attributes.get("textAlignment", ""))


def _part_of_cell(template: Template, section: str) -> PartLook | None:
    """Return the look of the first cell of a table component that has a text: its own style, and its text's font."""
    for cell in template.root.iter(f"{{{COMPONENTS}}}{section}"):
        text = next(cell.iterchildren(f"{J}staticText", f"{J}textField"), None)
        if text is None:
            continue
        styles = {node.get("name") or "": node for node in template.root.findall(f"{J}style")}
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


def _chain(template: Template, element: TemplateElement) -> list[Any]:
    styles = {node.get("name") or "": node for node in template.root.findall(f"{J}style")}
    return style_chain(styles, element.report_element.get("style"))


def _first(nodes: Iterable[Any], attribute: str) -> str | None:
    """Return the first colour that a node sets."""
    values = (node.get(attribute) for node in nodes)
    return next((value.upper() for value in values if value and _COLOUR.fullmatch(value)), None)


def _fill(template: Template, element: TemplateElement, colours: list[Any]) -> str | None:
    """Return the background of a text: its own, else that of the frame or rectangle behind it."""
    mode = next((node.get("mode") for node in colours if node.get("mode")), "Transparent")
    if mode == "Opaque":
        return _first(colours, "backcolor")
    behind = [one for one in element.band.elements if one.kind in ("rectangle", "frame") and _covers(one, element)]
    for one in behind:
        nodes = [one.report_element, *_chain(template, one)]
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
