"""Compute the values of a column whose variable multiplies, adds or subtracts fields of a row, and may round that."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from bandsmith.shared.jrxml.expressions import ROUNDING, reference_pattern, without_guard
from bandsmith.shared.model.plan import Data

_FIELD = reference_pattern("F", r"(\w+)")
_TERM = rf"(?:new BigDecimal\({_FIELD}(?:\.toString\(\))?\)|{_FIELD})"
_FIRST = re.compile(_TERM)
_STEP = re.compile(rf"\.(multiply|add|subtract)\({_TERM}\)")
_ROUNDED = re.compile(rf"(.*){ROUNDING}", re.DOTALL)
_STEPS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "multiply": operator.mul,
    "add": operator.add,
    "subtract": operator.sub,
}


def computed_values(expression: str, data: Data) -> list[Decimal]:
    """Return the value of each row; nothing where the expression does more, or a value is missing."""
    rest = without_guard(expression, "F")
    decimals = None
    if rounded := _ROUNDED.fullmatch(rest):
        rest, decimals = rounded[1], int(rounded[2])
    if (first := _FIRST.match(rest)) is None:
        return []
    steps = list(_STEP.finditer(rest, first.end()))
    if first[0] + "".join(step[0] for step in steps) != rest:
        return []
    names = [first[1] or first[2], *(step[2] or step[3] for step in steps)]
    rows = [[row.get(name) for name in names] for row in data.rows]
    if any(not isinstance(value, (int, float)) for row in rows for value in row):
        return []
    values = [_computed([Decimal(str(value)) for value in row], [step[1] for step in steps]) for row in rows]
    return values if decimals is None else [_rounded(value, decimals) for value in values]


def _computed(numbers: list[Decimal], steps: list[str]) -> Decimal:
    result = numbers[0]
    for step, number in zip(steps, numbers[1:], strict=True):
        result = _STEPS[step](result, number)
    return result


def _rounded(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
