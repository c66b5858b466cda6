"""Ranges of weekdays that stand for a column each: "Monday to Friday", 周一到周五."""

from __future__ import annotations

import re

_ENGLISH = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CHINESE = "一二三四五六日"
_DAY = "|".join(f"{day}|{day[:3]}" for day in _ENGLISH)
_BEFORE, _AFTER = (
    r"(?P<before>(?:^|[,;:(.]|\b(?:then|and|with))\s*)",
    r"(?=\s*(?:$|[,;.)\n]|\bto tick\b|\bas columns\b))",
)
_RANGE = re.compile(
    rf"{_BEFORE}(?P<first>{_DAY})\s*(?:to|till|until|through|-|–)\s*(?P<last>{_DAY}){_AFTER}(?P<tick>\s*to tick)?",
    re.IGNORECASE,
)
_CHINESE_RANGE = re.compile(
    r"(?P<before>^|[,;:(。、]|和|及)(?P<word>周|星期|礼拜)(?P<first>[一二三四五六])(?:到|至|-|~)(?:周|星期|礼拜)?"
    r"(?P<last>[二三四五六日天])(?=$|[,;。)、\n])"
)


def with_weekdays(text: str) -> str:
    """Return a description with each range of weekdays that is an entry of a list written out."""
    return _CHINESE_RANGE.sub(_chinese, _RANGE.sub(_english, text))


def _english(found: re.Match[str]) -> str:
    starts = [day[:3].casefold() for day in _ENGLISH]
    first, last = starts.index(found["first"][:3].casefold()), starts.index(found["last"][:3].casefold())
    if first >= last:
        return found[0]
    is_short = len(found["first"]) == len(starts[0])
    days = [day[:3] if is_short else day for day in _ENGLISH[first : last + 1]]
    return found["before"] + ", ".join(f"{day} (tick)" if found["tick"] else day for day in days)


def _chinese(found: re.Match[str]) -> str:
    first, last = _CHINESE.index(found["first"]), _CHINESE.index(found["last"].replace("天", "日"))
    if first >= last:
        return found[0]
    return found["before"] + "、".join(f"{found['word']}{day}" for day in _CHINESE[first : last + 1])
