"""Write texts as Java literals, and read the values that people write."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
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
