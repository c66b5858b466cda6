"""Count the cells of many areas of a worksheet at once: formulas of a small file can name millions of cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import accumulate

from bandsmith.shared.model.sheet import CellArea

from .sheet_grid import MAX_COLUMNS, MAX_ROWS

At = tuple[int, int]
"""Row and column of a cell."""


def cell_count(area: CellArea, last_row: int = MAX_ROWS, last_column: int = MAX_COLUMNS) -> int:
    """Return the number of cells of an area that are within the rows and columns that are read."""
    rows = min(area.bottom, MAX_ROWS, last_row) - area.top + 1
    return max(0, rows) * max(0, min(area.right, MAX_COLUMNS, last_column) - area.left + 1)


def covered_cells(areas: Collection[CellArea]) -> set[At]:
    """Return the cells that are in at least one of the areas."""
    # Each area adds 1 from its first cell on and takes it back after its last ones.
    steps = [[0] * (MAX_COLUMNS + 2) for _ in range(MAX_ROWS + 2)]
    for area in areas:
        if cell_count(area):
            bottom, right = min(area.bottom, MAX_ROWS) + 1, min(area.right, MAX_COLUMNS) + 1
            steps[area.top][area.left] += 1
            steps[area.top][right] -= 1
            steps[bottom][area.left] -= 1
            steps[bottom][right] += 1
    return {
        (row, column)
        for row, counts in enumerate(_accumulated(steps))
        for column, count in enumerate(counts)
        if count > 0
    }


class CellCounts:
    """The number of some cells of a sheet in any area."""

    def __init__(self, cells: Iterable[At]) -> None:
        steps = [[0] * (MAX_COLUMNS + 1) for _ in range(MAX_ROWS + 1)]
        for row, column in cells:
            steps[row][column] += 1
        self._counts = _accumulated(steps)
        """The cells above and at the left of each cell, itself included."""

    def within(self, area: CellArea) -> int:
        if not cell_count(area):
            return 0
        counts, top, left = self._counts, area.top - 1, area.left - 1
        bottom, right = min(area.bottom, MAX_ROWS), min(area.right, MAX_COLUMNS)
        return counts[bottom][right] - counts[top][right] - counts[bottom][left] + counts[top][left]


def _accumulated(steps: list[list[int]]) -> list[list[int]]:
    """Return the sums of the numbers above and at the left of each, itself included."""
    by_row = (list(accumulate(row)) for row in steps)
    return list(accumulate(by_row, lambda above, row: [a + b for a, b in zip(above, row, strict=True)]))
