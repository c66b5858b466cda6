"""The box of an element in its band, and how two of them lie to each other."""

from __future__ import annotations

from typing import NamedTuple


class ElementBox(NamedTuple):
    """The box of an element in points, relative to its band, even inside frames."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def center_x(self) -> float:
        return (self.left + self.right) / 2

    def moved(self, x: int = 0, y: int = 0) -> ElementBox:
        """Return the box moved by `x` to the right and `y` down."""
        return ElementBox(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def overlap_x(self, other: ElementBox) -> int:
        """Return the width that two boxes share; negative if they are apart, by how much."""
        return min(self.right, other.right) - max(self.left, other.left)

    def overlap_y(self, other: ElementBox) -> int:
        """Return the height that two boxes share; negative if they are apart, by how much."""
        return min(self.bottom, other.bottom) - max(self.top, other.top)

    def shares_width(self, other: ElementBox) -> bool:
        """Return whether two boxes share more than half of the narrower one's width, as a header and its column do."""
        return 2 * self.overlap_x(other) > max(1, min(self.width, other.width))

    def on_same_line(self, other: ElementBox) -> bool:
        """Return whether two boxes are on one line: they share half of the lower one's height."""
        return 2 * self.overlap_y(other) >= max(1, min(self.height, other.height))
