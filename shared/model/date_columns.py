"""The date columns of a source, which a period can limit."""

from __future__ import annotations

from datetime import datetime

from .source import SourceColumn, SourceSchema

_DATE_TYPES = ("DATE", "TIME")


def date_columns(schema: SourceSchema) -> list[str]:
    """Return the columns with dates as ``table.column``."""
    return [f"{table.name}.{column.name}" for table in schema.tables for column in table.columns if is_date(column)]


def is_date(column: SourceColumn) -> bool:
    """Whether a column's type, or each of its sample values, is a date."""
    if column.type.upper().startswith(_DATE_TYPES):
        return True
    return bool(column.samples) and all(map(_is_iso_date, column.samples))


def _is_iso_date(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return len(value) >= len("2026-10-01") and value[4] == "-"
