"""Regions: where each band lies on the page, derived from the repeated rows and the empty stretches around them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Repeat
from bandsmith.shared.model.plan import BandName

MIN_FOOTER_START = 0.86
"""A page footer begins below this share of the page's height."""
MIN_FOOTER_GAP_PT = 16.0
"""Height of the empty stretch that must lie above a page footer."""
ROW_END_TOLERANCE_PT = 3.0
"""A horizontal rule this close below the end of a row closes that row. Rows may drift by as much."""
MAX_CUT_PT = 2.5
"""A text above the headers may reach over them by this much, which is no more than the space below its letters."""
CELL_EDGE_TOLERANCE_PT = 0.5
"""What begins this close to the edge of a ruled cell begins on it."""
_HOSTS = ("title", "summary")
"""Bands that further tables stand in."""
ROW_DRIFT_TOLERANCE_PT = 2.0
"""How far rows may drift from the form before spacer bands correct them."""
MIN_SPANNING_ROWS = 2
"""A cell that is about as high as this many rows spans them."""
MIN_LINE_OFFSET = 0.75
"""What begins below this share of the lowest row stands on a second line of its row."""


@dataclass(frozen=True)
class Region:
    """The part of the page that a band takes, in whole points from `top` to `bottom`. What `repeats` has `rows`."""

    band: BandName
    top: int
    bottom: int
    rows: int = 1
    spare: Fraction = Fraction(0)
    """The fraction of a point by which the form's rows are higher than `height`; a spacer band makes up for it."""
    tops: tuple[int, ...] = ()
    """Where each row begins, if rows have different heights: a row with more lines stretches its band."""
    bottoms: tuple[int, ...] = ()
    """Where each row ends, if the lines of groups stand between rows."""
    low: int = 0
    """Height of the band then: that of a row in which no text grows."""
    first_line: int = 0
    """Where the part of a row begins that only some rows have, such as a weight below an article; 0 where none does."""
    table: int = 0
    """Number of the table that a detail region holds, among the layout's tables. Those after the first are lists."""
    host: BandName | None = None
    """The band that a list stands in."""
    continued: int = 0
    """Number of rows on later pages."""

    @property
    def repeats(self) -> bool:
        """Whether the band is printed for each row, or for each group of rows."""
        return self.band in ("detail", "groupHeader", "groupFooter")

    @property
    def height(self) -> int:
        """Height of the band: in a detail region, of one row without its spacer, before it stretches."""
        if self.tops:
            return self.low
        return (self.bottom - self.top - int(self.rows * self.spare)) // self.rows

    def row_top(self, row: int) -> int:
        """The y at which the engine begins a detail row."""
        if self.tops:
            return self.tops[row]
        return self.top + row * self.height + int(row * self.spare)

    def row_bottom(self, row: int) -> int:
        """The y at which a detail row ends."""
        if self.bottoms:
            return self.bottoms[row]
        return self.row_top(row + 1) if row + 1 < self.rows else self.bottom

    def in_row(self, box: Box, row: int) -> Box:
        """A box of the page relative to a row as the band has it, before it stretches.

        What stands at the end of a row that is higher or lower than the band stands at the band's end.
        """
        moved = box.moved(0, -self.row_top(row))
        stretch = self.row_bottom(row) - self.row_top(row) - self.height if self.tops else 0
        if not stretch or moved.bottom < self.height + stretch - ROW_END_TOLERANCE_PT:
            return moved
        at_end = moved.y > min(self.height, self.height + stretch) - ROW_END_TOLERANCE_PT
        return Box.between(moved.x, moved.y - stretch if at_end else moved.y, moved.right, moved.bottom - stretch)

    def row_of(self, y: float) -> int:
        """The row at a height of the page. Above the rows that is the first, below them the last."""
        return max((row for row in range(self.rows) if self.row_top(row) <= y), default=0)


