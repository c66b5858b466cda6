"""Make rows of blank tables, and fields of the columns in which no row has text.

A table without a filled row repeats nothing, but its heading and its ruled empty rows say what it is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from bandsmith.shared.blank_tables import BlankTable, find_blank_tables
from bandsmith.shared.jrxml.text_styles import lightness
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Grid, Repeat, Slot

from ..page_marks import PageMarks
from .repeats import marks_by_row
from .table_choice import EVEN_TOLERANCE_PT
from .text_classifier import is_label, names_row_value

EDGE_TOLERANCE_PT = 2.0
"""A cell in a row ends this near to the row's ends."""
LEVEL_TOLERANCE_PT = 4.0
"""Difference in height up to which headings stand on one line."""
MIN_LIGHTNESS = 0.63
"""Lightness of the colour of headings that stand on a bar."""
MIN_HEADINGS = 3
"""Headings of a table, at least, of which one may have no text below it."""


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
    columns = [[_text_in(cell.box, top, bottom, owner) for top, bottom in pairwise(edges)] for cell in table.cells]
    heads = dict.fromkeys(owner[line.id].id for lines in table.headings for line in lines)
    return Repeat(
        box=table.box,
        tops=tops,
        pitch=pitch if is_even else fmean(heights),
        heights=[] if is_even else heights,
        slots=[
            Slot(label=table.heading_of(number) or None, blocks=blocks)
            for number, blocks in enumerate(columns)
            if any(blocks)
        ],
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
        bottom = table.tops[0] + _first_height(table)
        for cell in (cell.box for grid in grids for cell in grid.cells):
            is_in_row = cell.y >= table.tops[0] - EDGE_TOLERANCE_PT and cell.bottom <= bottom + EDGE_TOLERANCE_PT
            column = Box.between(cell.x, table.tops[0], cell.right, table.box.bottom)
            if not is_in_row or any(column.holds(*block.box.middle) for block in blocks):
                continue
            over = [head for head in heads if cell.x <= head.box.middle[0] <= cell.right]
            if over:
                found.append(_blank(f"column{len(found) + 1}", over, cell, _first_value(table, by_id)))
    return found


def find_heading_blanks(
    tables: Sequence[Repeat], grids: Sequence[Grid], blocks: Sequence[Block], *, are_certain: bool = False
) -> list[Blank]:
    """Return the columns that only a heading shows, since no row has text below it, each as a blank in the first row.

    Their cells, if they have any, are as high as the whole table, so that rules do not tell where a row ends. Where the
    headings of the tables `are_certain`, each heads a column, whatever its words.
    """
    by_id = {block.id: block for block in blocks}
    found = list[Blank]()
    for table in tables:
        header = [by_id[name] for name in table.header if name in by_id]
        line = sorted(header, key=lambda head: head.box.x) if are_certain else _header_line(header, blocks)
        heads = [head for head in line if not any(_is_stacked(head, upper) for upper in line)]
        in_rows = [by_id[name].box for slot in table.slots for name in slot.blocks if name in by_id]
        named = {slot.label for slot in table.slots}
        if not in_rows or (len(heads) < MIN_HEADINGS and not are_certain) or _overlap_across(heads):
            continue
        for number, head in enumerate(heads):
            if head.text in named or not (are_certain or names_row_value(head.text) or is_label(head.text)):
                continue
            column = _column(number, heads, in_rows, grids, are_certain)
            if not any(box.right > column.x and box.x < column.right for box in in_rows):
                box = Box.between(column.x, table.tops[0], column.right, table.tops[0] + _first_height(table))
                found.append(_blank(f"heading{len(found) + 1}", [head], box, _first_value(table, by_id)))
    return found


def _header_line(header: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks that stand on a line with the headings of rows, from left to right."""
    middles = [head.box.middle[1] for head in header]
    level = (b for b in blocks if any(abs(b.box.middle[1] - y) < LEVEL_TOLERANCE_PT for y in middles))
    return sorted(level, key=lambda block: block.box.x)


def _is_stacked(head: Block, upper: Block) -> bool:
    """Whether a text is the second line of a heading, as its unit is: below the first, about the same middle."""
    is_below = head.box.y >= upper.box.bottom - 1
    return is_below and abs(head.box.middle[0] - upper.box.middle[0]) <= LEVEL_TOLERANCE_PT


def _first_height(table: Repeat) -> float:
    return table.heights[0] if table.heights else table.pitch


def _overlap_across(heads: Sequence[Block]) -> bool:
    """Whether headings stand above each other, so that some of them name several columns."""
    return any(one.box.right > other.box.x for one, other in pairwise(heads))


def _column(
    number: int, heads: Sequence[Block], in_rows: Sequence[Box], grids: Sequence[Grid], is_certain: bool
) -> Box:
    """Return the place of a heading's column: its ruled cell, else what the headings and texts beside it leave.

    Where it `is_certain` that the column is empty, a text of the next one may reach below its heading.
    """
    head = heads[number].box
    cells = [cell.box for grid in grids for cell in grid.cells if cell.box.holds(*head.middle)]
    own = min(cells, key=lambda cell: cell.area, default=None)
    if own is not None and sum(own.holds(*other.box.middle) for other in heads) == 1:
        return own
    before = [(heads[number - 1].box.right + head.x) / 2] if number else [head.x]
    after = [(heads[number + 1].box.x + head.right) / 2] if number + 1 < len(heads) else [head.right]
    ends = (head.middle[0], head.middle[0]) if is_certain else (head.x, head.right)
    left = max([*before, *(box.right + 1 for box in in_rows if box.middle[0] < head.x and box.right < ends[0])])
    right = min([*after, *(box.x - 1 for box in in_rows if box.middle[0] > head.right and box.x > ends[1])])
    return Box.between(left, head.y, right, head.bottom)


def _first_value(table: Repeat, by_id: Mapping[str, Block]) -> Block | None:
    """Return the first text in the rows of a table; None where none is filled in."""
    return next((by_id[name] for slot in table.slots for name in slot.blocks if name and name in by_id), None)


def _blank(name: str, heads: Sequence[Block], cell: Box, value: Block | None) -> Blank:
    """Return a blank below headings. It looks like the `value` beside it, else like them, but dark and not bold."""
    label = " ".join(" ".join(head.text.split()) for head in sorted(heads, key=lambda head: head.box.y))
    style = (value or max(heads, key=lambda head: head.box.y)).style
    if value is None and lightness(style.colour) >= MIN_LIGHTNESS:
        style = style.model_copy(update={"colour": "#000000"})
    return Blank(id=name, label=label.rstrip(":："), box=cell, style=style.model_copy(update={"bold": False}))
