"""Rows of values in running text: "Anna 12,400 5%; Ben 8,950 5%", 苹果50斤3.2元."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.model.spec import Column

_VALUE = r"[-+]?[$€£¥]?\d[\d,]*+(?:\.\d++)?(?:\s?%)?+"
_UNIT = r"(?:\s?(?:元|块|斤|公斤|千克|克|吨|个|件|箱|盒|袋|瓶|台|只|条|张|套|米|kg|g|pcs|€|\$|£))?+"
# Digits directly behind a Latin letter are part of a name: A4打印纸, M8 bolts.
_ROW = re.compile(
    rf"(?P<name>\W*+[^\W\d](?:\D|(?<=[A-Za-z])\d++)*?)[\s:]*+(?P<values>{_VALUE}{_UNIT}(?:[\s,/]+{_VALUE}{_UNIT}|{_VALUE}{_UNIT})*)"
)


def is_row(text: str) -> bool:
    """Whether a text is a name and its values."""
    return _ROW.fullmatch(text.strip(" .。;,")) is not None


def is_data_row(text: str) -> bool:
    """Whether a text is a name and several values, which no column is called."""
    found = _ROW.fullmatch(text.strip(" .。;,"))
    return found is not None and len(re.findall(_VALUE, found["values"])) > 1 and not _MEASURE.search(text)


_MEASURE = re.compile(r"\d\s*(?:mm|cm|%|毫米|厘米|页|行|列)", re.IGNORECASE)


def with_all_cells(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> list[list[str]]:
    """Return rows with a cell for each column: all are given, or all but the computed ones. Empty where none fit."""
    given = [n for n, column in enumerate(columns) if column.computed is None and not column.numbered]
    places = list(range(len(columns))) if len(rows[0]) == len(columns) else given
    return in_places(rows, places, len(columns)) if len(rows[0]) == len(places) else []


def in_places(rows: Sequence[Sequence[str]], places: Sequence[int], columns: int) -> list[list[str]]:
    """Return rows of so many cells with the values at some of them; the others are empty."""
    filled = []
    for row in rows:
        cells = [""] * columns
        for n, value in zip(places, row, strict=True):
            cells[n] = value
        filled.append(cells)
    return filled


def rows_in(texts: Sequence[str], columns: int) -> list[list[str]] | None:
    """Return a row for each text: a name and its values. None where one text has not a value for each column."""
    rows = []
    for text in texts:
        found = _ROW.fullmatch(text.strip(" .。;,"))
        if found is None:
            return None
        values = [value.strip() for value in re.findall(_VALUE, found["values"])]
        row = [found["name"].strip(" :"), *values]
        if len(row) != columns:
            return None
        rows.append(row)
    return rows
