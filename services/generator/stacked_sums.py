"""Find totals that amounts above them prove: a subtotal, a tax and a discount give the amount to pay, whatever the tax.

Only what is called a total is taken for one, and only where the amounts right above it add up to it in one way. Amounts
that are taken off may be printed without a sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, product
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.dom import int_attribute, report_element, span_of
from bandsmith.shared.model.plan import Data

from .detect_totals import LINE_TOLERANCE_PT, columns_above, names_total, sole_uses
from .named_parts import Parts
from .stated_formulas import number_of

MAX_OPERANDS = 5
"""Amounts that a total is made of, at most."""
MAX_STEP_PT = 60
"""Distance of an amount from the next one below it, at most."""
_DUE = frozenset({"net_pay", "netpay", "total_due", "amount_due", "balance", "balance_due", "grand_total", "payable"})
"""What forms call what is left to pay, beside names of totals."""
_BANDS = ("title", "pageHeader", "columnHeader", "detail", "columnFooter", "summary", "lastPageFooter", "pageFooter")


class _Amount(NamedTuple):
    """A number that is printed alone."""

    number: str
    """That of its part."""
    name: str
    value: Decimal
    element: etree._Element
    top: tuple[int, int]
    """Its band's place among the bands, and its top in it."""


def stacked_sums(editor: Editor, data: Data, parts: Parts) -> dict[str, str]:
    """Return the formula of each total that is proven by the amounts above it, by the numbers of parts."""
    amounts = list(_amounts(editor, data, parts))
    columns = {part.name: number for number, part in parts.items() if part.scope == "field" and not part.table}
    found = {}
    for total in amounts:
        if total.value == 0 or not (names_total(total.name) or total.name in _DUE):
            continue
        above = _right_above(total, amounts)
        formula = _of_amounts(total, above) or _of_column(editor, data, total, above, columns)
        if formula := formula or _of_line(total, amounts):
            found[total.number] = formula
    return found


def _amounts(editor: Editor, data: Data, parts: Parts) -> Iterator[_Amount]:
    uses = sole_uses(editor)
    for number, part in parts.items():
        value = number_of(data.parameters.get(part.name)) if part.scope == "parameter" else None
        if value is None or part.name not in uses:
            continue
        element, band = uses[part.name]
        place = _BANDS.index(band) if band in _BANDS else len(_BANDS)
        yield _Amount(number, part.name, value, element, (place, int_attribute(report_element(element), "y")))


def _right_above(total: _Amount, amounts: Sequence[_Amount]) -> list[_Amount]:
    """Return the amounts above a total in its band and column, the nearest first, as far as they follow each other."""
    left, right = span_of(total.element)
    found = list[_Amount]()
    last = total
    for one in sorted(amounts, key=lambda amount: amount.top, reverse=True):
        x, end = span_of(one.element)
        if one.top >= last.top or one.top[0] != total.top[0] or x >= right or end <= left:
            continue
        if last.top[1] - one.top[1] > MAX_STEP_PT:
            break
        found.append(one)
        last = one
    return found[:MAX_OPERANDS]


def _of_amounts(total: _Amount, above: Sequence[_Amount]) -> str | None:
    """Return the formula of a total that is the farthest of the nearest amounts, with the others added or taken off."""
    for count in range(2, len(above) + 1):
        *others, first = above[:count]
        if any(one.value == total.value for one in above[:count]):
            return None  # the total may be that amount alone
        if first.value != 0 and (signs := _signs(total.value - first.value, others)):
            return _formula(first.number, others, signs)
    return None


def _of_column(
    editor: Editor, data: Data, total: _Amount, above: Sequence[_Amount], columns: Mapping[str, str]
) -> str | None:
    """Return the formula of a total that is the sum of the column above it, with amounts added or taken off."""
    over = [name for name in columns_above(editor, total.element) if name in columns]
    if len(over) != 1:
        return None
    values = [number_of(row.get(over[0])) for row in data.filled_rows]
    if not values or any(value is None for value in values):
        return None
    whole = sum((value for value in values if value is not None), Decimal(0))
    if whole == 0 or any(one.value in (whole, total.value) for one in above):
        return None
    for count in range(1, len(above) + 1):
        if signs := _signs(total.value - whole, above[:count]):
            return _formula(columns[over[0]], above[:count], signs)
    return None


def _of_line(total: _Amount, amounts: Sequence[_Amount]) -> str | None:
    """Return the formula of a total that is the sum of two totals on the nearest line above it with several amounts."""
    lines: dict[tuple[int, int], list[_Amount]] = {}
    for one in amounts:
        if one.top[0] == total.top[0] and one.top[1] < total.top[1] - LINE_TOLERANCE_PT:
            lines.setdefault((one.top[0], round(one.top[1] / LINE_TOLERANCE_PT)), []).append(one)
    line = next((lines[top] for top in sorted(lines, reverse=True) if len(lines[top]) > 1), [])
    pairs = [
        (one, other) for one, other in combinations(line, 2) if one.value and one.value + other.value == total.value
    ]
    return _formula(pairs[0][0].number, [pairs[0][1]], [1]) if len(pairs) == 1 and pairs[0][1].value else None


def _signs(difference: Decimal, amounts: Sequence[_Amount]) -> tuple[int, ...] | None:
    """Return the only signs with which amounts give a difference; None where none do, or several."""
    if any(one.value == 0 for one in amounts):
        return None
    fitting = [
        signs
        for signs in product((1, -1), repeat=len(amounts))
        if sum(sign * one.value for sign, one in zip(signs, amounts, strict=True)) == difference
    ]
    return fitting[0] if len(fitting) == 1 else None


def _formula(first: str, amounts: Sequence[_Amount], signs: Sequence[int]) -> str:
    """Return the formula from the first operand, in the order of the page."""
    terms = [f"{'+' if sign > 0 else '-'} {{{one.number}}}" for one, sign in zip(amounts, signs, strict=True)]
    return " ".join([f"{{{first}}}", *reversed(terms)])
