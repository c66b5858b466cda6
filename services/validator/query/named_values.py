"""Whether a query has the dates, numbers and quoted names that its question names.

A filter that a model forgot gives a wrong answer that looks right. A value that stands in the query in no form is
found; one that stands in the wrong place is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from bandsmith.shared.question_values import Token, tokens


def missing_values(question: str, tree: exp.Expr) -> Iterator[str]:
    """Yield each value that the question names and the query lacks, as the question writes it."""
    literals = [node.name.casefold() for node in tree.find_all(exp.Literal)]
    numbers = {float(text) for text in literals if _is_number(text)}
    dates = {tuple(map(int, found)) for text in literals for found in _DATE.findall(text)}
    years = {int(year) for text in literals for year in _YEAR.findall(text)}
    for token in tokens(question):
        if not _is_there(token, literals, numbers, dates, years):
            yield token.text


_DATE = re.compile(r"(\d{4})-(\d\d)")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")


def _is_there(
    token: Token, literals: list[str], numbers: set[float], dates: set[tuple[int, ...]], years: set[int]
) -> bool:
    match token.kind:
        case "year":
            (year,) = token.numbers
            return bool(years & {year, year - 1, year + 1}) or float(year) in numbers  # "before 2015" may be <= 2014
        case "month" | "date":
            year, month = token.numbers[:2]
            return (year, month) in dates or year in years
        case "number" if not token.is_spelled:
            return _has_number(float(token.text), numbers, literals)
        case "name":
            words = token.text.casefold()
            is_there = any(words in text or (text.strip("%") and text.strip("%") in words) for text in literals)
            is_translated = any(text.isascii() and not _is_number(text) for text in literals)
            return is_there or (not words.isascii() and is_translated)
    return True


def _has_number(number: float, numbers: set[float], literals: list[str]) -> bool:
    """Whether the query has the number, as a part of a text too; "at least 5" may be ``> 4``, 30% ``0.3``."""
    near = {number, number - 1, number + 1} | ({number / 100} if number <= 100 else set())
    return bool(near & numbers) or any(f"{number:g}" in text for text in literals)


def _is_number(text: str) -> bool:
    try:
        return bool(float(text) + 1)
    except ValueError:
        return False
