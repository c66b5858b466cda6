"""What a model is shown of a form: a line for each mark and each place to fill in, and the page with their numbers."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from PIL import Image, ImageDraw

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import (
    Blank,
    Block,
    Fill,
    Grid,
    Layout,
    Picture,
    Repeat,
    RulingLine,
    TextLine,
    TickBox,
)
from bandsmith.shared.template_markers import is_template

MAX_MARKS = 500
"""Texts and pictures of a page that a model is asked about; one with more is left to the rules.

Strokes, areas and boxes are shown where there are no more than that together."""
MAX_TEXT_CHARS = 200
MAX_BLANKS = 100
MAX_EDGE_PX = 1600
"""Longer edge of the page as a model sees it, in pixels: larger ones are made smaller by most servers."""
MARK_COLOUR = "#D0021B"
SIDE_TOLERANCE_PT = 3.0
"""How far a rule may be from the side of a cell that it draws."""

Mark = TextLine | Picture | TickBox | RulingLine | Fill
Marks = Mapping[str, Mark]
"""The texts, pictures and loose marks of a page by number."""


class ShownPage(NamedTuple):
    """What a model is shown of a page, by which its answer is checked."""

    layout: Layout
    marks: Marks
    form: Image.Image | None
    """The page in grey, for a model that sees pictures."""

    @property
    def blanks(self) -> dict[str, Blank]:
        """The places to fill in, by number."""
        return {f"b{number}": blank for number, blank in enumerate(self.layout.blanks[:MAX_BLANKS], 1)}


def is_asked_about(layout: Layout) -> bool:
    """Whether a model may read the page: what a template repeats, if it does, and a table over pages, are certain."""
    repeats = bool(layout.row_sets) and is_template(line.text for line in layout.lines)
    is_certain = layout.joined is not None or repeats
    return not is_certain and len(layout.lines) > 0 and len(layout.lines) + len(layout.pictures) <= MAX_MARKS


def marks_of(layout: Layout) -> Marks:
    found: list[Mark] = [*layout.lines, *layout.pictures]
    loose: list[Mark] = [*layout.tick_boxes, *(rule for rule in layout.rules if not _draws_cell(rule, layout.grids))]
    loose += layout.fills
    found += loose if len(found) + len(loose) <= MAX_MARKS else []
    return {str(number): mark for number, mark in enumerate(found, 1)}


def _draws_cell(rule: RulingLine, grids: Iterable[Grid]) -> bool:
    """Whether a rule of a grid draws a whole side of a cell; a stroke in a cell does not."""
    cells = [cell.box for grid in grids if rule.id in grid.rules for cell in grid.cells]
    return any(_is_along(rule.box, cell) for cell in cells)


def _is_along(rule: Box, cell: Box) -> bool:
    x, y = rule.middle
    is_wide = rule.x <= cell.x + SIDE_TOLERANCE_PT and rule.right >= cell.right - SIDE_TOLERANCE_PT
    is_high = rule.y <= cell.y + SIDE_TOLERANCE_PT and rule.bottom >= cell.bottom - SIDE_TOLERANCE_PT
    is_level = min(abs(cell.y - y), abs(cell.bottom - y)) <= SIDE_TOLERANCE_PT
    return (is_wide and is_level) or (is_high and min(abs(cell.x - x), abs(cell.right - x)) <= SIDE_TOLERANCE_PT)


# --- what the model is shown -----------------------------------------------------------------------------------------


def described(page: ShownPage) -> Iterator[str]:
    """Yield a line for each mark and each place to fill in: number, place, what it says, what it was taken for."""
    layout = page.layout
    owners = {line: block for block in layout.blocks for line in block.lines}
    in_rows = dict(_places_in_rows(layout))
    for number, mark in page.marks.items():
        place = _place(mark.box)
        if not isinstance(mark, TextLine):
            yield f"{number} [{place}] ({_kind(mark)})"
            continue
        block = owners.get(mark.id)
        taken_for = (block and in_rows.get(block.id)) or _role(block)
        yield f"{number} [{place}] {mark.text[:MAX_TEXT_CHARS]} | {taken_for}"
    for number, blank in page.blanks.items():
        yield f'{number} [{_place(blank.box)}] (place to fill in: "{blank.label[:MAX_TEXT_CHARS]}")'
    for rows in layout.tables:
        if not any(block for slot in rows.slots for block in slot.blocks):
            yield f"- [{_place(rows.box)}] ({rows.rows} rows to fill in)"


def _place(box: Box) -> str:
    return ",".join(f"{edge:.0f}" for edge in (box.x, box.y, box.right, box.bottom))


def _kind(mark: Picture | TickBox | RulingLine | Fill) -> str:
    if isinstance(mark, Picture):
        return mark.kind
    if isinstance(mark, TickBox):
        return f'box to tick: "{mark.label}"' if mark.label else "box to tick"
    return "line" if isinstance(mark, RulingLine) else "area"


def _role(block: Block | None) -> str:
    if block is None or block.role == "fixed":
        return "wording"
    return f'value of "{block.label}"' if block.label else "value"


def _places_in_rows(layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the blocks of all tables, each with its place in words."""
    tables: list[Repeat] = [*([layout.repeat] if layout.repeat else []), *layout.further]
    for number, table in enumerate(tables, 1):
        which = f"table {number}, " if number > 1 else ""
        yield from ((block, f"{which}heading") for block in table.header)
        for column, slot in enumerate(table.slots, 1):
            for row, block in enumerate(slot.blocks, 1):
                if block:
                    yield block, f"{which}row {row}, column {column}"
        yield from ((b, f"{which}line of a group") for g in table.group_lines for s in g.slots for b in s.blocks if b)


def first_page(form: bytes, layout: Layout) -> bytes:
    """Return page 1 of a form (PNG), which shows its later pages below it."""
    if not layout.later:
        return form
    with Image.open(io.BytesIO(form)) as opened:
        page = opened.crop((0, 0, opened.width, opened.height // (1 + len(layout.later))))
    written = io.BytesIO()
    page.save(written, "PNG")
    return written.getvalue()


def grey(form: bytes) -> Image.Image:
    with Image.open(io.BytesIO(form)) as opened:
        return opened.convert("L")


def marked(form: bytes, layout: Layout, marks: Marks) -> bytes:
    """Return the page (PNG) with the number of each picture at its place; texts are known by what they say."""
    with Image.open(io.BytesIO(form)) as opened:
        page = opened.convert("RGB")
    page.thumbnail((MAX_EDGE_PX, MAX_EDGE_PX))
    scale = page.width / layout.page.width
    pen = ImageDraw.Draw(page)
    for number, mark in marks.items():
        if isinstance(mark, Picture | TickBox):
            left, top = mark.box.x * scale, mark.box.y * scale
            pen.rectangle((left, top, mark.box.right * scale, mark.box.bottom * scale), outline=MARK_COLOUR, width=2)
            pen.text((left + 3, top + 1), str(number), fill=MARK_COLOUR, stroke_width=2, stroke_fill="white")
    written = io.BytesIO()
    page.save(written, "PNG")
    return written.getvalue()
