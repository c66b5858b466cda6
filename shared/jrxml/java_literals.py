"""Java: values and wording as they are written in expressions."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def java_string(text: str) -> str:
    """Wording as a Java string; characters that no string may hold are left out."""
    return '"' + "".join(_ESCAPES.get(char, char) for char in text if char in _ESCAPES or char >= " ") + '"'


def parse_decimal(text: str) -> Decimal | None:
    """A number as people write it: 1,000 or 1000.50; None for anything else."""
    try:
        number = Decimal(text.strip().replace(",", "").replace(chr(0xFF0C), ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 30 else None


def is_iso_date(text: str) -> bool:
    """Whether it is a day as ISO 8601 writes it."""
    return _DATE.fullmatch(text.strip()) is not None
