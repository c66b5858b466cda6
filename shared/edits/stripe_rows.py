"""Shade every other row."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.cells import join_cells, row_cells
from ..jrxml.dom import child, child_text, declared_nodes, insert_child, local_name, new_node, report_element, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference_pattern
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import value_refused
from ..jrxml.tables import main_table
from .base import Edit, EditClause

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_EVERY_OTHER_ROW = "$V{REPORT_COUNT} % 2 == 0"
_COUNTS_ROWS = re.compile(reference_pattern("V", r"\w*COUNT") + r"(?:\.intValue\(\))?\s*%\s*2")
_WHITE = "#FFFFFF"


class StripeRows(Edit):
    """Shade every other row of the table (zebra), or stop shading."""

    do: Literal["stripes"] = "stripes"
    colour: str = "#F0F0F0"
    """The colour of every other row."""
    off: bool = False
    """Whether the rows lose their stripes."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not _COLOUR.fullmatch(self.colour):
            raise value_refused("colour", self.colour)
        table = main_table(draft)
        cells = row_cells(table)
        stripes = [stripe for style in _styles_of(draft, cells) for stripe in _stripes(style)]
        areas = [node for node in table.detail if _is_striped_area(node)]
        if self.off:
            for one in (*stripes, *areas):
                one.getparent().remove(one)
            return bool(stripes or areas)
        if stripes or areas:
            styles = [child(stripe, "style") for stripe in stripes]
            return any([self._recolour(one) for one in (*styles, *map(report_element, areas))])
        join_cells(draft, table)
        for cell in cells:
            _add_stripe(draft, cell, self.colour)
        for line in [node for node in table.detail if local_name(node) == "line"]:
            table.detail.append(line)  # else the shaded cells would cover it
        return bool(cells)

    def _recolour(self, look: etree._Element | None) -> bool:
        if look is None or look.get("backcolor", "").upper() == self.colour.upper():
            return False
        look.set("backcolor", self.colour)
        look.set("mode", "Opaque")
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.stripe_rows.done_off" if self.off else "edits.stripe_rows.done"
        return EditClause(code, labels.colour(self.colour))


def _styles_of(draft: Draft, cells: list[etree._Element]) -> list[etree._Element]:
    """Return the styles that the cells are based on, each once."""
    styles, found = declared_nodes(draft.root, "style"), []
    for cell in cells:
        name = report_element(cell).get("style")
        while (style := styles.get(name or "")) is not None and style not in found:
            found.append(style)
            name = style.get("style")
    return found


def _stripes(style: etree._Element) -> list[etree._Element]:
    """Return the conditional styles that shade every other row."""
    return [
        one
        for one in style.findall(tag("conditionalStyle"))
        if _COUNTS_ROWS.search(child_text(one, "conditionExpression"))
        and (inner := child(one, "style")) is not None
        and inner.get("backcolor")
    ]


def _is_striped_area(node: etree._Element) -> bool:
    """Whether an element is an area below every other row, as templates that are made of a form have it."""
    if local_name(node) != "rectangle":
        return False
    report = report_element(node)
    return bool(report.get("backcolor")) and bool(_COUNTS_ROWS.search(child_text(report, "printWhenExpression")))


def _add_stripe(draft: Draft, cell: etree._Element, colour: str) -> None:
    """Shade a cell of every other row. Other conditions of its style come first, so that they win."""
    report = report_element(cell)
    if report.get("mode") == "Opaque" and report.get("backcolor", _WHITE).upper() != _WHITE:
        return  # a cell with a colour of its own keeps it
    for name in ("mode", "backcolor"):
        report.attrib.pop(name, None)
    styles = declared_nodes(draft.root, "style")
    own = styles.get(report.get("style") or "")
    if own is None or child(own, "conditionalStyle") is None:
        default = next((name for name, style in styles.items() if style.get("isDefault") == "true"), None)
        own = _stripe_style(draft, report.get("style") or default)
        report.set("style", own.get("name") or "")
    if not _stripes(own):
        stripe = new_node("conditionalStyle")
        stripe.append(new_node("conditionExpression", _EVERY_OTHER_ROW))
        stripe.append(new_node("style", mode="Opaque", backcolor=colour))
        own.append(stripe)


def _stripe_style(draft: Draft, base: str | None) -> etree._Element:
    """Return a style for striped cells that is based on another; cells with the same base share one."""
    for style in draft.root.findall(tag("style")):
        if (style.get("name") or "").startswith("stripe") and style.get("style") == base:
            return style
    attributes = {"style": base} if base else {}
    style = new_node("style", name=draft.free_name("style", "stripe"), **attributes)
    insert_child(draft.root, style)
    return style
