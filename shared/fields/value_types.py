"""Value types: infer the Java class and pattern of a field from the way its values are printed.

A field gets a type only where formatting the typed values by the pattern gives back every printed text exactly.
Otherwise its values stay strings. Where nothing is printed, a label that names money is enough. The formatting follows
Java's DecimalFormat; for dates see `date_patterns`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Literal

from .column_kinds import meaning
from .date_patterns import is_day_first, is_worded, matching_patterns, read_date, write_date
from .notation import APOSTROPHES, ENGLISH, SPACES, Notation

Json = str | int | float

STRING, INTEGER, BOOLEAN = "java.lang.String", "java.lang.Integer", "java.lang.Boolean"
LONG, DECIMAL, DATE = "java.lang.Long", "java.math.BigDecimal", "java.util.Date"

_IDENTIFIER_LABEL = re.compile(
    r"(?i)\b(no|nr|id|code|number|tel|phone|mobile|fax|zip|postal|address|account|iban|tax\s*id|vat\s*id|ref|sku|barcode|isbn)\b"
    r"|nummer|n[uú]mero|numéro|\bn\.?[º°]|[#№号码號碼]|编码|代码|电话|手机|传真|電話|傳真|邮编|账户|条码"
)
"""Labels of numbers that identify something. Such numbers are not added up, and their digits are not grouped."""
MAX_PLAIN_DIGITS = 8
"""A whole number without grouping that has more digits is taken for a code."""
MAX_MEASURE_DECIMALS = 3
"""Decimals that a measure may have in other data, where the form has whole ones only."""
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
    locale: str | None = None
    """The locale that the pattern needs; None if it works in any."""


@dataclass(frozen=True)
class _Candidate:
    """A type that may fit: how it reads and writes a value."""

    java_class: str
    pattern: str | None
    locale: str | None
    read: Callable[[str], Any]
    """Return the value; None where the text is none of this type."""
    write: Callable[[Any], str]
    to_json: Callable[[Any], Json]


def infer_type(texts: Sequence[str | None], label: str | None, notation: Notation = ENGLISH) -> TypedValues:
    """Infer the type of a field whose copies are printed as `texts`. None stands for a copy without a value.

    `notation` is that of the page, and decides what the texts alone leave open.
    """
    present = [text for text in texts if text]
    if not present and label and meaning(label).kind == "money":
        return TypedValues(DECIMAL, "#,##0.00", tuple(None for _ in texts), notation.locale)
    for candidates in (_date_candidates, _number_candidates) if present else ():
        for candidate in candidates(present, label, notation):
            values = [candidate.read(text) for text in present]
            if any(value is None for value in values):
                continue
            if all(_same(candidate.write(value), text) for value, text in zip(values, present, strict=True)):
                by_text = iter(values)
                json_values = tuple(candidate.to_json(next(by_text)) if text else None for text in texts)
                return TypedValues(candidate.java_class, candidate.pattern, json_values, candidate.locale)
    return TypedValues(STRING, None, tuple(texts))


# --- numbers ----------------------------------------------------------------------------------------------------------

_CURRENCIES = (
    "USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD|SGD|AUD|CAD|CHF|SAR|AED|QAR|KWD|INR|MYR|THB|KRW|RUB|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|"
    "TRY|IDR|PHP|VND|NZD|EGP|PKR|NGN|KES|GHS|MAD|BDT|LKR|CZK|HUF|RON|ILS"
)
_SIGNS = "$€£¥￥₹₩₽₺₱₦₫"
_MEASURES = "mg|kg|lbs?|oz|km|cm|mm|ft|m[²³]|kWh|kW|hrs?|hours?|公斤|千克|吨|噸|小时|小時"
"""Units of what is measured. Units of what is counted, such as boxes, differ from row to row, and are words."""


_CURRENCY = re.compile(rf"{_CURRENCIES}|[{_SIGNS}]|元|圆|円|zł|Kč|kr")


def is_currency(text: str) -> bool:
    """Whether a text is nothing but a currency."""
    return bool(_CURRENCY.fullmatch(text.strip(" :：()（）.")))


@lru_cache(maxsize=64)
def _number(notation: Notation) -> re.Pattern[str]:
    """The regular expression of a number with its unit and sign."""
    groups, decimal = f"[{re.escape(notation.group_characters)}]", re.escape(notation.decimal)
    space = f"[{SPACES}]"
    return re.compile(
        rf"(?P<open>\()?(?P<minus>-)?(?P<before>(?:(?:{_CURRENCIES}|Rs\.?){space}|[A-Z]{{0,3}}[{_SIGNS}]){space}?|)"
        rf"(?P<inner>-)?(?P<digits>\d{{1,3}}(?:{groups}\d{{3}})+|\d+)(?P<fraction>{decimal}\d+)?"
        rf"(?P<after>{space}?(?:%|元|圆|[{_SIGNS}]|zł|Kč|kr|\b(?:{_CURRENCIES}))"
        rf"|{space}?(?P<measure>{_MEASURES})\.?|)(?P<end>-)?(?P<close>\))?"
    )


@dataclass(frozen=True)
class _Amount:
    """How the numbers of a column are printed."""

    before: str
    after: str
    grouped: bool
    decimals: tuple[int, int]
    """The fewest and the most decimals."""
    negative: Literal["-", "()", "end", "inner"]
    """Where the sign of a negative number stands."""
    notation: Notation


def _number_candidates(texts: Sequence[str], label: str | None, notation: Notation) -> Iterator[_Candidate]:
    matches = [match for text in texts if (match := _number(notation).fullmatch(text)) and _has_one_sign(match)]
    if len(matches) < len(texts):
        return
    before, after = matches[0]["before"], matches[0]["after"]
    if any(match["before"] != before or match["after"] != after for match in matches):
        return
    if any(len(match["digits"]) > 1 and match["digits"].startswith("0") for match in matches):
        return
    signs = {_sign(match) for match in matches} - {None}
    if len(signs) > 1:
        return
    sign = next(iter(signs), None) or "-"
    grouped = any(not match["digits"].isdigit() for match in matches)
    max_digits = max(len(_plain(match["digits"])) for match in matches)
    decimals = {len(match["fraction"] or ".") - 1 for match in matches}
    if max_digits + max(decimals) > MAX_EXACT_DIGITS:
        return
    has_unit = bool(before or after)
    if decimals == {0} and not grouped and not has_unit and max_digits > MAX_PLAIN_DIGITS:
        return  # a dash beside a telephone number is no sign
    is_identifier = bool(label and _IDENTIFIER_LABEL.search(label)) and not grouped and not counts_rows(label, texts)
    if decimals == {0} and not has_unit and sign == "-":
        if grouped or not is_identifier:
            yield _whole_number(grouped, max_digits, notation)
    elif has_unit or not is_identifier:
        shown = (min(decimals), max(decimals) or (MAX_MEASURE_DECIMALS if matches[0]["measure"] else 0))
        yield _decimal(_Amount(before, after, grouped or max_digits <= 3, shown, sign, notation))


def counts_rows(label: str | None, texts: Sequence[str | None]) -> bool:
    """Whether a column below a sign for a number counts its rows from 1."""
    return (label or "").strip() in {"#", "№"} and list(texts) == [str(number) for number in range(1, len(texts) + 1)]


def _has_one_sign(match: re.Match[str]) -> bool:
    signs = [match["open"], match["minus"], match["inner"], match["end"]]
    return bool(match["open"]) == bool(match["close"]) and sum(map(bool, signs)) <= 1


def _sign(match: re.Match[str]) -> Literal["-", "()", "end", "inner"] | None:
    """Return where a number's sign stands; None for a number without one."""
    if match["open"]:
        return "()"
    if match["end"]:
        return "end"
    if match["inner"]:
        return "inner" if match["before"] else "-"
    return "-" if match["minus"] else None


