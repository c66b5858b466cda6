"""Periods as users name them, as windows of days: "2026-10", "Q3 2026", "October", "last month", 上个月."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from bandsmith.shared.language import normalized_characters
from bandsmith.shared.question_values import tokens

from .sentence_templates import matches

SUBJECT = "periods"
RULES = frozenset({"month", "relative"})
_QUARTER = re.compile(r"(?:(\d{4})[- ]?q([1-4])|q([1-4])[ -/]?(\d{4})|(\d{4})年?第?([1-4一二三四])季度)")
_QUARTERS = {"一": 1, "二": 2, "三": 3, "四": 4}


class Period(NamedTuple):
    """Days from `start` up to, and without, `end`."""

    start: date
    end: date
    name: str
    """In its usual form: ``2026-10``, ``2026-Q3``, ``2026``, ``2026-10-05``."""
    is_day: bool = False


def read_period(said: str, today: date) -> Period | None:
    """Return the period that a value names; None for any other value. A month without a year is the last one."""
    words = " ".join(normalized_characters(said).casefold().split()).strip(" .。")
    try:
        return _quarter(words) or _relative(words, today) or _month_alone(words, today) or _dated(words)
    except (ValueError, OverflowError):  # 2026-13, 2026-02-30
        return None


def period_of_days(start: date, end: date) -> Period | None:
    """Return the day, week, month, quarter or year of these days; None where they are none of them, as a whole."""
    whole = (
        _day_of(start),
        _month_of(start.year, start.month),
        _quarter_of(start.year, (start.month + 2) // 3),
        _year_of(start.year),
        _week_of(start),
    )
    return next((period for period in whole if (period.start, period.end) == (start, end)), None)


def _quarter(words: str) -> Period | None:
    found = _QUARTER.fullmatch(words)
    if found is None:
        return None
    year, number = (group for group in found.groups() if group)
    if found[3]:
        year, number = number, year
    return _quarter_of(int(year), _QUARTERS.get(number) or int(number))


def _relative(words: str, today: date) -> Period | None:
    for slots in matches(SUBJECT, "relative", words):
        kind, _, distance = slots["relative"].partition(" ")
        return _back(kind, int(distance), today)
    return None


def _back(kind: str, distance: int, today: date) -> Period:
    match kind:
        case "month":
            months = today.year * 12 + today.month - 1 - distance
            return _month_of(months // 12, months % 12 + 1)
        case "quarter":
            quarters = today.year * 4 + (today.month - 1) // 3 - distance
            return _quarter_of(quarters // 4, quarters % 4 + 1)
        case "year":
            return _year_of(today.year - distance)
        case "week":
            return _week_of(today - timedelta(days=7 * distance))
    return _day_of(today - timedelta(days=distance))


def _month_alone(words: str, today: date) -> Period | None:
    """Return the last month of that name that has begun."""
    for slots in matches(SUBJECT, "month", words):
        number = int(slots["month"])
        return _month_of(today.year if number <= today.month else today.year - 1, number)
    return None


def _dated(words: str) -> Period | None:
    found = tokens(words)
    if len(found) != 1:
        return None
    match found[0].kind:
        case "month":
            return _month_of(*found[0].numbers)
        case "year":
            return _year_of(*found[0].numbers)
        case "date":
            return _day_of(date(*found[0].numbers))
    return None


def _week_of(day: date) -> Period:
    monday = day - timedelta(days=day.weekday())
    year, week, _ = monday.isocalendar()
    return Period(monday, monday + timedelta(days=7), f"{year}-W{week:02}")


def _month_of(year: int, month: int) -> Period:
    start = date(year, month, 1)
    return Period(start, date(year + month // 12, month % 12 + 1, 1), f"{year}-{month:02}")


def _quarter_of(year: int, number: int) -> Period:
    end = _month_of(year, 3 * number).end
    return Period(date(year, 3 * number - 2, 1), end, f"{year}-Q{number}")


def _year_of(year: int) -> Period:
    return Period(date(year, 1, 1), date(year + 1, 1, 1), str(year))


def _day_of(day: date) -> Period:
    return Period(day, day + timedelta(days=1), day.isoformat(), is_day=True)
