"""Regions: where on the page each band lies, read off the layout's repeat and its empty stretches."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Repeat
from bandsmith.shared.model.plan import BandName

FURNITURE = 0.86
"""Page furniture begins below this share of the page's height,"""
FURNITURE_GAP = 16.0
"""after an empty stretch of at least so many points."""
ASTRAY = 2.0
"""Rows may be off by so many points before a spacer is put between them."""


@dataclass(frozen=True)
class Region:
    """The part of the page, in whole points from `top` to `bottom`, that a band takes; a detail has several rows."""

    band: BandName
    top: int
    bottom: int
    rows: int = 1
    spare: Fraction = Fraction(0)
    """Points by which the form's rows are higher than whole ones; a spacer makes up for them, a point at a time."""

    @property
    def height(self) -> int:
        """Of the band: of one row of a detail, without the spacer."""
        return (self.bottom - self.top - int(self.rows * self.spare)) // self.rows

    def row_top(self, row: int) -> int:
        """Where the engine begins a row of a detail."""
        return self.top + row * self.height + int(row * self.spare)

    def row_of(self, y: float) -> int:
        """The row at a height of the page; the nearest one above and below them."""
        return max((row for row in range(self.rows) if self.row_top(row) <= y), default=0)


def divide(layout: Layout, extents: dict[str, Box]) -> list[Region]:
    """The bands' regions from the top of the page to its bottom, without gaps.

    `extents` holds, by block id, the box that the block's element needs.
    """
    page_bottom = round(layout.page.height)
    footer = _footer_top(layout, extents)
    below = [Region("pageFooter", footer, page_bottom)] if footer < page_bottom else []
    if layout.repeat is None or layout.repeat.rows == 0:
        return [Region("title", 0, footer), *below]
    detail = _rows(layout, layout.repeat, extents, footer)
    head = min(_header_top(layout, extents, detail.top), detail.top)
    regions = [Region("title", 0, head), Region("columnHeader", head, detail.top), detail]
    regions += [Region("summary", detail.bottom, footer), *below]
    return [region for region in regions if region.bottom > region.top]


def _rows(layout: Layout, repeat: Repeat, extents: dict[str, Box], footer: int) -> Region:
    """The rows' region: no row is far off, every text of a row is inside it, and nothing else, as far as may be."""
    height, spare = _pitch(repeat)
    offsets = [row * height + int(row * spare) for row in range(repeat.rows)]
    long = offsets[-1] + height + int(repeat.rows * spare) - int((repeat.rows - 1) * spare)
    start = round(statistics.fmean(y - offset for y, offset in zip(repeat.tops, offsets, strict=True)))
    inside = {name for slot in repeat.slots for name in slot.blocks if name}
    boxes = [
        extents[block].moved(0, -repeat.tops[row])
        for slot in repeat.slots
        for row, block in enumerate(slot.blocks)
        if block in extents and row < repeat.rows
    ]
    above, below = min((box.y for box in boxes), default=0.0), max((box.bottom for box in boxes), default=0.0)
    if below - above > height:
        top = round(start + (above + below - height) / 2)
    else:
        others = [box for name, box in extents.items() if name not in inside]
        lowest, highest = math.ceil(start + below - height), math.floor(start + above)
        top = min(
            range(min(lowest, highest), highest + 1),
            key=lambda top: (_intruders(others, top, top + long, footer), abs(top - start)),
        )
    top = max(0, top)
    # Rows that were rounded up must not push what follows onto another page.
    while top + long > footer and height > 1:
        height, spare, long = height - 1, Fraction(0), repeat.rows * (height - 1)
    return Region("detail", top, top + long, repeat.rows, spare)


def _pitch(repeat: Repeat) -> tuple[int, Fraction]:
    """Whole points of a row's height, and what is spare where whole ones alone would lead the last rows astray."""
    astray = abs(repeat.pitch - round(repeat.pitch)) * (repeat.rows - 1) / 2
    if astray <= ASTRAY:
        return max(1, round(repeat.pitch)), Fraction(0)
    height = int(repeat.pitch)
    return height, Fraction(repeat.pitch - height).limit_denominator(12)


def _intruders(others: Sequence[Box], top: int, bottom: int, footer: int) -> int:
    """How many texts that are no row's reach into the rows; rows that run out of the page are the worst."""
    return sum(box.bottom > top + 1 and box.y < bottom - 1 for box in others) + 1000 * max(0, bottom - footer)


def _header_top(layout: Layout, extents: dict[str, Box], rows_top: int) -> int:
    """Where the column headers begin: above their texts, the fills behind them and the rule that opens them."""
    repeat = layout.repeat
    assert repeat is not None
    heads = [extents[name] for name in repeat.header if name in extents and extents[name].middle[1] < rows_top]
    if not heads:
        return rows_top
    top = min(box.y for box in heads)
    for fill in layout.fills:
        if any(fill.box.holds(*box.middle) for box in heads) and fill.box.bottom <= rows_top + 4:
            top = min(top, fill.box.y)
    for rule in layout.rules:
        if rule.horizontal and top - 6 <= rule.y1 <= top:
            top = rule.y1 - 1
    inside = {name for slot in repeat.slots for name in slot.blocks if name} | set(repeat.header)
    others = [box for name, box in extents.items() if name not in inside and box.middle[1] < rows_top]
    # A text is in one band: the boundary goes above whatever it would cut.
    for box in sorted(others, key=lambda box: -box.y):
        if box.y < top < box.bottom - 0.5:
            top = box.y
    return max(0, int(top + 0.01))


def _footer_top(layout: Layout, extents: dict[str, Box]) -> int:
    """Where page furniture begins: below the lowest empty stretch near the foot of the page, else the page's end."""
    boxes = [*extents.values(), *(picture.box for picture in layout.pictures)]
    boxes += [fill.box for fill in layout.fills if fill.box.height < layout.page.height / 2]
    spans = sorted(
        [(box.y, box.bottom) for box in boxes]
        + [(min(rule.y1, rule.y2), max(rule.y1, rule.y2)) for rule in layout.rules]
    )
    repeat = layout.repeat
    in_rows = {name for slot in repeat.slots for name in slot.blocks if name} if repeat else set()
    end = max((extents[name].bottom for name in in_rows if name in extents), default=0.0)
    top = layout.page.height
    for start, bottom in spans:
        if end and start - end >= FURNITURE_GAP and start > FURNITURE * layout.page.height:
            top = start
            break
        end = max(end, bottom)
    return min(int(top), round(layout.page.height))