def _plain(digits: str) -> str:
    """Return the digits of a number without what separates them."""
    return "".join(char for char in digits if char.isdigit())


def _value(match: re.Match[str]) -> Decimal:
    value = Decimal(f"{_plain(match['digits'])}.{_plain(match['fraction'] or '')}")
    return value if _sign(match) is None else -value


def _whole_number(grouped: bool, max_digits: int, notation: Notation) -> _Candidate:
    def read(text: str) -> int | None:
        match = _number(notation).fullmatch(text)
        return int(_value(match)) if match else None

    def write(value: int) -> str:
        return _grouped(f"{value:,}", notation) if grouped else str(value)

    return _Candidate(
        java_class=INTEGER if max_digits <= MAX_INT_DIGITS else LONG,
        pattern="#,##0" if grouped else None,
        locale=notation.locale if grouped else None,
        read=read,
        write=write,
        to_json=int,
    )


def _decimal(amount: _Amount) -> _Candidate:
    """An amount: a prefix, digits, decimals and a suffix. A percentage is stored as a fraction of 1."""
    fewest, most = amount.decimals
    percent = amount.after.strip() == "%"
    number = ("#,##0" if amount.grouped else "0") + ("." + "0" * fewest + "#" * (most - fewest) if most else "")
    before, after = _pattern_literal(amount.before), amount.after if percent else _pattern_literal(amount.after)
    positive = before + number + after
    negative = {"-": "", "()": f";({positive})", "end": f";{positive}-", "inner": f";{before}-{number}{after}"}

    def read(text: str) -> Decimal | None:
        match = _number(amount.notation).fullmatch(text)
        return _value(match) if match else None

    def write(value: Decimal) -> str:
        digits = f"{abs(value):{',' if amount.grouped else ''}.{most}f}"
        for _ in range(most - fewest):
            digits = digits.removesuffix("0")
        digits = _grouped(digits.removesuffix("."), amount.notation)
        text = amount.before + digits + amount.after
        if value < 0:
            signed = {"-": f"-{text}", "()": f"({text})", "end": f"{text}-"}
            return signed.get(amount.negative, f"{amount.before}-{digits}{amount.after}")
        return text

    def to_json(value: Decimal) -> Json:
        return float(value.scaleb(-2) if percent else value)

    return _Candidate(DECIMAL, positive + negative[amount.negative], amount.notation.locale, read, write, to_json)


