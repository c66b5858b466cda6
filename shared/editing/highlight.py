"""Highlights: values printed in another colour in rows where a comparison holds."""

from __future__ import annotations

import re

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.dom import TEXT_ELEMENTS, child, content_of, insert_child, local_name, new_node, report_element, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.java_literals import is_iso_date, java_string, parse_decimal
from ..jrxml.refusals import EditRefused, no_field, not_allowed
from ..jrxml.text_styles import lightness
from ..model.edits import Highlight
from .declarations import DATES, NUMBERS, STRING, is_reckoned

_LIGHT = 0.7
"""A colour lighter than this is no colour for letters."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


def add(draft: Draft, edit: Highlight) -> bool:
    if not _COLOUR.fullmatch(edit.colour):
        raise not_allowed("A colour", edit.colour)
    letter, declared = "F", draft.declared("field", edit.field)
    if declared is None and is_reckoned(draft, edit.field):
        letter, declared = "V", draft.declared("variable", edit.field)
    if declared is None:
        raise no_field(edit.field)
    condition = _condition(edit, f"${letter}{{{edit.field}}}", declared.get("class") or STRING)
    shown = [
        node
        for name, band in draft.bands()
        if name == "detail"
        for node in elements_in(band)
        if local_name(node) in TEXT_ELEMENTS
    ]
    if not edit.row:
        shown = [node for node in shown if (letter, edit.field) in references(content_of(node))]
    if not shown:
        raise EditRefused(
            "column", f"No column of the rows shows {edit.field}.", f"明细行中没有显示 {edit.field} 的列。"
        )
    return any([_give(draft, node, edit, condition) for node in shown])


def _condition(edit: Highlight, value: str, java_class: str) -> str:
    """The comparison as a Java expression that is false for a value that is not there."""
    if java_class in NUMBERS and (number := parse_decimal(edit.value)) is not None:
        exact = value if java_class == "java.math.BigDecimal" else f"new BigDecimal({value}.toString())"
        return f'{value} != null && {exact}.compareTo(new BigDecimal("{number:f}")) {edit.comparison} 0'
    if java_class in DATES and is_iso_date(edit.value):
        day = f'java.sql.Date.valueOf("{edit.value.strip()}").getTime()'
        return f"{value} != null && {value}.getTime() {edit.comparison} {day}"
    if edit.comparison in ("==", "!=") and java_class not in NUMBERS | DATES:
        negated = "!" if edit.comparison == "!=" else ""
        return f"{value} != null && {negated}{java_string(edit.value)}.equals({value}.toString())"
    simple = java_class.rpartition(".")[2]
    raise EditRefused(
        "class",
        f"{edit.field} is of the class {simple}, which {edit.comparison} cannot compare with {edit.value[:40]}.",
        f"{edit.field} 的类型是 {simple},不能用 {edit.comparison} 与 {edit.value[:40]} 比较。",
    )


def _give(draft: Draft, node: etree._Element, edit: Highlight, condition: str) -> bool:
    """Let an element's style say how it looks where the condition holds; whether that is new."""
    report = report_element(node)
    named = report.get("style") or ""
    style = draft.declared("style", named) if named.startswith("highlight") else None
    if style is None:
        style = _own_style(draft, node, edit.field)
    look = {"forecolor": edit.colour}
    if lightness(edit.colour) > _LIGHT:  # as with a marker: letters so light could not be read
        look = {"mode": "Opaque", "backcolor": edit.colour}
    look |= {"isBold": "true"} if edit.bold else {}
    for one in style.findall(tag("conditionalStyle")):
        if (one.findtext(tag("conditionExpression")) or "").strip() == condition:
            inner = child(one, "style")
            changed = inner is None or any(inner.get(name) != value for name, value in look.items())
            if inner is not None:
                inner.attrib.update(look)
            return changed
    conditional = new_node("conditionalStyle")
    conditional.append(new_node("conditionExpression", condition))
    conditional.append(new_node("style", **look))
    style.append(conditional)
    return True


def _own_style(draft: Draft, node: etree._Element, field: str) -> etree._Element:
    """A style of the highlights' own, based on the element's.

    What the element says of its colour and weight itself goes into it, for that would win over any condition. Elements
    that look alike have one style.
    """
    report = report_element(node)
    if (box := child(node, "box")) is not None:
        for pen in box:  # a pen without a colour of its own takes that of the words
            pen.set("lineColor", pen.get("lineColor") or report.get("forecolor") or "#000000")
    words = child(node, "textElement")
    font = child(words, "font") if words is not None else None
    default = next((one for one in draft.root.findall(tag("style")) if one.get("isDefault") == "true"), None)
    base = report.get("style") or (default.get("name") if default is not None else None)
    attributes = {"style": base} if base else {}
    if (colour := report.attrib.pop("forecolor", None)) is not None:
        attributes["forecolor"] = colour
    if font is not None and (weight := font.attrib.pop("isBold", None)) is not None:
        attributes["isBold"] = weight
    stem = re.sub(r"\W", "_", f"highlight_{field}")
    for one in draft.root.findall(tag("style")):
        mine = {name: value for name, value in one.attrib.items() if name != "name"}
        if (one.get("name") or "").startswith(stem) and mine == attributes:
            report.set("style", one.get("name") or "")
            return one
    style = new_node("style", name=draft.free_name("style", stem), **attributes)
    insert_child(draft.root, style)
    report.set("style", style.get("name") or "")
    return style
