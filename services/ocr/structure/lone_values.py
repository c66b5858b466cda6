"""Give a value that few rows of a table have, in a ruled column of its own below a heading, a column of the rows.

A form's example may fill such a column in one row alone. Outside the rows the value would keep its place on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Repeat, Slot

from .text_classifier import is_figure, text_kind

EDGE_TOLERANCE = 0.25
"""Distance between the edges of a cell and those of its row, in heights of the row."""
MAX_HEADING_GAP_PT = 6.0
"""Distance from the end of a heading's cell to the first row."""


def with_lone_values(rows: Repeat, blocks: Sequence[Block]) -> Repeat:
    """Return the rows with a column for the figures below each heading that have ruled cells of one row each."""
    if rows.groups is not None or rows.rows < 2 or not rows.header:
        return rows
    by_id = {block.id: block for block in blocks}
    taken = [_area(by_id[name]) for slot in rows.slots for name in slot.blocks if name in by_id]
    own = {name for slot in rows.slots for name in slot.blocks} | {*rows.header}
    columns: dict[str, list[str | None]] = {}
    for block in blocks:
        if block.id in own or block.room is None or not is_figure(block.text):
            continue
        row, heading = _row_of(block.room, rows), _heading_over(block.room, rows, blocks)
        if row is not None and heading is not None and not any(_shares_column(block.room, area) for area in taken):
            columns.setdefault(heading.id, [None] * rows.rows)[row] = block.id
    added = [
        Slot(label=" ".join(by_id[heading].text.split()), blocks=names, role="value")
        for heading, names in columns.items()
    ]
    boxes = [by_id[name].box for names in columns.values() for name in names if name]
    header = [*rows.header, *(heading for heading in columns if heading not in rows.header)]
    update = {"slots": [*rows.slots, *added], "header": header, "box": Box.around([rows.box, *boxes])}
    return rows.model_copy(update=update) if added else rows


def _area(block: Block) -> Box:
    return block.room or block.box


def _row_of(cell: Box, rows: Repeat) -> int | None:
    """Return the row that a cell takes; None where it is another part of the page."""
    for number, top in enumerate(rows.tops):
        height = rows.heights[number] if rows.heights else rows.pitch
        if max(abs(cell.y - top), abs(cell.bottom - top - height)) <= EDGE_TOLERANCE * height:
            return number
    return None


def _heading_over(cell: Box, rows: Repeat, blocks: Iterable[Block]) -> Block | None:
    """Return the wording in the cell that ends where the rows begin, above a cell of theirs and as wide as it."""
    for block in blocks:
        room = block.room
        if room is None or text_kind(" ".join(block.text.split())) != "text" or room.y >= rows.tops[0]:
            continue
        is_same = max(abs(room.x - cell.x), abs(room.right - cell.right)) <= MAX_HEADING_GAP_PT
        if is_same and abs(room.bottom - rows.tops[0]) <= MAX_HEADING_GAP_PT:
            return block
    return None


def _shares_column(cell: Box, other: Box) -> bool:
    return min(cell.right, other.right) - max(cell.x, other.x) > 1
