"""Marks: which band draws each rule, fill and picture, and which of them are one mark repeated in every row."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Picture, RulingLine

from .regions import ROW_END_TOLERANCE_PT, Region
from .ruling import span

COPY_TOLERANCE_PT = 2.5
"""Marks in different rows whose edges differ by no more than this are copies of one mark."""
MIN_ROW_SHARE = 0.6
"""A mark that this share of the rows have, or that runs along this share of them, belongs to every row."""
MIN_MARKED_ROWS = 2
"""Rows with a mark, from which on their values may tell which rows have it; of one row, something always does."""
MIN_PART_PT = 1.5
"""The part of a mark that lies in a band is drawn if it is at least this high."""
MAX_COLOUR_DIFFERENCE = 24
"""Two colours look the same if no channel differs by more than this, of 255."""
MAX_HAIRLINE_PT, MAX_HAIRLINE_COLOUR_DIFFERENCE = 0.75, 96
"""A rule as thin as a pixel has a share of the paper's colour, which depends on where it falls between two pixels."""


@dataclass(frozen=True)
class Mark:
    """A rule, fill or picture and its box, which may be only a part of it, or be relative to a row."""

    origin: RulingLine | Fill | Picture
    box: Box

    @property
    def is_horizontal_rule(self) -> bool:
        return isinstance(self.origin, RulingLine) and self.origin.horizontal

    @property
    def can_be_cut(self) -> bool:
        """Whether a part of it looks like a part of the whole."""
        return isinstance(self.origin, RulingLine) or (isinstance(self.origin, Fill) and self.origin.radius == 0)

    def looks_like(self, other: Mark) -> bool:
        one, two = self.origin, other.origin
        if isinstance(one, Fill) and isinstance(two, Fill):
            return _same_colour(one.colour, two.colour)
        if isinstance(one, RulingLine) and isinstance(two, RulingLine):
            is_thin = max(one.thickness, two.thickness) <= MAX_HAIRLINE_PT
            limit = MAX_HAIRLINE_COLOUR_DIFFERENCE if is_thin else MAX_COLOUR_DIFFERENCE
            return one.horizontal == two.horizontal and _same_colour(one.colour, two.colour, limit)
        return type(one) is type(two)


@dataclass(frozen=True)
class PlacedMark:
    """A mark and the band that draws it."""

    mark: Mark
    """Its box is relative to the row where `copies` are given, otherwise to the page."""
    region: Region | None
    """None is the background, for a mark that crosses bands or stands in some rows only."""
    print_when: str | None = None
    """The condition under which a row prints it."""
    copies: tuple[Mark | None, ...] = ()
    """In a detail band, the mark of each row, with boxes relative to the page."""


def mark_of(origin: RulingLine | Fill | Picture) -> Mark:
    if isinstance(origin, RulingLine):
        across, low, high = span(origin)
        if origin.horizontal:
            return Mark(origin, Box.between(low, across, high, across))
        return Mark(origin, Box.between(across, low, across, high))
    return Mark(origin, origin.box)


def place_marks(
    marks: Iterable[Mark], regions: Sequence[Region], filled: Mapping[str, set[int]] | None = None
) -> list[PlacedMark]:
    """Assign every mark to a band: cut at band boundaries where possible, merged where the rows repeat it.

    `filled` holds the rows of the main table in which each of its fields has a value.
    """
    placed: list[PlacedMark] = []
    row_marks: list[_RowMark] = []
    along: dict[Region, list[Mark]] = {}
    for mark in marks:
        for region, part in _split(mark, regions):
            if region is None or not region.repeats:
                placed.append(PlacedMark(part, region))
            elif _spans_rows(part, region):
                along.setdefault(region, []).append(part)
            else:
                row_marks.append(_in_row(part, region))
    for region, parts in along.items():
        placed += [_along_rows(part, region) for part in _with_whole_rules(parts, region)]
    for detail, after in pairwise([*regions, None]):
        if detail is not None and detail.repeats:
            own = [mark for mark in row_marks if mark.region is detail]
            for group in _group_copies(own):
                known = filled if filled and detail.table == 0 else {}
                copies = _with_longer_rules(group, own, MIN_ROW_SHARE * detail.rows)
                placed += [_move_closing_rule(mark, detail, after) for mark in _merge_group(copies, detail, known)]
    return placed


@dataclass(frozen=True)
class _RowMark:
    """A mark that stands in one row."""

    region: Region
    row: int
    mark: Mark
    box: Box
    """Relative to the row."""


