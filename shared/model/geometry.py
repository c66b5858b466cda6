"""Sizes and boxes on a page, in points (1/72 inch), origin top left."""

from __future__ import annotations

from collections.abc import Iterable

from .base import Value


class Size(Value):
    """Width and height of a page, in points."""

    width: float
    height: float


class Box(Value):
    """A rectangle with horizontal and vertical sides."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def between(cls, left: float, top: float, right: float, bottom: float) -> Box:
        return cls(x=left, y=top, width=right - left, height=bottom - top)

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box that contains all of `boxes`, which must not be empty."""
        boxes = list(boxes)
        return cls.between(
            min(b.x for b in boxes), min(b.y for b in boxes), max(b.right for b in boxes), max(b.bottom for b in boxes)
        )

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x <= self.right and self.y <= y <= self.bottom

    def level_share(self, other: Box) -> float:
        """Return the share of the lower box's height that is level with the other; negative where they are apart."""
        level = min(self.bottom, other.bottom) - max(self.y, other.y)
        return level / max(min(self.height, other.height), 1e-6)

    def overlap(self, other: Box) -> float:
        """Return the area of the intersection, in square points."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(0.0, across) * max(0.0, down)

    def moved(self, dx: float, dy: float) -> Box:
        return Box(x=self.x + dx, y=self.y + dy, width=self.width, height=self.height)
