"""Say which cells SUBTOTAL adds up: a subtotal among them is left out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared.model.sheet import CellArea

from .sheet_areas import At, CellCounts
from .sheet_grid import MAX_COLUMNS, MAX_ROWS, cells_in

_FUNCTIONS = ("SUBTOTAL(", "AGGREGATE(")


class Subtotals:
    """The subtotals and the hidden rows of a sheet that was loaded with its formulas."""

    def __init__(self, sheet: Worksheet) -> None:
        self._last_row = sheet.max_row
        found = dict(_subtotals(sheet))
        self._whole = {at for at, is_whole in found.items() if is_whole}
        self._counts = CellCounts(found)
        dimensions = sheet.row_dimensions.items()
        self._hidden = sorted(row for row, one in dimensions if one.hidden or one.height == 0)

    def added_areas(self, area: CellArea) -> list[CellArea] | None:
        """Return the parts of an area that SUBTOTAL adds up; None where that is not certain.

        Rows that a filter hides are not added up, and those hidden by hand only by some kinds of it.
        """
        is_beyond = area.bottom > MAX_ROWS and self._last_row > MAX_ROWS
        if is_beyond or bisect_left(self._hidden, area.top) < bisect_left(self._hidden, area.bottom + 1):
            return None
        if not (count := self._counts.within(area)):
            return [area]
        rows = [row for row in range(area.top, min(area.bottom, MAX_ROWS) + 1) if (row, area.left) in self._whole]
        if area.left != area.right or len(rows) != count:
            return None
        starts, ends = [area.top, *(row + 1 for row in rows)], [*(row - 1 for row in rows), area.bottom]
        parts = [(top, bottom) for top, bottom in zip(starts, ends, strict=True) if top <= bottom]
        return [area.model_copy(update={"top": top, "bottom": bottom}) for top, bottom in parts] or None


def _subtotals(sheet: Worksheet) -> Iterator[tuple[At, bool]]:
    """Yield the cells with a subtotal in their formula, and whether it begins with it and has no other bracket."""
    for cell in cells_in(sheet, (1, 1, MAX_COLUMNS, MAX_ROWS)):
        if cell.data_type != "f":
            continue
        text = str(getattr(cell.value, "text", cell.value)).upper()
        if any(function in text for function in _FUNCTIONS):
            is_whole = text.startswith("=SUBTOTAL(") and text.count("(") == 1 and text.endswith(")")
            yield (cell.row, cell.column), is_whole
