"""Find ruled tables that are not filled in: a row of headings, and empty rows with the same columns below it.

A column may hold what a form prints to count its rows: numbers, dates or the days of a week. The first row may have
begun to be filled in, or say how to: it has text in less than half of its cells, above rows that are empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .model.geometry import Box
from .model.layout import Cell, Grid, TextLine

MIN_ROWS, MIN_ROWS_OF_TWO_COLUMNS = 2, 3
"""Fewer empty rows are boxes below their labels. Two columns are as soon a label and its value."""
MIN_ROWS_BELOW_TEXT = 2
"""Empty rows below one that has some text, at least."""
MAX_BEGUN_SHARE = 0.5
"""Share of the cells of the first row that may have text."""
MIN_HEADED_SHARE = 0.75
"""Share of the columns that have a heading; a corner may be empty."""
MAX_HEADING_CHARS = 60
MAX_HEIGHT_RATIO = 1.8
"""A row higher than so many times another one is for something else, such as a signature."""
_FIGURE = re.compile(r"^[\W\d]*\d[\W\d]*$")
_WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?$|^(?:星期|周|礼拜)[一二三四五六日天]$", re.IGNORECASE)


class BlankTable(NamedTuple):
    """Empty rows of a grid with the headings above them."""

    grid: Grid
    first: int
    """Number of the first empty row in the grid."""
    last: int
    cells: list[Cell]
    """The cells of the first row, from left to right."""
    headings: list[list[TextLine]]
    """The lines that head each of the cells."""

    @property
    def edges(self) -> list[float]:
        """The top of each row, and the bottom of the last."""
        return self.grid.rows[self.first : self.last + 2]

    @property
    def box(self) -> Box:
        """The area of the rows."""
        return Box.between(self.cells[0].box.x, self.edges[0], self.cells[-1].box.right, self.edges[-1])

    def heading_of(self, column: int) -> str:
        return " ".join(line.text.strip() for line in self.headings[column]).rstrip(":：")


def find_blank_tables(
    grids: Sequence[Grid], lines: Sequence[TextLine], names_item: Callable[[str], bool] | None = None
) -> Iterator[BlankTable]:
    """Yield the blank tables of a page, one grid after the other.

    A single empty row is one where `names_item` says of several headings that they name what rows of items hold.
    """
    for grid in grids:
        texts = _texts_by_cell(grid, lines)
        row = 1
        while row < len(grid.rows) - 1:
            last = _last_row(grid, row, texts)
            cells = _cells_of(grid, row)
            headings = _headings(grid, row, cells, texts)
            least = MIN_ROWS if len(cells) > 2 else MIN_ROWS_OF_TWO_COLUMNS
            if names_item and sum(names_item(" ".join(line.text for line in lines)) for lines in headings) > 1:
                least = 1
            if last - row + 1 >= least and headings and not _is_record(grid, row - 1, texts):
                yield BlankTable(grid, row, last, cells, headings)
                row = last
            row += 1


def _texts_by_cell(grid: Grid, lines: Sequence[TextLine]) -> Mapping[Box, list[TextLine]]:
    return {cell.box: [line for line in lines if cell.box.holds(*line.box.middle)] for cell in grid.cells}


def _cells_of(grid: Grid, row: int) -> list[Cell]:
    """Return the cells of a row from left to right; none if one of them spans rows, or there is only one.

    High cells at the ends of the row are boxes beside the table.
    """
    across = sorted((c for c in grid.cells if c.row <= row < c.row + c.row_span), key=lambda cell: cell.column)
    low = [number for number, cell in enumerate(across) if cell.row_span == 1]
    own = across[low[0] : low[-1] + 1] if low else []
    return own if 1 < len(own) == len(low) else []


def _shape(cells: Sequence[Cell]) -> list[tuple[int, int]]:
    return [(cell.column, cell.column_span) for cell in cells]


def _last_row(grid: Grid, first: int, texts: Mapping[Box, list[TextLine]]) -> int:
    """Return the last of the blank rows that begin with `first`, in which some cells may have text."""
    last = _end_of_rows(grid, first, texts)
    cells = _cells_of(grid, first)
    if last >= first or not _is_begun(cells, texts) or _shape(_cells_of(grid, first + 1)) != _shape(cells):
        return last
    below = _end_of_rows(grid, first + 1, texts)
    return below if below - first >= MIN_ROWS_BELOW_TEXT else last


def _end_of_rows(grid: Grid, first: int, texts: Mapping[Box, list[TextLine]]) -> int:
    """Return the last of the empty rows that begin with `first`; the one before it where that is none itself."""
    cells = _cells_of(grid, first)
    shape, heights, row = _shape(cells), list[float](), first
    while cells and row < len(grid.rows) - 1:
        heights.append(grid.rows[row + 1] - grid.rows[row])
        own = _cells_of(grid, row)
        if _shape(own) != shape or not _is_empty(own, texts) or max(heights) > MAX_HEIGHT_RATIO * min(heights):
            break
        row += 1
    return row - 1


def _is_empty(cells: Sequence[Cell], texts: Mapping[Box, list[TextLine]]) -> bool:
    """Whether a row has no text, other than what counts it in its first column."""
    first, *others = ([line.text.strip() for line in texts[cell.box]] for cell in cells)
    if any(others):
        return False
    return not first or (len(cells) > 2 and len(first) == 1 and counts_rows(first[0]))


def _is_begun(cells: Sequence[Cell], texts: Mapping[Box, list[TextLine]]) -> bool:
    """Whether some cells of a row have text, and most have none."""
    filled = sum(bool(texts[cell.box]) for cell in cells)
    return 0 < filled < MAX_BEGUN_SHARE * len(cells)


def counts_rows(text: str) -> bool:
    """Whether a text is what forms print to count their rows: a number, a date or a day of the week."""
    return bool(_FIGURE.match(text) or _WEEKDAY.match(text))


def _headings(grid: Grid, row: int, cells: Sequence[Cell], texts: Mapping[Box, list[TextLine]]) -> list[list[TextLine]]:
    """Return the lines in the cells directly above each cell of a row; none if these are no headings."""
    above = [cell for cell in grid.cells if cell.row + cell.row_span == row]
    found = []
    for cell in cells:
        end = cell.column + cell.column_span
        over = [one for one in above if one.column < end and cell.column < one.column + one.column_span]
        found.append([line for one in over for line in texts[one.box]] if len(over) == 1 else [])
    named = [" ".join(line.text.strip() for line in lines) for lines in found if lines]
    if len(named) < max(2, MIN_HEADED_SHARE * len(cells)) or not all(map(_is_heading, named)):
        return []
    return found if len({id(lines[0]) for lines in found if lines}) == len(named) else []


def _is_heading(text: str) -> bool:
    """Whether a text may head a column: words, or a sign such as ``+/-`` or ``%``, but no figure."""
    is_worded = any(map(str.isalpha, text)) or not any(map(str.isdigit, text))
    return is_worded and len(text) <= MAX_HEADING_CHARS and not text.endswith((":", "："))


def _is_record(grid: Grid, row: int, texts: Mapping[Box, list[TextLine]]) -> bool:
    """Whether a row goes on with the row of texts above it, so that it is filled in and heads nothing."""
    own, above = _cells_of(grid, row), _cells_of(grid, row - 1) if row else []
    return bool(own) and _shape(own) == _shape(above) and sum(bool(texts[cell.box]) for cell in above) > 1
