"""Value types: infer the Java class and pattern of a field from the way its values are printed.

A field gets a type only where formatting the typed values by the pattern gives back every printed text exactly.
Otherwise its values stay strings. The formatting follows Java's DecimalFormat; for dates see `date_patterns`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, Literal

from .date_patterns import is_worded, matching_patterns, read_date, write_date

Locale = Literal["en_US", "zh_CN"]
Json = str | int | float

STRING, INTEGER = "java.lang.String", "java.lang.Integer"
LONG, DECIMAL, DATE = "java.lang.Long", "java.math.BigDecimal", "java.util.Date"

_IDENTIFIER_LABEL = re.compile(
    r"(?i)\b(no|nr|id|code|number|tel|phone|mobile|fax|zip|postal|account|iban|tax\s*id|vat\s*id|ref|sku|barcode|isbn)\b"
    r"|nummer|n[uú]mero|numéro|[#№号码]|编码|代码|电话|手机|传真|邮编|账户|条码"
)
"""Labels of numbers that identify something. Such numbers are not added up, and their digits are not grouped."""
MAX_PLAIN_DIGITS = 8
"""A whole number without grouping that has more digits is taken for a code."""
MAX_EXACT_DIGITS = 15
"""Digits that a JSON number keeps exactly."""
MAX_INT_DIGITS = 9
"""Digits that always fit a Java int."""


@dataclass(frozen=True)
class TypedValues:
    """A Java class and pattern, and the values as JSON, in the order of the texts."""

    java_class: str
    pattern: str | None
    values: tuple[Json | None, ...]
    locale: Locale | None = None
    """The locale that the pattern needs; None if it works in any."""


@dataclass(frozen=True)
class _Candidate:
    """A type that may fit: how it reads and writes a value."""

    java_class: str
    pattern: str | None
    locale: Locale | None
    read: Callable[[str], Any]
    """Return the value; None where the text is none of this type."""
    write: Callable[[Any], str]
    to_json: Callable[[Any], Json]


def infer_type(texts: Sequence[str | None], label: str | None, locale: Locale = "en_US") -> TypedValues:
    """Infer the type of a field whose copies are printed as `texts`. None stands for a copy without a value."""
    present = [text for text in texts if text]
    for candidates in (_date_candidates, _number_candidates) if present else ():
        for candidate in candidates(present, label, locale):
            values = [candidate.read(text) for text in present]
            if any(value is None for value in values):
                continue
            if all(candidate.write(value) == text for value, text in zip(values, present, strict=True)):
                by_text = iter(values)
                json_values = tuple(candidate.to_json(next(by_text)) if text else None for text in texts)
                return TypedValues(candidate.java_class, candidate.pattern, json_values, candidate.locale)
    return TypedValues(STRING, None, tuple(texts))


# --- numbers ----------------------------------------------------------------------------------------------------------

_CURRENCIES = (
    "USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD|SGD|AUD|CAD|CHF|SAR|AED|QAR|KWD|INR|MYR|THB|KRW|RUB|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|"
    "TRY|IDR|PHP|VND|NZD|EGP|PKR"
)
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<minus>-)?(?P<before>(?:(?:{_CURRENCIES})\s|[A-Z]{{0,3}}[$€£¥￥₹₩₽])\s?|)"
    r"(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<fraction>\.\d+)?"
    rf"(?P<after>\s?(?:%|元|圆|€|₽|\b(?:{_CURRENCIES}))|)(?P<close>\))?"
)


def _number_candidates(texts: Sequence[str], label: str | None, locale: Locale) -> Iterator[_Candidate]:
    matches = [
        match for text in texts if (match := _NUMBER.fullmatch(text)) and bool(match["open"]) == bool(match["close"])
    ]
    if len(matches) < len(texts):
        return
    before, after = matches[0]["before"], matches[0]["after"]
    if any(match["before"] != before or match["after"] != after for match in matches):
        return
    if any(len(match["digits"]) > 1 and match["digits"].startswith("0") for match in matches):
        return
    grouped = any("," in match["digits"] for match in matches)
    max_digits = max(len(match["digits"].replace(",", "")) for match in matches)
    in_brackets = any(match["open"] for match in matches)
    decimals = {len(match["fraction"] or ".") - 1 for match in matches}
    if max_digits + max(decimals) > MAX_EXACT_DIGITS:
        return
    is_identifier = bool(label and _IDENTIFIER_LABEL.search(label)) and not grouped
    has_unit = bool(before or after)
    if decimals == {0} and not has_unit and not in_brackets:
        if grouped or (max_digits <= MAX_PLAIN_DIGITS and not is_identifier):
            yield _whole_number(grouped, max_digits, locale)
    elif has_unit or not is_identifier:
        yield _decimal(before, after, grouped or max_digits <= 3, decimals, in_brackets, locale)


def _whole_number(grouped: bool, max_digits: int, locale: Locale) -> _Candidate:
    def read(text: str) -> int | None:
        digits = text.replace(",", "")
        return int(digits) if re.fullmatch(r"-?\d+", digits) else None

    return _Candidate(
        java_class=INTEGER if max_digits <= MAX_INT_DIGITS else LONG,
        pattern="#,##0" if grouped else None,
        locale=locale if grouped else None,
        read=read,
        write="{:,}".format if grouped else str,
        to_json=int,
    )


def _decimal(
    before: str, after: str, grouped: bool, decimals: set[int], in_brackets: bool, locale: Locale
) -> _Candidate:
    """An amount: a prefix, digits, decimals and a suffix. A percentage is stored as a fraction of 1.

    With `in_brackets` negative amounts are printed in brackets instead of with a minus sign.
    """
    fewest, most = min(decimals), max(decimals)
    percent = after.strip() == "%"
    number = ("#,##0" if grouped else "0") + ("." + "0" * fewest + "#" * (most - fewest) if most else "")
    positive = _pattern_literal(before) + number + (after if percent else _pattern_literal(after))
    pattern = f"{positive};({positive})" if in_brackets else positive

    def read(text: str) -> Decimal | None:
        match = _NUMBER.fullmatch(text)
        if match is None:
            return None
        value = Decimal(match["digits"].replace(",", "") + (match["fraction"] or ""))
        return -value if match["minus"] or match["open"] else value

    def write(value: Decimal) -> str:
        digits = f"{abs(value):{',' if grouped else ''}.{most}f}"
        for _ in range(most - fewest):
            digits = digits.removesuffix("0")
        text = before + digits.removesuffix(".") + after
        if value < 0:
            return f"({text})" if in_brackets else f"-{text}"
        return text

    def to_json(value: Decimal) -> Json:
        return float(value.scaleb(-2) if percent else value)

    return _Candidate(DECIMAL, pattern, locale, read, write, to_json)


def _pattern_literal(text: str) -> str:
    """Wording in a DecimalFormat pattern, quoted unless it is all currency signs and spaces."""
    if not text:
        return ""
    if re.fullmatch(r"[$€£¥￥\s]*", text):
        return text
    return "'" + text.replace("'", "''") + "'"


# --- dates ------------------------------------------------------------------------------------------------------------


def _date_candidates(texts: Sequence[str], _: str | None, locale: Locale) -> Iterator[_Candidate]:
    for pattern in matching_patterns(texts[0]):
        if not is_worded(pattern) or locale == "en_US":
            yield _Candidate(
                java_class=DATE,
                pattern=pattern,
                locale="en_US" if is_worded(pattern) else None,
                read=partial(read_date, pattern=pattern),
                write=partial(write_date, pattern=pattern),
                to_json=datetime.isoformat,
            )
