"""End a table where the ruled cell around its records ends: the rows below it are another part of the form.

Within a ruled table, rows may be far from each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bandsmith.shared.model.layout import Grid, TextLine

from .ruled_cells import cell_at
from .table_model import HeadedTable

MIN_RECORDS = 2
"""Records that one cell holds, with which it is the frame of the table; one of several lines has a cell of its own."""

EDGE_TOLERANCE_PT = 2.0
"""Cells whose edges are no farther apart are next to each other."""


def is_next_in_grid(above: Sequence[TextLine], below: Sequence[TextLine], grids: Sequence[Grid]) -> bool:
    """Whether every text of a row stands in a ruled cell right below that of a text above, however high these are."""
    ends = [cell.bottom for line in above if (cell := cell_at(line.box.middle, grids))]
    cells = [cell_at(line.box.middle, grids) for line in below]
    return all(cell and any(abs(end - cell.y) <= EDGE_TOLERANCE_PT for end in ends) for cell in cells)


def within_frame(table: HeadedTable, grids: Sequence[Grid]) -> HeadedTable:
    """Return the table without the records below the cell that holds the first ones in every column."""
    first = table.records[0] if table.records else None
    cells = [] if first is None or table.groups else [cell_at(line.box.middle, grids) for line in first.lines]
    frames = [cell for cell in cells if cell is not None]
    if not frames or len(frames) < len(cells):
        return table
    bottom = min(frame.bottom for frame in frames)
    if max(frame.bottom for frame in frames) > bottom + 1:
        return table
    inside = [record for record in table.records if record.box.middle[1] < bottom]
    if len(inside) < MIN_RECORDS:
        return table
    return replace(table, records=inside)
