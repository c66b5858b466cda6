"""A column of numbers with the variable that totals it, for edits that compute from both."""

from __future__ import annotations

from typing import NamedTuple

from ..replies import Text
from .column_values import column_value
from .declarations import find_group
from .dom import content_of
from .draft import Draft
from .expressions import reference
from .refusals import EditRefused
from .tables import DetailTable, RowColumn, find_column
from .variables import class_of_variable, total_variable


class ColumnTotal(NamedTuple):
    """A column of numbers, and the variable of its total. Values are expressions with the classes of their results."""

    table: DetailTable
    column: RowColumn
    value: str
    java_class: str
    variable: str
    variable_class: str

    @property
    def total(self) -> str:
        return reference("V", self.variable)


def column_total(draft: Draft, field: str, calculation: str, group: str | None) -> ColumnTotal:
    """Return the column that prints a field, with its total in a group or, for None, in the report.

    The variable is declared if there is none. Raises ``EditRefused`` if the column prints no number, or if there is no
    such column or group.
    """
    table, n = find_column(draft, field)
    column = table.columns[n]
    value, java_class = column_value(draft, column, field)
    node = find_group(draft, group) if group is not None else None
    variable = total_variable(draft, field, calculation, node, value, java_class)
    return ColumnTotal(table, column, value, java_class, variable, class_of_variable(draft, variable))


def refuse_repetition(table: DetailTable, expression: str, code: str) -> None:
    """Raise ``EditRefused`` with the text `code` if a column of the table prints the expression already."""
    if any(content_of(cell) == expression for column in table.columns for cell in column.cells):
        raise EditRefused("already", Text.of(code))
