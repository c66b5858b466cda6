"""Format spreadsheet values as their number formats show them: dates, amounts, percentages."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any

from .durations import format_duration

_TOKENS = re.compile(
    r"yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|am/pm|\"[^\"]{,255}\"|\\.|\[[^\]]{,255}\]|.", re.IGNORECASE
)
_LITERAL = re.compile(r"\"([^\"]*)\"|\\(.)|_.|\*.|\[\$([^\[\]-]*+)[^\[\]]*+\]|\[[^\[\]]*+\]")


def format_value(value: Any, code: str | None) -> str:
    """Return the text of a cell's value under a number format such as ``#,##0.00`` or ``yyyy-mm-dd``."""
    code = code or "General"
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime | date | time):
        return _moment(value, code)
    if isinstance(value, timedelta):
        return format_duration(value, code)
    if isinstance(value, int | float):
        return _number(value, code)
    return str(value)


def _moment(value: datetime | date | time, code: str) -> str:
    if code == "General":
        return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
    when = (
        value
        if isinstance(value, datetime)
        else datetime.combine(date(1900, 1, 1), value)
        if isinstance(value, time)
        else datetime(value.year, value.month, value.day)
    )
    half = re.search(r"am/pm", code, re.IGNORECASE) is not None
    hour = (when.hour - 1) % 12 + 1 if half else when.hour
    parts: list[str] = []
    after_hour = False
    for part in _TOKENS.findall(code.split(";", maxsplit=1)[0]):
        low = part.lower()
        if low in ("mm", "m") and after_hour:
            low = "minute" * (len(low) == 2) or "min"
        table = {
            "yyyy": f"{when.year:04}", "yy": f"{when.year % 100:02}",
            "mmmm": f"{when:%B}", "mmm": f"{when:%b}", "mm": f"{when.month:02}", "m": str(when.month),
            "dddd": f"{when:%A}", "ddd": f"{when:%a}", "dd": f"{when.day:02}", "d": str(when.day),
            "hh": f"{hour:02}", "h": str(hour), "minute": f"{when.minute:02}", "min": str(when.minute),
            "ss": f"{when.second:02}", "s": str(when.second), "am/pm": f"{when:%p}",
        }  # fmt: skip
        if low in table:
            parts.append(table[low])
            after_hour = low in ("hh", "h") or (after_hour and low not in ("minute", "min"))
        elif part.startswith('"'):
            parts.append(part[1:-1])
        elif part.startswith("\\"):
            parts.append(part[1])
        elif not part.startswith("[") and part != "@":
            parts.append(part)
    return "".join(parts).strip()


def _number(value: float, code: str) -> str:
    sections = code.split(";")
    if value < 0 and len(sections) > 1 and sections[1]:
        return _filled(abs(value), sections[1])
    if value == 0 and len(sections) > 2:
        return _filled(value, sections[2])
    return _filled(value, sections[0])


def _filled(value: float, code: str) -> str:
    bare = _LITERAL.sub(lambda m: m[1] or m[2] or m[3] or "", code).strip()
    pattern = re.search(r"[#0?][#0?,]*(?:\.[0#?]*)?", bare)
    if "general" in bare.lower() or bare in ("", "@"):
        return _general(value)
    if pattern is None:
        return bare
    digits = pattern[0]
    whole, _, fraction = digits.partition(".")
    if "%" in bare:
        value *= 100
    text = f"{abs(value):{',' if ',' in whole.strip(',') else ''}.{len(fraction)}f}"
    min_decimals = len(fraction.rstrip("#?"))
    while fraction and len(text.partition(".")[2]) > min_decimals and text.endswith("0"):
        text = text[:-1]
    text = text.rstrip(".")
    text = text.rjust(len(text) + max(0, whole.count("0") - len(text.partition(".")[0])), "0")
    sign = "-" if value < 0 else ""
    return sign + bare[: pattern.start()] + text + bare[pattern.end() :]


def fixed_decimals(code: str | None) -> int | None:
    """Return the decimals that a number format prints of every number; None for a format that states none."""
    bare = _LITERAL.sub("", (code or "General").split(";")[0]).strip()
    pattern = re.search(r"[#0?][#0?,]*(?:\.[0#?]*)?", bare)
    if pattern is None or "general" in bare.lower() or re.search(r"[dmyhs/]", bare, re.IGNORECASE):
        return None
    fraction = pattern[0].partition(".")[2]
    return None if "%" in bare or fraction.strip("0") else len(fraction)


def _general(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.10g}"
