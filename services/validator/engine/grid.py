"""Boxes of a filled report without overlaps, for a format that has a grid of cells. Runs in the worker.

The engine's exporter for Word puts each element of a page into the cells of one grid, the last element first, and
leaves out whatever needs a cell that is taken: texts whose boxes overlap by one point are enough. So here each text
gives up the part of its box that it does not write into. Where the writing of two texts overlaps, the boxes are divided
in the middle; both are in the file then, though not where they were printed. Frames that stand in the way of texts are
replaced by what they contain. Of what is still in the way of each other, texts come first; pictures, lines and areas
that are left out are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import jpype

from .text_ink import TextInk

_ENGINE = "net.sf.jasperreports.engine."


@dataclass
class Reach:
    """A box along one axis, and the part of it that is written into, in points."""

    low: int
    high: int
    ink_low: int
    ink_high: int
    centred: bool = False

    def overlaps(self, other: Reach) -> bool:
        return self.low < other.high and other.low < self.high

    def shares_ink_with(self, other: Reach) -> bool:
        return self.ink_low < other.ink_high and other.ink_low < self.ink_high

    def end_at(self, edge: int) -> None:
        """Cut the high end. A centred text loses as much at the other end, so that it stays where it is."""
        if self.centred and self.ink_high <= edge:
            self.low += max(0, self.high - edge)
        self.high = min(self.high, edge)

    def begin_at(self, edge: int) -> None:
        """Cut the low end, as ``end_at`` does the high one."""
        if self.centred and self.ink_low >= edge:
            self.high -= max(0, edge - self.low)
        self.low = max(self.low, edge)


@dataclass
class PageElement:
    """An element of a page."""

    element: Any
    kind: str
    """``text``, ``blank`` (a text that prints nothing, not even a border), ``frame``, or ``shape`` (anything else)."""
    across: Reach
    down: Reach
    decorated: bool = False
    """Whether the edges of a text can be seen."""

    def overlaps(self, other: PageElement) -> bool:
        return self.across.overlaps(other.across) and self.down.overlaps(other.down)

    def shares_ink_with(self, other: PageElement) -> bool:
        return self.across.shares_ink_with(other.across) and self.down.shares_ink_with(other.down)


@dataclass(frozen=True)
class Cut:
    """An edge at which two boxes are divided. `first` ends and `second` begins there."""

    first: PageElement
    second: PageElement
    axis: str
    edge: int
    lost: int
    """How far the writing of both overlaps."""

    def apply(self) -> None:
        """Cut the texts of the two; nothing else changes its size."""
        for item, cut in ((self.first, Reach.end_at), (self.second, Reach.begin_at)):
            if item.kind == "text":
                cut(getattr(item, self.axis), self.edge)


class GridBoxes:
    """Gives each text of a filled report a place of its own."""

    def __init__(self, context: Any) -> None:
        java = jpype.JClass
        self._text, self._frame = java(_ENGINE + "JRPrintText"), java(_ENGINE + "JRPrintFrame")
        self._opaque = java(_ENGINE + "type.ModeEnum").OPAQUE
        self._ink = TextInk(context)
        self.left_out = 0
        """Pictures, lines and areas for which the format has no place."""

    def separate(self, filled: Any) -> None:
        """Change the boxes of a filled report in place."""
        for page in filled.getPages():
            self._separate(page.getElements())

    def _separate(self, elements: Any) -> None:
        items = [self._item(element) for element in elements]
        if any(_pairs(items)):
            items = self._dissolved(items)
            for one, other in _pairs(items):
                _divide(one, other)
            for item in items:
                _resize(item)
        elements.clear()
        items.sort(key=lambda item: _ORDER[item.kind])
        for item in items:
            elements.add(item.element)
        self.left_out += _shapes_without_place(items)
        for item in items:
            if item.kind == "frame":
                self._separate(item.element.getElements())

    def _item(self, element: Any) -> PageElement:
        x, y = int(element.getX()), int(element.getY())
        right, bottom = x + int(element.getWidth()), y + int(element.getHeight())
        across, down = Reach(x, right, x, right), Reach(y, bottom, y, bottom)
        if isinstance(element, self._frame):
            return PageElement(element, "frame", across, down)
        if not isinstance(element, self._text):
            return PageElement(element, "shape", across, down)
        decorated = element.getModeValue() == self._opaque or _has_border(element)
        is_blank = not decorated and not str(element.getFullText() or "").strip()
        return PageElement(element, "blank" if is_blank else "text", across, down, decorated)

    def _dissolved(self, items: list[PageElement]) -> list[PageElement]:
        """Measure the texts that have to give way, and put what is in a frame in the place of one that they are in."""
        for one, other in _pairs(items):
            self._measure(one)
            self._measure(other)
        in_the_way = {
            id(item)
            for pair in _pairs(items)
            for item in pair
            if item.kind == "frame" and pair[0].shares_ink_with(pair[1]) and {one.kind for one in pair} <= _HOLD_TEXT
        }
        if not in_the_way:
            return items
        found: list[PageElement] = []
        for item in items:
            found += self._content(item.element) if id(item) in in_the_way else [item]
        return self._dissolved(found)

    def _content(self, frame: Any) -> Iterator[PageElement]:
        padding = frame.getLineBox()
        left, top = int(frame.getX()) + int(padding.getLeftPadding()), int(frame.getY()) + int(padding.getTopPadding())
        for element in list(frame.getElements()):
            element.setX(int(element.getX()) + left)
            element.setY(int(element.getY()) + top)
            yield self._item(element)

    def _measure(self, item: PageElement) -> None:
        if item.kind == "text":
            item.across, item.down = (
                replace(span, ink_low=low, ink_high=high, centred=centred)
                for span, (low, high, centred) in zip(
                    (item.across, item.down), self._ink.measure(item.element), strict=True
                )
            )


_HOLD_TEXT = frozenset({"text", "frame"})
_ORDER = {"blank": 0, "shape": 1, "frame": 2, "text": 2}
"""The exporter gives the later element the place."""


def _pairs(items: list[PageElement]) -> Iterator[tuple[PageElement, PageElement]]:
    """Yield the items that overlap a text or a frame; blank texts are in the way of none."""
    return (pair for pair in _overlapping(items) if {pair[0].kind, pair[1].kind} & _HOLD_TEXT)


def _shapes_without_place(items: list[PageElement]) -> int:
    """Count the shapes that the exporter leaves out: of two items that overlap, the later one gets the place."""
    in_the_way: dict[int, list[PageElement]] = {id(item): [] for item in items}
    for one, other in _overlapping(items):
        in_the_way[id(one)].append(other)
        in_the_way[id(other)].append(one)
    placed, count = set[int](), 0
    for item in reversed(items):
        if any(id(other) in placed for other in in_the_way[id(item)]):
            count += item.kind == "shape"
        else:
            placed.add(id(item))
    return count


def _overlapping(items: list[PageElement]) -> Iterator[tuple[PageElement, PageElement]]:
    active: list[PageElement] = []
    for item in sorted((one for one in items if one.kind != "blank"), key=lambda one: one.down.low):
        active = [one for one in active if one.down.high > item.down.low]
        for other in active:
            if item.overlaps(other):
                yield other, item
        active.append(item)


def _divide(one: PageElement, other: PageElement) -> None:
    """Cut the boxes of two items where the least of their writing is lost; shapes and frames stay as they are."""
    cuts = [
        cut
        for axis in ("across", "down")
        for first, second in ((one, other), (other, one))
        if (cut := _cut(first, second, axis))
    ]
    best = min(cuts, key=lambda cut: cut.lost, default=None)
    if best is not None and (best.lost <= 0 or one.kind == other.kind == "text"):
        best.apply()


def _cut(first: PageElement, second: PageElement, axis: str) -> Cut | None:
    """Return where two boxes can be divided so that each keeps a part; None where one would keep nothing."""
    a, b = getattr(first, axis), getattr(second, axis)
    low, high = max(a.low + 1, b.low), min(b.high - 1, a.high)
    if first.kind != "text":
        low = max(low, a.high)
    if second.kind != "text":
        high = min(high, b.low)
    if low > high:
        return None
    lost = a.ink_high - b.ink_low
    if lost > 0:
        return Cut(first, second, axis, (low + high) // 2, lost)
    low, high = max(low, min(a.ink_high, high)), min(high, max(b.ink_low, low))
    return Cut(first, second, axis, _edge(first, second, low, high, whole=(high == a.high, low == b.low)), 0)


def _edge(first: PageElement, second: PageElement, low: int, high: int, whole: tuple[bool, bool]) -> int:
    """Return the edge within the room between two texts: one whose edges show keeps its box, or one that can."""
    if first.decorated != second.decorated:
        return high if first.decorated else low
    if any(whole):
        return high if whole[0] else low
    return (low + high) // 2


def _resize(item: PageElement) -> None:
    """Write the box of a text back to its element."""
    if item.kind == "text":
        item.element.setX(item.across.low)
        item.element.setWidth(item.across.high - item.across.low)
        item.element.setY(item.down.low)
        item.element.setHeight(item.down.high - item.down.low)


def _has_border(element: Any) -> bool:
    box = element.getLineBox()
    pens = (box.getTopPen(), box.getLeftPen(), box.getBottomPen(), box.getRightPen())
    return any(float(pen.getLineWidth()) > 0 for pen in pens)
