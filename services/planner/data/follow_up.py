"""A question that goes on with the one before: "and in April 2026?", 那四月呢？

Only a value is named, of a kind that the question before has once. The whole question is that one with the other value.
Whatever says more is left to a language model, which sees the questions before.
"""

from __future__ import annotations

import re

from bandsmith.shared.language import normalized_characters
from bandsmith.shared.question_values import MONTHS, Token, tokens

_OPENING = re.compile(
    r"(?:那么?|换成|改成|如果是|要是)\s*"
    r"|(?:and what about|and how about|and|but|what about|how about|the same|same)?\s*(?:for|in|of|on|during)?\s*",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(r"^(?:and|but|or|what about|how about|same|then)\b|^(?:那|换成|改成)|呢[?？]?$", re.IGNORECASE)
_CLOSING = re.compile(r"\s*+(?:(?:instead|的?呢|的话)\s*+)?[?？.。!！]*+\s*+", re.IGNORECASE)
_BARE_MONTH = re.compile(
    rf"(?P<name>{'|'.join(MONTHS)})|(?:(?P<number>1[0-2]|0?[1-9])|(?P<chinese>十[一二]?|[一二三四五六七八九]))月份?",
    re.IGNORECASE,
)
_CHINESE_MONTHS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def is_follow_up(text: str) -> bool:
    """Return whether a question cannot be understood without the one before."""
    return _FOLLOW_UP.search(normalized_characters(text).strip()) is not None


def whole_question(text: str, before: str) -> str | None:
    """Return what is asked, as a question of its own; None if it is no other value of the question `before`."""
    value = _value(normalized_characters(text).strip(), before)
    if value is None or value.kind is None:
        return None
    same = [token for token in tokens(before) if token.kind == value.kind]
    if len(same) != 1 or before.count(same[0].text) != 1:
        return None
    return before.replace(same[0].text, value.text)


def _value(text: str, before: str) -> Token | None:
    """Return the only value that a text names; None if it says more than that."""
    opening = _OPENING.match(text)
    assert opening is not None
    rest = text[opening.end() :]
    if (month := _BARE_MONTH.match(rest)) and _CLOSING.fullmatch(rest[month.end() :]):
        return _month(month, before)
    found = tokens(rest)
    if not found or found[0].kind is None:
        return None
    start = rest.find(found[0].text)
    is_all = start in (0, 1) and _CLOSING.fullmatch(rest[start + len(found[0].text) :].lstrip("\"'”」")) is not None
    return found[0] if is_all else None


def _month(found: re.Match[str], before: str) -> Token | None:
    """Return a month without a year as one of the year that the question before is about."""
    months = [token for token in tokens(before) if token.kind == "month"]
    if len(months) != 1:
        return None
    name, digits, chinese = found["name"], found["number"], found["chinese"]
    if name:
        number = next(n for n, month in enumerate(MONTHS, 1) if month == name.casefold())
    else:
        number = int(digits) if digits else _CHINESE_MONTHS.index(chinese) + 1
    year = months[0].numbers[0]
    is_chinese = "月" in months[0].text
    text = f"{year}年{number}月" if is_chinese else f"{MONTHS[number - 1].title()} {year}"
    if re.fullmatch(r"\d{4}-\d\d?", months[0].text):
        text = f"{year}-{number:02}"
    return Token(text, "<month>", "month", (year, number))
