"""Free space: how far the field of a value may reach, so that other values than the one on the form fit too."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.model.geometry import Box

from .element_boxes import MIN_SLACK_PT, SLACK
from .text_metrics import TypesetText

LINES_BESIDE = 0.5
"""What stands within this share of a text's height above or below it is beside it, as the next line of a column is."""
EDGE_TOLERANCE_PT = 2.0
"""How far texts that stand side by side may reach into each other."""


def space_around(
    text: Box, others: Iterable[tuple[TypesetText, bool]], taken: Iterable[Box], free: tuple[float, float]
) -> tuple[float, float]:
    """Return the x's between which the field of a text may reach: those of `free`, and no farther than its neighbours.

    A neighbour that is aligned away from the text ends the space where it begins. Of `others`, a value that may grow
    towards the text has half of what is between them, and wording some slack. `taken` are places that are filled in
    later.
    """
    low, high = free
    for other, is_value in others:
        if not _is_beside(text, other.box):
            continue
        slack = max(MIN_SLACK_PT, SLACK * other.box.width)
        if other.box.x >= text.right - EDGE_TOLERANCE_PT:
            edge = _middle(text.right, other.box.x) if is_value else max(text.right, other.box.x - slack)
            high = min(high, other.box.x if other.align == "Left" else edge)
        elif other.box.right <= text.x + EDGE_TOLERANCE_PT:
            edge = _middle(other.box.right, text.x) if is_value else min(text.x, other.box.right + slack)
            low = max(low, other.box.right if other.align == "Right" else edge)
    for box in taken:
        if _is_beside(text, box):
            high = min(high, box.x) if box.x >= text.right - EDGE_TOLERANCE_PT else high
            low = max(low, box.right) if box.right <= text.x + EDGE_TOLERANCE_PT else low
    return low, high


def _is_beside(text: Box, other: Box) -> bool:
    slack = LINES_BESIDE * text.height
    return other.y < text.bottom + slack and other.bottom > text.y - slack


def _middle(left: float, right: float) -> float:
    return (left + right) / 2