def _grouped(digits: str, notation: Notation) -> str:
    """Return a number that is written in English as the notation has it."""
    return digits.translate({ord(","): notation.group, ord("."): notation.decimal})


def _same(one: str, other: str) -> bool:
    """Whether two texts differ in the kind of their spaces and apostrophes only."""
    return one.translate(_KINDS) == other.translate(_KINDS)


_KINDS = str.maketrans({**dict.fromkeys(SPACES, " "), **dict.fromkeys(APOSTROPHES, "'")})


def _pattern_literal(text: str) -> str:
    """Wording in a DecimalFormat pattern, quoted unless it is all currency signs and spaces."""
    if not text:
        return ""
    if re.fullmatch(r"[$€£¥￥\s]*", text):
        return text
    return "'" + text.replace("'", "''") + "'"


# --- dates ------------------------------------------------------------------------------------------------------------


def _date_candidates(texts: Sequence[str], _: str | None, notation: Notation) -> Iterator[_Candidate]:
    """Yield the patterns that read all texts. If the day could be the month in each of them, the page decides.

    Months are words of the language in which the page's locale prints them.
    """
    language = notation.locale[:2]
    fitting = [
        pattern
        for pattern in matching_patterns(texts[0], language)
        if all(read_date(text, pattern, language) for text in texts)
    ]
    orders = {is_day_first(pattern) for pattern in fitting}
    if orders >= {True, False}:
        fitting = [pattern for pattern in fitting if is_day_first(pattern) in {None, notation.day_first}]
    for pattern in fitting:
        yield _Candidate(
            java_class=DATE,
            pattern=pattern,
            locale=notation.locale if is_worded(pattern) else None,
            read=partial(read_date, pattern=pattern, language=language),
            write=partial(write_date, pattern=pattern, language=language),
            to_json=datetime.isoformat,
        )
