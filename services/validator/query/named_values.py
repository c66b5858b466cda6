"""Whether a query has the dates, numbers and names that its question names.

A filter that a model forgot gives a wrong answer that looks right. A value that stands in the query in no form is
found; one that stands in the wrong place is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.question_values import Token, tokens

from .named_texts import missing_names

_DATE = re.compile(r"(\d{4})-(\d\d)")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_COMPARING = frozenset(("than", "least", "most", "over", "under", "above", "below", "exactly", "top", *"过于少多前"))
"""Words after which a number in words is compared with: "more than two", 至少三个; in "which two" it need not be."""
_TIME_UNITS = frozenset(
    unit + plural for unit in ("day", "week", "month", "quarter", "year", "hour") for plural in ("", "s")
) | frozenset("天日周月季年")
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9,
           "百": 100, "千": 1_000, "万": 10_000, "亿": 10**8}  # fmt: skip


def missing_values(question: str, tree: exp.Expr, schema: SourceSchema) -> Iterator[str]:
    """Yield each value that the question names and the query lacks, as the question writes it."""
    literals = [node.name.casefold() for node in tree.find_all(exp.Literal)]
    query = _Literals(
        literals,
        numbers={float(text) for text in literals if _is_number(text)},
        dates={tuple(map(int, found)) for text in literals for found in _DATE.findall(text)},
        years={int(year) for text in literals for year in _YEAR.findall(text)},
    )
    found = tokens(question)
    for number, token in enumerate(found):
        if not _is_there(token, found[number - 1].word if number else "", found[number + 1 : number + 3], query):
            yield token.text
    yield from missing_names(question, tree, schema)


@dataclass(frozen=True)
class _Literals:
    """The literals of a query, and what they are read as."""

    texts: list[str]
    numbers: set[float]
    dates: set[tuple[int, ...]]
    years: set[int]


def _is_there(token: Token, before: str, after: Sequence[Token], query: _Literals) -> bool:
    match token.kind:
        case "year":
            (year,) = token.numbers  # "before 2015" may be <= 2014
            return bool(query.years & {year, year - 1, year + 1}) or float(year) in query.numbers
        case "month" | "date":
            year, month = token.numbers[:2]
            return (year, month) in query.dates or year in query.years
        case "number" if not token.is_spelled or before in _COMPARING:
            return _has_number(float(token.text), [one.word for one in after], query)
        case "name":
            return _has_name(token.text.casefold(), query.texts)
    return True


def _has_number(number: float, after: Sequence[str], query: _Literals) -> bool:
    """Whether the query has the number, as a part of a text too; "at least 5" may be ``> 4``, 30% ``0.3``.

    The 30 of "the last 30 days" may have become a date.
    """
    if _TIME_UNITS.intersection(after[:2] if after[:1] == ["个"] else after[:1]) and query.dates:
        return True
    whole = number
    for word in after:
        if word not in _SCALES:
            break
        whole *= _SCALES[word]
    near = {whole, whole - 1, whole + 1, number, number - 1, number + 1} | ({number / 100} if number <= 100 else set())
    return bool(near & query.numbers) or any(f"{number:g}" in text for text in query.texts)


def _has_name(words: str, literals: Sequence[str]) -> bool:
    """Whether the query has a name in quotation marks; a Chinese one may be in another language in the source."""
    is_there = any(words in text or (text.strip("%") and text.strip("%") in words) for text in literals)
    is_translated = any(text.isascii() and not _is_number(text) for text in literals)
    return is_there or (not words.isascii() and is_translated)


def _is_number(text: str) -> bool:
    try:
        return bool(float(text) + 1)
    except ValueError:
        return False
