"""The values of each column that are shown with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bandsmith.shared.model.source import SourceColumn
from bandsmith.shared.sources import is_sensitive

MAX_SAMPLES, MAX_SAMPLE_CHARS = 3, 40
"""Values of a column that are shown, and characters of each."""
MAX_SAMPLED_ROWS = 200


def with_samples(
    table: str, columns: Sequence[SourceColumn], rows: Sequence[Sequence[Any]], sensitive: frozenset[str]
) -> list[SourceColumn]:
    """Return the columns of a table with some values each, except for the sensitive ones. `rows` are its first rows."""
    shown = []
    for number, column in enumerate(columns):
        if is_sensitive(table, column.name, sensitive):
            shown.append(column.model_copy(update={"is_sensitive": True}))
            continue
        values = (str(row[number]) for row in rows if row[number] is not None and not isinstance(row[number], bytes))
        distinct = dict.fromkeys(value[:MAX_SAMPLE_CHARS] for value in values if value.strip())
        shown.append(column.model_copy(update={"samples": list(distinct)[:MAX_SAMPLES]}))
    return shown
