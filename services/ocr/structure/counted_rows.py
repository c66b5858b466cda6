"""Find a blank list by the numbers that count its rows, where no rules show its other columns.

Numbers from 1 on, evenly below each other under a line of headings with nothing beside them, are rows to fill in. The
headings name what rows of business documents hold, or a line to write on runs between every two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Repeat, RulingLine, Slot

from ..page_marks import PageMarks
from .repeats import marks_by_row
from .text_classifier import names_row_value

MIN_ROWS, MIN_HEADINGS = 5, 3
MIN_KNOWN_HEADINGS = 2
"""Headings that name what rows of business documents hold, beside that of the numbers."""
COLUMN_TOLERANCE_PT = 4.0
"""Numbers of one column have their middles this near to one vertical line."""
MAX_PITCH_RATIO = 1.2
"""Distance of two rows, in the least distance of rows."""
MAX_HEADING_DISTANCE = 2.0
"""Distance of the headings above the first number, in distances of rows."""


def counted_rows(blocks: Sequence[Block], marks: PageMarks) -> Repeat | None:
    """Return the rows of the first blank list whose rows are counted; None without one."""
    for numbers in _counts(blocks):
        pitch = fmean(lower.box.middle[1] - upper.box.middle[1] for upper, lower in pairwise(numbers))
        heads = _headings(numbers[0], blocks, pitch)
        known = sum(names_row_value(head.text) for head in heads[1:])
        if len(heads) < MIN_HEADINGS or not (known >= MIN_KNOWN_HEADINGS or _are_lined(numbers, heads, marks.rules)):
            continue
        top = numbers[0].box.middle[1] - pitch / 2
        left, right = min(block.box.x for block in [*heads, *numbers]), max(head.box.right for head in heads)
        area = Box.between(left, top, right, top + pitch * len(numbers))
        if all(block in numbers or not area.holds(*block.box.middle) for block in blocks):
            return _rows_of(numbers, heads, area, pitch, marks)
    return None


def _are_lined(numbers: Sequence[Block], heads: Sequence[Block], rules: Sequence[RulingLine]) -> bool:
    """Whether a rule below all headings divides every two numbers."""
    left, right = numbers[0].box.right, heads[-1].box.right
    lines = [rule.y1 for rule in rules if rule.horizontal and rule.x1 <= left and rule.x2 >= right]
    return all(any(upper.box.middle[1] < y < lower.box.middle[1] for y in lines) for upper, lower in pairwise(numbers))


def _rows_of(numbers: Sequence[Block], heads: Sequence[Block], area: Box, pitch: float, marks: PageMarks) -> Repeat:
    tops = [area.y + pitch * row for row in range(len(numbers))]
    return Repeat(
        box=area,
        tops=tops,
        pitch=pitch,
        slots=[Slot(label=heads[0].text, blocks=[block.id for block in numbers])],
        marks=marks_by_row(tops, pitch, marks.rules, marks.fills, marks.pictures),
        header=[head.id for head in heads],
    )


def _counts(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the numbers from 1 on that stand evenly below each other."""
    by_text: dict[str, list[Block]] = {}
    for block in blocks:
        by_text.setdefault(block.text.strip(), []).append(block)
    for first in by_text.get("1", []):
        found = [first]
        while (below := _below(found[-1], by_text.get(str(len(found) + 1), []))) is not None:
            found.append(below)
        steps = [lower.box.middle[1] - upper.box.middle[1] for upper, lower in pairwise(found)]
        if len(found) >= MIN_ROWS and max(steps) <= MAX_PITCH_RATIO * min(steps):
            yield found


def _below(block: Block, others: Sequence[Block]) -> Block | None:
    x, y = block.box.middle
    column = [one for one in others if abs(one.box.middle[0] - x) <= COLUMN_TOLERANCE_PT and one.box.y > y]
    return min(column, key=lambda one: one.box.y, default=None)


def _headings(first: Block, blocks: Sequence[Block], pitch: float) -> list[Block]:
    """Return the line of headings above the first number, from that of the numbers to the right; none without one."""
    x, y = first.box.middle
    over = [
        b for b in blocks if b.box.x <= x <= b.box.right and 0 < y - b.box.middle[1] <= MAX_HEADING_DISTANCE * pitch
    ]
    own = max(over, key=lambda block: block.box.y, default=None)
    if own is None:
        return []
    level = [b for b in blocks if b.box.x >= own.box.x and abs(b.box.middle[1] - own.box.middle[1]) < pitch / 2]
    return sorted(level, key=lambda block: block.box.x)
