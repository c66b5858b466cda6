"""Print values in another colour in the rows where a comparison holds."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.borders import keep_border_colours
from ..jrxml.cells import join_cells
from ..jrxml.conditions import COMPARISON_SIGNS, Comparison, row_condition, row_value
from ..jrxml.dom import TEXT_ELEMENTS, child, content_of, insert_child, local_name, new_node, report_element, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import no_column, value_refused
from ..jrxml.tables import main_table
from ..jrxml.text_styles import lightness
from ..replies import listed, text
from .base import Edit, EditClause, KnownNames

_MAX_TEXT_LIGHTNESS = 0.7
"""A colour lighter than this cannot be read as the colour of a text."""
_USUAL_COLOUR = "#FF0000"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


class Highlight(Edit):
    """Print the value of a field in another colour, or its cell on one, in rows where a comparison holds. Another
    condition is added to earlier ones; the same condition takes its place."""

    do: Literal["highlight"] = "highlight"
    field: str
    """Whose value is compared and highlighted."""
    comparison: Comparison
    value: str = ""
    """A number, a date as 2026-05-31, a time as 08:30; for `==` and `!=` also a text or true or false."""
    other: str | None = None
    """The field of the same row that it is compared with, instead of a value."""
    colour: str | None = None
    """Null: red, or where `bold` is set, the colour of the text."""
    background: bool | None = None
    """Whether it is the colour of the cell and not of the text; null: a light colour is."""
    bold: bool = False
    row: bool = False
    """Whether the whole row is highlighted."""
    shown: str | None = None
    """The field of the same row that is highlighted instead of the compared one."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.colour is not None and not _COLOUR.fullmatch(self.colour):
            raise value_refused("colour", self.colour)
        field = self.shown or self.field
        letter = row_value(draft, field).reference[1]
        condition = row_condition(draft, self.field, self.comparison, self.value, self.other)
        shown = [
            node
            for name, band in draft.bands()
            if name == "detail"
            for node in elements_in(band)
            if local_name(node) in TEXT_ELEMENTS
        ]
        if not self.row:
            shown = [node for node in shown if (letter, field) in references(content_of(node))]
        if not shown:
            raise no_column(field)
        changed = any([_add_condition(draft, node, self, condition) for node in shown])
        if changed and self.paints_cells:
            _fill_cells(draft)
        return changed

    @property
    def highlight_colour(self) -> str | None:
        """The colour that is set; none where bold type alone highlights."""
        is_bold_only = self.bold and not self.background
        return self.colour or (None if is_bold_only else _USUAL_COLOUR)

    @property
    def paints_cells(self) -> bool:
        """Whether the cells get the colour: a text so light could not be read."""
        if self.background is not None or self.highlight_colour is None:
            return bool(self.background)
        return lightness(self.highlight_colour) > _MAX_TEXT_LIGHTNESS

    def unseen(self) -> str:
        return "edits.unseen.condition"

    def describe(self, labels: TemplateLabels) -> EditClause:
        if self.shown is not None and not self.row:
            code = "edits.highlight.done_other"
        else:
            code = "edits.highlight.done_rows" if self.row else "edits.highlight.done_values"
        against = labels.compared(self.field, self.value, self.other)
        condition = f"{labels.field(self.field)} {COMPARISON_SIGNS[self.comparison]} {against}".strip()
        looks = [labels.colour(self.highlight_colour)] if self.highlight_colour else []
        looks += [text("edits.highlight.bold", labels.language)] if self.bold else []
        values = {"look": listed(looks, labels.language)}
        if self.shown is not None and not self.row:
            values["shown"] = labels.field(self.shown)
        return EditClause(code, condition, values)

    def is_known(self, names: KnownNames) -> bool:
        used = {self.field, self.other or self.field, self.shown or self.field}
        return used <= names.row_values


def _add_condition(draft: Draft, node: etree._Element, edit: Highlight, condition: str) -> bool:
    """Give an element a conditional style. Return whether that changed anything."""
    report = report_element(node)
    named = report.get("style") or ""
    style = draft.declared("style", named) if named.startswith("highlight") else None
    if style is None:
        style = _highlight_style(draft, node, edit.field)
    elif own := _own_look(node):
        style = _own_style(draft, node, style)
        style.attrib.update(own)
    colour = edit.highlight_colour
    look = {"mode": "Opaque", "backcolor": colour} if colour and edit.paints_cells else {}
    look |= {"forecolor": colour} if colour and not edit.paints_cells else {}
    look |= {"isBold": "true"} if edit.bold else {}
    for one in style.findall(tag("conditionalStyle")):
        if (one.findtext(tag("conditionExpression")) or "").strip() == condition:
            inner = child(one, "style")
            if inner is None or dict(inner.attrib) == look:
                return False
            inner.attrib.clear()
            inner.attrib.update(look)
            return True
    conditional = new_node("conditionalStyle")
    conditional.append(new_node("conditionExpression", condition))
    conditional.append(new_node("style", **look))
    style.append(conditional)
    return True


def _fill_cells(draft: Draft) -> None:
    """Let the cells of the rows fill their columns, below the lines, so that a background leaves no gaps."""
    table = main_table(draft)
    join_cells(draft, table)
    for line in [node for node in table.detail if local_name(node) == "line"]:
        table.detail.append(line)


def _highlight_style(draft: Draft, node: etree._Element, field: str) -> etree._Element:
    """Return a separate style for highlights, based on the element's style.

    The element's own colours and weight move into it, because they would override any condition. Elements that look
    alike share one style.
    """
    report = report_element(node)
    keep_border_colours(draft, node)
    default = next((one for one in draft.root.findall(tag("style")) if one.get("isDefault") == "true"), None)
    base = report.get("style") or (default.get("name") if default is not None else None)
    attributes = {"style": base} if base else {}
    attributes |= _own_look(node)
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


def _own_look(node: etree._Element) -> dict[str, str]:
    """Take an element's own colours and weight from it, and return them."""
    report, words = report_element(node), child(node, "textElement")
    font = child(words, "font") if words is not None else None
    own = {name: report.attrib.pop(name) for name in ("forecolor", "mode", "backcolor") if name in report.attrib}
    if font is not None and "isBold" in font.attrib:
        own["isBold"] = font.attrib.pop("isBold")
    return own


def _own_style(draft: Draft, node: etree._Element, style: etree._Element) -> etree._Element:
    """Return an element's style, or a copy of it for this element alone where others have it, too."""
    name = style.get("name") or ""
    if sum(one.get("style") == name for one in draft.root.iter(tag("reportElement"))) < 2:
        return style
    copied = deepcopy(style)
    copied.set("name", draft.free_name("style", name))
    style.addnext(copied)
    report_element(node).set("style", copied.get("name") or "")
    return copied
