"""Delete a column of the rows."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.borders import borders_of, reborder
from ..jrxml.column_layout import ColumnShift, background_bands, shift_columns, table_bands, vertical_rules
from ..jrxml.column_widths import distribute
from ..jrxml.declarations import drop_unused_variables
from ..jrxml.dom import content_of, local_name
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.expressions import references
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import (
    EDGE_TOLERANCE_PT,
    MAX_RULE_WIDTH_PT,
    DetailTable,
    RowColumn,
    bands_below_rows,
    column_totals,
    find_column,
    variables_computed_from,
)
from ..replies import Text
from .base import Edit, EditClause, KnownNames


class DeleteColumn(Edit):
    """Remove or hide a column of the rows with its header and totals; the others share its width."""

    do: Literal["delete_column"] = "delete_column"
    field: str
    keep_totals: bool = False
    """Whether the totals below it stay, for a column that is hidden while its sum is still printed."""

    orphans_fields: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        column = table.columns[n]
        others = [node for node in _stacked(draft, table, column) if node not in column.cells]
        if others:  # the column also belongs to another field, and stays
            for cell in column.cells:
                if self.field in _printed_names(cell):
                    draft.remove(cell)
            return True
        if len(table.columns) == 1:
            raise EditRefused("column", Text.of("edits.delete_column.only"))
        borders, below = borders_of(table), self._kept_places(draft)
        names = column.names | {self.field}
        for node in self._members(draft, table, n):
            if node.getparent() is not None:
                draft.remove(node)
        drop_unused_variables(draft, names | {one for name in names for one in variables_computed_from(draft, name)})
        kept = [one for one in table.columns if one is not column]
        bounds = distribute([one.width for one in kept], [0] * len(kept), table.bounds)
        edges = [bounds[k if k <= n else k - 1] for k in range(len(table.bounds))]
        slots = [*pairwise(bounds)]
        shift_columns(draft, table, ColumnShift([*slots[:n], None, *slots[n:]], edges, edges))
        for node, box in below.items():
            draft.set_box(node, box)
        reborder(borders, kept)
        return True

    def _kept_places(self, draft: Draft) -> dict[etree._Element, ElementBox]:
        """Return what stays where it is below the rows: totals that are kept have no column to follow."""
        bands = bands_below_rows(draft) if self.keep_totals else []
        found = [node for band in bands for node in elements_in(band) if local_name(node) != "line"]
        return {node: draft.box_of(node) for node in found if not draft.style_of(node).is_cell}

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.delete_column.done_but_totals" if self.keep_totals else "edits.delete_column.done"
        return EditClause(code, labels.field(self.field))

    def removes(self, draft: Draft) -> list[etree._Element]:
        try:
            table, n = find_column(draft, self.field)
        except EditRefused:
            return []
        column = table.columns[n]
        return [*column.cells, *([column.header] if column.header is not None else [])]

    def removes_along(self, draft: Draft) -> list[etree._Element]:
        try:
            return self._members(draft, *find_column(draft, self.field))
        except EditRefused:
            return []

    def _members(self, draft: Draft, table: DetailTable, n: int) -> list[etree._Element]:
        """Return what goes with the column."""
        members = _members(draft, table, n)
        kept = column_totals(draft, table, table.columns[n]) if self.keep_totals else []
        return [node for node in members if node not in kept]

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _members(draft: Draft, table: DetailTable, n: int) -> list[etree._Element]:
    """Return everything that belongs to a column alone: its cells, header and totals, and the rule beside it."""
    column = table.columns[n]
    found = [*column.cells, *column_totals(draft, table, column)]
    found += [column.header] if column.header is not None else []
    for band, top, bottom in table_bands(table):
        for node in elements_in(band):
            box = draft.box_of(node)
            within = box.left >= column.left - 1 and box.right <= column.right + 1 and box.width > MAX_RULE_WIDTH_PT
            in_row = box.top >= top - EDGE_TOLERANCE_PT and box.bottom <= bottom + EDGE_TOLERANCE_PT
            own = local_name(node) != "textField" or _printed_names(node) <= column.names
            if within and in_row and own and node not in found:
                found.append(node)
    edge = column.right if n < len(table.columns) - 1 else column.left
    other = column.left if edge == column.right else column.right
    for band in dict.fromkeys(
        (*(row[0] for row in table_bands(table)), *bands_below_rows(draft), *background_bands(draft))
    ):
        rules = vertical_rules(draft, band)
        for node, box in rules:
            twin = any(abs(one.left - other) <= EDGE_TOLERANCE_PT and one.overlap_y(box) > 0 for _, one in rules)
            if abs(box.left - edge) <= EDGE_TOLERANCE_PT and twin:
                found.append(node)
    return found


def _stacked(draft: Draft, table: DetailTable, column: RowColumn) -> list[etree._Element]:
    """Return the texts of the rows in a column's slot that print fields, on any line."""
    return [
        node
        for node in elements_in(table.detail)
        if _printed_names(node)
        and column.left <= draft.box_of(node).center_x < column.right
        and draft.box_of(node).width <= column.width + EDGE_TOLERANCE_PT
    ]


def _printed_names(cell: etree._Element) -> set[str]:
    """Return the fields and variables that a cell prints."""
    return {name for letter, name in references(content_of(cell)) if letter in "FV"}
