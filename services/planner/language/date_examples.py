"""Read a date that is given as an example, such as 5 March 2026, as the pattern that it was written with."""

from __future__ import annotations

import re

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_LONG, _SHORT = "|".join(_MONTHS), "|".join(month[:3] for month in _MONTHS) + "|sept"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PART = re.compile(
    rf"(?P<weekday>{'|'.join(_DAYS)})|(?P<long>{_LONG})\b|(?P<short>{_SHORT})\b\.?|(?P<time>\d{{1,2}}:\d\d(?::\d\d)?)|"
    r"(?P<number>\d{1,4})(?P<ordinal>(?:st|nd|rd|th)\b)?|(?P<sign>[-/.,年月日号 ])",
    re.IGNORECASE,
)
_CHINESE_UNITS = {"年": "y", "月": "M", "日": "d", "号": "d"}


def pattern_of_example(words: str) -> str | None:
    """Return the pattern of Java that a date was written with; None for no date, and for one that may be read twice.

    ``05.03.2026`` has the day first, as dates with points do; in ``05/03/2026`` it could be either.
    """
    text = words.strip()
    parts, at = [], 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            return None
        parts.append(found)
        at = found.end()
    if any(found["ordinal"] for found in parts):
        return None  # Java has no 1st and 2nd
    order = _order(parts)
    return _written(parts, order) if order else None


def _order(parts: list[re.Match[str]]) -> str | None:
    """Return what the numbers of a date stand for, as letters: ``dMy``; None where that cannot be told."""
    numbers = [found["number"] for found in parts if found["number"]]
    named_month = any(found["long"] or found["short"] for found in parts)
    signs = [found["sign"] for found in parts if found["sign"]]
    if units := "".join(_CHINESE_UNITS[sign] for sign in signs if sign in _CHINESE_UNITS):
        return units if len(units) == len(numbers) and units in ("yMd", "yM", "Md", "y") else None
    values = [int(number) for number in numbers]
    years = [n for n, number in enumerate(numbers) if len(number) == 4]
    if named_month:
        if len(numbers) == 2 and years == [1] and 1 <= values[0] <= 31:
            return "dy"
        return "y" if len(numbers) == 1 and years == [0] else None
    if len(numbers) != 3 or len(years) != 1:
        return None
    if years == [0]:
        return "yMd" if values[1] <= 12 and values[2] <= 31 else None
    return _day_and_month(values, set(signs)) if years == [2] else None


def _day_and_month(values: list[int], signs: set[str]) -> str | None:
    """Return whether the day or the month is first of a date that ends with its year."""
    first, second = values[:2]
    if signs == {"."} or (12 < first <= 31 and second <= 12):
        return "dMy" if second <= 12 else None
    return "Mdy" if first <= 12 < second <= 31 else None


def _written(parts: list[re.Match[str]], order: str) -> str:
    """Return the pattern with each part written as it is in the example."""
    letters, pattern = list(order), ""
    for found in parts:
        if found["number"]:
            letter = letters.pop(0)
            pattern += (
                "yyyy" if letter == "y" else letter * (2 if len(found["number"]) == 2 and _is_padded(parts) else 1)
            )
        elif found["sign"]:
            pattern += f"'{found['sign']}'" if found["sign"] in _CHINESE_UNITS else found["sign"]
        elif found["time"]:
            pattern += "HH:mm:ss" if found["time"].count(":") == 2 else "HH:mm"
        else:
            pattern += "EEEE" if found["weekday"] else "MMMM" if found["long"] else "MMM"
    return pattern


def _is_padded(parts: list[re.Match[str]]) -> bool:
    """Whether short numbers begin with a zero: ``05.03.2026``. Without any, two digits say nothing."""
    short = [found["number"] for found in parts if found["number"] and len(found["number"]) < 4]
    return all(len(number) == 2 for number in short) and not any(found["long"] or found["short"] for found in parts)
