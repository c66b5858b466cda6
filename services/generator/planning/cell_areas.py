"""Cells: the part of the page that a block has for itself, so that its element can fill it.

A person who draws a template makes an element fill its cell, its bar or its column: the element then holds other
wording too, and its edges are those of the form. A cell may be drawn by rules, be a filled bar, or only be implied by
the texts beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Fill, Layout, RulingLine

from .ruling import EDGE_TOLERANCE_PT, span

MAX_BAR_LINES = 4.0
"""A filled area more than this many lines high is a panel, not the cell of the text in it."""
MAX_CELL_INSET_PT = 12.0
"""Text this close to the end of its bar belongs to a cell that ends there."""


def exclusive_cells(layout: Layout) -> dict[str, Box]:
    """Map the id of each block that is alone in its cell or filled area to that area."""
    blocks = [block for block in layout.blocks if block.text.strip()]
    shared = Counter(_key(block.room) for block in blocks if block.room)
    cells = {
        block.id: block.room
        for block in blocks
        if block.room and shared[_key(block.room)] == 1 and _is_drawn(block.room, layout)
    }
    for fill in layout.fills:
        inside = [block for block in blocks if fill.box.holds(*block.box.middle)]
        if len(inside) == 1 and fill.box.height <= MAX_BAR_LINES * _line_height(inside[0]):
            smallest = cells.get(inside[0].id)
            if smallest is None or fill.box.area < smallest.area:
                cells[inside[0].id] = fill.box
    return cells


def _is_drawn(cell: Box, layout: Layout) -> bool:
    """Whether the form shows where a cell begins and ends, by rules or by a fill."""
    if any(_same(fill.box, cell) for fill in layout.fills):
        return True
    if any(_same(drawn.box, cell) for grid in layout.grids for drawn in grid.cells):
        return True
    vertical = [span(rule) for rule in layout.rules if not rule.horizontal]
    return all(
        any(abs(x - side) <= EDGE_TOLERANCE_PT and low < cell.middle[1] < high for x, low, high in vertical)
        for side in (cell.x, cell.right)
    )


def _same(one: Box, other: Box) -> bool:
    edges = ((one.x, other.x), (one.y, other.y), (one.right, other.right), (one.bottom, other.bottom))
    return all(abs(a - b) <= EDGE_TOLERANCE_PT for a, b in edges)


def shared_bars(blocks: Iterable[Block], fills: Sequence[Fill]) -> list[tuple[Box, list[Block]]]:
    """Filled bars and cells in which several blocks stand side by side, with those blocks from left to right."""
    blocks = list(blocks)
    areas = {_key(fill.box): fill.box for fill in fills}
    areas |= {_key(block.room): block.room for block in blocks if block.room}
    bars, assigned = [], set()
    for area in sorted(areas.values(), key=lambda box: box.area):
        inside = [block for block in blocks if area.holds(*block.box.middle) and block.id not in assigned]
        inside.sort(key=lambda block: block.box.x)
        if len(inside) < 2 or area.height > MAX_BAR_LINES * min(_line_height(block) for block in inside):
            continue
        if all(left.box.right <= right.box.x + 1 for left, right in pairwise(inside)):
            bars.append((area, inside))
            assigned |= {block.id for block in inside}
    return bars


def column_spans(texts: Sequence[tuple[float, float, Align]], left: float, right: float) -> list[tuple[float, float]]:
    """Divide the stretch from `left` to `right` into columns, one for each text, given as (left, right, alignment).

    Two columns meet where the next text begins if that is aligned left, where the previous one ends if that is aligned
    right, and otherwise in the middle of the gap. A centred text keeps the middle of its column.
    """
    first, last = texts[0], texts[-1]
    before = first[0] - left if first[0] - left <= MAX_CELL_INSET_PT else 0.0
    after = right - last[1] if right - last[1] <= MAX_CELL_INSET_PT else 0.0
    edges = [left if before or first[2] != "Left" else first[0]]
    for (_, end, align), (start, _, next_align) in pairwise(texts):
        gap = max(0.0, start - end)
        if next_align == "Left":
            edges.append(start - min(before, gap))
        elif align == "Right":
            edges.append(end + min(after, gap))
        else:
            edges.append((start + end) / 2)
    edges.append(right if after or last[2] != "Right" else last[1])
    spans = []
    for (start, end, align), (low, high) in zip(texts, pairwise(edges), strict=True):
        if align == "Center":
            middle = (start + end) / 2
            half = min(middle - low, high - middle)
            spans.append((middle - half, middle + half))
        else:
            spans.append((low, high))
    return spans


def limit_by_rules(box: Box, low: float, high: float, rules: Iterable[RulingLine]) -> tuple[float, float]:
    """Narrow the y range from `low` to `high` to what `box` can grow to before a horizontal rule crosses it."""
    for rule in rules:
        across, start, end = span(rule)
        if rule.horizontal and start < box.right and end > box.x:
            if across <= box.y + 1:
                low = max(low, across)
            elif across >= box.bottom - 1:
                high = min(high, across)
    return low, high


def _line_height(block: Block) -> float:
    """The height of a line with what its font leaves free, which the ink of capitals does not show."""
    return max(block.style.size, block.box.height / max(1, len(block.lines)))


def _key(cell: Box) -> tuple[int, int, int, int]:
    """The cell's edges in whole points, by which two cells are told apart."""
    return round(cell.x), round(cell.y), round(cell.right), round(cell.bottom)
