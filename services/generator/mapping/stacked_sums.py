"""Find totals that amounts above them prove: a subtotal, a tax and a discount give the amount to pay, whatever the tax.

Only what is called a total is taken for one, and only where the amounts right above it add up to it in one way. Amounts
have decimals, as many as the total; whole numbers may be counts. What is called a rate, a quantity, a price or hours is
no amount. Amounts that are taken off may be printed without a sign if they are called a discount, a deposit or so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, product
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.value_types import DECIMAL
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes, span_of
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.model.plan import Data

from .detect_totals import columns_above, names_total, sole_uses
from .element_lines import LINE_TOLERANCE_PT, lines_of, top_of
from .named_parts import Parts
from .number_values import number_of

MAX_OPERANDS = 5
"""Amounts that a total is made of, at most."""
MAX_STEP_PT = 60
"""Distance of an amount from the next one below it, at most."""
_DUE = frozenset({"net_pay", "netpay", "total_due", "amount_due", "balance", "balance_due", "grand_total", "payable"})
"""What forms call what is left to pay, beside names of totals."""
_NO_AMOUNT = re.compile(
    r"(?:^|_)(?:rate|percent(?:age)?|quantity|qty|count|number|hours?|days|weight|volume|satz|menge|anzahl|stunden"
    r"|cantidad|horas|tasa|quantite|heures|taux)(?:_|$)"
)
"""What numbers are called that are added to no amount."""
_PRICE = re.compile(r"(?:^|_)(?:price|(?:einzel)?preis|precio|prix|prezzo)(?:_|$)")
"""What one piece costs. A column of that name may hold the amounts of its rows."""
_TAKEN_OFF = re.compile(
    r"(?:^|_)(?:discounts?|rebates?|deposits?|(?:pre|re)?paid|(?:pre)?payments?|withh(?:eld|olding)|deductions?|credits?"
    r"|retention|retained|advance|allowance|refund|less|rabatt|skonto|anzahlung|remise|acompte|descuento|anticipo"
    r"|sconto)(?:_|$)"
)
"""What amounts are called that may be taken off though they are printed without a sign."""
_DECIMALS = re.compile(r"\.(0+)")
_BANDS = ("title", "pageHeader", "columnHeader", "detail", "columnFooter", "summary", "lastPageFooter", "pageFooter")


class _Amount(NamedTuple):
    """A number that is printed alone."""

    number: str
    """Number of the part that it is."""
    name: str
    value: Decimal
    element: etree._Element
    top: tuple[int, int]
    """Its band's place among the bands, and its top in it."""
    decimals: int
    """Number of decimals that its pattern prints."""


def stacked_sums(editor: Editor, data: Data, parts: Parts) -> dict[str, str]:
    """Return the formula of each total that is proven by the amounts above it, by the numbers of parts."""
    amounts = list(_amounts(editor, data, parts))
    columns = {part.name: number for number, part in parts.items() if part.scope == "field" and not part.table}
    found = {}
    for total in amounts:
        if total.value == 0 or not (names_total(total.name) or total.name in _DUE):
            continue
        alike = [one for one in amounts if one.decimals == total.decimals]
        above = _right_above(total, alike)
        formula = _of_amounts(total, above) or _of_column(editor, data, total, above, columns)
        if formula := formula or _of_line(total, alike):
            found[total.number] = formula
    return found


def _amounts(editor: Editor, data: Data, parts: Parts) -> Iterator[_Amount]:
    uses = sole_uses(editor)
    for number, part in parts.items():
        value = number_of(data.parameters.get(part.name)) if part.scope == "parameter" else None
        if value is None or part.name not in uses:
            continue
        element, band = uses[part.name]
        decimals = _decimals(editor, "parameter", part.name, element)
        if not decimals or _NO_AMOUNT.search(part.name) or _PRICE.search(part.name):
            continue
        place = _BANDS.index(band) if band in _BANDS else len(_BANDS)
        yield _Amount(number, part.name, value, element, (place, top_of(element)), decimals)


def _decimals(editor: Editor, scope: str, name: str, element: etree._Element) -> int:
    """Return with how many decimals a text prints an amount; 0 for whole numbers and percentages."""
    declared = declared_nodes(editor.root, scope).get(name)
    printed = element.get("pattern") or content_of(element)
    found = _DECIMALS.search(printed)
    if declared is None or declared.get("class") != DECIMAL or found is None or "%" in printed:
        return 0
    return len(found[1])


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
    if len(over) != 1 or not _is_column_of_amounts(editor, over[0], total.decimals):
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


def _is_column_of_amounts(editor: Editor, name: str, decimals: int) -> bool:
    """Whether a column is printed with so many decimals, and not called something else than an amount."""
    printing = [node for node in editor.root.iter(f"{J}textField") if sole_reference(content_of(node)) == ("F", name)]
    alike = [_decimals(editor, "field", name, node) == decimals for node in printing]
    return bool(alike) and all(alike) and not _NO_AMOUNT.search(name) and "unit_price" not in name


def _of_line(total: _Amount, amounts: Sequence[_Amount]) -> str | None:
    """Return the formula of a total that is the sum of two totals on the nearest line above it with several amounts."""
    above = {
        one.element: one
        for one in amounts
        if one.top[0] == total.top[0] and one.top[1] < total.top[1] - LINE_TOLERANCE_PT
    }
    line = next((line for line in reversed(lines_of(above)) if len(line) > 1), list[etree._Element]())
    pairs = [
        (one, other)
        for one, other in combinations([above[element] for element in line], 2)
        if one.value and other.value and one.value + other.value == total.value
    ]
    if len(pairs) != 1 or not all(names_total(one.name) for one in pairs[0]):
        return None
    return _formula(pairs[0][0].number, [pairs[0][1]], [1])


def _signs(difference: Decimal, amounts: Sequence[_Amount]) -> tuple[int, ...] | None:
    """Return the only signs with which amounts give a difference; None where none do, or several.

    Only what is called so is taken off.
    """
    if any(one.value == 0 for one in amounts):
        return None
    fitting = [
        signs
        for signs in product(*((1, -1) if _TAKEN_OFF.search(one.name) else (1,) for one in amounts))
        if sum(sign * one.value for sign, one in zip(signs, amounts, strict=True)) == difference
    ]
    return fitting[0] if len(fitting) == 1 else None


def _formula(first: str, amounts: Sequence[_Amount], signs: Sequence[int]) -> str:
    """Return the formula from the first operand, in the order of the page."""
    terms = [f"{'+' if sign > 0 else '-'} {{{one.number}}}" for one, sign in zip(amounts, signs, strict=True)]
    return " ".join([f"{{{first}}}", *reversed(terms)])
