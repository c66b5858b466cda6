"""Print only the rows for which a comparison holds."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.conditions import COMPARISON_SIGNS, Comparison, comparison
from ..jrxml.declarations import STRING_CLASS, is_row_variable
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.row_filter import add_row_condition
from ..replies import Text, text
from .base import Clause, Edit, KnownNames


class FilterRows(Edit):
    """Print only the rows for which a comparison holds, or with `hide` all other rows; totals count what is printed."""

    do: Literal["filter_rows"] = "filter_rows"
    field: str
    comparison: Comparison | Literal["contains", "empty"]
    value: str = ""
    """A number, a date as 2026-05-31, or a text for `==`, `!=` and `contains`."""
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
        value, java_class = _value(draft, self.field)
        if self.comparison == "empty":
            is_text = java_class == STRING_CLASS
            return f"{value} == null || {value}.trim().isEmpty()" if is_text else f"{value} == null"
        if self.comparison == "contains":
            return f"{value} != null && {value}.toString().contains({java_string(self.value)})"
        return comparison(self.field, value, java_class, self.comparison, self.value)

    def describe(self, labels: TemplateLabels) -> Clause:
        sign = COMPARISON_SIGNS.get(self.comparison)
        words = sign or text(f"edits.filter_rows.{self.comparison}", labels.language)
        condition = f"{labels.field(self.field)} {words} {self.value}".strip()
        return Clause("edits.filter_rows.done_hide" if self.hide else "edits.filter_rows.done", condition)

    def unseen(self) -> str:
        return "edits.unseen.rows"

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _value(draft: Draft, name: str) -> tuple[str, str]:
    """Return the reference to a field or to a variable of each row, and its class."""
    for scope, letter in (("field", "F"), ("variable", "V")):
        node = draft.declared(scope, name)
        if node is not None and (letter == "F" or is_row_variable(draft, name)):
            return reference(letter, name), node.get("class") or STRING_CLASS
    raise no_field(name)
