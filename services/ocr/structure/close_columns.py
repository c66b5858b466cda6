"""Divide texts of a table that were read as one although they stand in two columns, as close as words do.

Under headings that stand apart, such as *Order* and *Name*, ``22 Maria Silva`` and ``31 Daniel Reyes`` are two texts
each if all records leave the same place between the headings free. Where words end inside a line is measured in its
face. A text is divided only at the one such place that at least two rows leave free by a space, where the texts on
one side end or begin below each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count, pairwise
from statistics import median

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.typesetting import measure_text, with_known_family
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

from ..page_marks import PageMarks
from .header_rows import text_rows
from .table_choice import best_table
from .table_model import Heading
from .text_classifier import text_kind

Gap = tuple[float, float]
"""The x's between which no text stands."""
MIN_ROWS = 2
"""Rows of a table that leave a place free, from which on columns meet there."""
MEASURE_TOLERANCE_PT = 1.0
"""How far from its ink a word may be measured."""
WIDE_SPACE = 0.4
"""Width, in font sizes, by which a line has wider spaces than its words have."""
ALIGNED_PT = 2.0
"""Difference up to which texts of one column end, or begin, below each other."""


def with_close_columns(marks: PageMarks) -> PageMarks:
    """Return the marks with a line in each column for a text that stands in several columns of the table."""
    table, _ = best_table(marks.lines, marks.grids, marks.rules)
    lines, records = marks.lines, [line for record in table.records for line in record.lines] if table else []
    for left, right in pairwise(table.headings) if table else ():
        if left.lines and right.lines and not (left.ruled or right.ruled or left.name or right.name):
            parted = _divided(records, left, right, {line.id for line in lines})
            lines, records = (_with_parts(whole, parted) for whole in (lines, records))
    # Where columns are found, the table may have more rows, or another place may be the only one.
    return with_close_columns(marks.with_lines(lines)) if len(lines) > len(marks.lines) else marks


def _with_parts(lines: Sequence[TextLine], parted: Mapping[str, list[TextLine]]) -> list[TextLine]:
    return [part for line in lines for part in parted.get(line.id, [line])]


def _divided(
    records: Sequence[TextLine], left: Heading, right: Heading, taken: Collection[str]
) -> dict[str, list[TextLine]]:
    """Return the parts of the texts that stand below both of two headings, by their ids. Ids in `taken` are others'."""
    usual = median(line.style.size for line in records)
    for between in _between(left, right):
        crossing = {n.id: _Joints(n, usual) for n in records if n.box.x < between[0] and n.box.right > between[1]}
        found = []
        for place in _free_places(text_rows(records), between, crossing) if crossing else ():
            parted = {name: joints.parts(place, taken) for name, joints in crossing.items()}
            whole = _with_parts(records, parted)
            near = [line for line in whole if line.box.x < _extent(right).right and line.box.right > _extent(left).x]
            found += [parted] if _are_columns(near, place) else []
        if len(found) == 1:
            return found[0]
    return {}


def _are_columns(near: Sequence[TextLine], place: Gap) -> bool:
    """Whether the texts before a place end below each other, or those after it begin below each other."""
    middle = (place[0] + place[1]) / 2
    rows = text_rows(near)
    ends = [max(before) for row in rows if (before := [n.box.right for n in row if n.box.middle[0] < middle])]
    starts = [min(after) for row in rows if (after := [n.box.x for n in row if n.box.middle[0] > middle])]
    return any(len(xs) >= MIN_ROWS and max(xs) - min(xs) <= ALIGNED_PT for xs in (ends, starts))


def _extent(heading: Heading) -> Box:
    return Box.around(line.box for line in heading.lines)


def _between(left: Heading, right: Heading) -> Iterator[Gap]:
    """Yield where columns may meet: between two headings, or else between their middles, as one may be the wider."""
    one, other = _extent(left), _extent(right)
    if one.right < other.x:
        yield one.right, other.x
        yield one.middle[0], other.middle[0]


