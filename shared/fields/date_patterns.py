"""Date patterns: read and write dates as Java's SimpleDateFormat does, for the letters that forms need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

MAX_DATE_CHARS = 40
"""A longer text is not read as a date."""
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_MONTHS_OF = {
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
           "Dezember"),
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
           "décembre"),
    "es": ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
           "noviembre", "diciembre"),
    "it": ("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
           "novembre", "dicembre"),
    "pt": ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
           "novembro", "dezembro"),
}  # fmt: skip
"""The months as Java prints `MMMM` in the locales of a language. Short names differ between versions of Java."""
_WORDED_PATTERNS = {
    "de": ("d. MMMM yyyy", "dd. MMMM yyyy"),
    "fr": ("d MMMM yyyy", "dd MMMM yyyy"),
    "es": ("d 'de' MMMM 'de' yyyy", "dd 'de' MMMM 'de' yyyy", "d MMMM yyyy"),
    "it": ("d MMMM yyyy", "dd MMMM yyyy"),
    "pt": ("d 'de' MMMM 'de' yyyy", "dd 'de' MMMM 'de' yyyy"),
}
_SPACED_CHINESE = re.compile(r"\d{4}( {0,3})年( {0,3})\d{1,2}( {0,3})月( {0,3})\d{1,2}( {0,3})日")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_DATE_PATTERNS = (
    "yyyy-MM-dd", "yyyy-M-d", "yyyy/MM/dd", "yyyy/M/d", "yyyy.MM.dd", "yyyy.M.d",
    "yyyy'年'MM'月'dd'日'", "yyyy'年'M'月'd'日'", "yyyy '年' M '月' d '日'", "yyyy '年' MM '月' dd '日'",
    "MM/dd/yyyy", "M/d/yyyy", "dd/MM/yyyy", "d/M/yyyy", "MM/dd/yy", "M/d/yy", "dd/MM/yy", "d/M/yy",
    "dd-MM-yyyy", "d-M-yyyy", "MM-dd-yyyy", "dd.MM.yyyy", "d.M.yyyy", "dd.MM.yy",
    "MMM d, yyyy", "MMM dd, yyyy", "MMMM d, yyyy", "MMMM dd, yyyy", "d MMM yyyy", "dd MMM yyyy", "d MMMM yyyy",
    "dd MMMM yyyy", "dd-MMM-yyyy", "d-MMM-yyyy", "dd-MMM-yy", "EEE, MMM d, yyyy", "EEEE, MMMM d, yyyy",
    "EEE, d MMM yyyy", "EEEE, MMMM dd, yyyy", "dd/MMM/yyyy", "dd/MMM/yy",
)  # fmt: skip
_TIME_PATTERNS = ("HH:mm:ss", "HH:mm", "H:mm", "h:mm a", "hh:mm a", "h:mm:ss a", "hh:mm:ss a")
_TIMED_PATTERNS = (
    *(f"{date}{between}{time}" for date in _DATE_PATTERNS for time in _TIME_PATTERNS for between in (" ", ", ", "  ")),
    *(time for time in _TIME_PATTERNS if time != "H:mm"),
)
_PATTERN_PART = re.compile(r"'([^']*)'|([A-Za-z])\2*|.", re.DOTALL)
"""Quoted text, a run of one letter, or any other character."""
_LETTER_REGEX = {
    "yyyy": r"(?P<y>(?:19|20)\d\d)", "yy": r"(?P<yy>\d\d)", "MMMM": "(?P<MMMM>" + "|".join(_MONTHS) + ")",
    "MMM": "(?P<MMM>" + "|".join(name[:3] for name in _MONTHS) + ")", "MM": r"(?P<M>\d\d)", "M": r"(?P<M>\d\d?)",
    "dd": r"(?P<d>\d\d)", "d": r"(?P<d>\d\d?)", "HH": r"(?P<H>\d\d)", "H": r"(?P<H>\d\d?)", "hh": r"(?P<h>\d\d)",
    "h": r"(?P<h>\d\d?)", "mm": r"(?P<m>\d\d)", "ss": r"(?P<s>\d\d)", "a": "(?P<a>AM|PM)",
    "EEEE": "(?:" + "|".join(_DAYS) + ")", "EEE": "(?:" + "|".join(name[:3] for name in _DAYS) + ")",
}  # fmt: skip


def matching_patterns(text: str, language: str = "en") -> Iterator[str]:
    """Yield the patterns by which a text can be read, the most likely first. `language` is that of its months."""
    if not any(char.isdigit() for char in text) or len(text) > MAX_DATE_CHARS:
        return
    patterns = _TIMED_PATTERNS if ":" in text else _DATE_PATTERNS
    if language != "en":
        patterns = (*(one for one in patterns if not is_worded(one)), *_WORDED_PATTERNS.get(language, ()))
    for pattern in (*patterns, *_spaced_patterns(text)):
        if _reader(pattern, language).fullmatch(text):
            yield pattern


def _spaced_patterns(text: str) -> Iterator[str]:
    """Yield the patterns of a Chinese date with spaces that stand anywhere: what was written by hand has them."""
    match = _SPACED_CHINESE.fullmatch(text)
    if match is None or not any(match.groups()):
        return
    spaces = match.groups()
    for month, day in (("MM", "dd"), ("M", "d")):
        yield f"yyyy{spaces[0]}'年'{spaces[1]}{month}{spaces[2]}'月'{spaces[3]}{day}{spaces[4]}'日'"


def is_worded(pattern: str) -> bool:
    """Whether the pattern prints words, such as names of months, which differ between languages."""
    return re.search(r"MMM|EEE|a", pattern) is not None


def is_day_first(pattern: str) -> bool | None:
    """Whether the day stands before a month in digits, with the year after both; None for any other order."""
    found = re.match(r"(?:d{1,2}([/.-])M{1,2}|M{1,2}([/.-])d{1,2})(?:\1|\2)", pattern)
    return pattern.startswith("d") if found and "MMM" not in pattern else None


@lru_cache(maxsize=1024)
def _reader(pattern: str, language: str = "en") -> re.Pattern[str]:
    """The regular expression that reads what a pattern prints."""
    letters = _LETTER_REGEX | {"MMMM": "(?P<MMMM>" + "|".join(_MONTHS_OF.get(language, _MONTHS)) + ")"}
    source = ""
    for part in _PATTERN_PART.finditer(pattern):
        if part[1] is not None:
            source += re.escape(part[1])
        elif part[2]:
            source += letters[part[0]]
        else:
            source += re.escape(part[0])
    return re.compile(source)


def read_date(text: str, pattern: str, language: str = "en") -> datetime | None:
    """Read a text by a SimpleDateFormat pattern; None where it does not match. A time without a date is in 1970."""
    match = _reader(pattern, language).fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    year = int(parts["y"]) if parts.get("y") else _full_year(int(parts["yy"])) if parts.get("yy") else 1970
    month = int(parts.get("M") or 1)
    if name := parts.get("MMM") or parts.get("MMMM"):
        months = _MONTHS_OF.get(language, _MONTHS)
        month = 1 + next(n for n, full in enumerate(months) if full.startswith(name))
    hour = int(parts.get("H") or 0)
    if parts.get("h"):
        if not 1 <= int(parts["h"]) <= 12:
            return None
        hour = int(parts["h"]) % 12 + (12 if parts["a"] == "PM" else 0)
    try:
        return datetime(year, month, int(parts.get("d") or 1), hour, int(parts.get("m") or 0), int(parts.get("s") or 0))
    except ValueError:
        return None


def _full_year(two_digits: int) -> int:
    """Return the year that two digits mean, as POSIX has it: 69 to 99 are in the 1900s."""
    return two_digits + (1900 if two_digits >= 69 else 2000)


def write_date(value: datetime, pattern: str, language: str = "en") -> str:
    """Format a date as SimpleDateFormat does by the pattern, with the months of a language."""
    hour = value.hour % 12 or 12
    letters = {
        "yyyy": f"{value.year:04}", "yy": f"{value.year % 100:02}", 
        "MMMM": _MONTHS_OF.get(language, _MONTHS)[value.month - 1],
        "MMM": _MONTHS[value.month - 1][:3], "MM": f"{value.month:02}", "M": f"{value.month}", "dd": f"{value.day:02}",
        "d": f"{value.day}", "HH": f"{value.hour:02}", "H": f"{value.hour}", "hh": f"{hour:02}", "h": f"{hour}",
        "mm": f"{value.minute:02}", "ss": f"{value.second:02}", "a": "AM" if value.hour < 12 else "PM",
        "EEEE": _DAYS[value.weekday()], "EEE": _DAYS[value.weekday()][:3],
    }  # fmt: skip
    return "".join(
        part[1] if part[1] is not None else letters[part[0]] if part[2] else part[0]
        for part in _PATTERN_PART.finditer(pattern)
    )
