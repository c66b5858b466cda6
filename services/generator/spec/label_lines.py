"""Lay out labels with their values above or below the table, in columns that are read row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bandsmith.shared.jrxml.typesetting import break_lines, whole_height, whole_width
from bandsmith.shared.model.plan import AnyElement, Borders, Pen

from .elements import ElementFactory
from .spec_item import SpecItem
from .style import ReportStyle
from .widths import style

LINE_SIZE = 10.0
MIN_LINE_HEIGHT = 18
MIN_WIDTH_OF_TWO_PT = 300
BLANK_LINE = Borders(bottom=Pen(width=0.5, colour="#6B7780"))
"""What is written on by hand."""
FRAME = Borders(**dict.fromkeys(("top", "left", "bottom", "right"), Pen(width=0.5, colour="#6B7780")))
BOX_HEIGHT = 72
"""Height in points of a box for several lines of writing."""
_LONG = frozenset({"remark", "message"})
"""What is written on several lines."""


@dataclass(frozen=True)
class LabelLines:
    """The look of the lines: their width, how many stand beside each other, and their type size."""

    across: int
    beside: int
    size: float = LINE_SIZE
    to_fill_in: bool = False

    @classmethod
    def above_table(cls, across: int, count: int, size: float = LINE_SIZE, to_fill_in: bool = False) -> LabelLines:
        """Three beside each other on a wide page, two on an upright one, one on a paper roll."""
        beside = 1 if across < MIN_WIDTH_OF_TWO_PT else 3 if across > 600 and count > 2 else min(2, count)
        return cls(across, max(1, beside), size, to_fill_in)

    def layout(
        self, items: Sequence[SpecItem], top: int, make: ElementFactory, look: ReportStyle
    ) -> tuple[list[AnyElement], int]:
        """Return the elements, and the y at which they end."""
        elements: list[AnyElement] = []
        boxes = [item for item in items if _is_box(item)]
        rows = self._rows([item for item in items if item not in boxes])
        beside = max(map(len, rows), default=1)
        wide = self.across // beside
        columns = [[row[n] for row in rows if n < len(row)] for n in range(beside)]
        widths = [self._label_width([item for item in column if item], wide, look) for column in columns]
        for number, row in enumerate(rows):
            floats = number > 0  # a value above may take more lines
            line = [(n, item) for n, item in enumerate(row) if item]
            rooms = [widths[n] for n, _ in line]
            labels = [item.label + look.colon for _, item in line]
            heights = [self._height(label, room) for label, room in zip(labels, rooms, strict=True)]
            values = zip([wide - room - 10 for room in rooms], [item for _, item in line], strict=True)
            high = max([*heights, *(_value_height(item, width, item.size) for width, item in values if item.size)])
            for (n, item), label, room in zip(line, labels, rooms, strict=True):
                x, blank = n * wide, self.to_fill_in or item.values == ("",)
                value = item.expression or f"$P{{{item.name}}}"
                elements += [
                    make.static(f"label_{item.name}", label, x, top, room, high, size=self.size,
                                colour=look.quiet, padded=False, floats=floats),
                    make.value(f"value_{item.name}", value, item, x + room, top, wide - room - 10, high,
                               size=item.size or self.size, align="Left", padded=False,
                               borders=BLANK_LINE if blank else None, floats=floats),
                ]  # fmt: skip
            top += high
        for item in boxes:
            elements += self._box(item, top, make, look)
            top += MIN_LINE_HEIGHT + BOX_HEIGHT + 8
        return elements, top

    def _box(self, item: SpecItem, top: int, make: ElementFactory, look: ReportStyle) -> list[AnyElement]:
        """Return a label with a framed box below it, as wide as the page."""
        label = make.static(f"label_{item.name}", item.label + look.colon, 0, top, self.across, MIN_LINE_HEIGHT,
                            size=self.size, colour=look.quiet, padded=False, floats=True)  # fmt: skip
        return [
            label,
            make.value(f"value_{item.name}", f"$P{{{item.name}}}", item, 0, top + MIN_LINE_HEIGHT, self.across,
                       BOX_HEIGHT, size=self.size, align="Left", valign="Top", borders=FRAME, floats=True),
        ]  # fmt: skip

    def _rows(self, items: Sequence[SpecItem]) -> list[list[SpecItem | None]]:
        """Return what stands beside each other: first the lines of the left and the right half, if asked for."""
        if self.beside < 2 or all(item.side == "auto" for item in items):
            return [list(items[start : start + self.beside]) for start in range(0, len(items), self.beside)]
        left, right, others = ([item for item in items if item.side == side] for side in ("left", "right", "auto"))
        paired: list[list[SpecItem | None]] = [list(pair) for pair in zip_longest(left, right)]
        return paired + [list(others[start : start + 2]) for start in range(0, len(others), 2)]

    def _label_width(self, items: Sequence[SpecItem], wide: int, look: ReportStyle) -> int:
        widest = max((whole_width([item.label + look.colon], style(self.size)) for item in items), default=0)
        return min(widest + 6, wide // 2)

    def _height(self, text: str, width: int) -> int:
        least = 26 if self.to_fill_in else MIN_LINE_HEIGHT
        return max(least, whole_height(break_lines(text, width, style(self.size)), style(self.size)) + 4)


def _is_box(item: SpecItem) -> bool:
    """Whether a line is to be filled in by hand with more than a few words: a message, notes."""
    return item.values == ("",) and item.stem in _LONG


def _value_height(item: SpecItem, width: int, size: float) -> int:
    """Return the height in points that the sample value of a line needs in type of this size."""
    shown = item.shown(item.values[0]) if item.values else ""
    return whole_height(break_lines(shown or "8", width, style(size)), style(size)) + 4
