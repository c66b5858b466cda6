"""Read a question about the calendar, if rules account for every word of it: what stands there, or when there is time.

What users say is in ``templates/*/calendar.toml``. A weekday alone is the next one, today included.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from bandsmith.shared.question_values import tokens

from .numbers import number_of
from .request_clauses import without_politeness
from .sentence_templates import Slots, matches

SUBJECT = "calendar"
QUESTIONS = ("asks_what", "asks_free")
RULES = frozenset({*QUESTIONS, "relative", "weekday", "part_of_today", "dated"})
MAX_SENTENCE_CHARS = 120


class CalendarDays(NamedTuple):
    """Days that a question names, or a part of each of them."""

    first: date
    last: date
    part: str = ""
    """``morning``, ``afternoon`` or ``evening``; empty for the whole day."""


class CalendarQuestion(NamedTuple):
    """What a message asks of the calendar."""

    days: CalendarDays
    lists_entries: bool
    """Whether it asks what stands there, and not only when there is time."""


def read_calendar_question(text: str, today: date) -> CalendarQuestion | None:
    """Return what a message asks of the calendar; None for any other message."""
    sentence = without_politeness(text)
    if len(sentence) > MAX_SENTENCE_CHARS:
        return None
    for rule in QUESTIONS:
        for slots in matches(SUBJECT, rule, sentence):
            if days := read_days(slots["when"], today):
                return CalendarQuestion(days, lists_entries=rule == "asks_what")
    return None


def read_days(said: str, today: date) -> CalendarDays | None:
    """Return the days that words name; None where they name none."""
    try:
        return next(_days(said.strip(), today), None)
    except (ValueError, OverflowError):  # 31 February
        return None


def _days(words: str, today: date) -> Iterator[CalendarDays]:
    for slots in matches(SUBJECT, "relative", words):
        yield _relative(slots["relative"], slots["part"], today)
    for slots in matches(SUBJECT, "part_of_today", words):
        yield CalendarDays(today, today, slots["part"] or "evening")  # tonight
    for slots in matches(SUBJECT, "weekday", words):
        day = _weekday(int(slots["weekday"]), slots["week"], today)
        yield CalendarDays(day, day, slots["part"])
    for slots in matches(SUBJECT, "dated", words):
        if (dated := _dated(slots, today)) is not None:
            yield CalendarDays(dated, dated, slots["part"])
    found = tokens(words)
    if len(found) == 1 and found[0].kind == "date":
        day = date(*found[0].numbers)
        yield CalendarDays(day, day)


def _relative(value: str, part: str, today: date) -> CalendarDays:
    kind, _, distance = value.partition(" ")
    if kind == "day":
        day = today + timedelta(days=int(distance))
        return CalendarDays(day, day, part)
    monday = _monday(today) + timedelta(weeks=int(distance))
    first = monday if kind == "week" else monday + timedelta(days=5)
    return CalendarDays(first, monday + timedelta(days=6), part)


def _weekday(number: int, week: str, today: date) -> date:
    if week:
        return _monday(today) + timedelta(weeks=int(week), days=number - 1)
    return today + timedelta(days=(number - today.isoweekday()) % 7)


def _dated(slots: Slots, today: date) -> date | None:
    """Return the next day of this date; None where the weekday that is named with it is another one."""
    number = number_of(slots["day"].rstrip("stndrh"))
    if number is None:
        return None
    day = date(today.year, int(slots["month"]), int(number))
    if (today - day).days > 183:
        day = day.replace(year=today.year + 1)
    return None if slots["weekday"] and int(slots["weekday"]) != day.isoweekday() else day


def _monday(today: date) -> date:
    return today - timedelta(days=today.weekday())
