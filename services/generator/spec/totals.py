"""Totals: the variables of the rows below a table and below each of its groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bandsmith.shared.fields.value_types import INTEGER, LONG
from bandsmith.shared.jrxml.expressions import unless_null
from bandsmith.shared.model.plan import Calculation, Variable
from bandsmith.shared.model.spec import Computed, numeric

from .spec_item import SpecItem
from .table import DOUBLE

TotalKind = Literal["sum", "average", "count"]
_CALCULATIONS: dict[TotalKind, Calculation] = {"sum": "Sum", "average": "Average", "count": "Count"}
_SUFFIXES: dict[TotalKind, str] = {"sum": "total", "average": "average", "count": "count"}


@dataclass(frozen=True)
class SpecTotal:
    """A column's total."""

    item: SpecItem
    calculation: TotalKind

    def variable(self, group: str | None) -> str:
        """Return the variable's name, for a group or for the whole table."""
        stem = f"{self.item.name}_{_SUFFIXES[self.calculation]}"
        return f"{stem}_{group}" if group else stem

    @property
    def shown_as(self) -> SpecItem:
        """The item whose format the value is printed in: the column's, but a count is a whole number."""
        if self.calculation == "count":
            return replace(self.item, kind="integer", java_class=INTEGER, pattern="#,##0")
        if self.calculation == "average" and self.item.kind == "integer":
            return replace(self.item, pattern="#,##0.0")
        return self.item


def totals_of(columns: Iterable[SpecItem]) -> list[SpecTotal]:
    """Return the totals of all columns that have one. Only numbers have sums and averages."""
    totals = []
    columns = list(columns)
    wholes = {item.share_of for item in columns}
    columns = [replace(item, total="sum") if item.name in wholes else item for item in columns]
    for item in columns:
        if item.total == "count" and not item.counter:
            totals.append(SpecTotal(item, "count"))
        elif item.total in ("sum", "average") and item.is_number and not item.counter:
            totals.append(SpecTotal(item, "sum" if item.total == "sum" else "average"))
    return totals


def variables(columns: Sequence[SpecItem], totals: Sequence[SpecTotal], groups: Sequence[str]) -> list[Variable]:
    """Return the variables: first the values computed in each row, since totals may be made of them."""
    by_name = {item.name: item for item in columns}
    computed = [
        Variable(
            name=item.name,
            expression=_java_expression(item.computed, by_name, zero_if_missing=item.running),
            calculation="Sum" if item.running else "Nothing",
        )
        for item in _ordered(columns)
        if item.computed
    ]
    return computed + [_total(total, group) for total in totals for group in (*groups, None)]


def _total(total: SpecTotal, group: str | None) -> Variable:
    item = total.item
    reference, java_class = item.reference, item.java_class
    if total.calculation == "count":
        java_class = INTEGER
    elif total.calculation == "average":  # the engine's average of whole numbers is a whole number
        reference, java_class = unless_null(reference, f"{reference}.doubleValue()"), DOUBLE
    return Variable(
        name=total.variable(group),
        expression=reference,
        java_class=java_class,
        calculation=_CALCULATIONS[total.calculation],
        group=group,
    )


def _ordered(columns: Sequence[SpecItem]) -> list[SpecItem]:
    """Return the computed columns, each after the columns that it is computed from."""
    ordered: list[SpecItem] = []
    remaining = [item for item in columns if item.computed]
    while remaining:
        pending = {item.name for item in remaining}
        ready = [item for item in remaining if item.computed and not pending & set(item.computed.needed)]
        ordered += ready
        remaining = [item for item in remaining if item not in ready] if ready else []
    return ordered


def share_expression(item: SpecItem, columns: Sequence[SpecItem]) -> str:
    """Return the share of a column's value in its total, which is known at the end of the report."""
    by_name = {column.name: column for column in columns}
    whole = by_name[item.share_of or ""]
    total = f"$V{{{SpecTotal(whole, 'sum').variable(None)}}}"
    amount = f"BigDecimal.valueOf({total})" if whole.java_class in (INTEGER, LONG) else total
    return (
        f"{whole.reference} == null || {total} == null || {amount}.signum() == 0 ? null : "
        f"{_decimal(whole.name, by_name)}.divide({amount}, 4, RoundingMode.HALF_UP)"
    )


def _java_expression(computed: Computed, by_name: dict[str, SpecItem], zero_if_missing: bool = False) -> str:
    """Return a Java expression in BigDecimal. Its value is null if an operand is missing, unless that is a zero."""
    columns = [by_name[operand] for operand in computed.needed if operand in by_name]
    missing = " || ".join(dict.fromkeys(f"{item.reference} == null" for item in columns))
    as_decimal = _or_zero if zero_if_missing else _decimal
    missing = "" if zero_if_missing else missing
    operands = [as_decimal(operand, by_name) for operand in computed.operands]
    if computed.operator == "/":
        missing += "".join(f" || {operand}.signum() == 0" for operand in operands[1:])
    value = operands[0]
    for operand in operands[1:]:
        value += {
            "+": f".add({operand})",
            "-": f".subtract({operand})",
            "*": f".multiply({operand})",
            "/": f".divide({operand}, 4, RoundingMode.HALF_UP)",
        }[computed.operator]
    value += "".join(f".subtract({as_decimal(operand, by_name)})" for operand in computed.less)
    return f"{missing} ? null : {value}" if missing else value


def _or_zero(operand: str, by_name: dict[str, SpecItem]) -> str:
    item, value = by_name.get(operand), _decimal(operand, by_name)
    return f"({item.reference} == null ? BigDecimal.ZERO : {value})" if item else value


def _decimal(operand: str, by_name: dict[str, SpecItem]) -> str:
    item = by_name.get(operand)
    if item is None:
        return f'new BigDecimal("{numeric(operand)}")'
    return f"BigDecimal.valueOf({item.reference})" if item.java_class in (INTEGER, LONG) else item.reference
