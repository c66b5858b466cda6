"""What a text element without a style looks like, and whether its text still fits in another look."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from ...model.layout import TextStyle
from ..dom import (
    child,
    content_of,
    declared_nodes,
    ensure_child,
    int_attribute,
    local_name,
    report_element,
    tag,
)
from ..text_styles import default_style
from ..typesetting import break_lines, whole_height, whole_width


def base_look(root: etree._Element) -> TextStyle | None:
    """Return the look of texts that do not say otherwise; None where the template does not say it."""
    default = default_style(declared_nodes(root, "style"))
    if default is None:
        return None
    return TextStyle(family=default.get("fontName") or "", size=float(default.get("fontSize") or 10))


def look_of(node: etree._Element, base: TextStyle) -> TextStyle:
    """Return the look of an element without a style."""
    own = _font(node)
    return TextStyle(
        family=own.get("fontName") or base.family,
        size=float(own.get("size") or base.size),
        bold=own.get("isBold") == "true",
        italic=own.get("isItalic") == "true",
    )


def _font(node: etree._Element) -> Mapping[str, str]:
    words = child(node, "textElement")
    font = child(words, "font") if words is not None else None
    return {str(name): str(value) for name, value in font.attrib.items()} if font is not None else {}


def set_font(node: etree._Element, name: str, value: str | None) -> None:
    font = ensure_child(ensure_child(node, "textElement"), "font")
    if value is None:
        font.attrib.pop(name, None)
    else:
        font.set(name, value)


def fits(node: etree._Element, style: TextStyle, base: TextStyle) -> bool:
    """Whether an element still prints its text as it does, in a new look. Of a value only the size is known."""
    before = look_of(node, base)
    if local_name(node) == "textField" and style.family != before.family and style.size <= before.size:
        return bool(node.get("textAdjust", "CutText") != "CutText")
    if style.family == before.family and style.size <= before.size and not (style.bold and not before.bold):
        return True
    width, height = inner_size(node)
    if local_name(node) == "textField":
        return node.get("textAdjust") == "ScaleFont" and whole_height(["Åg"], style) <= height
    lines = break_lines(content_of(node), width, style)
    return len(lines) == len(break_lines(content_of(node), width, before)) and whole_height(lines, style) <= height


def inner_size(node: etree._Element) -> tuple[int, int]:
    report, box = report_element(node), node.find(tag("box"))
    left, right, top, bottom = (
        int_attribute(box, f"{side}Padding") if box is not None else 0 for side in ("left", "right", "top", "bottom")
    )
    return int_attribute(report, "width") - left - right, int_attribute(report, "height") - top - bottom


def holds(node: etree._Element, text: str, style: TextStyle) -> bool:
    """Whether an element prints a text in a look without more lines than it has now."""
    width, height = inner_size(node)
    lines = text.split("\n")
    return whole_width(lines, style) <= width and whole_height(lines, style) <= height
