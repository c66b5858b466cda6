"""XLSX: the first sheet that has content, read row by row; the first row of names heads the columns."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, islice
from typing import Any

import openpyxl
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import MAX_TABLE_COLUMNS, Cell, TableHead
from bandsmith.shared.replies import Text

from ..documents import package
from .read_table import ParsedTable, clean, column_names, exact, table_of_rows

MAX_LINES_ABOVE = 20
"""Rows above the names of the columns: titles, dates."""
_FORMULA = b"<f>"
_DAMAGE = (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError)
"""How openpyxl reports missing or malformed parts."""


def read(content: bytes) -> ParsedTable:
    """Return the table. Raises ``BadInput`` when it is damaged, protected, empty or unsafe to open."""
    package.check(content, "xl/workbook.xml")
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        for number, sheet in enumerate(visible):
            above, header, rows = _parts(sheet)
            if header is None:
                continue
            notes = (
                [Text.of("documents.tables.other_sheets", sheet=clean(sheet.title))] if visible[number + 1 :] else []
            )
            if above:
                notes.append(Text.of("documents.tables.lines_above", count=above))
            table = table_of_rows(TableHead(columns=column_names(header)), rows, notes)
            if _has_formulas(content) and (missing := _uncalculated(content, sheet.title)):
                table.notes.append(Text.of("documents.tables.formulas", count=missing))
            return table
    except _DAMAGE:
        raise BadInput.of("documents.office") from None
    raise BadInput.of("documents.tables.empty_book", code="table")


def _parts(sheet: ReadOnlyWorksheet) -> tuple[int, list[Any] | None, Iterator[list[Cell]]]:
    """Return the number of filled lines above the names of the columns, the names, and the rows below."""
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    rows = ([_cell(value) for value in row[:MAX_TABLE_COLUMNS]] for row in sheet.iter_rows(values_only=True))
    first = [row for row in islice(rows, MAX_LINES_ABOVE * 2) if any(value not in (None, "") for value in row)]
    if not first:
        return 0, None, iter(())
    at = _header_at(first)
    return at, first[at], chain(iter(first[at + 1 :]), rows)


def _header_at(rows: list[list[Cell]]) -> int:
    """Return which of the first rows names the columns: the first of texts only that is about as wide as the widest."""
    widest = max(_width(row) for row in rows)
    for number, row in enumerate(rows[:MAX_LINES_ABOVE]):
        values = [value for value in row if value not in (None, "")]
        if len(values) * 2 > widest and all(isinstance(value, str) for value in values):
            return number
    return 0


def _width(row: Iterable[Cell]) -> int:
    return sum(value not in (None, "") for value in row)


def _cell(value: Any) -> Cell:
    """Return a value as JSON; dates and times in ISO format."""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time(0) else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else exact(Decimal(repr(value)))
    if isinstance(value, str):
        return clean(value).strip()
    return value if isinstance(value, int | None) else str(value)


def _has_formulas(content: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/")]
        return any(_FORMULA in book.read(name) for name in sheets)


def _uncalculated(content: bytes, title: str) -> int:
    """Return how many formulas have no value: the program that wrote the file did not calculate them."""
    books = [
        openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=values, keep_links=False)
        for values in (True, False)
    ]
    rows = zip(*(book[title].iter_rows(values_only=True) for book in books), strict=False)
    return sum(
        value is None and isinstance(formula, str) and formula.startswith("=")
        for values, formulas in rows
        for value, formula in zip(values, formulas, strict=False)
    )
