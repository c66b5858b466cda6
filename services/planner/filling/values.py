"""Read values of a person's file as the class of their field. Nothing is guessed: what is doubtful stays unread.

Theory of operation
===================

`1.234` is a thousand or a little more than one, `03/04/2026` a day in March or in April. A value alone does not say
which, but others do: `12,50` or `1.234,50` in the file show a decimal comma, `25/04/2026` shows that the day comes
first. So a column is read twice. First `Evidence` collects what its values show, then they are read by that. Where
nothing is shown, a number has a decimal point, as in English and Chinese, which `NumberStyle.is_assumed` says; a date
that could be two days is left unread, unless the report's own pattern prints the day or the month first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Literal

from bandsmith.shared.fields.date_patterns import is_worded, matching_patterns, read_date
from bandsmith.shared.jrxml.patterns import shows_time_only
from bandsmith.shared.language import normalized_characters
from bandsmith.shared.model.filling import Cell

Kind = Literal["text", "whole", "decimal", "flag", "date", "moment", "time"]
"""What a Java class holds; a moment is a date with its time."""
Shape = Literal["plain", "point", "comma", "point_or_groups", "comma_or_groups"]
"""What the separators of a number show: nothing, a decimal point, a decimal comma, or that it may be either."""
DecimalMark = Literal["point", "comma"]

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("String", "Object", "CharSequence", "Comparable"), "text"),
    **dict.fromkeys(("Integer", "Long", "Short", "Byte", "BigInteger"), "whole"),
    **dict.fromkeys(("BigDecimal", "Double", "Float", "Number"), "decimal"),
    "Boolean": "flag",
    **dict.fromkeys(("Date", "LocalDate"), "date"),
    **dict.fromkeys(("Timestamp", "LocalDateTime"), "moment"),
    "Time": "time",
}
_BITS = {"Byte": 8, "Short": 16, "Integer": 32, "Long": 64}
_YES = frozenset(["true", "yes", "y", "1", "on", "x", "✓", "✔", "√", "☑", "是", "对", "有", "真"])
_NO = frozenset(["false", "no", "n", "0", "off", "✗", "✘", "×", "☐", "否", "无", "假"])
_CURRENCY = re.compile(
    r"(?:[A-Z]{0,3}[$€£¥₹₩₽]|\b(?:USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD|SGD|AUD|CAD|CHF|INR|KRW|SEK|NOK|DKK|PLN)\b|[元圆])"
)
_GROUP_SPACES = re.compile(r"(?<=\d)[\s'’](?=\d{3}(?!\d))")
_POINT = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}\.\d+|\d*\.\d+|\d{1,3}(?:,\d{2,3})+,\d{3}")
_COMMA = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d*,\d+|\d{1,3}(?:\.\d{3}){2,}")
_EITHER = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_DIGITS = re.compile(r"[.,]*\d[\d.,]*")
_EXPONENT = re.compile(r"-?\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
_YEAR_FIRST = re.compile(r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})日?")
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:\s?([AaPp])\.?[Mm]\.?)?(?:Z|[+-]\d\d:?\d\d)?")
_DATE_AND_TIME = re.compile(r"(.*?[\d日])(?:[T ,]\s*(\d{1,2}:\d\d.*))?")
_BREAKS = re.compile(r"[\s\u2e80-\uffff]+")
MAX_WORD_CHARS = 2_000
"""A longer word takes the engine more than a second to break into lines."""
MAX_CELL_CHARS = 64
"""A longer text is no number and no date."""
CENTURY_PIVOT = 69
"""Years of two digits from here on are of the last century, as POSIX has it."""


_FIRST_DAY = date(1970, 1, 1)
"""The day of a time of day, for the engine."""


Reason = Literal["kind", "ambiguous_date", "unbroken"]
"""Why a field cannot have a value: it is of another kind, could be two dates, or is a word that no line can hold."""


class Unreadable(Exception):
    """A value that its field cannot have."""

    def __init__(self, why: Reason = "kind") -> None:
        super().__init__()
        self.why = why


def kind_of(java_class: str) -> Kind | None:
    """Return what a class holds; None where no file can hold it."""
    return _KINDS.get(java_class.rpartition(".")[2])


@dataclass
class FormatEvidence:
    """What the values of a column show of how numbers and dates are written."""

    points: bool = False
    commas: bool = False
    doubtful: str = ""
    """The first number that may be either."""
    day_first: bool = False
    month_first: bool = False

    def add(self, cell: Cell, kind: Kind) -> None:
        """Take notice of a value."""
        if not isinstance(cell, str) or len(cell) > MAX_CELL_CHARS:
            return
        if kind in ("whole", "decimal"):
            self._add_number(cell)
        elif kind in ("date", "moment"):
            match = _YEAR_LAST.match(_plain(cell))
            if match and match[2] != ".":
                self.day_first |= int(match[1]) > 12
                self.month_first |= int(match[3]) > 12

    def _add_number(self, text: str) -> None:
        parts = _number_parts(text)
        shape = _shape(parts[1]) if parts else None
        self.points |= shape == "point"
        self.commas |= shape == "comma"
        if shape in ("point_or_groups", "comma_or_groups"):
            self.doubtful = self.doubtful or text


@dataclass(frozen=True)
class ValueStyle:
    """How a column's numbers and dates are written."""

    decimal_mark: DecimalMark = "point"
    is_assumed: bool = False
    """Whether nothing shows the decimal mark, although it matters."""
    day_first: bool | None = None
    """None: nothing shows it."""


def style_of(column: FormatEvidence, others: list[FormatEvidence], *, semicolons: bool, pattern: str) -> ValueStyle:
    """Return how a column is written: by its own values, else by the other columns, else by the report's pattern."""
    marks: DecimalMark | None = _mark([column]) or _mark(others)
    assumed = marks is None and bool(column.doubtful) and (semicolons or "." in column.doubtful)
    return ValueStyle(
        marks or "point", assumed, _day_first([column], "") if _shows_day(column) else _day_first(others, pattern)
    )


def read(cell: Cell, java_class: str, style: ValueStyle, pattern: str = "") -> Cell:
    """Return a value as the engine takes it for the class: numbers and dates as text, None for no value.

    Raises ``Unreadable``.
    """
    kind = kind_of(java_class)
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return None
    match kind:
        case "text":
            return _text(cell)
        case "whole":
            return _whole(_number(cell, style, pattern), java_class)
        case "decimal":
            return format(_number(cell, style, pattern), "f")
        case "flag":
            return _flag(cell)
        case "date" | "moment" if shows_time_only(pattern):
            return _moment_of_time(cell).isoformat()
        case "date" | "moment":
            when = _moment(cell, style)
            return when.date().isoformat() if kind == "date" and when.time() == time(0) else when.isoformat()
        case "time":
            return _moment_of_time(cell).isoformat()
    raise Unreadable


def _moment_of_time(cell: Cell) -> datetime:
    """Return a time of day as the engine takes it: on the first day that it counts from. Raises ``Unreadable``."""
    text = _plain(str(cell)).removeprefix(f"{_FIRST_DAY}T")
    return datetime.combine(_FIRST_DAY, _time_of(text))


# --- numbers ----------------------------------------------------------------------------------------------------------


def _mark(columns: list[FormatEvidence]) -> DecimalMark | None:
    points, commas = any(one.points for one in columns), any(one.commas for one in columns)
    return None if points == commas else "point" if points else "comma"


def _number(cell: Cell, style: ValueStyle, pattern: str) -> Decimal:
    if isinstance(cell, bool) or cell is None:
        raise Unreadable
    if isinstance(cell, int | float):
        return Decimal(str(cell))
    if len(cell) > MAX_CELL_CHARS:
        raise Unreadable  # before any expression: their time may grow with the square of the length
    text = _plain(cell)
    percent = text.endswith("%")
    if percent and "%" not in pattern:
        raise Unreadable  # whether 5 % is 5 or 0.05, nothing says
    if _EXPONENT.fullmatch(text):
        return Decimal(text)
    parts = _number_parts(text.removesuffix("%"))
    shape = _shape(parts[1]) if parts else None
    if parts is None or shape is None:
        raise Unreadable
    mark = style.decimal_mark if shape.endswith("_or_groups") else "comma" if shape == "comma" else "point"
    digits = parts[1].replace(",", "") if mark == "point" else parts[1].replace(".", "").replace(",", ".")
    try:
        value = Decimal(digits)
    except InvalidOperation:
        raise Unreadable from None
    value = value.scaleb(-2) if percent else value
    return -value if parts[0] else value


def _number_parts(text: str) -> tuple[bool, str] | None:
    """Return whether a number is negative, and its digits with their separators."""
    text = _GROUP_SPACES.sub("", _CURRENCY.sub("", _plain(text).replace("−", "-"))).strip()
    negative = text.startswith("(") and text.endswith(")")
    text = text[1:-1].strip() if negative else text
    if text.startswith(("-", "+")):
        negative, text = text.startswith("-"), text[1:].strip()
    elif text.endswith("-"):
        negative, text = True, text[:-1].strip()
    return (negative, text) if _DIGITS.fullmatch(text) else None


def _shape(digits: str) -> Shape | None:
    if digits.isdigit():
        return "plain"
    if match := _EITHER.fullmatch(digits):
        return "point_or_groups" if match[1] == "." else "comma_or_groups"
    return "point" if _POINT.fullmatch(digits) else "comma" if _COMMA.fullmatch(digits) else None


def _whole(number: Decimal, java_class: str) -> str:
    if number != number.to_integral_value():
        raise Unreadable
    bits = _BITS.get(java_class.rpartition(".")[2])
    if bits and not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        raise Unreadable
    return str(int(number))


# --- dates ------------------------------------------------------------------------------------------------------------


def _shows_day(column: FormatEvidence) -> bool:
    return column.day_first != column.month_first


def _day_first(columns: list[FormatEvidence], pattern: str) -> bool | None:
    day, month = any(one.day_first for one in columns), any(one.month_first for one in columns)
    if day != month:
        return day
    if day or "d" not in pattern or "M" not in pattern or "MMM" in pattern or pattern.startswith("y"):
        return None
    return pattern.index("d") < pattern.index("M")


def _moment(cell: Cell, style: ValueStyle) -> datetime:
    if isinstance(cell, bool | float) or len(str(cell)) > MAX_CELL_CHARS:
        raise Unreadable
    text = _plain(str(cell))
    if (worded := next(filter(is_worded, matching_patterns(text)), "")) and (when := read_date(text, worded)):
        return when
    match = _DATE_AND_TIME.fullmatch(text)
    if match is None:
        raise Unreadable
    day = _day(match[1], style)
    return datetime.combine(day, _time_of(match[2]) if match[2] else time(0))


def _day(text: str, style: ValueStyle) -> date:
    if match := _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        raise Unreadable
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    year += (1900 if year >= CENTURY_PIVOT else 2000) if len(match[4]) == 2 else 0
    if match[2] == "." or first > 12 or (first <= 12 and second <= 12 and style.day_first):
        return _date(year, second, first)
    if second > 12 or first == second or style.day_first is False:
        return _date(year, first, second)
    raise Unreadable("ambiguous_date")


def _date(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise Unreadable from None


def _time_of(text: str) -> time:
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise Unreadable
    hour = int(match[1])
    if half := match[4]:
        if not 1 <= hour <= 12:
            raise Unreadable
        hour = hour % 12 + (12 if half in "Pp" else 0)
    try:
        return time(hour, int(match[2]), int(match[3] or 0))
    except ValueError:
        raise Unreadable from None


# --- other values -----------------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """Return a text with full-width digits and marks as ASCII, without blanks around it."""
    return normalized_characters(text).strip()


def _text(cell: Cell) -> str:
    if isinstance(cell, bool):
        return str(cell).lower()
    return format(Decimal(repr(cell)), "f") if isinstance(cell, float) else str(cell)


def _flag(cell: Cell) -> bool:
    word = _text(cell).strip().casefold()
    if word not in _YES | _NO:
        raise Unreadable
    return word in _YES


def has_long_word(text: str) -> bool:
    """Whether a text has a word that takes the engine seconds: its time grows with the square of a word's length.

    Chinese breaks after each character.
    """
    return len(text) > MAX_WORD_CHARS and max(map(len, _BREAKS.split(text))) > MAX_WORD_CHARS
