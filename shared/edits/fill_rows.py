"""Fill the table up with blank rows."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import clone_as_static_text
from ..jrxml.dom import (
    TEXT_ELEMENTS,
    child,
    insert_child,
    int_attribute,
    is_element,
    local_name,
    new_node,
    report_element,
    tag,
)
from ..jrxml.draft import REPEATED_SECTIONS, Draft
from ..jrxml.further_pages import END_OF_ROWS, printed_groups
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_space, value_refused
from ..jrxml.tables import DetailTable, main_table
from ..replies import Text
from .base import Edit, EditClause

GROUP_NAME = "blank_rows"
MAX_ROWS = 100


class FillRows(Edit):
    """Print blank rows below the last row until the table has a number of rows, or reaches the bottom of the page."""

    do: Literal["fill_rows"] = "fill_rows"
    count: int | None = None
    """How many rows there are at least; 0 prints no blank rows any more; None fills the page."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The blank rows are the footers of a group of all rows, each printed only where it is needed."""
        if self.count is not None and not 0 <= self.count <= MAX_ROWS:
            raise value_refused("row_count", self.count)
        before = etree.tostring(draft.root)
        removed = _remove_blank_rows(draft)
        if self.count == 0:
            return removed
        table = main_table(draft)
        if _has_two_rows(draft):
            raise EditRefused("band", Text.of("edits.fill_rows.several_bands"))
        if self.count is None:
            _fill_page(draft, table)
        else:
            _fill(draft, table, [f"$V{{REPORT_COUNT}} < {number}" for number in range(1, self.count + 1)])
        return bool(etree.tostring(draft.root) != before)

    def describe(self, labels: TemplateLabels) -> EditClause:
        if self.count is None:
            return EditClause("edits.fill_rows.done_page", "")
        return EditClause("edits.fill_rows.done" if self.count else "edits.fill_rows.done_none", str(self.count))

    def removes(self, draft: Draft) -> list[etree._Element]:
        """The blank rows that an earlier edit added."""
        group = draft.declared("group", GROUP_NAME)
        return [node for band in group.iter(tag("band")) for node in elements_in(band)] if group is not None else []


def _remove_blank_rows(draft: Draft) -> bool:
    group = draft.declared("group", GROUP_NAME)
    if group is None:
        return False
    for band in group.iter(tag("band")):
        for node in list(band):
            if is_element(node):
                draft.remove(node)
    draft.root.remove(group)
    return True


def _has_two_rows(draft: Draft) -> bool:
    return sum(name == "detail" for name, _ in draft.bands()) > 1


def _fill_page(draft: Draft, table: DetailTable) -> None:
    """Fill the last page. The first page has the title, so that fewer rows fit there than on the others."""
    if printed_groups(draft.root):
        raise EditRefused("group", Text.of("edits.fill_rows.grouped"))
    heights = {name: int_attribute(band, "height") for name, band in draft.bands()}
    available = draft.content_height - sum(heights.get(name, 0) for name in (*REPEATED_SECTIONS, "summary"))
    row = int_attribute(table.detail, "height")
    rows = min(MAX_ROWS, available // row)
    on_first = min(rows, (available - heights.get("title", 0)) // row)
    if on_first < 1:
        raise no_space()
    last = f"($V{{PAGE_NUMBER}} == 1 ? {on_first} : {rows})"
    _fill(draft, table, [f"$V{{PAGE_COUNT}} < {n} && {n} <= {last}" for n in range(1, rows + 1)])


def _fill(draft: Draft, table: DetailTable, conditions: list[str]) -> None:
    """Add a blank row for each condition, which says when it is printed."""
    group = new_node("group", name=GROUP_NAME)
    footer = new_node("groupFooter")
    group.append(footer)
    first = next(iter(printed_groups(draft.root)), None)
    end = draft.declared("group", END_OF_ROWS)
    if first is not None:
        first.addprevious(group)  # the outermost group ends last
    elif end is not None:
        end.addnext(group)
    else:
        insert_child(draft.root, group)
    height = table.detail.get("height") or "0"
    for number, condition in enumerate(conditions, 1):
        band = new_node("band", height=height, splitType="Prevent")
        band.append(new_node("printWhenExpression", condition))
        footer.append(band)
        for key, blank in _blank_elements(table, number):
            draft.add_element(band, blank, f"blank_{key}")


def _blank_elements(table: DetailTable, number: int) -> Iterator[tuple[str, etree._Element]]:
    """Yield what a row draws, without what it prints, each with its key; `number` is the row's number."""
    for node in table.detail:
        if not is_element(node):
            continue
        key = report_element(node).get("key") or "cell"
        if local_name(node) in TEXT_ELEMENTS:
            yield key, clone_as_static_text(node, "")
        elif local_name(node) in ("line", "rectangle", "frame"):
            yield key, _without_values(copy.deepcopy(node), number)


def _without_values(node: etree._Element, number: int) -> etree._Element:
    """Return a copied shape without the texts in it; what depends on the number of its row is decided."""
    for report in [report_element(one) for one in (node, *elements_in(node))]:
        report.attrib.pop("uuid", None)
        condition = child(report, "printWhenExpression")
        if condition is not None and condition.text:
            condition.text = condition.text.replace("$V{REPORT_COUNT}", f"Integer.valueOf({number})")
    for inner in [one for one in elements_in(node) if local_name(one) in TEXT_ELEMENTS]:
        parent = inner.getparent()
        parent.replace(inner, clone_as_static_text(inner, ""))
    return node
