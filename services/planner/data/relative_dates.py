"""Words of a question whose date depends on the day on which they are said, as absolute dates: "last month", 上个月."""

from __future__ import annotations

import re
from datetime import date, timedelta

from bandsmith.shared.question_values import MONTHS

from ..language.periods import Period, read_period

DAYS_OF_WEEK = 7
_RELATIVE = re.compile(
    r"(?P<en>(?<!\bthe )(?<!\btheir )(?<!\bits )(?<!\bhis )(?<!\bher )(?<!\byour )"
    r"\b(?:(?:last|previous|this|current) (?:week|month|quarter|year)|today|yesterday)\b)"
    r"|(?P<zh>上个?(?:周|星期|月|季度)|[本这]个?(?:周|星期|月|季度)|今年|去年|本年|今天|昨天)(?!份?[前后末初底]|以[前后])",
    re.IGNORECASE,
)
"""What is said of the source's own time ("the last month", "their last year") stays as it is."""
_PREPOSITION = re.compile(
    r"\b(?:in|for|of|on|during|since|from|until|till|to|than|before|after|by|between|and|within|with)\s+$",
    re.IGNORECASE,
)
"""After one of these, a date needs none of its own."""


def with_absolute_dates(question: str, today: date) -> str:
    """Return a question in which dates that depend on the day are absolute."""

    def absolute(found: re.Match[str]) -> str:
        period = read_period(found[0], today)
        if period is None:
            return found[0]
        if found["zh"]:
            return _in_chinese(period)
        is_bare = _PREPOSITION.search(question[: found.start()]) or question[found.end() :].startswith(("'s", "’s"))
        preposition = "" if is_bare else "on " if period.is_day else "from " if _is_week(period) else "in "
        return f"{preposition}{_in_english(period)}"

    return _RELATIVE.sub(absolute, question)


def _is_week(period: Period) -> bool:
    return (period.end - period.start).days == DAYS_OF_WEEK


def _in_english(period: Period) -> str:
    if _is_week(period):
        return f"{period.start} to {period.end - timedelta(days=1)}"
    if len(period.name) == len("2026-10"):
        return _quarter_or_month(period, "Q{number} {year}", "{name} {year}")
    return period.name


def _in_chinese(period: Period) -> str:
    if _is_week(period):
        return f"{period.start}到{period.end - timedelta(days=1)}"
    if period.is_day:
        return f"{period.start.year}年{period.start.month}月{period.start.day}日"
    if len(period.name) == len("2026-10"):
        return _quarter_or_month(period, "{year}年第{number}季度", "{year}年{month}月")
    return f"{period.name}年"


def _quarter_or_month(period: Period, quarter: str, month: str) -> str:
    start = period.start
    form = quarter if "Q" in period.name else month
    number = (start.month + 2) // 3
    return form.format(year=start.year, month=start.month, number=number, name=MONTHS[start.month - 1].title())