def divide(
    layout: Layout, extents: Mapping[str, Box], footer: int | None = None, head_band: BandName = "title"
) -> list[Region]:
    """Divide the page into the regions of its bands, from top to bottom without gaps.

    `extents` maps a block's id to the box that the block's element needs. `footer` is where the page footer begins, if
    that is known. `head_band` holds what stands above the rows.
    """
    page_bottom = round(layout.page.height)
    footer = _footer_top(layout, extents) if footer is None else footer
    below = [Region("pageFooter", footer, page_bottom)] if footer < page_bottom else []
    if layout.repeat is None or layout.repeat.rows == 0:
        return [Region("title", 0, footer), *below]
    detail = replace(_detail(layout.repeat, extents, footer), continued=len(layout.repeat.continued))
    head = min(_header_top(layout, extents, detail.top), detail.top)
    regions = [Region(head_band, 0, head), Region("columnHeader", head, detail.top), detail]
    regions += [Region("summary", detail.bottom, footer), *below]
    for number, rows in enumerate(layout.further, 1):
        regions = _with_list(regions, rows, number)
    return [region for region in regions if region.bottom > region.top]


def whole_page(layout: Layout, first_list: int) -> list[Region]:
    """Return the regions of a page that is one band, in which each table is a list; `first_list` is its number."""
    regions = [Region("title", 0, round(layout.page.height))]
    for number, rows in enumerate(layout.further, first_list):
        regions = _with_list(regions, rows, number)
    return [region for region in regions if region.bottom > region.top]


def _with_list(regions: list[Region], rows: Repeat, number: int) -> list[Region]:
    """Return the regions with the one of a further table, which divides the band around it in two.

    A table that does not lie within the title or the summary gets none.
    """
    low, drift = max(1, round(rows.pitch)), abs(rows.pitch - round(rows.pitch)) * (rows.rows - 1) / 2
    tops = tuple(round(top) for top in rows.tops) if rows.heights or drift > ROW_DRIFT_TOLERANCE_PT else ()
    top = tops[0] if tops else round(statistics.fmean(y - row * low for row, y in enumerate(rows.tops)))
    end = round(rows.tops[-1] + rows.heights[-1]) if rows.heights else tops[-1] + low if tops else top + rows.rows * low
    host = next((one for one in regions if one.band in _HOSTS and one.top <= top and end <= one.bottom), None)
    if host is None:
        return regions
    found = Region("detail", top, end, rows.rows, tops=tops, low=low, table=number, host=host.band)
    at = regions.index(host)
    return [*regions[:at], replace(host, bottom=top), found, replace(host, top=end), *regions[at + 1 :]]


def _detail(repeat: Repeat, extents: Mapping[str, Box], footer: int) -> Region:
    """Fit the detail region: rows near the form's, every text of a row inside it, and as little else as possible."""
    if repeat.heights:
        return _uneven_detail(repeat, extents, footer)
    height, spare = _row_pitch(repeat)
    offsets = [row * height + int(row * spare) for row in range(repeat.rows)]
    total = offsets[-1] + height + int(repeat.rows * spare) - int((repeat.rows - 1) * spare)
    start = round(statistics.fmean(y - offset for y, offset in zip(repeat.tops, offsets, strict=True)))
    in_rows = _row_blocks(repeat)
    spanning = MIN_SPANNING_ROWS * height - min(ROW_END_TOLERANCE_PT, height / 4)
    boxes = [
        extents[block].moved(0, -repeat.tops[row])
        for slot in repeat.slots
        for row, block in enumerate(slot.blocks)
        if block and block in extents and row < repeat.rows
        if extents[block].height < spanning  # a cell that spans rows tells nothing about one
    ]
    above, below = min((box.y for box in boxes), default=0.0), max((box.bottom for box in boxes), default=0.0)
    if below - above > height:
        top = round(start + (above + below - height) / 2)
    else:
        others = [box for name, box in extents.items() if name not in in_rows]
        lowest, highest = math.ceil(start + below - height), math.floor(start + above)
        top = min(
            range(min(lowest, highest), highest + 1),
            key=lambda top: (_intrusions(others, top, top + total, footer), abs(top - start)),
        )
    top = max(0, top)
    # Rows that were rounded up must not push what follows onto another page.
    while top + total > footer and height > 1:
        height, spare, total = height - 1, Fraction(0), repeat.rows * (height - 1)
    return Region("detail", top, top + total, repeat.rows, spare)


