"""Add a column with each row's share of a total."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.column_totals import ColumnTotal, column_total, refuse_repetition
from ..jrxml.dom import declared_nodes
from ..jrxml.draft import Draft
from ..jrxml.expressions import sole_reference
from ..jrxml.formulas import DECIMAL, decimal_value
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_columns import NewColumn, insert_column
from ..replies import text
from .base import Edit, EditClause, KnownNames


class AddShare(Edit):
    """Add a column with each row's share of the total of another column, in percent."""

    do: Literal["share"] = "share"
    field: str
    """The column whose shares are computed."""
    label: str | None = None
    """Its heading."""
    key: str | None = None
    """What later edits call the new column."""
    after: str | None = None
    """The field of the column before it; None is the last position."""
    group: str | None = None
    """The group whose total is meant; None is the report's."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The total is known only at the end, so the engine fills the cells in then (``evaluationTime="Auto"``)."""
        summed = column_total(draft, self.field, "Sum", self.group)
        _keep_value_of_row(draft, summed.value)
        share = _share(summed)
        refuse_repetition(summed.table, share, "edits.add_share.already")
        label = self.label or text("edits.add_share.label", "zh" if draft.is_chinese() else "en")
        new = NewColumn(self.key or f"{summed.variable}_share", label, share, DECIMAL, "0.0%")
        cell = insert_column(draft, summed.table, new, self.after)
        cell.set("evaluationTime", "Auto")
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.add_share.done", labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        if self.key:
            names.elements.add(self.key)
            names.columns.add(self.key)
        return self.field in names.columns or self.field in names.fields


def _keep_value_of_row(draft: Draft, value: str) -> None:
    """Let a computed column keep each row's value: ``Auto`` reads a variable where it is reset, mostly at the end."""
    alone = sole_reference(value, "V")
    variable = declared_nodes(draft.root, "variable").get(alone[1]) if alone else None
    if variable is not None and variable.get("calculation", "Nothing") == "Nothing":
        variable.set("resetType", "None")
        variable.attrib.pop("resetGroup", None)


def _share(summed: ColumnTotal) -> str:
    whole = decimal_value(summed.total, summed.variable_class)
    share = f"{decimal_value(summed.value, summed.java_class)}.divide({whole}, MathContext.DECIMAL128)"
    return f"{summed.value} == null || {summed.total} == null || {whole}.signum() == 0 ? null : {share}"
