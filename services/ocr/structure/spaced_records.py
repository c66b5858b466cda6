"""Tell a record that stands far below the one above from what follows a table: its texts stand below those above."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

MIN_TEXTS = 3
"""Texts of a record at least: two stand below two others by chance."""
MAX_GAP_PT = 48.0
"""Largest gap between two records."""
TOLERANCE_PT = 1.5
"""Difference in left edge, right edge or middle up to which two texts stand below each other."""


def repeats_record(above: Sequence[TextLine], row: Sequence[TextLine], gap: float) -> bool:
    """Whether each text of two text rows has one of the other above or below it; the one with more may have others."""
    fewer, more = sorted((above, row), key=len)
    if len(fewer) < MIN_TEXTS or gap > MAX_GAP_PT or above[0].style.bold != row[0].style.bold:
        return False
    return all(any(_are_aligned(line.box, other.box) for other in more) for line in fewer)


def _are_aligned(one: Box, other: Box) -> bool:
    edges = (one.x - other.x, one.right - other.right, one.middle[0] - other.middle[0])
    return min(map(abs, edges)) <= TOLERANCE_PT
