"""Find the rows of a document that is a template itself: what its loops repeat, and placeholders below headings.

Such rows are printed once, with the placeholders as their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Grid, Repeat, Slot
from bandsmith.shared.template_markers import has_placeholder, is_template, text_parts

from ..page_marks import PageMarks
from .blocks import make_blocks
from .headers import find_header, named_slots
from .repeats import marks_by_row
from .rows import RowCandidate, SlotCandidate
from .text_classifier import is_figure

MIN_COLUMNS = 3
"""Two placeholders beside each other are as soon values of a form."""
EDGE_TOLERANCE_PT = 2.0
LINE_HEIGHT = 1.15
"""Height of a line of text, in font sizes."""
_OBJECT = re.compile(r"([^\W\d][\w.]{,80})\.\w")
MAX_WORDING_CHARS = 3
"""Currencies and units may stand beside the placeholder of a row."""


def template_rows(blocks: Sequence[Block], marks: PageMarks) -> list[Repeat]:
    """Return the rows of a template, from top to bottom; none for other documents."""
    if not marks.loops and not is_template(line.text for line in marks.lines):
        return []
    areas = [_in_grid(area, marks.grids) for area in marks.loops]
    if not areas:
        areas = [
            area
            for area in _placeholder_rows(blocks)
            if _header_of(area, blocks, marks.grids) or _print_one_object(_inside(area, blocks))
        ]
    found = [_rows_of(area, blocks, marks) for area in areas]
    return sorted((rows for rows in found if rows is not None), key=lambda rows: rows.box.y)


def blocks_by_loop(marks: PageMarks) -> list[Block]:
    """Return the blocks of a page, none of which reaches out of a loop."""
    waiting, blocks = list(marks.lines), list[Block]()
    for area in marks.loops:
        inside = [line for line in waiting if area.holds(*line.box.middle)]
        blocks += make_blocks(inside, marks.grids, marks.fills)
        waiting = [line for line in waiting if line not in inside]
    blocks += make_blocks(waiting, marks.grids, marks.fills)
    return sorted(blocks, key=lambda block: (round(block.box.middle[1] / 3), block.box.x))


def _in_grid(area: Box, grids: Sequence[Grid]) -> Box:
    """Return an area with its top and bottom on the edges of the ruled rows that it holds."""
    edges = [y for grid in grids if grid.box.overlap(area) > 0 for y in grid.rows]
    top, bottom = (
        min((y for y in edges if abs(y - end) <= EDGE_TOLERANCE_PT), key=lambda y: abs(y - end), default=end)
        for end in (area.y, area.bottom)
    )
    return Box.between(area.x, top, area.right, bottom)


def _placeholder_rows(blocks: Sequence[Block]) -> Iterator[Box]:
    """Yield the areas of text rows in which nearly all texts are placeholders."""
    waiting = sorted((block for block in blocks if _is_placeholder(block.text)), key=lambda block: block.box.y)
    while waiting:
        first = waiting[0]
        row = [block for block in waiting if abs(block.box.middle[1] - first.box.middle[1]) < first.style.size / 2]
        waiting = [block for block in waiting if block not in row]
        area = Box.around(block.room or _line_area(block) for block in row)
        beside = [block for block in blocks if area.y <= block.box.middle[1] <= area.bottom and block not in row]
        if len(row) >= MIN_COLUMNS and _may_repeat(row, beside):
            yield Box.around([area, *(block.room or _line_area(block) for block in beside)])


def _may_repeat(row: Sequence[Block], beside: Sequence[Block]) -> bool:
    """Whether placeholders and what stands beside them may be a row: figures, currencies, and at its start an item."""
    wording = [b for b in beside if not (is_figure(b.text) or _is_placeholder(b.text) or is_currency(b.text))]
    return len(wording) <= 1 and all(block.box.right < min(one.box.x for one in row) for block in wording)


def _line_area(block: Block) -> Box:
    """Return a text's box, as high as its typeface needs for its lines rather than as its ink."""
    missing = max(0.0, LINE_HEIGHT * block.style.size * len(block.lines) - block.box.height)
    return Box.between(block.box.x, block.box.y - missing / 2, block.box.right, block.box.bottom + missing / 2)


def _is_placeholder(text: str) -> bool:
    """Whether a text is placeholders and nothing else, apart from a currency or a unit."""
    wording = "".join(part.text for part in text_parts(text) if not part.name).strip()
    return has_placeholder(text) and len(wording) <= MAX_WORDING_CHARS


def _print_one_object(blocks: Sequence[Block]) -> bool:
    """Whether all placeholders are parts of one thing: ``${item.name}`` beside ``${item.price}``."""
    parts = [part.text for block in blocks for part in text_parts(block.text) if part.name]
    objects = {match[1] if (match := _OBJECT.search(part)) else "" for part in parts}
    return len(objects) == 1 and "" not in objects


def _inside(area: Box, blocks: Sequence[Block]) -> list[Block]:
    found = [block for block in blocks if area.y <= block.box.middle[1] < area.bottom]
    found = [block for block in found if area.x - 1 <= block.box.middle[0] <= area.right + 1]
    return sorted(found, key=lambda block: (round(block.box.middle[1] / 3), block.box.x))


def _candidate(area: Box, blocks: Sequence[Block]) -> RowCandidate:
    slots = [SlotCandidate({0: block}) for block in _inside(area, blocks)]
    return RowCandidate([area.y], area.height, slots)


def _header_of(area: Box, blocks: Sequence[Block], grids: Sequence[Grid]) -> list[Block]:
    """Return the headings above a row of a table; none above paragraphs."""
    rows = _candidate(area, blocks)
    ruled = any(abs(edge - area.y) <= EDGE_TOLERANCE_PT for grid in grids for edge in grid.rows[1:])
    beside = sum(slot.first.box.y < rows.slots[0].first.box.bottom for slot in rows.slots)
    if not ruled and beside < 2:
        return []
    found = [block for block in find_header(rows, list(blocks), area.y) if not has_placeholder(block.text)]
    return found if ruled or len(found) > 1 else []


def _rows_of(area: Box, blocks: Sequence[Block], marks: PageMarks) -> Repeat | None:
    rows = _candidate(area, blocks)
    if not any(has_placeholder(slot.first.text) for slot in rows.slots):
        return None
    header = _header_of(area, blocks, marks.grids)
    grid = next((one.id for one in marks.grids if one.box.holds(*area.middle)), None)
    return Repeat(
        box=Box.around([area, *(slot.first.box for slot in rows.slots)]),
        tops=[area.y],
        pitch=area.height,
        slots=[_slot(slot, rows.slots, header, has_loops=bool(marks.loops)) for slot in rows.slots],
        marks=marks_by_row([area.y], area.height, marks.rules, marks.fills, marks.pictures),
        header=[block.id for block in header],
        grid=grid,
    )


def _slot(slot: SlotCandidate, slots: list[SlotCandidate], header: Sequence[Block], *, has_loops: bool) -> Slot:
    """Return a slot, named by its heading or by its placeholder.

    Wording in a loop is printed in each row; without loops, that below a heading is an example of a value.
    """
    block = slot.first
    heads = [head for head in header if any(one is slot for one in named_slots(head, slots))]
    label = " ".join(" ".join(head.text.split()) for head in sorted(heads, key=lambda head: head.box.y))
    names = [part.name for part in text_parts(block.text) if part.name]
    is_example = bool(label) and not has_loops and not is_currency(block.text)
    is_value = bool(names) or is_figure(block.text) or is_example
    return Slot(label=label or (names[0] if names else None), blocks=[block.id], role="value" if is_value else "fixed")
