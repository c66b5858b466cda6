"""Results of queries: as Arrow while they are worked with, as CSV for users, as a short table in a reply."""

from __future__ import annotations

import datetime
import decimal
import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow
import pyarrow.csv

from .markdown_text import DIGITS, cell_text
from .model.source import MAX_SHOWN_ROWS

MAX_SHOWN_COLUMNS, MAX_SHOWN_CHARS = 12, 60
"""What a reply shows of a result."""
_PLAIN = (bool, int, float, decimal.Decimal, str, datetime.date, datetime.datetime, datetime.time)


class Table(NamedTuple):
    """A result, cut at a number of rows."""

    content: pyarrow.Table
    is_cut: bool


def table_of(columns: Sequence[str], rows: Iterable[Sequence[Any]], max_rows: int) -> Table:
    """Read at most `max_rows` rows into an Arrow table; columns of equal names get numbers."""
    read: list[Sequence[Any]] = []
    is_cut = False
    for row in rows:
        if len(read) == max_rows:
            is_cut = True
            break
        read.append(row)
    names = unique_names(columns)
    content = pyarrow.table({name: column_of([row[number] for row in read]) for number, name in enumerate(names)})
    return Table(content, is_cut)


def column_of(values: list[Any]) -> pyarrow.Array:
    """Return a column; values of different types are written as text, so that none is lost."""
    plain = [value if value is None or isinstance(value, _PLAIN) else _as_text(value) for value in values]
    try:
        return pyarrow.array(plain)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError):
        return pyarrow.array([None if value is None else str(value) for value in plain])


def to_bytes(table: pyarrow.Table) -> bytes:
    """Return the table as an Arrow stream."""
    sink = io.BytesIO()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def from_bytes(content: bytes) -> pyarrow.Table:
    return pyarrow.ipc.open_stream(content).read_all()


def as_csv(table: pyarrow.Table) -> bytes:
    """Return the table as CSV with a line of names, in UTF-8."""
    sink = io.BytesIO()
    pyarrow.csv.write_csv(table, sink)
    return sink.getvalue()


def rounded(table: pyarrow.Table) -> pyarrow.Table:
    """Return the table with its floating-point numbers as they are shown: 0.1 + 0.2 is 0.3."""
    for number, field in enumerate(table.schema):
        if pyarrow.types.is_floating(field.type):
            values = [None if one is None else float(f"{one:.{DIGITS}g}") for one in table.column(number).to_pylist()]
            table = table.set_column(number, field, pyarrow.array(values, field.type))
    return table


def as_markdown(table: pyarrow.Table) -> str:
    """Return the first rows and columns as a Markdown table; a number in full, a long text cut.

    A last column of "…" stands for columns that are left out.
    """
    names = table.column_names[:MAX_SHOWN_COLUMNS]
    columns = [table.column(number).slice(0, MAX_SHOWN_ROWS).to_pylist() for number in range(len(names))]
    if len(names) < table.num_columns:
        names, columns = [*names, "…"], [*columns, ["…"] * len(columns[0])]
    lines = ["| " + " | ".join(cell_text(name, MAX_SHOWN_CHARS) for name in names) + " |", "|" + "---|" * len(names)]
    lines += [
        "| " + " | ".join(cell_text(one, MAX_SHOWN_CHARS) for one in row) + " |" for row in zip(*columns, strict=True)
    ]
    return "\n".join(lines)


def _as_text(value: object) -> str:
    return value.hex() if isinstance(value, bytes | memoryview) else str(value)


def unique_names(columns: Sequence[str]) -> list[str]:
    """Return the names of columns; one that comes again gets a number."""
    names: list[str] = []
    for column in columns:
        name, number = column or "column", 2
        while name in names:
            name, number = f"{column}_{number}", number + 1
        names.append(name)
    return names
