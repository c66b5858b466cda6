"""Name the totals below a table by their columns, and find the blank ones.

An amount and a tax beside 合计 are two totals, of two columns, and neither is the amount or the tax of a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Grid, Repeat

from .cell_labels import EDGE_TOLERANCE_PT, are_level
from .text_classifier import is_figure, is_total

MIN_TOTALS = 2
"""A single figure beside the wording of a total is the total."""
MAX_LABEL_CHARS = 12
"""Longer wording says more than that a line is a total."""
_SUMMED = frozenset({"amount", "total", "total_price", "subtotal", "grand_total", "tax", "quantity", "weight"})
"""What columns are called whose sum a form asks for."""
LEVEL_SHARE = 0.5
"""Share of a text's height in which it stands on a line with another."""


def with_column_totals(blocks: Sequence[Block], tables: Sequence[Repeat]) -> list[Block]:
    """Return the blocks; several totals on one line below rows have the headings of their columns in their labels."""
    by_id = {block.id: block for block in blocks}
    found: dict[str, str] = {}
    for table in sorted(tables, key=lambda one: -one.box.y):  # a total belongs to the nearest table above it
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


def find_blank_totals(blocks: Sequence[Block], grids: Sequence[Grid], tables: Sequence[Repeat]) -> list[Blank]:
    """Return the empty cells on the line of a total below rows, in the columns that add up, with their names.

    A single empty cell beside the wording of a total is that total, whatever its column.
    """
    by_id = {block.id: block for block in blocks}
    found = list[Blank]()
    for table in tables:
        heads = [by_id[name] for name in table.header if name in by_id]
        for word, cells in _blank_lines_of_totals(table, blocks, grids):
            for cell in cells if len(cells) >= MIN_TOTALS else []:
                over = [head for head in heads if cell.x <= head.box.middle[0] <= cell.right]
                heading = " ".join(" ".join(head.text.split()) for head in sorted(over, key=lambda head: head.box.y))
                if name_for(heading, "", (), column=True) in _SUMMED:
                    style = word.style.model_copy(update={"bold": False})
                    name = f"total{len(found) + 1}"
                    found.append(Blank(id=name, label=_named(heading, word.text), box=cell, style=style))
    return found


def _blank_lines_of_totals(
    table: Repeat, blocks: Sequence[Block], grids: Sequence[Grid]
) -> Iterator[tuple[Block, list[Box]]]:
    """Yield the wording of each total that is alone in a ruled line below rows, with the empty cells to its right."""
    words = [block for block in blocks if is_total(block.text) and len(block.text) <= MAX_LABEL_CHARS]
    for grid in grids:
        for word in words if grid.box.overlap(table.box) > 0 else []:
            own = next((cell.box for cell in grid.cells if cell.box.holds(*word.box.middle)), None)
            if own is None or own.y < table.box.bottom - EDGE_TOLERANCE_PT:
                continue
            right = [cell.box for cell in grid.cells if cell.box.x > own.x and are_level(cell.box, own)]
            if not any(cell.holds(*block.box.middle) for cell in right for block in blocks):
                yield word, sorted(right, key=lambda cell: cell.x)
