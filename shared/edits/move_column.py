"""Move a column of the rows."""

from __future__ import annotations

from typing import Literal

from ..jrxml.column_layout import reorder_columns
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.tables import column_number, find_column
from .base import Edit, EditClause, KnownNames


class MoveColumn(Edit):
    """Move a column after another."""

    do: Literal["move_column"] = "move_column"
    field: str
    after: str = ""
    """The field of the column before it; empty is the first position."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        column = table.columns[n]
        order = [one for one in table.columns if one is not column]
        at = 0 if not self.after else column_number(order, self.after) + 1
        order.insert(at, column)
        if order == table.columns:
            return False
        reorder_columns(draft, table, order, [one.width for one in order])
        return True

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        label = labels.field(self.field)
        if self.after:
            return EditClause("edits.move_column.done", label, {"after": labels.field(self.after)})
        return EditClause("edits.move_column.done_first", label)

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields
