"""Read numbers and lengths: 1,000, 三百二十, 2 cm."""

from __future__ import annotations

import re

_DIGITS = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_UNITS = {"十": 10, "百": 100, "千": 1000}

_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
"""The numerals of amounts in words."""

_UNITS_PT = {
    "cm": 72 / 2.54, "厘米": 72 / 2.54, "公分": 72 / 2.54, "mm": 72 / 25.4, "毫米": 72 / 25.4,
    "inch": 72.0, "in": 72.0, "英寸": 72.0,
}  # fmt: skip
"""Points in a unit. Every other unit is a point."""
LENGTH = (
    r"(?!一点)(?P<length>\d+(?:\.\d+)?|[一二三四五六七八九十百]+)\s*"
    r"(?P<unit>pt|points?|px|点|磅|cm|厘米|公分|mm|毫米|inch|inches|in|英寸)?"
)
"""Pattern of a length, with the groups ``length`` and ``unit``."""

_NUMERAL = r"(?:\d{1,2}|[一二两三四五六七八九十]+?)"
NUMBERS = rf"{_NUMERAL}(?:\s*[列栏]?\s*(?:[、,，&和与及]|\band\b)\s*第?{_NUMERAL})+"
"""Pattern of several column numbers: 2 and 3, 二、三."""


def numbers_of(words: str) -> list[int]:
    """Return the whole numbers in words such as “2, 3 and 5” or “二、第三”."""
    return [int(number_of(digits) or 0) for digits in re.findall(r"\d{1,2}|[一二两三四五六七八九十]+", words)]


def length(number: str, unit: str | None) -> int:
    """Return a length in whole points."""
    return round((number_of(number) or 0.0) * _UNITS_PT.get((unit or "").lower().removesuffix("es"), 1.0))


def points_of(words: str) -> int:
    """Return a length with its unit in whole points: 2 cm, 三毫米, 12."""
    found = re.fullmatch(LENGTH, words.strip(), re.IGNORECASE)
    return length(found["length"], found["unit"]) if found else 0


def plain_amount(text: str) -> str:
    """Return an amount without the sign of its currency and without separators: £1,200.50 is 1200.50."""
    return text.lstrip("¥￥$€£").replace(",", "")


def number_of(text: str) -> float | None:
    """Return a number written in digits or in Chinese: 1,000, 1k, 一万, 三百二十, 1.5万, 贰仟陆佰."""
    text = text.strip().replace(",", "").replace("，", "").casefold().translate(_FORMAL)
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?)\s*([kw万千百亿m]?)", text)
    if found:
        times = {"": 1, "k": 1e3, "千": 1e3, "百": 1e2, "w": 1e4, "万": 1e4, "亿": 1e8, "m": 1e6}[found[2]]
        return float(found[1]) * times
    if not re.fullmatch(r"[零〇一二两三四五六七八九十百千万亿]+", text):
        return None
    high, _, low = text.rpartition("亿")
    return _in_ten_thousands(high) * 100_000_000 + _in_ten_thousands(low)


def _in_ten_thousands(text: str) -> int:
    high, _, low = text.rpartition("万")
    return _below_ten_thousand(high) * 10_000 + _below_ten_thousand(low)


def _below_ten_thousand(text: str) -> int:
    total, digit = 0, 0
    for char in text:
        if char in _UNITS:
            total += (digit or 1) * _UNITS[char]
            digit = 0
        else:
            digit = _DIGITS[char]
    return total + digit
