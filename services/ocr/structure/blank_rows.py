"""Make rows of blank tables, and fields of the columns in which no row has text.

A table without a filled row repeats nothing, but its heading and its ruled empty rows say what it is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from bandsmith.shared.blank_tables import BlankTable, find_blank_tables
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Grid, Repeat, Slot

from ..page_marks import PageMarks
from .repeats import marks_by_row
from .table_choice import EVEN_TOLERANCE_PT
from .text_classifier import names_row_value

EDGE_TOLERANCE_PT = 2.0
"""A cell in a row ends this near to the row's ends."""


def blank_rows(blocks: Sequence[Block], marks: PageMarks, taken: Iterable[Box]) -> list[Repeat]:
    """Return the rows of the blank tables of a page, from top to bottom. Those in areas that are `taken` are none."""
    owner = {line: block for block in blocks for line in block.lines}
    tables = list(find_blank_tables(marks.grids, marks.lines, names_row_value))
    filled = list(taken)
    free = [table for table in tables if not any(_overlap(table.box, box) for box in filled)]
    return [_rows_of(table, owner, marks) for table in sorted(free, key=lambda one: one.box.y)]


def largest(tables: Sequence[Repeat]) -> Repeat | None:
    """Return the rows that take most of the page; None without any."""
    return max(tables, key=lambda rows: rows.box.area, default=None)


def _overlap(one: Box, other: Box) -> bool:
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 1


def _rows_of(table: BlankTable, owner: Mapping[str, Block], marks: PageMarks) -> Repeat:
    edges = table.edges
    tops, heights = edges[:-1], [bottom - top for top, bottom in pairwise(edges)]
    pitch = (edges[-1] - edges[0]) / len(tops)
    is_even = all(abs(top - edges[0] - row * pitch) <= EVEN_TOLERANCE_PT for row, top in enumerate(tops))
    counts = [_text_in(table.cells[0].box, top, bottom, owner) for top, bottom in pairwise(edges)]
    heads = dict.fromkeys(owner[line.id].id for lines in table.headings for line in lines)
    return Repeat(
        box=table.box,
        tops=tops,
        pitch=pitch if is_even else fmean(heights),
        heights=[] if is_even else heights,
        slots=[Slot(label=table.heading_of(0) or None, blocks=counts)] if any(counts) else [],
        marks=marks_by_row(tops, heights[-1], marks.rules, marks.fills, marks.pictures),
        header=list(heads),
        grid=table.grid.id,
    )


def _text_in(column: Box, top: float, bottom: float, owner: Mapping[str, Block]) -> str | None:
    """Return the id of the block in a row of a column."""
    cell = Box.between(column.x, top, column.right, bottom)
    return next((block.id for block in owner.values() if cell.holds(*block.box.middle)), None)


def find_row_blanks(tables: Sequence[Repeat], grids: Sequence[Grid], blocks: Sequence[Block]) -> list[Blank]:
    """Return the ruled columns of rows in which no row has text, each as a blank in the first row with its heading."""
    by_id = {block.id: block for block in blocks}
    found = list[Blank]()
    for table in tables:
        heads = [by_id[name] for name in table.header if name in by_id]
        bottom = table.tops[0] + (table.heights[0] if table.heights else table.pitch)
        for cell in (cell.box for grid in grids for cell in grid.cells):
            is_in_row = cell.y >= table.tops[0] - EDGE_TOLERANCE_PT and cell.bottom <= bottom + EDGE_TOLERANCE_PT
            column = Box.between(cell.x, table.tops[0], cell.right, table.box.bottom)
            if not is_in_row or any(column.holds(*block.box.middle) for block in blocks):
                continue
            over = [head for head in heads if cell.x <= head.box.middle[0] <= cell.right]
            if over:
                found.append(_blank(f"column{len(found) + 1}", over, cell))
    return found


def _blank(name: str, heads: Sequence[Block], cell: Box) -> Blank:
    label = " ".join(" ".join(head.text.split()) for head in sorted(heads, key=lambda head: head.box.y))
    style = max(heads, key=lambda head: head.box.y).style
    return Blank(id=name, label=label.rstrip(":："), box=cell, style=style.model_copy(update={"bold": False}))
