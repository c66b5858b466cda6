"""Find headings side by side that name what is below each: in a table of one row, or above boxes to fill in."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from bandsmith.shared.model.layout import Block

from .label_distances import ALIGNMENT_TOLERANCE_PT, MAX_DROP, is_right_below
from .text_classifier import is_company, is_label, is_organisation, is_person, split_prefix, text_kind

MIN_HEADINGS = 3
"""Fewer headings side by side are a label and its value."""
LONG_ROW, MIN_LABELS_IN_LONG_ROW = 8, 0.33
"""Of so many wordings side by side this share has to be labels, where several of these are adjacent."""
MAX_LINE_STEP = 1.4
"""Distance between the lines of one heading, in font sizes, at most."""


def find_headings(blocks: list[Block], header: Collection[str]) -> set[str]:
    """Return the ids of headings among blocks outside rows; `header` are the headings of repeated rows."""
    found: set[str] = set()
    for block in blocks:
        if block.id in found:
            continue
        row = sorted((b for b in blocks if _is_same_line(b, block)), key=lambda b: b.box.x)
        if len(row) < MIN_HEADINGS or not _side_by_side(row):
            continue
        if _each_over_a_value(row, blocks):
            found |= {b.id for b in row}
        if not all(_is_wording(b) for b in row):
            continue
        if any(b.id in header for b in row) or _is_mostly_labels(row) or _stands_over_values(row, blocks):
            found |= {b.id for b in row}
            if len(row) >= LONG_ROW:
                found |= _wrapped(row, blocks)
    return found


def _wrapped(row: list[Block], blocks: list[Block]) -> set[str]:
    """Return the further lines of the headings in a long row: wording that follows one at the distance of lines."""
    found = set[str]()
    above = row
    while above := [b for b in blocks if b.id not in found and any(_wraps(b, one) for one in above)]:
        found |= {b.id for b in above}
    return found


def _wraps(block: Block, above: Block) -> bool:
    step, size = block.box.y - above.box.y, above.style.size
    is_next = 0 < step <= MAX_LINE_STEP * size and _is_aligned(above, block)
    return is_next and block.style == above.style and text_kind(block.text) == "text"


def distance_below(heading: Block, block: Block) -> float | None:
    """Return the distance of a heading from the block below that it names; None if it does not name it."""
    gap = block.box.y - heading.box.bottom
    if heading.room and block.room:
        next_cell = abs(block.room.y - heading.room.bottom) <= 2 and heading.room.holds(
            block.room.middle[0], heading.room.middle[1]
        )
        return max(gap, 0.0) if next_cell else None
    return gap if _is_aligned(heading, block) and -1 <= gap < MAX_DROP * heading.style.size else None


def _is_same_line(one: Block, other: Block) -> bool:
    a, b = one.room or one.box, other.room or other.box
    return min(a.bottom, b.bottom) - max(a.y, b.y) > 0.5 * min(a.height, b.height)


def _side_by_side(row: list[Block]) -> bool:
    return all(left.box.right <= right.box.x + 1 for left, right in pairwise(row))


def _is_wording(block: Block) -> bool:
    text = block.text
    if text_kind(text) != "text" or text.rstrip().endswith((":", "：")) or split_prefix(text)[0]:
        return False
    return is_label(text) or not (is_person(text) or is_organisation(text))


def _is_mostly_labels(row: list[Block]) -> bool:
    """Whether most are labels and two labels are adjacent, so that they are not labels beside their values."""
    labels = [is_label(b.text) and not is_company(b.text) for b in row]
    adjacent = sum(one and other for one, other in pairwise(labels))
    share = MIN_LABELS_IN_LONG_ROW if len(row) >= LONG_ROW and adjacent > 1 else 0.5
    return sum(labels) > share * len(row) and adjacent > 0


def _stands_over_values(row: list[Block], blocks: list[Block]) -> bool:
    """Whether most have a value below, whatever the language of the wording."""
    below = [next((b for b in blocks if distance_below(heading, b) is not None), None) for heading in row]
    values = sum(b is not None and text_kind(b.text) != "text" for b in below)
    return values >= max(MIN_HEADINGS, 0.6 * len(row))


def _each_over_a_value(row: list[Block], blocks: list[Block]) -> bool:
    """Whether each text of a line stands right over one of the next line: labels, most by their words, over values.

    Half of them are enough if all are bold, and no value is.
    Labels beside their values have other labels below them, and no style in common with these.
    """
    first = row[0].style
    is_alike = all((b.style.bold, b.style.size) == (first.bold, first.size) for b in row)
    worded = sum(is_label(b.text) for b in row)
    if (
        not is_alike
        or worded < 0.5 * len(row)
        or not all(text_kind(b.text) == "text" and not split_prefix(b.text)[0] for b in row)
    ):
        return False
    below = [next((b for b in blocks if is_right_below(b, heading)), None) for heading in row]
    values = [b for b in below if b is not None]
    stand_out = first.bold and not any(b.style.bold for b in values)
    if worded == 0.5 * len(row) and not stand_out:
        return False
    if len(values) < len(row) or any(is_label(b.text) or b.style.bold > first.bold for b in values):
        return False
    line = [b for b in blocks if _is_same_line(b, values[0])]
    return len(line) == len(row) and any(text_kind(b.text) != "text" for b in values)


def _is_aligned(one: Block, other: Block) -> bool:
    a, b = one.box, other.box
    return min(abs(a.x - b.x), abs(a.middle[0] - b.middle[0]), abs(a.right - b.right)) < ALIGNMENT_TOLERANCE_PT
