"""What every format of data is read into: the columns' names, and the rows as JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import zip_longest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import (
    MAX_CELL_CHARS,
    MAX_TABLE_COLUMNS,
    MAX_TABLE_ROWS,
    Cell,
    TableHead,
    encode_lines,
)
from bandsmith.shared.replies import Text

MAX_EXPONENT = 400
"""A number with a larger exponent is kept as it is written: its digits would be a text of any length."""
MAX_NAMED = 3
"""Rows that a note names by number."""
_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass
class ParsedTable:
    """A table, and what a person should know of how it was read."""

    lines: bytes
    """JSON Lines: a ``TableHead``, then a list of cells for each row."""
    notes: list[Text] = field(default_factory=list)


def column_names(header: Sequence[object]) -> list[str]:
    """Return the names of the columns up to the last one that has a name. Raises ``BadInput`` where none has."""
    names = [clean(str(cell)).strip() if cell is not None else "" for cell in header]
    while names and not names[-1]:
        names.pop()
    if not names:
        raise BadInput.of("documents.tables.no_header", code="table")
    if len(names) > MAX_TABLE_COLUMNS:
        raise BadInput.of("documents.tables.columns", code="table", limit=MAX_TABLE_COLUMNS)
    return names


def table_of_rows(head: TableHead, rows: Iterable[Sequence[Cell]], notes: Sequence[Text] = ()) -> ParsedTable:
    """Write the rows as they come, each as long as the header. Rows without a value are left out.

    Raises ``BadInput`` for more rows than a report is filled with.
    """
    longer: list[int] = []
    lines = encode_lines(head, _filled(rows, len(head.columns), longer))
    said = list(notes)
    if longer:
        numbers = ", ".join(map(str, longer[:MAX_NAMED])) + (" …" if len(longer) > MAX_NAMED else "")
        said.append(Text.of("documents.tables.longer_rows", count=len(longer), rows=numbers))
    return ParsedTable(lines, said)


def _filled(rows: Iterable[Sequence[Cell]], width: int, longer: list[int]) -> Iterator[list[Cell]]:
    kept = 0
    for number, row in enumerate(rows, 1):
        cells = [cell for cell, _ in zip_longest(row[:width], range(width))]
        if all(cell is None or cell == "" for cell in cells):
            continue
        kept += 1
        if kept > MAX_TABLE_ROWS:
            raise BadInput.of("documents.tables.rows", code="table", limit=MAX_TABLE_ROWS)
        if any(cell not in (None, "") for cell in row[width:]):
            longer.append(number)
        yield cells


def clean(text: str) -> str:
    """Return a text without control characters, which no report can print. Raises ``BadInput`` for one too long."""
    if len(text) > MAX_CELL_CHARS:
        raise BadInput.of("documents.tables.cell", code="table", limit=MAX_CELL_CHARS)
    return _CONTROL_CHARACTER.sub("", text)


def exact(number: Decimal) -> Cell:
    """Return a decimal number as JSON: as a number where that keeps all of its digits, else as text."""
    if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT:
        return str(number)
    return float(number) if Decimal(repr(float(number))) == number else format(number, "f")
