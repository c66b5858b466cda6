"""Tell where an empty box stands between a label and another wording on its line: the label asks for what fills it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Fill, Grid

from .text_classifier import text_kind

MIN_WIDTH_PT = 12.0
"""A narrower box is one to tick, or a space between two tables."""
MAX_LINES = 4.0
"""Height of a box to write in, in font sizes of the label, at most; a higher one is a panel."""
MAX_GAP = 1.5
"""Distance of a box from its label, in the label's font sizes."""
EDGE_TOLERANCE_PT = 2.0


def empty_boxes(blocks: Sequence[Block], grids: Iterable[Grid], fills: Iterable[Fill]) -> list[Box]:
    """Return the ruled cells and filled areas in which no text stands."""
    cells = [cell.box for grid in grids for cell in grid.cells]
    boxes = [box for box in (*cells, *(fill.box for fill in fills)) if box.width >= MIN_WIDTH_PT]
    return [box for box in boxes if not any(box.holds(*block.box.middle) for block in blocks)]


def has_box_beside(label: Block, boxes: Iterable[Box]) -> bool:
    """Whether an empty box to write in stands right behind a label."""
    y, size = label.box.middle[1], label.style.size
    return any(
        -EDGE_TOLERANCE_PT <= box.x - label.box.right <= MAX_GAP * size
        and box.y < y < box.bottom
        and box.height <= MAX_LINES * size
        for box in boxes
    )


def is_box_between(label: Block, block: Block, boxes: Iterable[Box]) -> bool:
    """Whether an empty box stands between a label and a wording to its right. A figure may stand behind one."""
    if text_kind(block.text) != "text" or any(map(str.isdigit, block.text)):
        return False
    left, right = label.box.right - EDGE_TOLERANCE_PT, block.box.x + EDGE_TOLERANCE_PT
    y, size = label.box.middle[1], label.style.size
    return any(
        left <= box.x and box.right <= right and box.y < y < box.bottom and box.height <= MAX_LINES * size
        for box in boxes
    )
