"""Rows of a database as the cells of a table, a line of JSON for each."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import orjson

from bandsmith.shared.model.filling import Cell


def row_lines(rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield each row as it is read."""
    return (orjson.dumps([cell_of(value) for value in row]) for row in rows)


def cell_of(value: object) -> Cell:
    """Return a value as a cell: a date in ISO format, a decimal number with all of its digits."""
    if value is None or isinstance(value, bool | int | float | str):
        return value if not isinstance(value, int) or abs(value) < 2**63 else str(value)
    if isinstance(value, Decimal):
        near = float(value)
        return near if Decimal(repr(near)) == value else str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes | memoryview) else str(value)
