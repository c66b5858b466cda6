"""Rows: the repeat's slots, each as one setting for all of its copies."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, replace

from shared.model.geometry import Box
from shared.model.layout import Block, Repeat, Slot

from .regions import Region
from .texts import Place, Setting, together

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
        own = tuple(blocks.get(name) if name in settings else None for name in slot.blocks[: detail.rows])
        copies = [(row, block) for row, block in enumerate(own) if block is not None]
        if not copies:
            continue
        moved = [
            replace(settings[block.id], box=settings[block.id].box.moved(0, -_top(detail, row)))
            for row, block in copies
        ]
        cells = [rooms[block.id].moved(0, -_top(detail, row)) for row, block in copies if block.id in rooms]
        room = _row_room(cells, detail.height) if len(cells) == len(copies) else None
        found.append(Column(slot, own, together(moved), room))
    return found


def _top(detail: Region, row: int) -> int:
    return detail.top + row * detail.height


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
