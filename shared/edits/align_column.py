"""Align a column of the rows as one."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.cells import fill_column
from ..jrxml.clone_style import set_alignment
from ..jrxml.dom import TEXT_ELEMENTS, local_name
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.placement import Align
from ..jrxml.tables import DetailTable, RowColumn, column_totals, find_column
from .base import Edit, EditClause, KnownNames


class AlignColumn(Edit):
    """Align a column as one: its heading, its values and the totals right below them."""

    do: Literal["align_column"] = "align_column"
    field: str
    align: Align
    part: Literal["all", "heading", "values"] = "all"
    """``heading`` and ``values`` leave the other as it is; totals go with the values."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        column, before = table.columns[n], draft.bytes()
        header, shared = column.header, [one.header for one in table.columns]
        if self.part != "values" and header is not None and shared.count(header) == 1:
            self._align(draft, header, exact)
        if self.part != "heading":
            for cell in column.cells:
                self._align(draft, cell, exact)
            self._align_totals(draft, table, column)
        return draft.bytes() != before

    def _align(self, draft: Draft, node: etree._Element, exact: bool) -> None:
        if local_name(node) in TEXT_ELEMENTS:
            set_alignment(node, self.align)
            if not exact:
                fill_column(draft, node)

    def _align_totals(self, draft: Draft, table: DetailTable, column: RowColumn) -> None:
        """Give each total the sides of the values above it, unless another text stands there."""
        cell = draft.box_of(column.cell)
        for node in column_totals(draft, table, column):
            box = draft.box_of(node)
            wanted = box._replace(left=cell.left, right=cell.right)
            beside = [draft.box_of(one) for one in draft.texts(draft.band_of(node)) if one is not node]
            if local_name(node) != "textField" or any(
                wanted.overlap_x(one) > 0 < wanted.overlap_y(one) for one in beside
            ):
                continue
            set_alignment(node, self.align)
            draft.set_box(node, wanted)

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        part = "" if self.part == "all" else f"_{self.part}"
        return EditClause(f"edits.align_column.done_{self.align.lower()}{part}", labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields
