"""Which values of a form are numbers."""

from __future__ import annotations

from decimal import Decimal


def number_of(value: object) -> Decimal | None:
    """Return a value as an exact number; None for a text, a truth value or nothing."""
    return Decimal(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else None
