"""Columns that are worked out: `金额(金额=数量×单价)`, `total (quantity x price)`, `variance = budget - actual`."""

from __future__ import annotations

import re
from decimal import Decimal

from bandsmith.shared.model.spec import Computed, Operator

from ..labels import cleaned, listed
from .base import END, SpecClauses

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


_SOME = r"[^\s,;:()=、。%][^,;:()=、。\n%]{0,30}?"
_RATE = r"(?P<rate{}>\d{{1,3}}(?:\.\d{{1,4}})?)"
_SHARE = (
    rf"(?<![^\s,;:、。])(?P<label>{_SOME}) ?[(=]? ?(?:{_RATE.format('')} ?% of (?P<of>{_SOME})"
    rf"|(?P<of_zh>{_SOME})的 ?{_RATE.format('_zh')} ?%) ?(?:\)|{END})"
)


def read(said: SpecClauses) -> None:
    def keep(found: re.Match[str]) -> str | None:
        """The label stays among the columns; its formula goes."""
        return found[1] if _keep(said, found[1], found[2]) else None

    def share(found: re.Match[str]) -> str | None:
        """`VAT 20% of line total`, `税额(金额的13%)`: a share of another column."""
        labels, of = listed(found["label"]), cleaned(found["of"] or found["of_zh"])
        if not labels or not of:
            return None
        rate = f"{Decimal(found['rate'] or found['rate_zh']) / 100:f}"
        said.computed[labels[-1]] = Computed(operator="*", operands=[of, rate])
        return found["label"]

    said.take(_SHARE, share)
    said.take(rf"({_LABEL})\s*\(\s*(?:{_LABEL})?{_EQUALS}{_FORMULA}\s*\)", keep)
    said.take(rf"({_LABEL})\s*\(\s*{_FORMULA}\s*\)", keep)
    said.take(rf"(?<![\w(])({_LABEL}){_EQUALS}{_FORMULA}{END}", keep)


def _keep(said: SpecClauses, label: str, formula: str) -> bool:
    parts = re.split(_OPERATOR, formula, flags=re.IGNORECASE)
    operators = {_OPERATORS.get(part.strip().lower()) for part in parts[1::2]}
    operator = operators.pop()
    operands = [cleaned(part) for part in parts[::2]]
    labels = listed(label)
    if operators or operator is None or not labels or not all(operands) or len(operands) > _MOST_OPERANDS:
        return False
    said.computed[labels[-1]] = Computed(operator=operator, operands=operands)
    return True
