"""Check formulas that a model states for values and columns of a form against the numbers of the form.

A formula names values and columns by their numbers, ``{8} - {9}``. In the formula of a value, a column stands for the
sum of its rows, also one of another list; in that of a column, for its value in the same row. ``{8} where {3} = "ST"``
is the sum of those rows in which column 3 has this text. A formula that the form's own numbers contradict is not used;
one of a value or column that the form leaves empty is believed if it can be read. What the form prints in whole
numbers may be rounded to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, DecimalException
from typing import NamedTuple

from bandsmith.shared.jrxml.formula_tree import names_in, read_formula, value_of
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.sheet import Rounding

from .named_parts import NamedPart, Parts, Value
from .number_values import number_of

Formulas = Mapping[str, str]
"""Formulas by the number of what they compute."""

CENTS = 2
"""Decimals that are compared, unless the form has more."""
OPERAND = re.compile(r"\{\s*(\d{1,3})\s*\}")


_ROW_SUM = re.compile(r'\{\s*(\d{1,3})\s*\} where \{\s*(\d{1,3})\s*\} ?= ?"([^"]{1,60})"')
_ADDED = re.compile(r"\{[^{}]+\}(?: ?[-+] ?\{[^{}]+\})*")


_ROUNDED = " rounded "


def with_rounding(formula: str, rounding: Rounding | None) -> str:
    """Return a formula that says how its result is rounded."""
    return f"{formula}{_ROUNDED}{rounding.mode} {rounding.decimals}" if rounding else formula


def without_rounding(formula: str) -> str:
    return formula.partition(_ROUNDED)[0]


def _own_rounding(formula: str) -> Rounding | None:
    """Return how a formula says that its result is rounded."""
    mode, _, decimals = formula.partition(_ROUNDED)[2].partition(" ")
    if mode not in ("HALF_UP", "UP", "DOWN", "FLOOR") or not decimals.isdecimal() or len(decimals) > 1:
        return None
    return Rounding.model_validate({"decimals": int(decimals), "mode": mode})


class RowSum(NamedTuple):
    """The sum of a column in those rows in which another one has a text."""

    column: str
    where: str
    """The number of the other column."""
    text: str


def row_sum(formula: str) -> RowSum | None:
    """Return the sum of some rows that a formula is; None for any other formula."""
    found = _ROW_SUM.fullmatch(formula.strip())
    return RowSum(found[1], found[2], found[3]) if found else None


def operands_of(formula: str) -> list[str]:
    """Return the numbers of what a formula computes with."""
    if rows := row_sum(formula):
        return [rows.column]
    return [found[1] for found in OPERAND.finditer(formula)]


def added_together(formulas: Formulas) -> dict[str, list[str]]:
    """Return, for each number, the numbers that it is added to or compared with, which share its format."""
    found: dict[str, list[str]] = {}
    for number, formula in formulas.items():
        if row_sum(formula) or _ADDED.fullmatch(formula.strip()):
            group = [*operands_of(formula), number]
            for one in group:
                found.setdefault(one, []).extend(other for other in group if other != one)
    return found


def as_names(formula: str) -> str:
    """Return a formula with the number of each operand as a name in quotation marks."""
    return OPERAND.sub(r'"\1"', without_rounding(formula))


def in_words(number: str, formula: str, parts: Parts) -> str:
    """Return a formula with the names of its operands."""

    def name(found: re.Match[str]) -> str:
        return parts[found[1]].name if found[1] in parts else found[0]

    return f"{parts[number].name} = {OPERAND.sub(name, without_rounding(formula))}"


def proven_formulas(data: Data, parts: Parts, formulas: Formulas) -> dict[str, str]:
    """Return the formulas that the form's numbers do not contradict, in an order in which they can be computed."""
    held = {
        number: formula
        for number, formula in formulas.items()
        if _is_formula(formula, number, parts) and _holds(data, parts, number, formula)
    }
    return dict(_in_order(held))


def _is_formula(formula: str, number: str, parts: Parts) -> bool:
    operands = operands_of(formula)
    if number not in parts or parts[number].table or not operands:
        return False
    if any(one not in parts or one == number or parts[one].scope == "list" for one in operands):
        return False
    of_rows = parts[number].scope == "field"
    if rows := row_sum(formula):
        return not of_rows and all(_is_column(parts.get(one)) for one in (rows.column, rows.where))
    return _is_readable(formula) and not (of_rows and any(not _is_column(parts[one]) for one in operands))


def _is_column(part: NamedPart | None) -> bool:
    """Whether a part is a column of the main table."""
    return part is not None and part.scope == "field" and not part.table


def _is_readable(formula: str) -> bool:
    """Whether a formula can be read, and names nothing but its operands."""
    try:
        names = names_in(read_formula(as_names(formula)))
    except EditRefused:
        return False
    return {one.name for one in names} == set(operands_of(formula))


