"""Headings side by side that name what stands below each of them, in a table of one row or above boxes to fill in."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from bandsmith.shared.model.layout import Block

from .text_classifier import is_label, is_organisation, is_person, shape, split_prefix

LEAST = 3
"""Fewer than so many side by side are a label and its value."""
EDGE = 4.0
"""Texts whose edges or middles are this near, in points, stand in line."""
DROP = 1.6
"""What a heading names is at most so many sizes of its font below it, unless rules say so."""


def find_headings(blocks: list[Block], header: Collection[str]) -> set[str]:
    """The ids of headings among blocks that stand in no row; `header` are those above rows that repeat."""
    found: set[str] = set()
    for block in blocks:
        if block.id in found:
            continue
        row = sorted((b for b in blocks if _level(b, block)), key=lambda b: b.box.x)
        if len(row) < LEAST or not _side_by_side(row) or not all(_is_wording(b) for b in row):
            continue
        if any(b.id in header for b in row) or _says_labels(row) or _stands_over_values(row, blocks):
            found |= {b.id for b in row}
    return found


def drop(heading: Block, block: Block) -> float | None:
    """How far a heading is above the block that it names; None where it does not name it."""
    gap = block.box.y - heading.box.bottom
    if heading.room and block.room:
        next_cell = abs(block.room.y - heading.room.bottom) <= 2 and heading.room.holds(
            block.room.middle[0], heading.room.middle[1]
        )
        return max(gap, 0.0) if next_cell else None
    return gap if _in_line(heading, block) and -1 <= gap < DROP * heading.style.size else None


def _level(one: Block, other: Block) -> bool:
    a, b = one.room or one.box, other.room or other.box
    return min(a.bottom, b.bottom) - max(a.y, b.y) > 0.5 * min(a.height, b.height)


def _side_by_side(row: list[Block]) -> bool:
    return all(left.box.right <= right.box.x + 1 for left, right in pairwise(row))


def _is_wording(block: Block) -> bool:
    text = block.text
    if shape(text) != "text" or text.rstrip().endswith((":", "：")) or split_prefix(text)[0]:
        return False
    return is_label(text) or not (is_person(text) or is_organisation(text))


def _says_labels(row: list[Block]) -> bool:
    """Whether most are what forms print, and some stand next to each other: they are no labels beside values."""
    labels = [is_label(b.text) for b in row]
    return sum(labels) > 0.5 * len(row) and any(one and other for one, other in pairwise(labels))


def _stands_over_values(row: list[Block], blocks: list[Block]) -> bool:
    """Whether most have a value below, whatever the language of the wording."""
    below = [next((b for b in blocks if drop(heading, b) is not None), None) for heading in row]
    values = sum(b is not None and shape(b.text) != "text" for b in below)
    return values >= max(LEAST, 0.6 * len(row))


def _in_line(one: Block, other: Block) -> bool:
    a, b = one.box, other.box
    return min(abs(a.x - b.x), abs(a.middle[0] - b.middle[0]), abs(a.right - b.right)) < EDGE
