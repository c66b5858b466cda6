"""Marks: which band draws each rule, fill and picture, and which of them are one mark repeated in every row."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Picture, RulingLine

from .regions import Region
from .ruling import span

SAME = 2.5
"""Marks of different rows whose edges are this near to each other, in points, are one mark repeated."""
CLOSING = 3.0
"""A horizontal rule this near below a row's end, in points, closes the row: rows may be off by as much."""
MOST = 0.6
"""A mark that this share of the rows have, or that runs along this share of them, belongs to every row."""
SLIVER = 1.5
"""What is left of a mark in a band is drawn from this height on, in points."""


@dataclass(frozen=True)
class Mark:
    """A rule, fill or picture and its box; `box` may be a part of it, or relative to a row."""

    origin: RulingLine | Fill | Picture
    box: Box

    @property
    def horizontal_rule(self) -> bool:
        return isinstance(self.origin, RulingLine) and self.origin.horizontal

    @property
    def can_be_cut(self) -> bool:
        """Whether a part of it looks like a part of the whole."""
        return isinstance(self.origin, RulingLine) or (isinstance(self.origin, Fill) and self.origin.radius == 0)

    def looks_like(self, other: Mark) -> bool:
        mine, its = self.origin, other.origin
        if isinstance(mine, Fill) and isinstance(its, Fill):
            return _alike(mine.colour, its.colour)
        if isinstance(mine, RulingLine) and isinstance(its, RulingLine):
            return mine.horizontal == its.horizontal and _alike(mine.colour, its.colour)
        return type(mine) is type(its)


@dataclass(frozen=True)
class Placed:
    """A mark in its band."""

    mark: Mark
    """Its box is the page's, or relative to the row where `copies` are given."""
    region: Region | None
    """None is the background: it crosses bands, or stands in some rows only."""
    when: str | None = None
    """The condition under which its row prints it."""
    copies: tuple[Mark | None, ...] = ()
    """In a detail: the mark of each row, in the page's coordinates."""


def mark_of(origin: RulingLine | Fill | Picture) -> Mark:
    if isinstance(origin, RulingLine):
        across, low, high = span(origin)
        if origin.horizontal:
            return Mark(origin, Box.between(low, across, high, across))
        return Mark(origin, Box.between(across, low, across, high))
    return Mark(origin, origin.box)


def spread(marks: Iterable[Mark], regions: Sequence[Region]) -> list[Placed]:
    """Give every mark its band: cut at the bands' boundaries where it may be, gathered where rows repeat it."""
    placed: list[Placed] = []
    copies: list[_Copy] = []
    for mark in marks:
        for region, part in _parts(mark, regions):
            if region is None or region.band != "detail":
                placed.append(Placed(part, region))
            elif part.box.height > 1.5 * region.height:
                placed.append(_along(part, region))
            else:
                copies.append(_copy(part, region))
    for detail, after in pairwise([*regions, None]):
        if detail is not None and detail.band == "detail":
            for group in _groups(copies):
                placed += [_closing(one, detail, after) for one in _repeated(group, detail)]
    return placed


@dataclass(frozen=True)
class _Copy:
    """A mark that stands in one row."""

    row: int
    mark: Mark
    place: Box
    """Relative to the row."""


def _parts(mark: Mark, regions: Sequence[Region]) -> list[tuple[Region | None, Mark]]:
    box = mark.box
    if mark.horizontal_rule:
        return [(_home(box, regions), mark)]
    inside = [(region, max(box.y, region.top), min(box.bottom, region.bottom)) for region in regions]
    inside = [part for part in inside if part[2] - part[1] > SLIVER or (part[1] <= box.y and box.bottom <= part[2])]
    if len(inside) == 1:
        return [(inside[0][0], mark)]
    if not mark.can_be_cut:
        return [(None, mark)]
    return [(region, replace(mark, box=Box.between(box.x, top, box.right, end))) for region, top, end in inside]


def _home(box: Box, regions: Sequence[Region]) -> Region:
    """A horizontal rule on a boundary closes what is above it, but the page's foot it opens."""
    for region, after in pairwise(regions):
        reach = CLOSING if region.band == "detail" else SAME / 2
        if box.y <= region.bottom + reach and not (after.band == "pageFooter" and box.y >= after.top - SAME / 2):
            return region
    return regions[-1]


def _along(part: Mark, detail: Region) -> Placed:
    """A mark that runs along several rows is one in every row where it runs along most of them."""
    if part.box.height < MOST * (detail.bottom - detail.top):
        return Placed(part, None)
    return Placed(replace(part, box=Box.between(part.box.x, 0, part.box.right, detail.height)), detail, copies=(part,))


def _copy(part: Mark, detail: Region) -> _Copy:
    # A horizontal rule between two rows closes the upper one.
    at = part.box.y - CLOSING if part.horizontal_rule else part.box.middle[1]
    row = detail.row_of(at)
    return _Copy(row, part, part.box.moved(0, -detail.row_top(row)))


def _closing(placed: Placed, detail: Region, after: Region | None) -> Placed:
    """A rule under the last row alone opens what comes after the rows, however many there will be."""
    box = placed.mark.box
    ends = placed.region is None and placed.mark.horizontal_rule and abs(box.y - detail.bottom) <= CLOSING
    if not ends or after is None or after.band != "summary":
        return placed
    return Placed(replace(placed.mark, box=box.moved(0, max(0, after.top - box.y))), after)


def _groups(copies: Iterable[_Copy]) -> list[list[_Copy]]:
    groups: list[list[_Copy]] = []
    for copy in copies:
        for group in groups:
            if all(copy.row != other.row for other in group) and _same(copy, group[0]):
                group.append(copy)
                break
        else:
            groups.append([copy])
    return groups


def _same(one: _Copy, other: _Copy) -> bool:
    a, b = one.place, other.place
    edges = ((a.x, b.x), (a.y, b.y), (a.right, b.right), (a.bottom, b.bottom))
    return one.mark.looks_like(other.mark) and all(abs(mine - its) <= SAME for mine, its in edges)


def _repeated(group: Sequence[_Copy], detail: Region) -> list[Placed]:
    """One mark for the rows that share it, or as many marks of the page where no rule tells which rows have it."""
    have = {copy.row for copy in group}
    every = set(range(detail.rows))
    place = Box.between(
        *(statistics.median(getattr(copy.place, edge) for copy in group) for edge in ("x", "y", "right", "bottom"))
    )
    when = None
    if group[0].mark.horizontal_rule and detail.rows > 1 and have == every - {detail.rows - 1}:
        # Between the rows only: above each row but the first.
        when, place = "$V{REPORT_COUNT} > 1", place.moved(0, -detail.height)
    elif detail.rows > 1 and have == {row for row in every if row % 2}:
        when = "$V{REPORT_COUNT} % 2 == 0"
    elif detail.rows > 2 and have == {row for row in every if not row % 2}:
        when = "$V{REPORT_COUNT} % 2 == 1"
    elif len(have) < MOST * detail.rows:
        return [Placed(copy.mark, None) for copy in group]
    by_row = {copy.row: copy.mark for copy in group}
    typical = replace(group[len(group) // 2].mark, box=place)
    return [Placed(typical, detail, when, tuple(by_row.get(row) for row in range(detail.rows)))]


def _alike(one: str, other: str) -> bool:
    """Whether two colours (``#RRGGBB``) look the same."""
    return all(abs(int(one[n : n + 2], 16) - int(other[n : n + 2], 16)) <= 24 for n in (1, 3, 5))
