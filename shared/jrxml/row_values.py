"""Values that are given for a row of the data: whether a field can have them, and in which form it has them."""

from __future__ import annotations

from collections.abc import Sequence

from .declarations import DATE_CLASSES, NUMBER_CLASSES
from .java_literals import NO_DAY, holds_times, is_iso_moment, is_time, parse_decimal

RowValue = str | int | float | bool | None
MAX_SHOWN_CHARS = 40
"""Characters of a value that a message quotes."""
_DAYS = DATE_CLASSES - {"java.sql.Time"}
_FRACTIONS = frozenset({
    "java.lang.Float", "java.lang.Double", "java.math.BigDecimal", "java.lang.Number",
})  # fmt: skip


def is_of_class(value: RowValue, java_class: str) -> bool:
    """Whether a field of a class can have a value; an empty one can be in every field."""
    if value is None or value == "":
        return True
    if java_class in NUMBER_CLASSES:
        number = parse_decimal(str(value))
        return number is not None and (java_class in _FRACTIONS or number == number.to_integral_value())
    return java_class not in _DAYS or is_iso_moment(str(value)) or is_time(str(value))


def in_form_of(value: RowValue, others: Sequence[RowValue]) -> RowValue:
    """Return a value in the form that the field's values have in other rows: a number, or a text."""
    known = [other for other in others if other is not None]
    if isinstance(value, str) and any(isinstance(other, (int, float)) for other in known):
        number = parse_decimal(value)
        if number is not None:
            return int(number) if number == number.to_integral_value() and "." not in value else float(number)
        return value or None
    if isinstance(value, (int, float)) and known and all(isinstance(other, str) for other in known):
        return str(value)
    if isinstance(value, str) and is_time(value) and holds_times(known):
        hour, rest = value.strip().split(":", 1)
        return f"{NO_DAY}{hour:0>2}:{rest}{'' if ':' in rest else ':00'}"
    return value
