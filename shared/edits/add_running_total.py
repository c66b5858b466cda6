"""Add a column with the running total of another column."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.column_totals import column_total, refuse_repetition
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_columns import NewColumn, insert_column
from ..replies import text
from .base import Edit, EditClause, KnownNames


class AddRunningTotal(Edit):
    """Add a column with the running total of another column: in each row the sum of the rows so far."""

    do: Literal["running_total"] = "running_total"
    field: str
    """The column that is added up."""
    label: str | None = None
    """Its heading."""
    key: str | None = None
    """What later edits call the new column."""
    after: str | None = None
    """The field of the column before it; None is the last position."""
    group: str | None = None
    """The group with which it starts again; None is the report."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        summed = column_total(draft, self.field, "Sum", self.group)
        refuse_repetition(summed.table, summed.total, "edits.add_running_total.already")
        new = NewColumn(
            key=self.key or summed.variable,
            label=self.label or text("edits.add_running_total.label", "zh" if draft.is_chinese() else "en"),
            expression=summed.total,
            java_class=summed.variable_class,
            pattern=summed.column.cell.get("pattern"),
        )
        insert_column(draft, summed.table, new, self.after)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.add_running_total.done", labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        if self.key:
            names.elements.add(self.key)
            names.columns.add(self.key)
        return self.field in names.columns or self.field in names.fields
