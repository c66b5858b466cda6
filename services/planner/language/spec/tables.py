"""Tables in the text of a request: Markdown, comma-separated or tab-separated."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from .labels import is_label

MAX_ROWS, MAX_COLUMNS = 200, 40
MAX_CELL_CHARS = 200
MAX_HEADING_WORDS = 3
"""Maximum words of a heading in a table with commas."""
MAX_LINE_CHARS = MAX_COLUMNS * MAX_CELL_CHARS
MAX_HEADERS = 200
"""Lines of a text that are tried as the header, for each kind of table. A file may have a hundred thousand of them."""


@dataclass(frozen=True)
class TextTable:
    """A header and rows of texts. Every row is as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def extract_table(text: str) -> tuple[TextTable | None, str]:
    """Return the first table in a text, and the text without it."""
    lines = text.splitlines()
    for delimiter in ("|", "\t", ",", ";"):
        for start, end in islice(_starts(lines, delimiter), MAX_HEADERS):
            if table := _table(lines[start : min(end, start + MAX_ROWS + 2)], delimiter):
                return table, "\n".join([*lines[:start], *lines[end:]])
    return None, text


def _starts(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, int]]:
    """Yield each line that other rows follow, with the end of these rows."""
    end = 0
    for start in range(len(lines)):
        if end <= start:
            end = start
            while end < len(lines) and _is_row(lines[end], delimiter):
                end += 1
        if end - start >= 2:
            yield start, end


def table_in_file(text: str) -> TextTable | None:
    """Return the first table in a text file."""
    return extract_table(text.lstrip("\ufeff"))[0]


def _is_row(line: str, delimiter: str) -> bool:
    if delimiter == "|":
        return line.count("|") >= 2 or "|" in line[1:-1]
    return delimiter in line


def _table(lines: list[str], delimiter: str) -> TextTable | None:
    cells = [_cells(line[:MAX_LINE_CHARS], delimiter) for line in lines]
    if delimiter == "|":
        cells = [row for row in cells if not all(re.fullmatch(r":?-{1,}:?", cell) for cell in row)]
    header = [cell for cell in cells[0]]
    while header and not header[-1]:
        header.pop()
    width = len(header)
    if not 2 <= width <= MAX_COLUMNS or len(set(header)) < width or len(cells) < 2:
        return None
    if not all(cell and is_label(cell) and not _is_value(cell) for cell in header):
        return None
    rows = cells[1:]
    # Sentences have commas as well, but not as many in each line as the header.
    if delimiter != "|" and any(abs(len(row) - width) > 1 for row in rows):
        return None
    if delimiter in ",;" and any(len(cell.split()) > MAX_HEADING_WORDS for cell in header):
        return None
    filled = [tuple(cell[:MAX_CELL_CHARS] for cell in (*row, *[""] * width)[:width]) for row in rows]
    return TextTable(tuple(header), tuple(filled[:MAX_ROWS]))


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        return [cell.strip().strip("*`") for cell in line.strip().strip("|").split("|")]
    row = next(csv.reader([line], delimiter=delimiter), [])
    return [cell.strip() for cell in row]


def _is_value(cell: str) -> bool:
    """Whether a cell is a number or a date, which heads no column."""
    return bool(re.fullmatch(r"[-+(]?[$€£¥]?\s?[\d.,:/ -]+%?\)?", cell))