def _uneven_detail(repeat: Repeat, extents: Mapping[str, Box], footer: int) -> Region:
    """The detail region of rows with different heights, which begin where the form's do, with the lines of groups."""
    tops = tuple(round(top) for top in repeat.tops)
    bottom = max(min(footer, round(_end_of_rows(repeat, extents))), tops[-1] + 1)
    first_line, low = _optional_line(repeat, extents) or (0, max(1, round(repeat.pitch)))
    region = Region("detail", tops[0], bottom, repeat.rows, tops=tops, low=low, first_line=first_line)
    if not repeat.groups:
        return region
    lines = group_regions(repeat)
    top, end = min(tops[0], *(one.top for one in lines)), max(bottom, *(one.bottom for one in lines))
    return replace(region, top=top, bottom=min(end, footer), bottoms=_bottoms(repeat))


def _end_of_rows(repeat: Repeat, extents: Mapping[str, Box]) -> float:
    """Return where the last row ends: at its end, or where a text begins that stands below it for the greater part.

    A row may seem higher than it is where one of its texts is higher than its cell.
    """
    end, in_rows = repeat.tops[-1] + repeat.heights[-1], _row_blocks(repeat)
    middle = repeat.tops[-1] + min(repeat.heights) / 2
    below = [box.y for name, box in extents.items() if name not in in_rows and middle < box.y < end < box.middle[1]]
    return min([end, *below])


def _optional_line(repeat: Repeat, extents: Mapping[str, Box]) -> tuple[int, int] | None:
    """Return where in a row a line begins that only some rows have, and where it ends; None where no rows do."""
    if repeat.grid is not None or repeat.groups is not None:
        return None
    lows = list[float]()
    above, ends = 0.0, list[float]()
    for slot in repeat.slots:
        copies = [(row, name) for row, name in enumerate(slot.blocks) if name in extents]
        tops = [extents[name].y - repeat.tops[row] for row, name in copies if name]
        bottoms = [extents[name].bottom - repeat.tops[row] for row, name in copies if name]
        if tops and statistics.median(tops) >= MIN_LINE_OFFSET * min(repeat.heights) and None in slot.blocks:
            lows.append(statistics.median(tops))
            ends += [max(bottom, repeat.heights[row]) for (row, _), bottom in zip(copies, bottoms, strict=True)]
        elif bottoms:
            above = max(above, statistics.median(bottoms))
    if not lows or not above or min(lows) < above - MAX_CUT_PT:
        return None
    first_line = max(math.ceil(above), round(min(repeat.heights)))
    return first_line, max(first_line + 1, round(statistics.median(ends)))


def group_regions(repeat: Repeat) -> list[Region]:
    """Return the regions of the lines above and below groups of rows, which lie within the detail region.

    The bands are as high as makes all groups together as high as on the form, where rows have whole points.
    """
    found = list[Region]()
    if repeat.groups is None:
        return found
    rest = sum(repeat.heights) - repeat.rows * max(1, round(repeat.pitch)) if _is_even(repeat.heights) else 0.0
    bands: dict[BandName, Repeat | None] = {
        "groupHeader": repeat.groups.headings,
        "groupFooter": repeat.groups.endings,
    }
    for name, lines in bands.items():
        if lines is not None:
            tops = tuple(round(top) for top in lines.tops)
            low = max(1, round(statistics.fmean(lines.heights) + rest / lines.rows))
            rest = 0.0
            bottoms = _bottoms(lines)
            found.append(Region(name, tops[0], bottoms[-1], lines.rows, tops=tops, bottoms=bottoms, low=low))
    return found