def _split(mark: Mark, regions: Sequence[Region]) -> list[tuple[Region | None, Mark]]:
    """The mark's parts and their regions."""
    box = mark.box
    if mark.is_horizontal_rule:
        return [(_region_of_rule(box, regions), mark)]
    parts = [(region, max(box.y, region.top), min(box.bottom, region.bottom)) for region in regions]
    parts = [part for part in parts if part[2] - part[1] > MIN_PART_PT or (part[1] <= box.y and box.bottom <= part[2])]
    if len(parts) == 1:
        return [(parts[0][0], mark)]
    if not mark.can_be_cut:
        return [(None, mark)]
    return [(region, replace(mark, box=Box.between(box.x, top, box.right, end))) for region, top, end in parts]


def _region_of_rule(box: Box, regions: Sequence[Region]) -> Region:
    """A horizontal rule on a boundary closes the region above it, except above the page footer, which it opens."""
    for region, after in pairwise(regions):
        reach = ROW_END_TOLERANCE_PT if region.band == "detail" else COPY_TOLERANCE_PT / 2
        opens_footer = after.band == "pageFooter" and box.y >= after.top - COPY_TOLERANCE_PT / 2
        if box.y <= region.bottom + reach and not opens_footer:
            return region
    return regions[-1]


def part_by_groups(
    marks: Iterable[Mark], lines: Sequence[Region]
) -> tuple[list[Mark], list[tuple[Region, list[Mark]]]]:
    """Part the marks of a page into those of its bands and those of each region in `lines`, which lie among the rows.

    A mark that runs along rows and lines belongs to both.
    """
    others = list[Mark]()
    own: list[tuple[Region, list[Mark]]] = [(region, []) for region in lines]
    for mark in marks:
        is_inside = False
        for region, found in own:
            for top, bottom in zip(region.tops, region.bottoms, strict=True):
                if mark.is_horizontal_rule:
                    is_mine = top + MIN_PART_PT < mark.box.y <= bottom + MIN_PART_PT
                    part, whole = mark.box, is_mine
                else:
                    low, high = max(top, mark.box.y), min(bottom, mark.box.bottom)
                    is_mine = high - low > 0.5 * (mark.box.height if not mark.can_be_cut else bottom - top)
                    is_mine = is_mine or (mark.box.y >= top and mark.box.bottom <= bottom)
                    whole = is_mine and mark.box.height <= bottom - top + 2 * MIN_PART_PT
                    part = Box.between(mark.box.x, low, mark.box.right, high) if mark.can_be_cut else mark.box
                if is_mine:
                    found.append(replace(mark, box=part))
                    is_inside = is_inside or whole
        if not is_inside:
            others.append(mark)
    return others, own


def _spans_rows(part: Mark, detail: Region) -> bool:
    """Whether a mark is higher than the row that it begins in."""
    row = detail.row_of(part.box.y + ROW_END_TOLERANCE_PT)
    own = detail.row_bottom(row) - detail.row_top(row) + ROW_END_TOLERANCE_PT if detail.tops else 0
    return part.box.height > max(1.5 * detail.height, own)


def _with_whole_rules(parts: Sequence[Mark], detail: Region) -> list[Mark]:
    """Return marks along rows, with vertical rules below each other as one where they leave out less than a row."""
    found = list[Mark]()
    for part in sorted(parts, key=lambda one: one.box.y):
        above = next((one for one in found if _goes_on(one, part, detail)), None)
        if above is None:
            found.append(part)
        else:
            box = Box.between(above.box.x, above.box.y, above.box.right, max(above.box.bottom, part.box.bottom))
            found[found.index(above)] = replace(above, box=box)
    return found


def _goes_on(above: Mark, below: Mark, detail: Region) -> bool:
    is_rule = isinstance(above.origin, RulingLine) and not above.is_horizontal_rule
    near = abs(above.box.x - below.box.x) <= COPY_TOLERANCE_PT and below.box.y - above.box.bottom < detail.height
    return is_rule and near and above.looks_like(below)


def _along_rows(part: Mark, detail: Region) -> PlacedMark:
    """A mark that runs along several rows belongs to every row if it runs along most of them.

    A picture does not: it would be printed once for each row.
    """
    if isinstance(part.origin, Picture) or part.box.height < MIN_ROW_SHARE * (detail.bottom - detail.top):
        return PlacedMark(part, None)
    in_row = replace(part, box=Box.between(part.box.x, 0, part.box.right, detail.height))
    return PlacedMark(in_row, detail, copies=(part,))


def _in_row(part: Mark, detail: Region) -> _RowMark:
    # A horizontal rule between two rows closes the upper one.
    y = part.box.y - ROW_END_TOLERANCE_PT if part.is_horizontal_rule else part.box.middle[1]
    row = detail.row_of(y)
    return _RowMark(detail, row, part, detail.in_row(part.box, row))


