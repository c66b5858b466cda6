"""Rows: the repeat's slots, each as one setting for all of its copies."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Repeat, Slot

from .cell_areas import between_rules, tiles
from .regions import Region
from .ruling import piece, span
from .text_metrics import Place, Setting, together

EDGE = 2.0
"""A cell's edge this near to its row's edge, in points, lies on it."""


@dataclass(frozen=True)
class Column:
    """A slot with its copies by row; places are relative to the row."""

    slot: Slot
    blocks: tuple[Block | None, ...]
    setting: Setting
    room: Place | None
    """The cell that it takes in every row."""
    tile: Box | None = None
    """The part of the row that it has for itself, where nothing rules it."""

    def blank(self, detail: Region) -> list[Box]:
        """Its cells, on the page, in the rows where it has no words."""
        room = self.room
        if room is None:
            return []
        rows = (row for row, block in enumerate(self.blocks) if block is None)
        return [Box(x=room.x, y=detail.row_top(row) + room.y, width=room.width, height=room.height) for row in rows]


def columns(
    repeat: Repeat,
    detail: Region,
    blocks: Mapping[str, Block],
    settings: Mapping[str, Setting],
    rooms: Mapping[str, Box],
) -> list[Column]:
    """The slots that hold anything. `rooms` are the cells that one block has for itself, by the block's id."""
    found = []
    for slot in repeat.slots:
        own = tuple(blocks[name] if name and name in settings else None for name in slot.blocks[: detail.rows])
        copies = [(row, block) for row, block in enumerate(own) if block is not None]
        if not copies:
            continue
        moved = [
            replace(settings[block.id], box=settings[block.id].box.moved(0, -detail.row_top(row)))
            for row, block in copies
        ]
        cells = [rooms[block.id].moved(0, -detail.row_top(row)) for row, block in copies if block.id in rooms]
        room = _row_room(cells, detail.height) if len(cells) >= len(copies) / 2 else None
        found.append(Column(slot, own, together(moved), room))
    return found


def tiled(
    found: Sequence[Column],
    layout: Layout,
    detail: Region,
    strips: Mapping[str, Box],
    clear: Callable[[Block], tuple[float, float]],
) -> list[Column]:
    """The columns with their tiles: from one column to the next, and as high as the row or the bar in it.

    `clear` gives the x's between which a block may grow as far as anything but the other columns is concerned.
    """
    rules = [rule for rule in layout.rules if detail.top <= span(rule)[0] <= detail.bottom and rule.horizontal]
    in_row = [piece(rule, rule.id, _in_row(detail, span(rule)[0]), *span(rule)[1:]) for rule in rules]
    left, right = _ends(found, layout, detail)
    out = []
    for column in found:
        box = column.setting.box
        beside = sorted((one for one in found if _level(one.setting.box, box)), key=lambda one: one.setting.box.x)
        spans = [(one.setting.box.x, one.setting.box.right, one.setting.align) for one in beside]
        low, high = tiles(spans, left, right)[beside.index(column)]
        limits = [clear(block) for block in column.blocks if block]
        low, high = max(low, *(start for start, _ in limits)), min(high, *(end for _, end in limits))
        stacked = any(one is not column and _meet(one.setting.box, low, high) for one in found if one not in beside)
        bars = [
            strips[b.id].moved(0, -detail.row_top(row)) for row, b in enumerate(column.blocks) if b and b.id in strips
        ]
        top, bottom = 0.0, float(detail.height)
        if bars and len(bars) == sum(block is not None for block in column.blocks):
            top, bottom = max(0.0, bars[0].y), min(bottom, bars[0].bottom)
        elif stacked:
            out.append(column)
            continue
        top, bottom = between_rules(box, top, bottom, in_row)
        out.append(replace(column, tile=Box.between(low, top, high, bottom)))
    return out


def _ends(found: Sequence[Column], layout: Layout, detail: Region) -> tuple[float, float]:
    """Where the rows begin and end: at their fills and rules, else at their texts."""
    boxes = [fill.box for fill in layout.fills if detail.top <= fill.box.middle[1] <= detail.bottom]
    marks = [box for box in boxes if box.height <= 1.5 * detail.height]
    for rule in layout.rules:
        across, start, end = span(rule)
        if rule.horizontal and detail.top - detail.height <= across <= detail.bottom:
            marks.append(Box.between(start, across, end, across))
    texts = Box.around(column.setting.box for column in found)
    wide = [box for box in marks if box.width > 0.7 * texts.width]
    return min([texts.x, *(box.x for box in wide)]), max([texts.right, *(box.right for box in wide)])


def _level(one: Box, other: Box) -> bool:
    """Whether two boxes stand side by side."""
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 0.5 * min(one.height, other.height)


def _meet(box: Box, low: float, high: float) -> bool:
    return box.x < high - 1 and box.right > low + 1


def _in_row(detail: Region, y: float) -> float:
    return y - detail.row_top(detail.row_of(y))


def _row_room(cells: list[Box], height: int) -> Place | None:
    """The typical cell of a row, which ends on the row's edges where it nearly does."""
    left, top, right, bottom = (
        statistics.median(getattr(cell, edge) for cell in cells) for edge in ("x", "y", "right", "bottom")
    )
    y = 0 if abs(top) <= EDGE else round(top)
    end = height if abs(bottom - height) <= EDGE else round(bottom)
    if y < 0 or end > height:
        return None
    return Place(round(left), y, round(right) - round(left), end - y)
