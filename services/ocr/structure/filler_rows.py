"""Find the ruled rows left empty below the filled ones of a table: they are rows of the table, too.

Forms are printed with a number of lines, of which a copy fills some. Left as lines of the page they would stay there
whatever the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bandsmith.shared.blank_tables import MAX_HEIGHT_RATIO
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Cell, Grid, Repeat

from ..page_marks import PageMarks
from .repeats import marks_by_row
from .table_choice import EVEN_TOLERANCE_PT

EDGE_TOLERANCE = 0.35
"""The first empty row begins this near to the end of the last filled one, in heights of that row."""
MIN_CELLS = 2
"""A row of one cell is a box."""
MIN_SHARED_CELLS = 0.75
"""Share of the cells of the row above that an empty row has, at least."""


def with_filler_rows(rows: Repeat, blocks: Sequence[Block], marks: PageMarks) -> Repeat:
    """Return rows with the empty ones of their grid that follow them; themselves without any, and in groups."""
    edges = [] if rows.groups else _filler_edges(rows, blocks, marks.grids)
    if not edges:
        return rows
    tops = [*rows.tops, *edges[:-1]]
    ends = [*tops[1:], edges[-1]]
    heights = [end - top for top, end in zip(tops, ends, strict=True)]
    pitch = (ends[-1] - tops[0]) / len(tops)
    is_even = not rows.heights and _are_even(tops, pitch)
    return rows.model_copy(
        update={
            "box": Box.around([rows.box, Box.between(rows.box.x, rows.box.y, rows.box.right, ends[-1])]),
            "tops": tops,
            "pitch": pitch if is_even else min(rows.pitch, *heights),
            "heights": [] if is_even else heights,
            "slots": [slot.model_copy(update={"blocks": _padded(slot.blocks, len(tops))}) for slot in rows.slots],
            "marks": marks_by_row(tops, heights[-1], marks.rules, marks.fills, marks.pictures),
        }
    )


def _padded(ids: Sequence[str | None], count: int) -> list[str | None]:
    return [*ids, *[None] * (count - len(ids))]


def _are_even(tops: Sequence[float], pitch: float) -> bool:
    return all(abs(top - tops[0] - row * pitch) <= EVEN_TOLERANCE_PT for row, top in enumerate(tops))


def _filler_edges(rows: Repeat, blocks: Sequence[Block], grids: Iterable[Grid]) -> list[float]:
    """Return the top of each empty row and the bottom of the last; none where no row is empty."""
    last = rows.heights[-1] if rows.heights else rows.pitch
    end = rows.tops[-1] + last
    for grid in grids:
        first = next((n for n, y in enumerate(grid.rows[:-1]) if abs(y - end) <= EDGE_TOLERANCE * last), 0)
        if first:
            found = list(_empty_rows(grid, first, blocks, last))
            return [*(grid.rows[row] for row in found), grid.rows[found[-1] + 1]] if found else []
    return []


def _empty_rows(grid: Grid, first: int, blocks: Sequence[Block], height: float) -> Iterator[int]:
    """Yield the numbers of the rows from `first` on that have the cells of the row above, about its height, no text.

    A bar below a row may hide the end of one of its cells.
    """
    shape = {(cell.column, cell.column_span) for cell in _cells_of(grid, first - 1)}
    for row in range(first, len(grid.rows) - 1):
        top, bottom = grid.rows[row], grid.rows[row + 1]
        own = {(cell.column, cell.column_span) for cell in _cells_of(grid, row)}
        is_alike = own <= shape and len(own) >= max(MIN_CELLS, MIN_SHARED_CELLS * len(shape))
        if not is_alike or max(bottom - top, height) > MAX_HEIGHT_RATIO * min(bottom - top, height):
            return
        area = Box.between(grid.box.x, top, grid.box.right, bottom)
        if any(area.holds(*block.box.middle) for block in blocks):
            return
        yield row


def _cells_of(grid: Grid, row: int) -> list[Cell]:
    """Return the cells of a row from left to right; none if one of them spans rows."""
    across = [cell for cell in grid.cells if cell.row <= row < cell.row + cell.row_span]
    return sorted(across, key=lambda cell: cell.column) if all(cell.row_span == 1 for cell in across) else []
