"""Print only the rows for which a comparison holds."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.conditions import COMPARISON_SIGNS, Comparison, row_condition, row_value
from ..jrxml.declarations import STRING_CLASS
from ..jrxml.draft import Draft
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.row_filter import add_row_condition
from ..replies import Text, text
from .base import Edit, EditClause, KnownNames


class FilterRows(Edit):
    """Print only the rows for which a comparison holds, or with `hide` all other rows; totals count what is printed."""

    do: Literal["filter_rows"] = "filter_rows"
    field: str
    comparison: Comparison | Literal["contains", "empty"]
    value: str = ""
    """A number, a date as 2026-05-31, a time as 08:30, both as 2026-05-31 08:30; for `==` and `!=` also a text or true
    or false; for `contains` a text."""
    other: str | None = None
    """The field of the same row that it is compared with, instead of a value."""
    hide: bool = False

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        condition = self._condition(draft)
        if self.hide:
            condition = f"!({condition})"
        if not add_row_condition(draft, condition):
            raise EditRefused("already", Text.of("edits.filter_rows.already"))
        return True

    def _condition(self, draft: Draft) -> str:
        _, value, java_class = row_value(draft, self.field)
        if self.comparison == "empty":
            is_text = java_class == STRING_CLASS
            return f"{value} == null || {value}.trim().isEmpty()" if is_text else f"{value} == null"
        if self.comparison == "contains":
            return f"{value} != null && {value}.toString().contains({java_string(self.value)})"
        return row_condition(draft, self.field, self.comparison, self.value, self.other)

    def describe(self, labels: TemplateLabels) -> EditClause:
        sign = COMPARISON_SIGNS.get(self.comparison)
        words = sign or text(f"edits.filter_rows.{self.comparison}", labels.language)
        against = labels.compared(self.field, self.value, self.other)
        condition = f"{labels.field(self.field)} {words} {against}".strip()
        return EditClause("edits.filter_rows.done_hide" if self.hide else "edits.filter_rows.done", condition)

    def unseen(self) -> str:
        return "edits.unseen.rows"

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.row_values and (self.other is None or self.other in names.row_values)
