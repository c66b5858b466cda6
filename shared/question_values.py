"""The values that a question about data names: dates, months, years, numbers and quoted names.

Two questions that differ in nothing else ask the same of other values.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from .language import normalized_characters

Kind = Literal["date", "month", "year", "number", "name"]

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CHINESE = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_FILLERS = frozenset(("the", "a", "an", "please", "me", "show", "tell", "请", "的", "了", "吗", "呢"))
"""Words without which a question asks the same."""
_MONTH_NAME = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_VALUE = re.compile(
    rf"""
    (?P<date>(?<!\d)(?:19|20)\d\d(?:-\d\d?-|/\d\d?/|年\d\d?月)\d\d?(?!\d)[日号]?)
  | (?P<month>(?<!\d)(?:19|20)\d\d(?:-\d\d?(?![\d-])|年\d\d?月份?)|\b(?:{_MONTH_NAME})\s+(?:19|20)\d\d\b)
  | (?P<year>(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)年?)
  | (?P<number>(?<![A-Za-z0-9_.第])\d+(?:,\d\d\d)*(?:\.\d+)?(?![A-Za-z0-9])|\b(?:{"|".join(_NUMBERS[2:])})\b
      |[一二两三四五六七八九十](?=[个位名家种款件]))
  | (?P<name>"[^"]{{1,80}}"|“[^”]{{1,80}}”|「[^」]{{1,80}}」|(?<!\w)'[^']{{1,80}}'(?!\w))
  | (?P<word>[^\W\d_\u3400-\u9fff]+|\d+\w*|[\u3400-\u9fff])
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Token(NamedTuple):
    """A word of a question, or a value that it names."""

    text: str
    """As it is written."""
    word: str
    """In the form in which words are compared; ``<kind>`` for a value."""
    kind: Kind | None = None
    numbers: tuple[int, ...] = ()
    """Year, month and day, as far as they are named."""
    is_spelled: bool = False
    """Whether it is a number in words, which may be part of another expression."""


def tokens(question: str) -> list[Token]:
    """Return the words and values of a question, without marks and fillers."""
    text = normalized_characters(question)
    found = (_token(match) for match in _VALUE.finditer(text))
    return [token for token in found if token.kind or token.word not in _FILLERS]


def _token(match: re.Match[str]) -> Token:
    text = match[0]
    match match.lastgroup:
        case "date":
            return Token(text, "<date>", "date", _digits(text))
        case "month":
            name = next((n for n, month in enumerate(MONTHS, 1) if text[:3].casefold() == month[:3]), None)
            return Token(text, "<month>", "month", (_digits(text)[0], name) if name else _digits(text))
        case "year":
            return Token(text, "<year>", "year", _digits(text))
        case "number":
            return Token(_number(text), "<number>", "number", is_spelled=not text[0].isdigit())
        case "name":
            return Token(text[1:-1], "<name>", "name")
    return Token(text, text.casefold())


def _digits(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _number(text: str) -> str:
    if text in _CHINESE:
        return str(_CHINESE[text])
    if text.casefold() in _NUMBERS:
        return str(_NUMBERS.index(text.casefold()))
    return text.replace(",", "")
