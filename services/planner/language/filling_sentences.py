"""Sentences that ask to fill the report. What users say is in ``templates/*/filling.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import get_args

from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.session_parts import Format

from .periods import read_period
from .request_clauses import without_politeness
from .sentence_templates import Slots, matches

SUBJECT = "filling"
FROM_FILE, FROM_SOURCE = "fill", "fill_from_source"
RULES = frozenset({FROM_FILE, FROM_SOURCE})
MAX_SENTENCE_CHARS = 300
TIME_WORDS = frozenset(
    {
        *("hour", "day", "week", "month", "quarter", "year", "weekday", "time", "morning"),
        *("天", "日", "周", "月", "年", "季", "星期", "季度", "月份", "小时"),
    }
)
_FORMATS: tuple[Format, ...] = get_args(Format)


def is_divider(each: str) -> bool:
    """Whether rows may be divided by it: "each month" says when, not a report for each of its values."""
    return each.casefold() not in TIME_WORDS


def read_filling(text: str) -> Filling | None:
    """Return the filling of a sentence that asks to fill a report with the attached file; None for any other."""
    readings = (slots for slots in _readings(FROM_FILE, text) if is_divider(slots["each"]))
    return next((Filling(formats=_formats(slots), each=slots["each"]) for slots in readings), None)


def read_source_filling(text: str, today: date) -> Filling | None:
    """Return the source and the period of a sentence that asks to fill the report from a source of data."""
    for slots in _readings(FROM_SOURCE, text):
        each, period = _parted(slots["each"], slots["period"], today)
        if is_divider(each) and (not period or read_period(period, today) is not None):
            return Filling(formats=_formats(slots), source=slots["source"], period=period, each=each, review=True)
    return None


def _parted(each: str, period: str, today: date) -> tuple[str, str]:
    """Return what the rows are divided by and the period: between Chinese words nothing shows where one ends."""
    if each and period and read_period(period, today) is None:
        for at in range(1, len(period)):
            if read_period(period[at:], today) is not None:
                return each + period[:at], period[at:]
    return each, period


def _readings(rule: str, text: str) -> Iterator[Slots]:
    sentence = without_politeness(text)
    return matches(SUBJECT, rule, sentence) if len(sentence) <= MAX_SENTENCE_CHARS else iter(())


def _formats(slots: Slots) -> list[Format]:
    named = (slots["format"], slots["other_format"])
    return [form for form in _FORMATS if form in named]