def _move_closing_rule(placed: PlacedMark, detail: Region, after: Region | None) -> PlacedMark:
    """A rule below the last row only opens the band after the rows, however many rows there will be."""
    box = placed.mark.box
    closes = placed.region is None and placed.mark.is_horizontal_rule
    closes = closes and abs(box.y - detail.bottom) <= ROW_END_TOLERANCE_PT
    if not closes or after is None or after.band != "summary":
        return placed
    return PlacedMark(replace(placed.mark, box=box.moved(0, max(0, after.top - box.y))), after)


def _group_copies(row_marks: Iterable[_RowMark]) -> list[list[_RowMark]]:
    """Group the marks of different rows that are copies of one."""
    groups: list[list[_RowMark]] = []
    for row_mark in row_marks:
        for group in groups:
            if all(row_mark.row != other.row for other in group) and _is_copy(row_mark, group[0]):
                group.append(row_mark)
                break
        else:
            groups.append([row_mark])
    return groups


def _with_longer_rules(group: list[_RowMark], marks: Iterable[_RowMark], needed: float) -> list[_RowMark]:
    """Add the parts of longer rules that are copies of a group's rule, as where a cell beside it spans some rows.

    They count where together they are in as many rows as it takes to be in every row.
    """
    typical, rows = group[0], {one.row for one in group}
    if not typical.mark.is_horizontal_rule:
        return group
    added = list[_RowMark]()
    for other in marks:
        low, high = max(other.box.x, typical.box.x), min(other.box.right, typical.box.right)
        part = replace(other, box=Box.between(low, other.box.y, max(low, high), other.box.bottom))
        if other.row not in rows and _is_copy(part, typical):
            rows.add(other.row)
            whole = other.mark.box
            cut = replace(other.mark, box=Box.between(low, whole.y, high, whole.bottom))
            added.append(replace(part, mark=cut))
    return group + added if len(rows) >= needed else group


def _is_copy(one: _RowMark, other: _RowMark) -> bool:
    a, b = one.box, other.box
    edges = ((a.x, b.x), (a.y, b.y), (a.right, b.right), (a.bottom, b.bottom))
    return one.mark.looks_like(other.mark) and all(abs(left - right) <= COPY_TOLERANCE_PT for left, right in edges)


def _merge_group(group: Sequence[_RowMark], detail: Region, filled: Mapping[str, set[int]]) -> list[PlacedMark]:
    """One mark for the rows that share it. Where no condition tells which rows those are, the page's marks instead."""
    rows = {row_mark.row for row_mark in group}
    every = set(range(detail.rows))
    in_rows = detail.band == "detail" and detail.rows > 1
    box = Box.between(
        *(
            statistics.median(getattr(row_mark.box, edge) for row_mark in group)
            for edge in ("x", "y", "right", "bottom")
        )
    )
    print_when = None
    if group[0].mark.is_horizontal_rule and in_rows and rows == every - {detail.rows - 1}:
        # A rule between the rows is drawn above each row except the first.
        print_when, box = "$V{REPORT_COUNT} > 1", box.moved(0, -detail.height)
    elif in_rows and rows == {row for row in every if row % 2}:
        print_when = "$V{REPORT_COUNT} % 2 == 0"
    elif in_rows and detail.rows > 2 and rows == {row for row in every if not row % 2}:
        print_when = "$V{REPORT_COUNT} % 2 == 1"
    elif in_rows and isinstance(group[0].mark.origin, Fill) and (values := _condition_of(rows, every, filled)):
        print_when = values
    elif len(rows) < MIN_ROW_SHARE * detail.rows:
        return [PlacedMark(row_mark.mark, None) for row_mark in group]
    by_row = {row_mark.row: row_mark.mark for row_mark in group}
    typical = replace(group[len(group) // 2].mark, box=box)
    return [PlacedMark(typical, detail, print_when, tuple(by_row.get(row) for row in range(detail.rows)))]


def _condition_of(rows: set[int], every: set[int], filled: Mapping[str, set[int]]) -> str | None:
    """Return what is true of the values in some rows only: that one is there or not, or one is and another is not."""
    if not MIN_MARKED_ROWS <= len(rows) < len(every):
        return None
    fields = {name: found for name, found in filled.items() if 0 < len(found) < len(every)}
    for sign, marked in (("!=", rows), ("==", every - rows)):
        if name := next((name for name, found in fields.items() if found == marked), None):
            return f"$F{{{name}}} {sign} null"
    pairs = ((one, other) for one in filled for other in fields if one != other)
    pair = next(((one, other) for one, other in pairs if filled[one] - filled[other] == rows), None)
    return f"$F{{{pair[0]}}} != null && $F{{{pair[1]}}} == null" if pair else None


def _same_colour(one: str, other: str, limit: int = MAX_COLOUR_DIFFERENCE) -> bool:
    """Whether two colours, written ``#RRGGBB``, differ by no more than `limit` in any channel."""
    channels = ((int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return all(abs(a - b) <= limit for a, b in channels)
