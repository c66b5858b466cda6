"""Name the totals below a table by their columns.

An amount and a tax beside 合计 are two totals, of two columns, and neither is the amount or the tax of a row.
"""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Repeat

from .text_classifier import is_figure, is_total

MIN_TOTALS = 2
"""A single figure beside the wording of a total is the total."""
MAX_LABEL_CHARS = 12
"""Longer wording says more than that a line is a total."""
LEVEL_SHARE = 0.5
"""Share of a text's height in which it stands on a line with another."""


def with_column_totals(blocks: Sequence[Block], tables: Sequence[Repeat]) -> list[Block]:
    """Return the blocks; several totals on one line below rows have the headings of their columns in their labels."""
    by_id = {block.id: block for block in blocks}
    found: dict[str, str] = {}
    for table in tables:
        columns = [
            (slot.label, Box.around(by_id[name].box for name in slot.blocks if name))
            for slot in table.slots
            if slot.label and table.header and any(slot.blocks)
        ]
        inside = {name for slot in table.slots for name in slot.blocks}
        below = [block for block in blocks if block.box.y > table.box.y and block.id not in inside]
        for word in (block for block in below if is_total(block.text) and len(block.text) <= MAX_LABEL_CHARS):
            totals = [block for block in below if _is_total_of(word, block)]
            for block in totals if len(totals) >= MIN_TOTALS else []:
                if (heading := _heading_of(block, columns)) is not None:
                    found.setdefault(block.id, _named(heading, word.text))
    return [block.model_copy(update={"label": found[block.id]}) if block.id in found else block for block in blocks]


def _is_total_of(word: Block, block: Block) -> bool:
    shared = min(word.box.bottom, block.box.bottom) - max(word.box.y, block.box.y)
    is_level = shared > LEVEL_SHARE * min(word.box.height, block.box.height)
    return (
        is_level and block.role == "value" and not block.prefix and is_figure(block.text) and block.box.x > word.box.x
    )


def _heading_of(block: Block, columns: Sequence[tuple[str, Box]]) -> str | None:
    """Return the heading of the column that a total is aligned with, or else stands in."""

    def apart(column: Box) -> float:
        return min(abs(column.x - block.box.x), abs(column.right - block.box.right))

    near = [(apart(box), name) for name, box in columns if min(box.right, block.box.right) > max(box.x, block.box.x)]
    return min(near, default=(0.0, None))[1]


def _named(heading: str, total: str) -> str:
    if any(map(is_cjk, heading)):
        return "".join(heading.split()) + "".join(total.split()).rstrip(":：")
    return f"{total.strip().rstrip(':：')} {' '.join(heading.split())}"