def _in_order(formulas: Formulas) -> Iterator[tuple[str, str]]:
    """Yield the formulas in an order in which they can be computed. Formulas that refer to each other are left out."""
    left = dict(formulas)
    while ready := [number for number in left if left.keys().isdisjoint(operands_of(left[number]))]:
        for number in ready:
            yield number, left.pop(number)


# --- what the form's numbers prove ------------------------------------------------------------------------------------


def _holds(data: Data, parts: Parts, number: str, formula: str) -> bool:
    """Whether a formula gives what the form has: a value, or each value of a column. Where it is empty, any does."""
    return rounding_for(data, parts, number, formula) is not None


def rounding_for(data: Data, parts: Parts, number: str, formula: str) -> Rounding | None:
    """Return the rounding with which a formula gives what the form has; None where it does not."""
    exact = decimals_of(data, parts[number])
    wanted = [value for _, value in _wanted(data, parts[number])]
    is_whole = bool(wanted) and all(isinstance(value, int) for value in wanted)
    usual = [Rounding(decimals=decimals) for decimals in ((exact, 0) if is_whole else (exact,))]
    own = _own_rounding(formula)
    for rounding in [own] if own else usual:
        if _holds_with(data, parts, number, formula, rounding):
            return rounding
    return None


def _wanted(data: Data, target: NamedPart) -> list[tuple[Mapping[str, Value], Value]]:
    """Return what the form has of a value or column, each with the row that it stands in."""
    holders = [data.parameters] if target.scope == "parameter" else data.filled_rows
    return [(one, value) for one in holders if (value := one.get(target.name)) not in (None, "")]


def _holds_with(data: Data, parts: Parts, number: str, formula: str, rounding: Rounding) -> bool:
    rows = row_sum(formula)
    if rows:  # is printed as it is, without rounding
        is_found = _total_of(data, parts, rows) is not None
        return is_found and all(found == number_of(value) for found, value in _results(data, parts, number, formula))
    return all(
        found is not None and rounded_to(found, rounding.decimals, rounding.mode) == number_of(value)
        for found, value in _results(data, parts, number, formula)
    )


def _results(data: Data, parts: Parts, number: str, formula: str) -> Iterator[tuple[Decimal | None, Value]]:
    """Yield what a formula gives, and what the form has: for a value, or for each row of a column."""
    rows = row_sum(formula)
    numbers = {one: parts[one] for one in operands_of(formula)}
    for holder, value in _wanted(data, parts[number]):
        if rows:
            yield _total_of(data, parts, rows), value
        elif parts[number].scope == "parameter":
            yield _value(formula, {one: _number_or_sum(data, part) for one, part in numbers.items()}), value
        else:
            yield _value(formula, {one: number_of(holder.get(part.name)) for one, part in numbers.items()}), value


def _total_of(data: Data, parts: Parts, rows: RowSum) -> Decimal | None:
    """Return the sum of some rows; None where no row has the text."""
    found = [row for row in data.filled_rows if row.get(parts[rows.where].name) == rows.text]
    numbers = [number_of(row.get(parts[rows.column].name)) for row in found]
    return sum((number for number in numbers if number is not None), Decimal(0)) if found else None


def _number_or_sum(data: Data, part: NamedPart) -> Decimal | None:
    if part.scope == "parameter":
        return number_of(data.parameters.get(part.name))
    rows = data.lists.get(part.table, []) if part.table else data.filled_rows
    values = [number_of(row.get(part.name)) for row in rows]
    numbers = [value for value in values if value is not None]
    return sum(numbers, Decimal(0)) if numbers else None


def decimals_of(data: Data, part: NamedPart) -> int:
    """Return how many decimals a value or column has on the form; cents at least."""
    rows = data.lists.get(part.table, []) if part.table else data.rows
    holders = [data.parameters] if part.scope == "parameter" else rows
    values = [one.get(part.name) for one in holders]
    exponents = [number.as_tuple().exponent for value in values if (number := number_of(value)) is not None]
    return max([CENTS, *(-exponent for exponent in exponents if isinstance(exponent, int))])


def computed(data: Data, parts: Parts, number: str, formula: str) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield what a formula gives and what the form has, for a value or for each row; not where a number is missing."""
    if number not in parts or not _is_formula(formula, number, parts):
        return
    for found, value in _results(data, parts, number, formula):
        wanted = number_of(value)
        if found is not None and wanted is not None:
            yield found, wanted


def rounded_to(number: Decimal, decimals: int, mode: str = "HALF_UP") -> Decimal | None:
    """Return a number with so many decimals; None where it has more digits than can be computed with."""
    try:
        return number.quantize(Decimal(1).scaleb(-decimals), f"ROUND_{mode}")
    except DecimalException:
        return None


def _value(formula: str, operands: Mapping[str, Decimal | None]) -> Decimal | None:
    try:
        return value_of(read_formula(as_names(formula)), operands)
    except DecimalException:
        return None
