"""Rooms: the part of the page that a block has for itself, so that its element can take all of it.

An element that fills its cell, its bar or its column is what a person would have drawn: it holds other wording too, and
its edges are those of the form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Fill, Layout, RulingLine

from .ruling import ON, span

TALL = 4.0
"""A filled area more than so many times as high as its text is a panel, not the text's own room."""
PADDING = 12.0
"""Text this near to the end of its bar, in points, belongs to the cell that ends there."""


def own_rooms(layout: Layout) -> dict[str, Box]:
    """The cell or filled area of each block that is alone in it, by the block's id."""
    blocks = [block for block in layout.blocks if block.text.strip()]
    shared = Counter(_key(block.room) for block in blocks if block.room)
    found = {
        block.id: block.room
        for block in blocks
        if block.room and shared[_key(block.room)] == 1 and _is_drawn(block.room, layout)
    }
    for fill in layout.fills:
        inside = [block for block in blocks if fill.box.holds(*block.box.middle)]
        if len(inside) == 1 and fill.box.height <= TALL * _line_height(inside[0]):
            smallest = found.get(inside[0].id)
            if smallest is None or fill.box.area < smallest.area:
                found[inside[0].id] = fill.box
    return found


def _is_drawn(room: Box, layout: Layout) -> bool:
    """Whether the form shows where a room begins and ends, by rules or by a fill of its own."""
    if any(_same(fill.box, room) for fill in layout.fills):
        return True
    if any(_same(cell.box, room) for grid in layout.grids for cell in grid.cells):
        return True
    upright = [span(rule) for rule in layout.rules if not rule.horizontal]
    return all(
        any(abs(across - side) <= ON and low < room.middle[1] < high for across, low, high in upright)
        for side in (room.x, room.right)
    )


def _same(one: Box, other: Box) -> bool:
    edges = ((one.x, other.x), (one.y, other.y), (one.right, other.right), (one.bottom, other.bottom))
    return all(abs(mine - its) <= ON for mine, its in edges)


def bars(blocks: Iterable[Block], fills: Sequence[Fill]) -> list[tuple[Box, list[Block]]]:
    """Filled bars, and shared cells, with the blocks that stand side by side in them, from left to right."""
    blocks = list(blocks)
    areas = {_key(fill.box): fill.box for fill in fills}
    areas |= {_key(block.room): block.room for block in blocks if block.room}
    found, taken = [], set()
    for area in sorted(areas.values(), key=lambda box: box.area):
        inside = sorted((b for b in blocks if area.holds(*b.box.middle) and b.id not in taken), key=lambda b: b.box.x)
        if len(inside) < 2 or area.height > TALL * min(_line_height(block) for block in inside):
            continue
        if all(left.box.right <= right.box.x + 1 for left, right in pairwise(inside)):
            found.append((area, inside))
            taken |= {block.id for block in inside}
    return found


def tiles(spans: Sequence[tuple[float, float, Align]], left: float, right: float) -> list[tuple[float, float]]:
    """Where each of the texts side by side, given as (left, right, alignment), has its column between two ends.

    Columns meet where the next text begins if it is aligned left, where the last one ends if that is aligned right,
    and else in the middle of the gap; centred ones keep their middle.
    """
    first, last = spans[0], spans[-1]
    before = first[0] - left if first[0] - left <= PADDING else 0.0
    after = right - last[1] if right - last[1] <= PADDING else 0.0
    edges = [left if before or first[2] != "Left" else first[0]]
    for (_, end, align), (start, _, following) in pairwise(spans):
        gap = max(0.0, start - end)
        if following == "Left":
            edges.append(start - min(before, gap))
        elif align == "Right":
            edges.append(end + min(after, gap))
        else:
            edges.append((start + end) / 2)
    edges.append(right if after or last[2] != "Right" else last[1])
    out = []
    for (start, end, align), (low, high) in zip(spans, pairwise(edges), strict=True):
        if align == "Center":
            middle = (start + end) / 2
            half = min(middle - low, high - middle)
            out.append((middle - half, middle + half))
        else:
            out.append((low, high))
    return out


def between_rules(box: Box, low: float, high: float, rules: Iterable[RulingLine]) -> tuple[float, float]:
    """How far `box` can grow up and down within `low` and `high` before a horizontal rule crosses it."""
    for rule in rules:
        across, start, end = span(rule)
        if rule.horizontal and start < box.right and end > box.x:
            if across <= box.y + 1:
                low = max(low, across)
            elif across >= box.bottom - 1:
                high = min(high, across)
    return low, high


def _line_height(block: Block) -> float:
    return block.box.height / max(1, len(block.lines))


def _key(room: Box) -> tuple[int, int, int, int]:
    return round(room.x), round(room.y), round(room.right), round(room.bottom)
