"""Add a column with each row's share of a total."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.column_values import column_value
from ..jrxml.dom import content_of
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference
from ..jrxml.formulas import DECIMAL, decimal_value
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_columns import NewColumn, insert_column
from ..jrxml.refusals import EditRefused, no_group
from ..jrxml.tables import find_column
from ..jrxml.variables import class_of_variable, total_variable
from ..replies import Text, text
from .base import Clause, Edit, KnownNames


class AddShare(Edit):
    """Add a column with each row's share of the total of another column, in percent."""

    do: Literal["share"] = "share"
    field: str
    """The column whose shares are computed."""
    label: str | None = None
    after: str | None = None
    """The field of the column before it; None is the last position."""
    group: str | None = None
    """The group whose total is meant; None is the report's."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The total is known only at the end, so the engine fills the cells in then (``evaluationTime="Auto"``)."""
        table, n = find_column(draft, self.field)
        value, java_class = column_value(draft, table.columns[n], self.field)
        group = draft.group(self.group) if self.group is not None else None
        if self.group is not None and group is None:
            raise no_group(self.group)
        total = total_variable(draft, self.field, "Sum", group, value, java_class)
        shown = _share(value, java_class, reference("V", total), class_of_variable(draft, total))
        if any(content_of(cell) == shown for column in table.columns for cell in column.cells):
            raise EditRefused("already", Text.of("edits.add_share.already"))
        label = self.label or text("edits.add_share.label", "zh" if draft.is_chinese() else "en")
        cell = insert_column(draft, table, NewColumn(f"{total}_share", label, shown, DECIMAL, "0.0%"), self.after)
        cell.set("evaluationTime", "Auto")
        return True

    def describe(self, labels: TemplateLabels) -> Clause:
        return Clause("edits.add_share.done", labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _share(value: str, java_class: str, total: str, total_class: str) -> str:
    whole = decimal_value(total, total_class)
    share = f"{decimal_value(value, java_class)}.divide({whole}, MathContext.DECIMAL128)"
    return f"{value} == null || {total} == null || {whole}.signum() == 0 ? null : {share}"