def _bottoms(repeat: Repeat) -> tuple[int, ...]:
    return tuple(round(top + height) for top, height in zip(repeat.tops, repeat.heights, strict=True))


def _is_even(heights: Sequence[float]) -> bool:
    return max(heights) - min(heights) <= ROW_END_TOLERANCE_PT


def _row_pitch(repeat: Repeat) -> tuple[int, Fraction]:
    """A row's height in whole points, and the fraction beyond it where whole points would let the last rows drift."""
    drift = abs(repeat.pitch - round(repeat.pitch)) * (repeat.rows - 1) / 2
    if drift <= ROW_DRIFT_TOLERANCE_PT:
        return max(1, round(repeat.pitch)), Fraction(0)
    height = int(repeat.pitch)
    return height, Fraction(repeat.pitch - height).limit_denominator(12)


def _intrusions(others: Sequence[Box], top: int, bottom: int, footer: int) -> int:
    """Count the other texts that reach into the rows. Each point that the rows run past the footer costs far more."""
    return sum(box.bottom > top + 1 and box.y < bottom - 1 for box in others) + 1000 * max(0, bottom - footer)


def _row_blocks(repeat: Repeat | None) -> set[str]:
    """Ids of the blocks in the repeated rows."""
    return {name for slot in repeat.slots for name in slot.blocks if name} if repeat else set()


def _header_top(layout: Layout, extents: Mapping[str, Box], rows_top: int) -> int:
    """Where the column headers begin: above their texts, the fills behind those and the rule above them."""
    repeat = layout.repeat
    assert repeat is not None
    headers = [extents[name] for name in repeat.header if name in extents and extents[name].middle[1] < rows_top]
    if not headers:
        return rows_top
    top = min(box.y for box in headers)
    for fill in layout.fills:
        if any(fill.box.holds(*box.middle) for box in headers) and fill.box.bottom <= rows_top + 4:
            top = min(top, fill.box.y)
    edge = _cell_edge(layout, top)
    if edge is None:
        for rule in layout.rules:
            if rule.horizontal and top - 6 <= rule.y1 <= top:
                top = rule.y1 - 1
    table = _row_blocks(repeat) | set(repeat.header)
    others = [box for name, box in extents.items() if name not in table and box.middle[1] < rows_top]
    # A text belongs to one band, so the boundary moves above any text that it would cut.
    for box in sorted(others, key=lambda box: -box.y):
        if box.y < top < box.bottom - MAX_CUT_PT:
            top, edge = box.y, None
    return max(0, int(top + 0.01)) if edge is None else edge


def _cell_edge(layout: Layout, y: float) -> int | None:
    """Return the point at which ruled cells that begin at a height begin when printed; None where none do.

    Cells above them end at the same point, and their borders draw the rule between.
    """
    rows = [row for grid in layout.grids for row in grid.rows]
    apart, edge = min(((abs(row - y), row) for row in rows), default=(math.inf, 0.0))
    return round(edge) if apart < CELL_EDGE_TOLERANCE_PT else None


def _footer_top(layout: Layout, extents: Mapping[str, Box]) -> int:
    """Where the page footer begins: below the first wide gap near the foot of the page, else at the page's end."""
    boxes = [*extents.values(), *(picture.box for picture in layout.pictures)]
    boxes += [fill.box for fill in layout.fills if fill.box.height < layout.page.height / 2]
    spans = sorted(
        [(box.y, box.bottom) for box in boxes]
        + [(min(rule.y1, rule.y2), max(rule.y1, rule.y2)) for rule in layout.rules]
    )
    in_rows = {name for rows in layout.row_sets for name in _row_blocks(rows)}
    end = max((extents[name].bottom for name in in_rows if name in extents), default=0.0)
    top = layout.page.height
    for start, bottom in spans:
        if end and start - end >= MIN_FOOTER_GAP_PT and start > MIN_FOOTER_START * layout.page.height:
            top = start
            break
        end = max(end, bottom)
    return min(int(top), round(layout.page.height))
