"""Check formulas that a model states for values and columns of a form against the numbers of the form.

A formula names values and columns by their numbers, ``{8} - {9}``. In the formula of a value, a column stands for the
sum of its rows; in that of a column, for its value in the same row. A formula that the form's own numbers contradict
is not used; one of a value or column that the form leaves empty is believed if it can be read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal, DecimalException

from bandsmith.shared.model.plan import Data

from .named_parts import NamedPart, Parts, Value

Formulas = Mapping[str, str]
"""Formulas by the number of what they compute."""

MAX_FORMULA_CHARS = 200
CENTS = 2
"""Decimals that are compared, unless the form has more."""
OPERAND = re.compile(r"\{\s*(\d{1,3})\s*\}")
_REST = re.compile(r"[\d.+\-*/()\s]*")
"""What stands in a formula besides its operands."""


def operands_of(formula: str) -> list[str]:
    return [found[1] for found in OPERAND.finditer(formula)]


def in_words(number: str, formula: str, parts: Parts) -> str:
    """Return a formula with the names of its operands."""
    return f"{parts[number].name} = {OPERAND.sub(lambda found: parts[found[1]].name, formula)}"


def proven_formulas(data: Data, parts: Parts, formulas: Formulas) -> dict[str, str]:
    """Return the formulas that the form's numbers do not contradict, each after those of its operands."""
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
    if not is_known or number not in parts or parts[number].table or len(formula) > MAX_FORMULA_CHARS:
        return False
    allowed = {"field"} if parts[number].scope == "field" else {"field", "parameter"}
    return scopes <= allowed and bool(_REST.fullmatch(OPERAND.sub("", formula))) and _tree(formula) is not None


def _in_order(formulas: Formulas) -> Iterator[tuple[str, str]]:
    """Yield the formulas, each after those of its operands; those that need each other are left out."""
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
    """Whether a formula gives a value, rounded to so many decimals; an operand without a value counts as nothing."""
    wanted = number_of(value)
    if wanted is None or all(one is None for one in operands.values()):
        return False
    names = {f"n{number}": operand or Decimal(0) for number, operand in operands.items()}
    tree = _tree(formula)
    if tree is None:
        return False
    try:
        return _computed(tree, names).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) == wanted
    except DecimalException:
        return False


def _tree(formula: str) -> ast.expr | None:
    """Return a formula as it is computed, with ``n8`` for part 8; None where it cannot be read."""
    try:
        tree = ast.parse(OPERAND.sub(r"n\1", formula).strip(), mode="eval").body
        return tree if _is_computable(tree, {f"n{number}" for number in operands_of(formula)}) else None
    except (SyntaxError, RecursionError, ValueError):
        return None


def _is_computable(node: ast.expr, names: Container[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_computable(operand, names)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            return _is_computable(left, names) and _is_computable(right, names)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _computed(node: ast.expr, names: Mapping[str, Decimal]) -> Decimal:
    """Return the value of a formula. Raises ``DecimalException`` where it has none, as for a quotient by zero."""
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.Constant(value=int() | float() as value):
            return Decimal(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_computed(operand, names)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _computed(left, names) + _computed(right, names)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _computed(left, names) - _computed(right, names)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _computed(left, names) * _computed(right, names)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _computed(left, names) / _computed(right, names)
    raise AssertionError("the formula was checked")
