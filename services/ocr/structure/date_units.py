"""Find the blanks of a date to fill in: 年, 月 and 日 on one line, each with the place for its number before it."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, TextLine

from ..page_marks import PageMarks

UNITS = "年月日"
MIN_BLANK = 1.0
"""Width of the place for a number, in font sizes, at least."""
MAX_BLANK = 8.0
"""Width of the place before the first unit, in font sizes, where nothing stands to its left."""
LINE_HEIGHT = 1.4
"""Height of the place for a number, in font sizes."""


def with_date_units(marks: PageMarks) -> PageMarks:
    """Return the marks with the units of a date as a line each, where they were read as one text with wide gaps."""
    lines = [part for line in marks.lines for part in _parts(line)]
    return marks if len(lines) == len(marks.lines) else marks.with_lines(lines)


def _parts(line: TextLine) -> list[TextLine]:
    text, size = line.text.strip(), line.style.size
    units = "".join(text.split())
    if len(units) < 2 or units not in UNITS or line.box.width < (2 * len(units) - 1) * size:
        return [line]
    places = [text.index(unit) / (len(text) - 1) for unit in units]
    return [
        line.model_copy(update={
            "id": f"{line.id}-{number}" if number else line.id,
            "text": unit,
            "box": line.box.model_copy(update={"x": line.box.x + place * (line.box.width - size), "width": size}),
        })
        for number, (unit, place) in enumerate(zip(units, places, strict=True))
    ]  # fmt: skip


def find_date_units(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks that are units of a date with nothing before them, from left to right in each line.

    One that has a ruled cell for itself is a heading.
    """
    free = [block for block in blocks if block.text.strip() in UNITS and block.room is None]
    units = sorted(free, key=lambda block: block.box.x)
    found = []
    for unit in units:
        level = [one for one in units if one is not unit and _is_level(one, unit)]
        texts = "".join(one.text.strip() for one in sorted([*level, unit], key=lambda one: one.box.x))
        if level and texts in UNITS and _place_before(unit, blocks) is not None:
            found.append(unit)
    return found


def date_blanks(blocks: Sequence[Block]) -> list[Blank]:
    """Return the place for a number before each unit of a date, named by the unit."""
    return [
        Blank(
            id=f"date{number}", label=unit.text.strip(), box=place, style=unit.style.model_copy(update={"bold": False})
        )
        for number, unit in enumerate(find_date_units(blocks), 1)
        if (place := _place_before(unit, blocks)) is not None
    ]


def _place_before(unit: Block, blocks: Sequence[Block]) -> Box | None:
    """Return the free place to the left of a unit; None where it is too narrow for a number."""
    size = unit.style.size
    left = [one.box.right for one in blocks if one is not unit and one.box.right <= unit.box.x and _is_level(one, unit)]
    start = max([*left, unit.box.x - MAX_BLANK * size])
    if unit.box.x - start < MIN_BLANK * size:
        return None
    bottom = unit.box.bottom
    return Box.between(start + 1, bottom - LINE_HEIGHT * size, unit.box.x - 1, bottom)


def _is_level(one: Block, other: Block) -> bool:
    return abs(one.box.middle[1] - other.box.middle[1]) < 0.5 * max(one.style.size, other.style.size)
