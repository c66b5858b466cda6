"""Text beside a drawing of a DOCX: how far its lines keep away from it, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bandsmith.shared.model.geometry import Box

_DISTANCE_PT = 9.0
"""Distance between a drawing and the text beside it: Word's default."""
_MAX_SHARE = 0.7
"""A drawing that takes a larger share of the column has no text beside it."""
_START_TOLERANCE_PT = 6.0
"""A drawing that begins further down leaves room for text above it."""


class Beside(NamedTuple):
    """A drawing that the text from here on runs beside."""

    left: float = 0.0
    right: float = 0.0
    """Room that the drawing takes at the sides of the column, in points."""
    top: float = 0.0
    bottom: float = 0.0
    """Where it begins and ends, downwards from here."""
    is_whole: bool = False
    """Whether it takes the whole column, so that text stands above or below it."""

    @classmethod
    def of(cls, drawing: Box, width: float) -> Beside:
        """Return the room that a drawing takes of a column of `width` points."""
        is_left = drawing.middle[0] < width / 2
        taken = (drawing.right if is_left else width - drawing.x) + _DISTANCE_PT
        if taken <= 0 or drawing.bottom <= 0:
            return cls()
        taken = taken if taken <= _MAX_SHARE * width else width
        left, right = (taken, 0.0) if is_left else (0.0, taken)
        return cls(left, right, drawing.y, drawing.bottom, is_whole=taken == width)

    def is_in_the_way(self, height: float, needed: float, width: float) -> bool:
        """Whether a part of a height cannot stand here; `needed` is the width of a table, 0 for text."""
        overlaps = self.top < height and self.bottom > 0
        return overlaps and (self.is_whole or needed > width - self.left - self.right)

    def after(self, height: float) -> Beside:
        """Return the same as seen `height` points further down."""
        return self._replace(top=self.top - height, bottom=self.bottom - height)


def margins_of(drawings: Sequence[Beside]) -> tuple[float, float]:
    """Return the room at the left and at the right that the next lines keep free."""
    here = [one for one in drawings if one.top <= _START_TOLERANCE_PT < one.bottom and not one.is_whole]
    return max((one.left for one in here), default=0.0), max((one.right for one in here), default=0.0)


def gap_before(drawings: Sequence[Beside], height: float, needed: float, width: float) -> float:
    """Return how far down a part of a height begins; `needed` is the width of a table, 0 for text."""
    gap = 0.0
    for one in sorted(drawings, key=lambda one: one.top):
        if one.after(gap).is_in_the_way(height, needed, width):
            gap = one.bottom
    return gap
