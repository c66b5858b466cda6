"""Check formulas that a model states for values and columns of a form against the numbers of the form.

A formula names values and columns by their numbers, ``{8} - {9}``. In the formula of a value, a column stands for the
sum of its rows; in that of a column, for its value in the same row. A formula that the form's own numbers contradict
is not used; one of a value or column that the form leaves empty is believed if it can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal, DecimalException

from bandsmith.shared.jrxml.formula_tree import names_in, read_formula, value_of
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.model.plan import Data

from .named_parts import NamedPart, Parts, Value

Formulas = Mapping[str, str]
"""Formulas by the number of what they compute."""

CENTS = 2
"""Decimals that are compared, unless the form has more."""
OPERAND = re.compile(r"\{\s*(\d{1,3})\s*\}")


def operands_of(formula: str) -> list[str]:
    return [found[1] for found in OPERAND.finditer(formula)]


def as_names(formula: str) -> str:
    """Return a formula with the number of each operand as a name in quotation marks."""
    return OPERAND.sub(r'"\1"', formula)


def in_words(number: str, formula: str, parts: Parts) -> str:
    """Return a formula with the names of its operands."""
    return f"{parts[number].name} = {OPERAND.sub(lambda found: parts[found[1]].name, formula)}"


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
    scopes = {parts[one].scope for one in operands if one in parts and not parts[one].table}
    is_known = bool(operands) and all(one in parts and one != number and not parts[one].table for one in operands)
    if not is_known or number not in parts or parts[number].table:
        return False
    allowed = {"field"} if parts[number].scope == "field" else {"field", "parameter"}
    return scopes <= allowed and _is_readable(formula)


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
    target = parts[number]
    numbers = {one: parts[one] for one in operands_of(formula)}
    places = decimals_of(data, target)
    if target.scope == "parameter":
        value = data.parameters.get(target.name)
        operands = {one: _number_or_sum(data, part) for one, part in numbers.items()}
        return value in (None, "") or _gives(formula, operands, value, places)
    rows = [row for row in data.filled_rows if row.get(target.name) not in (None, "")]
    return all(
        _gives(formula, {one: number_of(row.get(part.name)) for one, part in numbers.items()}, row[target.name], places)
        for row in rows
    )


def _number_or_sum(data: Data, part: NamedPart) -> Decimal | None:
    if part.scope == "parameter":
        return number_of(data.parameters.get(part.name))
    values = [number_of(row.get(part.name)) for row in data.filled_rows]
    numbers = [value for value in values if value is not None]
    return sum(numbers, Decimal(0)) if numbers else None


def number_of(value: Value) -> Decimal | None:
    return Decimal(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else None


def decimals_of(data: Data, part: NamedPart) -> int:
    """Return how many decimals a value or column has on the form; cents at least."""
    holders = [data.parameters] if part.scope == "parameter" else data.rows
    values = [one.get(part.name) for one in holders]
    exponents = [number.as_tuple().exponent for value in values if (number := number_of(value)) is not None]
    return max([CENTS, *(-exponent for exponent in exponents if isinstance(exponent, int))])


def _gives(formula: str, operands: Mapping[str, Decimal | None], value: Value, decimals: int) -> bool:
    """Whether a formula gives a value, rounded to so many decimals."""
    wanted = number_of(value)
    if wanted is None:
        return False
    try:
        computed = value_of(read_formula(as_names(formula)), operands)
        return computed is not None and computed.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) == wanted
    except DecimalException:
        return False
