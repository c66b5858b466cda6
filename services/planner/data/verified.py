"""Verified questions: a question that was asked before runs its query again, with other values, and asks no model.

They are beside ``sources.toml`` in ``NAME.questions.yaml``, a list of ``question`` and ``query``. A question matches
a verified one if only values differ: dates, numbers, and names that the query compares with. The query has to
contain each value that differs in a form that can be replaced; a value that could be replaced in two ways is no match.

A query may have dates that its question does not name: those of "the month before", of a quarter, or of "last month" on
the day when it was asked. They would stay as they are, so such a query answers no question with another date, and none
with words that depend on the day.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import sqlglot
import yaml
from pydantic import TypeAdapter, ValidationError
from sqlglot import exp
from sqlglot.errors import SqlglotError

from bandsmith.shared.errors import BadInput
from bandsmith.shared.files import write_private
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.source import Dialect
from bandsmith.shared.question_values import Token, tokens

MAX_QUESTIONS = 1000
MAX_NAME_WORDS, MAX_NAME_CHARACTERS = 4, 12
"""Words of a name, and characters of a Chinese one."""
_DATE_KINDS = ("year", "month", "date")
_DATE_LITERAL = re.compile(r"(?:19|20)\d\d(?:$|%|\d{4}$|[-/.年])")
_RELATIVE = re.compile(
    r"\b(?:today|yesterday|tomorrow|now|current(?:ly)?|recent(?:ly)?|latest|ago|past|last|previous|this|next|so far)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|fall|winter)\b(?!\s+(?:19|20)\d\d)"
    r"|[今昨去]|前[天年]|明[天年]|[本上下]个?[周月季旬年半]|最近|近期|近[一二两三四五六七八九十\d]|目前|当前|现在|至今"
    r"|(?<![年\d一二三四五六七八九十])[\d一二三四五六七八九十]{1,2}月",
    re.IGNORECASE,
)
"""Words whose date depends on the day on which they are said."""


class VerifiedQuestion(Value):
    question: str
    query: str


class VerifiedMatch(NamedTuple):
    """A verified question that asks the same, and its query with the values of the new question."""

    verified: VerifiedQuestion
    query: str


_LIST = TypeAdapter(list[VerifiedQuestion])


def depends_on_day(text: str) -> bool:
    """Return whether a text has words whose date depends on the day on which they are said."""
    return _RELATIVE.search(text) is not None


def read_verified(file: Path) -> list[VerifiedQuestion]:
    """Return the verified questions of a file; none if it does not exist. Raises ``BadInput``."""
    try:
        return _LIST.validate_python(yaml.safe_load(file.read_text(encoding="utf-8")) or [])[:MAX_QUESTIONS]
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError):
        raise BadInput.of("data.questions_unreadable", code="source", file=file.name) from None


def remember(file: Path, question: VerifiedQuestion) -> int:
    """Add a verified question, instead of one with the same words, and return how many there are."""
    known = [one for one in read_verified(file) if one.question != question.question]
    kept = [*known, question][-MAX_QUESTIONS:]
    content = [one.model_dump() for one in kept]
    write_private(file, yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=120, encoding="utf-8"))
    return len(kept)


def match(question: str, known: Sequence[VerifiedQuestion], dialect: Dialect) -> VerifiedMatch | None:
    """Return the verified question that asks the same of the same or other values; None if there is none."""
    asked = tokens(question)
    for verified in known:
        if query := _rewritten(asked, verified, dialect):
            return VerifiedMatch(verified, query)
    return None


def _rewritten(asked: list[Token], verified: VerifiedQuestion, dialect: Dialect) -> str | None:
    """Return the query with the values of the question that is asked; None if the two ask different things."""
    before, tree = tokens(verified.question), _parsed(verified.query, dialect)
    if tree is None:
        return None
    pairs = _pairs(before, asked, tree)
    if pairs is None:
        return None
    if _has_other_dates(tree, before):
        has_other_day = any(old.kind in _DATE_KINDS for old, _ in pairs)
        if has_other_day or depends_on_day(verified.question):
            return None
    return _replaced(tree, pairs, dialect) if pairs else verified.query


def _pairs(before: list[Token], asked: list[Token], tree: exp.Expr) -> list[tuple[Token, Token]] | None:
    """Return each value that differs, old and new; None if more than values differ."""
    if [token.word for token in before] == [token.word for token in asked]:
        return [(old, new) for old, new in zip(before, asked, strict=True) if old.kind and old != new]
    for start, end in _names(before, tree):
        if pair := _other_name(before, asked, start, end):
            return [pair[0], *((old, new) for old, new in pair[1] if old != new)]
    return None


def _has_other_dates(tree: exp.Expr, before: list[Token]) -> bool:
    """Return whether the query has a date that its question does not name."""
    forms = {form.casefold() for token in before if token.kind in _DATE_KINDS for form in _forms(token)}
    literals = [node.name for node in tree.find_all(exp.Literal)]
    return any(_DATE_LITERAL.match(text) and text.casefold() not in forms for text in literals)


def _parsed(query: str, dialect: Dialect) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(query, dialect=dialect)
    except SqlglotError:
        return None


def _names(before: list[Token], tree: exp.Expr) -> Iterator[tuple[int, int]]:
    """Yield where the verified question has a name that its query compares with, as tokens from and to."""
    literals = {node.name.casefold() for node in tree.find_all(exp.Literal) if node.is_string}
    for start in range(len(before)):
        for end in range(start + 1, min(len(before), start + MAX_NAME_CHARACTERS) + 1):
            if _text(before[start:end]).casefold() in literals:
                yield start, end


def _other_name(
    before: list[Token], asked: list[Token], start: int, end: int
) -> tuple[tuple[Token, Token], list[tuple[Token, Token]]] | None:
    """Return the name and its other name, with the pairs of other values, if only these differ."""
    tail = len(before) - end
    first, middle, last = asked[:start], asked[start : len(asked) - tail], asked[len(asked) - tail :]
    around = [*before[:start], *before[end:]]
    if [token.word for token in around] != [token.word for token in (*first, *last)] or not _is_name(middle):
        return None
    pairs = [(old, new) for old, new in zip(around, [*first, *last], strict=True) if old.kind]
    old, new = _text(before[start:end]), _text(middle)
    return (Token(old, "<name>", "name"), Token(new, "<name>", "name")), pairs


def _is_name(words: list[Token]) -> bool:
    """Whether words can be one name: a few words with capitals, or a few Chinese characters."""
    if not words or any(token.kind not in (None, "name") for token in words):
        return False
    if all(_is_chinese(token) for token in words):
        return len(words) <= MAX_NAME_CHARACTERS and not {"和", "与", "或", "或者"} & {token.text for token in words}
    return len(words) <= MAX_NAME_WORDS and all(token.kind == "name" or token.text[:1].isupper() for token in words)


def _text(words: Sequence[Token]) -> str:
    return ("" if all(map(_is_chinese, words)) else " ").join(token.text for token in words)


def _is_chinese(token: Token) -> bool:
    return "\u3400" <= token.text[:1] <= "\u9fff"


def _replaced(tree: exp.Expr, pairs: list[tuple[Token, Token]], dialect: Dialect) -> str | None:
    """Return the query with every old value as the new one; None if one is not found, or could be two things."""
    found: list[int] = []
    for node in list(tree.find_all(exp.Literal)):
        options = {}
        for number, (old, new) in enumerate(pairs):
            for old_form, new_form in zip(_forms(old), _forms(new), strict=True):
                if node.name.casefold() == old_form.casefold():
                    options[new_form] = number
        if len(options) > 1:
            return None
        for form, number in options.items():
            found.append(number)
            node.replace(exp.Literal.string(form) if node.is_string else exp.Literal.number(form))
    numbers = [number for number, (old, _) in enumerate(pairs) if old.kind == "number"]
    is_plain = set(found) == set(range(len(pairs))) and all(found.count(number) == 1 for number in numbers)
    return tree.sql(dialect=dialect) if is_plain else None


def _forms(value: Token) -> list[str]:
    """The forms in which a query may have a value. Both ends of a period belong to it."""
    match value.kind, value.numbers:
        case "year", (year,):
            return [f"{year}", f"{year}-01-01", f"{year}-12-31", f"{year + 1}-01-01", f"{year}%", f"{year}-%"]
        case "month", (year, month) if 1 <= month <= 12:
            return _month_forms(year, month)
        case "date", (year, month, day):
            return _day_forms(year, month, day)
    return [value.text, f"%{value.text}%", f"{value.text}%", f"%{value.text}"]


def _month_forms(year: int, month: int) -> list[str]:
    after = datetime.date(year + month // 12, month % 12 + 1, 1).isoformat()
    stem = f"{year}-{month:02}"
    last = calendar.monthrange(year, month)[1]
    return [stem, f"{stem}-01", after, f"{stem}-{last}", f"{stem}%", f"{stem}-%"]


def _day_forms(year: int, month: int, day: int) -> list[str]:
    try:
        this = datetime.date(year, month, day)
    except ValueError:
        return [f"{year}-{month}-{day}"] * 3
    return [this.isoformat(), (this + datetime.timedelta(days=1)).isoformat(), f"{this.isoformat()}%"]
