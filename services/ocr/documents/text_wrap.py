"""Text beside a drawing of a DOCX: how far its lines keep away from it, and for how long."""

from __future__ import annotations

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

    @classmethod
    def of(cls, drawing: Box, width: float) -> Beside:
        """Return the room that a drawing takes of a column of `width` points."""
        is_left = drawing.middle[0] < width / 2
        taken = (drawing.right if is_left else width - drawing.x) + _DISTANCE_PT
        if not 0 < taken <= _MAX_SHARE * width:
            return cls()
        return cls(taken, 0.0, drawing.y, drawing.bottom) if is_left else cls(0.0, taken, drawing.y, drawing.bottom)

    @property
    def margins(self) -> tuple[float, float]:
        """The room at the left and at the right that the next lines keep free."""
        is_here = self.top <= _START_TOLERANCE_PT < self.bottom
        return (self.left, self.right) if is_here else (0.0, 0.0)

    def after(self, height: float) -> Beside:
        """Return the same as seen `height` points further down."""
        return self._replace(top=self.top - height, bottom=self.bottom - height)


NOTHING_BESIDE = Beside()
