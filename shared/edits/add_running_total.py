"""Add a column with the running total of another column."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.column_values import column_value
from ..jrxml.dom import content_of
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_columns import NewColumn, insert_column
from ..jrxml.refusals import EditRefused, no_group
from ..jrxml.tables import find_column
from ..jrxml.variables import class_of_variable, total_variable
from ..replies import Text, text
from .base import Clause, Edit, KnownNames


class AddRunningTotal(Edit):
    """Add a column with the running total of another column: in each row the sum of the rows so far."""

    do: Literal["running_total"] = "running_total"
    field: str
    """The column that is added up."""
    label: str | None = None
    after: str | None = None
    """The field of the column before it; None is the last position."""
    group: str | None = None
    """The group with which it starts again; None is the report."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        value, java_class = column_value(draft, table.columns[n], self.field)
        group = draft.group(self.group) if self.group is not None else None
        if self.group is not None and group is None:
            raise no_group(self.group)
        variable = total_variable(draft, self.field, "Sum", group, value, java_class)
        shown = reference("V", variable)
        if any(content_of(cell) == shown for column in table.columns for cell in column.cells):
            raise EditRefused("already", Text.of("edits.add_running_total.already"))
        new = NewColumn(
            key=variable,
            label=self.label or text("edits.add_running_total.label", "zh" if draft.is_chinese() else "en"),
            expression=shown,
            java_class=class_of_variable(draft, variable),
            pattern=table.columns[n].cell.get("pattern"),
        )
        insert_column(draft, table, new, self.after)
        return True

    def describe(self, labels: TemplateLabels) -> Clause:
        return Clause("edits.add_running_total.done", labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields
