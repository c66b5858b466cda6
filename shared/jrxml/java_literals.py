"""Write texts as Java literals, and read the values that people write."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
_TIME = re.compile(_CLOCK)
_MOMENT = re.compile(rf"{_DATE.pattern}(?:T{_CLOCK})?")
NO_DAY = "1970-01-01T"
"""Before a time of day that was read without a date."""
_MIDNIGHT = "00:00:00"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}

_ESCAPED = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|(.))", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


def java_string(text: str) -> str:
    """Return a text as a Java string literal, without characters that no literal may contain."""
    return '"' + "".join(_ESCAPES.get(char, char) for char in text if char in _ESCAPES or char >= " ") + '"'


def string_value(literal: str) -> str:
    """Return the text of a Java string literal."""
    return _ESCAPED.sub(_unescaped, literal[1:-1])


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _CONTROLS.get(escape[2], escape[2])


def parse_decimal(text: str) -> Decimal | None:
    """Return a number as people write it, such as 1,000 or 1000.50; None for anything else."""
    try:
        number = Decimal(text.strip().replace(",", "").replace(chr(0xFF0C), ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 30 else None


def is_iso_date(text: str) -> bool:
    """Return whether a text is a date in ISO 8601."""
    return _DATE.fullmatch(text.strip()) is not None


def is_iso_moment(text: str) -> bool:
    """Return whether a text is a date in ISO 8601, alone or with a time."""
    return _MOMENT.fullmatch(text.strip()) is not None


def is_time(text: str) -> bool:
    """Return whether a text is a time of day such as 9:30 or 17:00:00."""
    return _TIME.fullmatch(text.strip()) is not None


def holds_times(values: Iterable[object]) -> bool:
    """Return whether values are times of day: read without a date, and not all at midnight."""
    known = [str(value) for value in values if value is not None]
    return all(value.startswith(NO_DAY) for value in known) and any(not value.endswith(_MIDNIGHT) for value in known)


def as_written(value: str, is_time: bool = False) -> str:
    """Return a value as people write it: a date without midnight, a time without the day that stands for none.

    At midnight, `is_time` says which of both it is.
    """
    text = value.strip()
    if not is_iso_moment(text):
        return text
    if text.startswith(NO_DAY) and (is_time or not text.endswith(_MIDNIGHT)):
        return re.sub(r"(:\d\d):00$", r"\1", text[len(NO_DAY) :].zfill(5))
    return text.removesuffix(f"T{_MIDNIGHT}")