def _free_places(rows: Sequence[Sequence[TextLine]], between: Gap, crossing: Mapping[str, _Joints]) -> list[Gap]:
    """Return the places between two headings that every row leaves free, at least two of them by a space."""
    places, open_rows = [between], 0
    for row in rows:
        near = [line for line in row if line.box.x < between[1] and line.box.right > between[0]]
        if not near:
            continue
        gaps = list(_gaps(near, between, crossing))
        open_rows += any(is_open for is_open, _ in gaps)
        places = _common(places, [gap for _, gap in gaps])
    return places if open_rows >= MIN_ROWS else []


def _common(places: Sequence[Gap], gaps: Sequence[Gap]) -> list[Gap]:
    shared = ((max(a[0], b[0]), min(a[1], b[1])) for a in places for b in gaps)
    return [(start, end) for start, end in shared if start < end]


def _gaps(row: Sequence[TextLine], between: Gap, crossing: Mapping[str, _Joints]) -> Iterator[tuple[bool, Gap]]:
    """Yield the places that a row leaves free, beside its texts and inside others, and whether by a space."""
    edges = [between[0], *(x for line in row for x in (line.box.x, line.box.right)), between[1]]
    yield from ((True, gap) for gap in zip(edges[::2], edges[1::2], strict=True) if gap[0] < gap[1])
    for line in row:
        if line.id in crossing and text_kind(line.text) == "text":
            yield from ((line.text[at].isspace(), gap) for at, gap in crossing[line.id].found())


class _Joints:
    """Where a text may end inside a line: after a word, before a capital behind a small letter, beside an ideograph."""

    def __init__(self, line: TextLine, usual: float) -> None:
        """`usual` is the size of type around it: a line with wide spaces seems to be larger."""
        self._line = line
        style = with_known_family(line.style)
        self._style = style.model_copy(update={"size": min(style.size, usual)})
        self._ink = measure_text(line.text, self._style).ink
        self._scale = min(1.0, line.box.width / max(self._ink.width, 1.0))
        # What is wider than its letters has its columns apart at a space.
        self._is_spread = line.box.width - self._ink.width > WIDE_SPACE * self._style.size

    def found(self) -> Iterator[tuple[int, Gap]]:
        """Yield each by its number of characters, and the place that is free there."""
        for at, (char, after) in enumerate(pairwise(self._line.text), 1):
            is_close = (char.islower() and after.isupper()) or is_cjk(char) or is_cjk(after)
            if not char.isspace() and ((is_close and not self._is_spread) or after.isspace()):
                end, start = self._ends_at(at), self._starts_after(at)
                yield at, (end - MEASURE_TOLERANCE_PT, start + MEASURE_TOLERANCE_PT)

    def parts(self, place: Gap, taken: Collection[str]) -> list[TextLine]:
        """Return the two texts of the line on both sides of a place that is free in it."""
        line, box = self._line, self._line.box
        at = next(at for at, gap in self.found() if max(gap[0], place[0]) < min(gap[1], place[1]))
        before = Box.between(box.x, box.y, self._ends_at(at), box.bottom)
        after = Box.between(self._starts_after(at), box.y, box.right, box.bottom)
        texts = line.text[:at], line.text[at:].lstrip()
        new = next(name for number in count(2) if (name := f"{line.id}-c{number}") not in taken)
        return [
            line.model_copy(update={"text": texts[0], "box": before, "style": self._style}),
            line.model_copy(update={"id": new, "text": texts[1], "box": after, "style": self._style}),
        ]

    def _ends_at(self, at: int) -> float:
        ink = measure_text(self._line.text[:at], self._style).ink
        return self._line.box.x + self._scale * (ink.right - self._ink.x)

    def _starts_after(self, at: int) -> float:
        return self._line.box.right - self._scale * measure_text(self._line.text[at:].lstrip(), self._style).ink.width
