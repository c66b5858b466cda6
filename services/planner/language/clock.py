"""Read a time of day: at 8, 08:30, 5 pm, noon, 早上八点半, 下午3点, 20:15."""

from __future__ import annotations

import re

from .numbers import number_of

CLOCK = r"(?:\d{1,2}(?:[:.h]\d{2})?(?: ?[ap]\.?m\.?(?![a-z]))?|noon|midnight)(?: ?o'?clock)?"
CHINESE_CLOCK = (
    r"(?:早上|早晨|凌晨|上午|中午|下午|傍晚|晚上)?(?:\d{1,2}[:：]\d{2}|"
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})[点时](?:半|[一三]刻|(?:\d{1,2}|[一二三四五六七八九十]{1,3})分?|整|钟)?)"
)
_WORDS = {"noon": (12, 0), "midnight": (0, 0)}
_DIGITS = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))? ?([ap])?\.?(?:m\.?)?")
_CHINESE = re.compile(
    r"(早上|早晨|凌晨|上午|中午|下午|傍晚|晚上)?(\d{1,2}|[一二两三四五六七八九十]{1,3})(?:[:：]|[点时])(.*)"
)
_LATER = {"下午", "傍晚", "晚上"}
_PARTS = {"": 0, "整": 0, "钟": 0, "半": 30, "一刻": 15, "三刻": 45}


def read_clock(said: str) -> tuple[int, int] | None:
    """Return the hour and the minute of a time of day; None where it is none."""
    words = re.sub(r" ?o'?clock$", "", said.strip().casefold())
    if words in _WORDS:
        return _WORDS[words]
    found = _DIGITS.fullmatch(words)
    return _checked(*_of_digits(found)) if found else _chinese(words)


def _of_digits(found: re.Match[str]) -> tuple[int, int]:
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3] is None:
        return hour, minute
    if not 1 <= hour <= 12:
        return 24, 0
    return hour % 12 + (12 if found[3] == "p" else 0), minute


def _chinese(words: str) -> tuple[int, int] | None:
    found = _CHINESE.fullmatch(words)
    if found is None:
        return None
    rest = found[3].removesuffix("分")
    minute = _PARTS[rest] if rest in _PARTS else number_of(rest)
    hour = int(number_of(found[2]) or 0)
    if found[1] in _LATER and 1 <= hour < 12:
        hour += 12
    return None if minute is None else _checked(hour, int(minute))


def _checked(hour: int, minute: int) -> tuple[int, int] | None:
    return (hour, minute) if hour < 24 and minute < 60 else None
