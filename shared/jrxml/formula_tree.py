"""Read formulas such as ``quantity * unit_price - 5%`` into trees, and compute them.

A formula consists of numbers, shares (``19%``), names, ``+ - * /`` and brackets. A name that is no plain word stands in
quotation marks, or is written ``$F{...}`` or ``$V{...}``. ``formulas.py`` explains how missing values and shares count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ..replies import Text
from .refusals import EditRefused

MAX_FORMULA_CHARS = 300
MAX_DEPTH = 10
"""How deep brackets and signs may be nested."""
TOKEN = re.compile(
    r"(?:(?<!\s)\s++)?(?:(?P<number>\d+(?:\.\d+)?|\.\d+)(?P<share>\s*+[%％])?"
    r"|\$(?P<letter>[FV])\{(?P<reference>[^{}]+)\}"
    r'|"(?P<quoted>[^"]+)"'
    r"|(?P<name>[^\W\d][\w.]*)"
    r"|(?P<mark>[-+*/()×÷−（）]))\s*"
)
_MARKS = str.maketrans("×÷−（）", "*/-()")


@dataclass(frozen=True)
class Number:
    value: Decimal
    is_share: bool
    """Whether it was written in percent; its value is the hundredth of that."""


@dataclass(frozen=True)
class Name:
    letter: str
    """``F`` or ``V``; empty if the formula does not state it."""
    name: str


@dataclass(frozen=True)
class Negated:
    part: Formula


@dataclass(frozen=True)
class Joined:
    left: Formula
    sign: Literal["+", "-", "*", "/"]
    right: Formula


Formula = Number | Name | Negated | Joined


def unreadable_formula(formula: str) -> EditRefused:
    return EditRefused("value", Text.of("edits.formula.unreadable", formula=formula[:60]))


def read_formula(formula: str) -> Formula:
    """Return the tree of a formula. Raises ``EditRefused`` if it cannot be read or has no name."""
    return _Parser(formula).parse()


def names_in(formula: Formula) -> Iterator[Name]:
    """Yield the names of a formula, from left to right."""
    match formula:
        case Name():
            yield formula
        case Negated(part):
            yield from names_in(part)
        case Joined(left, _, right):
            yield from names_in(left)
            yield from names_in(right)


def value_of(formula: Formula, values: Mapping[str, Decimal | None]) -> Decimal | None:
    """Return what the template computes by a formula, from the values of its names; None for a missing value.

    Raises ``DecimalException`` for a value of too many digits.
    """
    match formula:
        case Number(number):
            return number
        case Name(_, name):
            return values[name]
        case Negated(part):
            value = value_of(part, values)
            return None if value is None else -value
        case Joined(left, "+" | "-" as sign, Number(share, True)) if not _is_share(left):
            value = value_of(left, values)
            return None if value is None else value * (1 + (share if sign == "+" else -share))
        case Joined(left, sign, right):
            return _joined(value_of(left, values), sign, value_of(right, values))


def _is_share(formula: Formula) -> bool:
    return isinstance(formula, Number) and formula.is_share


def _joined(left: Decimal | None, sign: str, right: Decimal | None) -> Decimal | None:
    if sign in "+-":
        if left is None and right is None:
            return None
        summand = right or Decimal(0)
        return (left or Decimal(0)) + (summand if sign == "+" else -summand)
    if left is None or right is None or (sign == "/" and not right):
        return None
    return left * right if sign == "*" else left / right


class _Parser:
    """Reads a formula by recursive descent: sums of products of signed values."""

    def __init__(self, formula: str) -> None:
        self._formula = formula
        self._tokens = list(self._read_tokens())
        self._at = 0

    def parse(self) -> Formula:
        whole = self._sum(0)
        if self._at < len(self._tokens) or not any(True for _ in names_in(whole)):
            raise unreadable_formula(self._formula)
        return whole

    def _read_tokens(self) -> Iterator[re.Match[str]]:
        at = 0
        while at < len(self._formula):
            found = TOKEN.match(self._formula, at)
            if found is None or len(self._formula) > MAX_FORMULA_CHARS:
                raise unreadable_formula(self._formula)
            yield found
            at = found.end()

    def _mark(self, allowed: str) -> str:
        """Take the next token if it is one of the allowed marks; empty if it is not."""
        if self._at < len(self._tokens) and (mark := self._tokens[self._at]["mark"]):
            mark = mark.translate(_MARKS)
            if mark in allowed:
                self._at += 1
                return mark
        return ""

    def _sum(self, depth: int) -> Formula:
        left = self._product(depth)
        while sign := self._mark("+-"):
            left = Joined(left, "+" if sign == "+" else "-", self._product(depth))
        return left

    def _product(self, depth: int) -> Formula:
        left = self._value(depth)
        while sign := self._mark("*/"):
            left = Joined(left, "*" if sign == "*" else "/", self._value(depth))
        return left

    def _value(self, depth: int) -> Formula:
        if depth > MAX_DEPTH or self._at >= len(self._tokens):
            raise unreadable_formula(self._formula)
        if self._mark("-"):
            return Negated(self._value(depth + 1))
        if self._mark("("):
            value = self._sum(depth + 1)
            if not self._mark(")"):
                raise unreadable_formula(self._formula)
            return Number(value.value, is_share=False) if isinstance(value, Number) else value
        token = self._tokens[self._at]
        self._at += 1
        if token["number"]:
            is_share = bool(token["share"])
            return Number(Decimal(token["number"]) / 100 if is_share else Decimal(token["number"]), is_share)
        if token["mark"]:
            raise unreadable_formula(self._formula)
        return Name(token["letter"] or "", token["reference"] or token["quoted"] or token["name"])
