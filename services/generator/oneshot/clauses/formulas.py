"""Columns that are worked out: `金额(金额=数量×单价)`, `total (quantity x price)`, `variance = budget - actual`."""

from __future__ import annotations

import re

from shared.model.wish import Computed, Operator

from ..labels import cleaned, listed
from .base import END, Clauses

_OPERATORS: dict[str, Operator] = {
    "+": "+", "加": "+", "加上": "+", "plus": "+", "-": "-", "−": "-", "减": "-", "减去": "-", "minus": "-", "*": "*",
    "×": "*", "x": "*", "乘": "*", "乘以": "*", "times": "*", "/": "/", "÷": "/", "除以": "/", "divided by": "/",
}  # fmt: skip
_OPERATOR = (
    r"(\s*[+*×÷−]\s*|(?<=[\u3400-\u9fff])\s*[-/]\s*|\s+[-x/]\s+|\s*(?:加上|减去|乘以|除以|加|减|乘)\s*"
    r"|\s+(?:plus|minus|times|divided by)\s+)"
)
_BETWEEN = _OPERATOR.replace("(", "(?:", 1)
_WORD = r"[^\s,;:()=、。+*×÷]"
_LABEL = rf"{_WORD}+(?: {_WORD}+){{0,4}}?"
_OPERAND = rf"(?:{_WORD}+?(?: {_WORD}+?){{0,3}}?)"
_EQUALS = r"\s*(?:=|等于|\bequals\b|\bis\b)\s*"
_FORMULA = rf"({_OPERAND}(?:{_BETWEEN}{_OPERAND})+)"
_MOST_OPERANDS = 8


def read(said: Clauses) -> None:
    def keep(found: re.Match[str]) -> str | None:
        """The label stays among the columns; its formula goes."""
        return found[1] if _keep(said, found[1], found[2]) else None

    said.take(rf"({_LABEL})\s*\(\s*(?:{_LABEL})?{_EQUALS}{_FORMULA}\s*\)", keep)
    said.take(rf"({_LABEL})\s*\(\s*{_FORMULA}\s*\)", keep)
    said.take(rf"(?<![\w(])({_LABEL}){_EQUALS}{_FORMULA}{END}", keep)


def _keep(said: Clauses, label: str, formula: str) -> bool:
    parts = re.split(_OPERATOR, formula, flags=re.IGNORECASE)
    operators = {_OPERATORS.get(part.strip().lower()) for part in parts[1::2]}
    operator = operators.pop()
    operands = [cleaned(part) for part in parts[::2]]
    labels = listed(label)
    if operators or operator is None or not labels or not all(operands) or len(operands) > _MOST_OPERANDS:
        return False
    said.computed[labels[-1]] = Computed(operator=operator, operands=operands)
    return True
