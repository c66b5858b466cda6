"""Types: the Java class and pattern of values, told from how they are printed.

A type is only given where formatting the typed value by the pattern gives back every printed text exactly; in doubt a
value stays a string. The formatting here follows Java's DecimalFormat and SimpleDateFormat for the letters it uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Literal

Locale = Literal["en_US", "zh_CN"]
Json = str | int | float

STRING, INTEGER = "java.lang.String", "java.lang.Integer"
LONG, DECIMAL, DATE = "java.lang.Long", "java.math.BigDecimal", "java.util.Date"

_CODE = re.compile(
    r"(?i)\b(no|nr|id|code|number|tel|phone|mobile|fax|zip|postal|account|iban|tax\s*id|vat\s*id|ref|sku|barcode|isbn)\b"
    r"|nummer|n[uú]mero|numéro|[#№号码]|编码|代码|电话|手机|传真|邮编|账户|条码"
)


@dataclass(frozen=True)
class Typed:
    """A class and pattern, and the values as JSON, in the order of the texts."""

    java_class: str
    pattern: str | None
    values: tuple[Json | None, ...]
    locale: Locale | None = None
    """The locale that the pattern needs; None works in any."""


def typed(texts: Sequence[str | None], label: str | None, locale: Locale = "en_US") -> Typed:
    """The type of a field whose copies are printed as `texts`; None is a copy without a value."""
    plain = Typed(STRING, None, tuple(texts))
    present = [text for text in texts if text]
    if not present:
        return plain
    for attempt in (_dates, _numbers):
        for candidate in attempt(present, label, locale):
            values = [candidate.read(text) for text in present]
            if any(value is None for value in values):
                continue
            if all(candidate.write(value) == text for value, text in zip(values, present, strict=True)):
                by_text = iter(values)
                given = tuple(candidate.json(next(by_text)) if text else None for text in texts)
                return Typed(candidate.java_class, candidate.pattern, given, candidate.locale)
    return plain


@dataclass(frozen=True)
class _Candidate:
    """One way to read and write a value."""

    java_class: str
    pattern: str | None
    locale: Locale | None
    read: Callable[[str], Any]
    """The value; None where the text is not one."""
    write: Callable[[Any], str]
    json: Callable[[Any], Json]


# --- numbers -------------------------------------------------------------------------------------------------------

_CURRENCIES = (
    "USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD|SGD|AUD|CAD|CHF|SAR|AED|QAR|KWD|INR|MYR|THB|KRW|RUB|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|"
    "TRY|IDR|PHP|VND|NZD|EGP|PKR"
)
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<minus>-)?(?P<before>(?:(?:{_CURRENCIES})\s|[A-Z]{{0,3}}[$€£¥￥₹₩₽])\s?|)"
    r"(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<fraction>\.\d+)?"
    rf"(?P<after>\s?(?:%|元|圆|€|₽|\b(?:{_CURRENCIES}))|)(?P<close>\))?"
)
_LONGEST_PLAIN = 8
"""Digits that a whole number without grouping may have before it is taken for a code."""


_PRECISE = 15
"""Digits that a JSON number keeps exactly."""


def _numbers(texts: Sequence[str], label: str | None, locale: Locale) -> Iterator[_Candidate]:
    found = [_NUMBER.fullmatch(text) for text in texts]
    if any(one is None or bool(one["open"]) != bool(one["close"]) for one in found):
        return
    parts = [one for one in found if one is not None]
    before, after = parts[0]["before"], parts[0]["after"]
    if any(one["before"] != before or one["after"] != after for one in parts):
        return
    if any(len(one["digits"]) > 1 and one["digits"].startswith("0") for one in parts):
        return
    grouped = any("," in one["digits"] for one in parts)
    longest = max(len(one["digits"].replace(",", "")) for one in parts)
    bracketed = any(one["open"] for one in parts)
    places = {len(one["fraction"] or ".") - 1 for one in parts}
    if longest + max(places) > _PRECISE:
        return
    decorated = bool(before or after)
    if places == {0} and not decorated and not bracketed:
        yield from _whole(grouped, longest, label, locale)
        return
    if label and _CODE.search(label) and not grouped and not decorated:
        return
    groups = grouped or longest <= 3
    yield _decimal(before, after, groups, places, bracketed, locale)


def _whole(grouped: bool, longest: int, label: str | None, locale: Locale) -> Iterator[_Candidate]:
    if not grouped and (longest > _LONGEST_PLAIN or (label and _CODE.search(label))):
        return
    java_class = INTEGER if longest <= 9 else LONG
    pattern = "#,##0" if grouped else None
    write = (lambda value: f"{value:,}") if grouped else str
    yield _Candidate(java_class, pattern, locale if grouped else None, _integer, write, _as_int)


def _integer(text: str) -> int | None:
    bare = text.replace(",", "")
    return int(bare) if re.fullmatch(r"-?\d+", bare) else None


def _as_int(value: int) -> Json:
    return value


def _decimal(before: str, after: str, grouped: bool, places: set[int], bracketed: bool, locale: Locale) -> _Candidate:
    """Amounts: a prefix, grouped digits, so many decimals, a suffix; a percentage is kept as its share."""
    least, most = min(places), max(places)
    percent = after.strip() == "%"
    number = ("#,##0" if grouped else "0") + ("." + "0" * least + "#" * (most - least) if most else "")
    positive = _literal(before) + number + (after if percent else _literal(after))
    pattern = f"{positive};({positive})" if bracketed else positive

    def read(text: str) -> Decimal | None:
        found = _NUMBER.fullmatch(text)
        if found is None:
            return None
        value = Decimal(found["digits"].replace(",", "") + (found["fraction"] or ""))
        return -value if found["minus"] or found["open"] else value

    def write(value: Decimal) -> str:
        digits = f"{abs(value):{',' if grouped else ''}.{most}f}"
        for _ in range(most - least):
            digits = digits.removesuffix("0")
        text = before + digits.removesuffix(".") + after
        if value < 0:
            return f"({text})" if bracketed else f"-{text}"
        return text

    def as_json(value: Decimal) -> Json:
        return float(value.scaleb(-2) if percent else value)

    return _Candidate(DECIMAL, pattern, locale, read, write, as_json)


def _literal(text: str) -> str:
    """Wording in a DecimalFormat pattern; quoted where its characters would mean something."""
    if not text:
        return ""
    if re.fullmatch(r"[$€£¥￥\s]*", text):
        return text
    return "'" + text.replace("'", "''") + "'"


# --- dates ---------------------------------------------------------------------------------------------------------

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_DATE_PATTERNS = (
    "yyyy-MM-dd", "yyyy-M-d", "yyyy/MM/dd", "yyyy/M/d", "yyyy.MM.dd", "yyyy.M.d",
    "yyyy'年'MM'月'dd'日'", "yyyy'年'M'月'd'日'",
    "MM/dd/yyyy", "M/d/yyyy", "dd/MM/yyyy", "d/M/yyyy", "MM/dd/yy", "M/d/yy", "dd/MM/yy", "d/M/yy",
    "dd-MM-yyyy", "d-M-yyyy", "MM-dd-yyyy", "dd.MM.yyyy", "d.M.yyyy", "dd.MM.yy",
    "MMM d, yyyy", "MMM dd, yyyy", "MMMM d, yyyy", "MMMM dd, yyyy", "d MMM yyyy", "dd MMM yyyy", "d MMMM yyyy",
    "dd MMMM yyyy", "dd-MMM-yyyy", "d-MMM-yyyy", "dd-MMM-yy", "EEE, MMM d, yyyy", "EEEE, MMMM d, yyyy",
    "EEE, d MMM yyyy",
)  # fmt: skip
_TIME_PATTERNS = ("HH:mm:ss", "HH:mm", "H:mm", "h:mm a", "hh:mm a", "h:mm:ss a", "hh:mm:ss a")
_TIMED_PATTERNS = (
    *(f"{date}{between}{time}" for date in _DATE_PATTERNS for time in _TIME_PATTERNS for between in (" ", ", ", "  ")),
    *(time for time in _TIME_PATTERNS if time != "H:mm"),
)
_FIELD = re.compile(r"'([^']*)'|([A-Za-z])\2*|.", re.DOTALL)
_READS = {
    "yyyy": r"(?P<y>(?:19|20)\d\d)", "yy": r"(?P<yy>\d\d)", "MMMM": "(?P<MMMM>" + "|".join(_MONTHS) + ")",
    "MMM": "(?P<MMM>" + "|".join(name[:3] for name in _MONTHS) + ")", "MM": r"(?P<M>\d\d)", "M": r"(?P<M>\d\d?)",
    "dd": r"(?P<d>\d\d)", "d": r"(?P<d>\d\d?)", "HH": r"(?P<H>\d\d)", "H": r"(?P<H>\d\d?)", "hh": r"(?P<h>\d\d)",
    "h": r"(?P<h>\d\d?)", "mm": r"(?P<m>\d\d)", "ss": r"(?P<s>\d\d)", "a": "(?P<a>AM|PM)",
    "EEEE": "(?:" + "|".join(_DAYS) + ")", "EEE": "(?:" + "|".join(name[:3] for name in _DAYS) + ")",
}  # fmt: skip


def _dates(texts: Sequence[str], _: str | None, locale: Locale) -> Iterator[_Candidate]:
    if not any(char.isdigit() for char in texts[0]) or len(texts[0]) > 40:
        return
    for pattern in _TIMED_PATTERNS if ":" in texts[0] else _DATE_PATTERNS:
        if _reader(pattern).fullmatch(texts[0]):
            worded = re.search(r"MMM|EEE|a", pattern) is not None
            if worded and locale != "en_US":
                continue
            yield _Candidate(
                DATE,
                pattern,
                "en_US" if worded else None,
                partial(read_date, pattern=pattern),
                partial(write_date, pattern=pattern),
                datetime.isoformat,
            )


@lru_cache(maxsize=1024)
def _reader(pattern: str) -> re.Pattern[str]:
    out = ""
    for part in _FIELD.finditer(pattern):
        if part[1] is not None:
            out += re.escape(part[1])
        elif part[2]:
            out += _READS[part[0]]
        else:
            out += re.escape(part[0])
    return re.compile(out)


def read_date(text: str, pattern: str) -> datetime | None:
    """The time that a text says by a SimpleDateFormat pattern; a time without a date is on the epoch's day."""
    found = _reader(pattern).fullmatch(text)
    if found is None:
        return None
    said = found.groupdict()
    year = int(said["y"]) if said.get("y") else 2000 + int(said["yy"]) if said.get("yy") else 1970
    month = int(said.get("M") or 1)
    if name := said.get("MMM") or said.get("MMMM"):
        month = 1 + next(n for n, full in enumerate(_MONTHS) if full.startswith(name))
    hour = int(said.get("H") or 0)
    if said.get("h"):
        if not 1 <= int(said["h"]) <= 12:
            return None
        hour = int(said["h"]) % 12 + (12 if said["a"] == "PM" else 0)
    try:
        return datetime(year, month, int(said.get("d") or 1), hour, int(said.get("m") or 0), int(said.get("s") or 0))
    except ValueError:
        return None


def write_date(value: datetime, pattern: str) -> str:
    """A time as SimpleDateFormat prints it by the pattern, in English."""
    hour = value.hour % 12 or 12
    said = {
        "yyyy": f"{value.year:04}", "yy": f"{value.year % 100:02}", "MMMM": _MONTHS[value.month - 1],
        "MMM": _MONTHS[value.month - 1][:3], "MM": f"{value.month:02}", "M": f"{value.month}", "dd": f"{value.day:02}",
        "d": f"{value.day}", "HH": f"{value.hour:02}", "H": f"{value.hour}", "hh": f"{hour:02}", "h": f"{hour}",
        "mm": f"{value.minute:02}", "ss": f"{value.second:02}", "a": "AM" if value.hour < 12 else "PM",
        "EEEE": _DAYS[value.weekday()], "EEE": _DAYS[value.weekday()][:3],
    }  # fmt: skip
    return "".join(
        part[1] if part[1] is not None else said[part[0]] if part[2] else part[0] for part in _FIELD.finditer(pattern)
    )
