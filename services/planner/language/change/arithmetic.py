"""Computed columns: formulas of columns and numbers, such as "quantity × unit price - 5%", as Java expressions.

A formula is split at its operators, and each operand is a number, a share (5%), a column or a formula in brackets.
Products are joined before sums. Every operand becomes a ``BigDecimal``, so that amounts keep their decimals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, LONG
from bandsmith.shared.jrxml.expressions import sole_reference

from ..numbers import number_of
from ..reference_resolver import Missing, Several
from .reading import Clause, ClauseReading

MAX_DEPTH = 3
"""How deep brackets may be nested."""
MAX_OPERANDS = 7
_OPERATOR = re.compile(
    r"\s*(?:(?P<times>\*|×|✕|乘以?|(?<![a-z])(?:x(?=\s)|times|multiplied by)(?![a-z]))"
    r"|(?P<by>/|÷|除以|(?<![a-z])(?:divided by|over)(?![a-z]))"
    r"|(?P<plus>\+|加上?|(?<![a-z])plus(?![a-z]))"
    r"|(?P<minus>-|−|减去?|(?<![a-z])(?:minus|less)(?![a-z])))\s*",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"[(（]([^()（）]+)[)）]")
_BRACKET_MARK = re.compile(r"\0(\d+)\0")
_METHODS = {"times": "multiply({})", "by": "divide({}, 4, java.math.RoundingMode.HALF_UP)", "plus": "add({})"}


@dataclass(frozen=True)
class Operand:
    """A Java expression of a ``BigDecimal``."""

    java: str
    leads: bool = True
    """Whether it may begin a product: a decimal column or a formula, rather than a number."""


def java_expression(clause: Clause, formula: str) -> str | ClauseReading | None:
    """Return a formula in Java; a refusal where it names a column that does not exist; None where it is no formula."""
    if not _OPERATOR.search(formula):
        return None
    operand = _calculated(clause, formula, 0)
    return operand.java if isinstance(operand, Operand) else operand


def _calculated(clause: Clause, formula: str, depth: int) -> Operand | ClauseReading | None:
    bracketed: list[str] = []

    def masked(bracket: re.Match[str]) -> str:
        bracketed.append(bracket[1])
        return f"\0{len(bracketed) - 1}\0"

    formula = _BRACKET.sub(masked, formula.strip())
    operators = list(_OPERATOR.finditer(formula))
    if depth > MAX_DEPTH or len(operators) >= MAX_OPERANDS or not (operators or bracketed):
        return None
    starts, ends = [0, *(found.end() for found in operators)], [*(found.start() for found in operators), len(formula)]
    operands: list[Operand] = []
    for start, end in zip(starts, ends, strict=True):
        words = formula[start:end].strip()
        mark = _BRACKET_MARK.fullmatch(words)
        operand = _calculated(clause, bracketed[int(mark[1])], depth + 1) if mark else _operand(clause, words)
        if not isinstance(operand, Operand):
            return operand
        operands.append(Operand(operand.java) if mark else operand)
    return _joined(operands, [found.lastgroup or "" for found in operators])


def _joined(operands: list[Operand], operators: list[str]) -> Operand:
    """Join operands, products before sums."""
    summands, signs = [operands[0]], []
    for operator, operand in zip(operators, operands[1:], strict=True):
        if operator in ("times", "by"):
            summands[-1] = _applied(summands[-1], operator, operand)
        else:
            signs.append(operator)
            summands.append(operand)
    whole = summands[0]
    for sign, summand in zip(signs, summands[1:], strict=True):
        whole = _applied(whole, sign, summand)
    return whole


def _applied(left: Operand, operator: str, right: Operand) -> Operand:
    if operator == "times" and right.leads and not left.leads:
        left, right = right, left
    return Operand(f"{left.java}.{_METHODS.get(operator, 'subtract({})').format(right.java)}")


def _operand(clause: Clause, words: str) -> Operand | ClauseReading | None:
    """Return a number or a column as a ``BigDecimal``."""
    words = words.strip(" ()（）")
    share = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[%％]", words)
    number = float(share[1]) / 100 if share else number_of(words)
    if number is not None:
        return Operand(f'new java.math.BigDecimal("{number:.10g}")', leads=False)
    column = clause.column(words)
    if isinstance(column, Missing):
        return clause.absent(column)
    if isinstance(column, Several) or column is None or not column.numeric:
        return None
    value = column.cells[0].expression
    if not sole_reference(value, "FV"):
        return None
    if column.java_class == DECIMAL:
        return Operand(value)
    java = value if column.java_class in (INTEGER, LONG) else f"{value}.toString()"
    return Operand(f"new java.math.BigDecimal({java})", leads=False)
