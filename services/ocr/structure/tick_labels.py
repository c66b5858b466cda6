"""Name the boxes to tick by the wording beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, TextLine, TickBox

MAX_GAP = 2.0
"""Distance of a box from its wording, in its widths."""


def name_tick_boxes(boxes: Iterable[TickBox], lines: Sequence[TextLine]) -> list[TickBox]:
    """Return the boxes with the wording to their right, or else to their left, as label."""
    named = []
    for box in boxes:
        line = _nearest(box.box, lines)
        named.append(box.model_copy(update={"label": line.text.strip(" :：") if line else None}))
    return named


def with_fixed_wording(blocks: Sequence[Block], boxes: Sequence[TickBox], lines: Sequence[TextLine]) -> list[Block]:
    """Return the blocks; what stands beside a box to tick is wording."""
    beside = {line.id for box in boxes if (line := _nearest(box.box, lines))}
    return [
        block
        if beside.isdisjoint(block.lines)
        else block.model_copy(update={"role": "fixed", "label": None, "prefix": ""})
        for block in blocks
    ]


def _nearest(box: Box, lines: Sequence[TextLine]) -> TextLine | None:
    level = [
        line for line in lines if line.box.y < box.middle[1] < line.box.bottom or box.holds(box.x, line.box.middle[1])
    ]
    right = [line for line in level if -1 <= line.box.x - box.right <= MAX_GAP * box.width]
    left = [line for line in level if -1 <= box.x - line.box.right <= MAX_GAP * box.width]
    if right:
        return min(right, key=lambda line: line.box.x)
    return max(left, key=lambda line: line.box.right, default=None)
