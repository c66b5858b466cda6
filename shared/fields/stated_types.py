"""Types of values that a reader of the form states: a number with its unit, a date whose order is known, a code.

What is printed alone does not prove them: ``22CBM`` may be a code, and ``1 800.00 €`` is written otherwise than the
other numbers of its page. Numbers are read only where all have the same unit. The notation of the page reads them;
where it cannot, the other notations do, unless two of them read other values. They are printed in that of the page, and
with equal decimals: "1" beside "4.00" is printed as "1.00".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from .date_patterns import is_worded, matching_patterns, read_date
from .notation import APOSTROPHES, SPACES, Notation
from .value_types import DATE, DECIMAL, INTEGER, LONG, STRING, TypedValues, infer_type

MAX_UNIT_CHARS = 20
"""Characters of a unit before or after a number; longer wording is a sentence."""
DEFAULT_PATTERN = "#,##0.00"
"""The pattern of a number that the form leaves empty, or prints nowhere with a pattern."""
NUMBER, TEXT = "number", "text"
"""Kinds that a value can be stated to have; any other is the pattern of a date."""

_MINUS = "−–-"
_NUMBER_WITH_UNIT = re.compile(
    rf"(?P<before>[^()\d{_MINUS}]*?)(?P<sign>[{_MINUS}][{SPACES}]*)?(?P<number>\d[\d.,{SPACES}{APOSTROPHES}]*?)"
    rf"(?P<after>[^()\d{_MINUS}]*)"
)
_NOTATIONS = (
    Notation(),
    Notation(group=" "),
    Notation(group="'"),
    Notation(group=".", decimal=","),
    Notation(group=" ", decimal=","),
)


class _Reading(NamedTuple):
    """Numbers as a notation reads them."""

    plain: list[str]
    """Their digits, with a decimal point."""
    grouped: bool
    """Whether one of them has its thousands apart."""


def stated_type(texts: Sequence[str | None], kind: str, notation: Notation) -> TypedValues | None:
    """Return the values of texts of a stated kind; None where they cannot be of it."""
    if not any(texts):
        nothing = TypedValues(DECIMAL, DEFAULT_PATTERN, tuple(None for _ in texts), notation.locale)
        return nothing if kind == NUMBER else None
    if kind == NUMBER:
        return _as_number(texts, notation)
    return TypedValues(STRING, None, tuple(texts)) if kind == TEXT else _as_date(texts, kind, notation)


def _as_number(texts: Sequence[str | None], notation: Notation) -> TypedValues | None:
    found = [_NUMBER_WITH_UNIT.fullmatch(text.strip()) if text else None for text in texts]
    matches = [match for match in found if match]
    units = {(match["before"], match["after"]) for match in matches}
    if len(matches) < sum(map(bool, texts)) or len(units) != 1 or max(map(len, next(iter(units)))) > MAX_UNIT_CHARS:
        return None
    numbers = _in_notation([match["number"] for match in matches], notation)
    if numbers is None:
        return None
    signed = [("-" if match["sign"] else "") + number for match, number in zip(matches, numbers, strict=True)]
    typed = _inferred(found, signed, notation) or _inferred(found, _with_equal_decimals(signed, notation), notation)
    if typed is None:
        return None
    before, after = map(_quoted, units.pop())
    if not before and not after:
        return typed
    pattern = ";".join(f"{before}{half}{after}" for half in (typed.pattern or "0").split(";"))
    return TypedValues(typed.java_class, pattern, typed.values, typed.locale)


def _inferred(found: Sequence[re.Match[str] | None], numbers: Sequence[str], notation: Notation) -> TypedValues | None:
    """Return the type of numbers as they are written, each in the place of its match; None where they have none."""
    written = iter(numbers)
    typed = infer_type([next(written) if match else None for match in found], None, notation)
    return typed if typed.java_class in (INTEGER, LONG, DECIMAL) else None


def _with_equal_decimals(numbers: Sequence[str], notation: Notation) -> list[str]:
    """Return numbers with as many decimals as the longest has, as one pattern prints them; not codes like ``007``."""
    parts = [number.partition(notation.decimal) for number in numbers]
    most = max((len(fraction) for _, _, fraction in parts), default=0)
    if not most or any(re.match(r"-?0\d", whole) for whole, _, _ in parts):
        return list(numbers)
    return [f"{whole}{notation.decimal}{fraction:0<{most}}" for whole, _, fraction in parts]


def _in_notation(numbers: Sequence[str], notation: Notation) -> list[str] | None:
    """Return numbers in the notation of the page; None where they may be other numbers, or are none."""
    own = _read(numbers, notation)
    readings = [own] if own else [one for other in _NOTATIONS if (one := _read(numbers, other))]
    if not readings or any(reading.plain != readings[0].plain for reading in readings):
        return None
    return [_written(plain, notation, grouped=readings[0].grouped) for plain in readings[0].plain]


def _read(numbers: Sequence[str], notation: Notation) -> _Reading | None:
    """Return numbers as a notation reads them; None where one is written otherwise."""
    shape = re.compile(
        rf"(\d{{1,3}}(?:[{re.escape(notation.group_characters)}]\d{{3}})+|\d+)(?:{re.escape(notation.decimal)}(\d+))?"
    )
    matches = [match for number in numbers if (match := shape.fullmatch(number.strip()))]
    if len(matches) < len(numbers):
        return None
    whole = [re.sub(r"\D", "", match[1]) for match in matches]
    plain = [digits + (f".{match[2]}" if match[2] else "") for digits, match in zip(whole, matches, strict=True)]
    return _Reading(plain, any(not match[1].isdigit() for match in matches))


def _written(plain: str, notation: Notation, *, grouped: bool) -> str:
    whole, _, fraction = plain.partition(".")
    digits = f"{int(whole):,}".replace(",", notation.group) if grouped else whole
    return digits + (notation.decimal + fraction if fraction else "")


def _quoted(text: str) -> str:
    """Return wording in a pattern, in quotes, so that none of it is a sign of the pattern."""
    return "'" + text.replace("'", "''") + "'" if text else ""


def _as_date(texts: Sequence[str | None], pattern: str, notation: Notation) -> TypedValues | None:
    present = [text for text in texts if text]
    if (is_worded(pattern) and notation.locale != "en_US") or any(pattern not in matching_patterns(t) for t in present):
        return None
    dates = [read_date(text, pattern) if text else None for text in texts]
    if any(text and not date for text, date in zip(texts, dates, strict=True)):
        return None
    values = tuple(datetime.isoformat(date) if date else None for date in dates)
    return TypedValues(DATE, pattern, values, "en_US" if is_worded(pattern) else None)
