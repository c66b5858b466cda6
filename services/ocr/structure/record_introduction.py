"""A text between a header and its first record that is about all records, such as ``We charge for May 2025:``."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.layout import TextLine

from .text_classifier import ends_in_colon, is_figure

MAX_OFFSET_PT = 2.0
"""Distance between the left edges of two lines of one text."""


def introduction_rows(rows: Sequence[Sequence[TextLine]]) -> int:
    """Return how many text rows an introduction takes: a row that has a colon, or two lines with one; 0 if none."""
    for count, row in enumerate(rows[:2], 1):
        if not row or any(is_figure(line.text) for line in row):
            return 0
        if count == 2 and not _is_next_line(rows[0], row):
            return 0
        if any(ends_in_colon(line.text) for line in row):
            return count
    return 0


def _is_next_line(above: Sequence[TextLine], below: Sequence[TextLine]) -> bool:
    """Whether a text row is a single line right below another one, in its look."""
    if len(above) != 1 or len(below) != 1:
        return False
    first, second = above[0], below[0]
    is_below = second.box.y - first.box.bottom < first.style.size
    return is_below and abs(second.box.x - first.box.x) < MAX_OFFSET_PT and second.style == first.style
