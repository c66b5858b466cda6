"""Java's patterns for numbers and dates as the number formats of a workbook."""

from __future__ import annotations

import re

_DATE_PARTS = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")
_DATES = dict(zip("yYuMLdHhKkms", "yyymmdhhhhms", strict=True))
"""The letters of a workbook by those of Java; their number says how long the part is in both."""
_NUMBER_CODES = re.compile(r"[#0,.;%\s()+-]|E0+")
_NUMBER_PARTS = re.compile(r"'((?:[^']|'')*)'|(¤+)|(.)")
CURRENCIES = {"zh_CN": "¥", "zh": "¥", "ja_JP": "¥", "en_US": "$", "en_GB": "£", "de_DE": "€", "fr_FR": "€"}
DEFAULT_DATE = "yyyy-mm-dd"


def date_format(pattern: str | None) -> str:
    """Return the number format of a pattern such as ``yyyy年MM月dd日``."""
    if not pattern:
        return DEFAULT_DATE
    parts = []
    for part in _DATE_PARTS.finditer(pattern):
        text, letter = part[0], part[2]
        if letter == "E":
            parts.append("dddd" if len(text) > 3 else "ddd")
        elif letter == "a":
            parts.append("AM/PM")
        elif letter in _DATES:
            parts.append(_DATES[letter] * len(text))
        elif letter is None:
            parts.append(_literal(text if part[1] is None else part[1].replace("''", "'") or "'"))
    return "".join(parts) or DEFAULT_DATE


def number_format(pattern: str | None, locale: str = "") -> str:
    """Return the number format of a pattern such as ``¤#,##0.00;(¤#,##0.00)``."""
    if not pattern:
        return "General"
    parts = []
    for part in _NUMBER_PARTS.finditer(pattern):
        quoted, currency, character = part[1], part[2], part[3]
        if currency:
            parts.append(_literal(CURRENCIES.get(locale, "$")))
        elif quoted is not None:
            parts.append(_literal(quoted.replace("''", "'") or "'"))
        elif _NUMBER_CODES.fullmatch(character) or character == "E":
            parts.append(character)
        else:
            parts.append(_literal(character))
    return "".join(parts)


def _literal(text: str) -> str:
    """Return a text that a format shows as it is; separators of dates need no quotes."""
    return text if re.fullmatch(r"[-/: .,]*", text) else '"' + text.replace('"', "") + '"'


def is_time(pattern: str | None) -> bool:
    """Whether a pattern shows the time of a day without the day."""
    letters = {part[2] for part in _DATE_PARTS.finditer(pattern or "") if part[2]}
    return bool(letters & set("HhKk")) and not letters & set("yYuMLdDEwW")


def min_decimals(pattern: str | None) -> int:
    """Return how many decimals a pattern always shows."""
    decimals = re.search(r"\.(0+)", (pattern or "").split(";")[0])
    return len(decimals[1]) if decimals else 0
