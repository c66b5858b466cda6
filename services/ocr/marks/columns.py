"""Split lines of a table without rules into its columns, even where the gap is no wider than between words.

A white corridor down several rows tells a column gap from a word gap: prose has no corridors, and in a table some rows
(often the header) leave it wide open. What the document itself writes as one text is not divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..page import SCALE, Word
from .line_segmentation import Components, TextSegment

MIN_CORRIDOR_PX = 1.5 * SCALE
"""Minimum width of a corridor."""
MIN_GAP = 0.18
"""Minimum width of a gap inside a line, in text heights."""
MIN_HEIGHT_RATIO = 0.7
"""Rows of one table have similar heights: a title above it is no evidence about its columns."""
MIN_OPEN_ROWS = 2
"""Number of other rows that must agree before a gap is a corridor."""
WIDE_GAP = 0.8
"""A gap of this many text heights separates columns if rows nearby have a gap at the same position."""
NEARLY_WIDE_GAP, MIN_SIMILAR_ROWS = 0.65, 3
"""A narrower gap separates columns, too, if this many other rows have one as wide with the same left or right edge."""
EDGE_TOLERANCE_PX = 0.7 * SCALE
MAX_COLUMN_GAP_PX = 3 * 10 * SCALE
ALIGNMENT_TOLERANCE_PX = 1.5 * SCALE
"""Difference in left edge, right edge or middle up to which two texts are aligned."""
MAX_ROW_DISTANCE_PX = 70 * SCALE
"""Maximum vertical distance of a row that is evidence for a corridor."""


MIN_STEP, MAX_PITCH = 0.25, 0.85
"""In heights of the line: smaller steps are within a letter, larger ones are those of ideographs."""
MIN_TYPEWRITTEN, PITCH_TOLERANCE, MIN_EVEN_SHARE = 8, 0.15, 0.8
"""A line is typewritten if so many steps are there, and this share of them within the tolerance of whole ones."""


@dataclass(frozen=True)
class _Gap:
    left: float
    right: float
    top: float
    bottom: float
    starts: tuple[float, ...]
    """Where the text before it may begin."""
    ends: tuple[float, ...]
    """Where the text after it may end."""
    open: bool
    """Whether it lies between two segments, not inside one."""

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def share(self) -> float:
        """Its width in heights of its line."""
        return (self.right - self.left) / (self.bottom - self.top)


def split_columns(segments: list[TextSegment], parts: Components, words: Sequence[Word] = ()) -> list[TextSegment]:
    """Return the segments, cut wherever a corridor between columns runs through one.

    `words` are what the document itself says.
    """
    inner = {
        n: [gap for gap in _inner_gaps(segment, parts) if not any(_is_in_text(word, gap) for word in words)]
        for n, segment in enumerate(segments)
    }
    gaps = [gap for own in inner.values() for gap in own] + _open_gaps(segments)
    result: list[TextSegment] = []
    for n, segment in enumerate(segments):
        cuts = [gap.left for gap in inner[n] if _is_corridor(gap, gaps, segments)]
        result += parts.cut(segment, cuts) if cuts else [segment]
    return result


def _inner_gaps(segment: TextSegment, parts: Components) -> list[_Gap]:
    boxes = parts.boxes[segment.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])
    starts = boxes[order[1:], 0]
    narrowest = max(MIN_CORRIDOR_PX, MIN_GAP * segment.height, _typewriter_space(boxes[order], segment.height))
    wide = np.flatnonzero(starts - reach[:-1] >= narrowest)
    begins = (float(segment.left), *(float(starts[i]) for i in wide))
    stops = (*(float(reach[i]) for i in wide), float(segment.right))
    return [
        _Gap(float(reach[i]), float(starts[i]), segment.top, segment.bottom, begins[: n + 1], stops[n + 1 :], False)
        for n, i in enumerate(wide)
    ]


def _typewriter_space(boxes: np.ndarray, height: float) -> float:
    """Return how wide the gap of one space may be where all letters take the same width; else 0.

    `boxes` are the letters of a line from left to right. In such a face, as tills print it, spaces stand below each
    other by chance, and are nearly as wide as the gaps between columns.
    """
    middles = (boxes[:, 0] + boxes[:, 2]) / 2
    steps = np.diff(middles)
    steps = steps[steps > MIN_STEP * height]
    if len(steps) < MIN_TYPEWRITTEN:
        return 0.0
    pitch = float(np.median(steps))
    even = np.abs(steps / pitch - np.round(steps / pitch)) <= PITCH_TOLERANCE
    return 2 * pitch if pitch < MAX_PITCH * height and even.mean() >= MIN_EVEN_SHARE else 0.0


def _is_in_text(word: Word, gap: _Gap) -> bool:
    """Whether a gap is inside a word, as after a wide colon, or is the space after a word that goes on."""
    left, right, y = word.box.x * SCALE, word.box.right * SCALE, word.box.middle[1] * SCALE
    inside = left < gap.left and gap.right < right
    after = word.goes_on and gap.left - SCALE <= right <= gap.right
    return (inside or after) and gap.top <= y <= gap.bottom


def _open_gaps(segments: list[TextSegment]) -> list[_Gap]:
    """Return the space between each segment and its next neighbour on the same line."""
    gaps = []
    for segment in segments:
        right = [
            other
            for other in segments
            if other.left >= segment.right
            and min(other.bottom, segment.bottom) - max(other.top, segment.top)
            > 0.4 * min(other.height, segment.height)
        ]
        if right:
            neighbour = min(right, key=lambda other: other.left)
            top, bottom = min(segment.top, neighbour.top), max(segment.bottom, neighbour.bottom)
            gaps.append(_Gap(segment.right, neighbour.left, top, bottom, (segment.left,), (neighbour.right,), True))
    return gaps


def _is_corridor(gap: _Gap, gaps: list[_Gap], segments: list[TextSegment]) -> bool:
    """Whether rows above and below leave the same place free, some of them openly, with nothing in between."""
    left, right = gap.left, gap.right
    rows: list[_Gap] = []
    for other in sorted(gaps, key=lambda g: abs(g.middle - gap.middle)):
        same_row = any(abs(other.middle - row.middle) < 0.6 * (row.bottom - row.top) for row in (gap, *rows))
        narrowed = min(right, other.right) - max(left, other.left)
        alike = MIN_HEIGHT_RATIO < (other.bottom - other.top) / (gap.bottom - gap.top) < 1 / MIN_HEIGHT_RATIO
        if not alike or same_row or abs(other.middle - gap.middle) > MAX_ROW_DISTANCE_PX or narrowed < MIN_CORRIDOR_PX:
            continue
        top, bottom = min(gap.top, other.top), max(gap.bottom, other.bottom)
        if _is_blocked(max(left, other.left), min(right, other.right), top, bottom, segments, gaps):
            continue
        left, right = max(left, other.left), min(right, other.right)
        rows.append(other)
    wide = gap.share >= WIDE_GAP
    if wide and _count_aligned_rows(gap, rows) >= MIN_OPEN_ROWS:
        return True
    similar = [row for row in rows if row.share >= NEARLY_WIDE_GAP]
    if gap.share >= NEARLY_WIDE_GAP and _count_aligned_rows(gap, similar) >= MIN_SIMILAR_ROWS:
        return True
    opened = [row for row in rows if row.open]
    before = any(_is_aligned(gap.starts, (gap.left,), row.starts, (row.left,)) for row in opened)
    after = any(_is_aligned((gap.right,), gap.ends, (row.right,), row.ends) for row in opened)
    return len(opened) >= MIN_OPEN_ROWS and (before or after if wide else before and after)


def _count_aligned_rows(gap: _Gap, rows: list[_Gap]) -> int:
    """Count the rows that have a gap of column size with the same left or right edge."""
    sides = [
        (abs(gap.left - row.left), abs(gap.right - row.right))
        for row in rows
        if row.right - row.left < MAX_COLUMN_GAP_PX
    ]
    return sum(min(side) <= EDGE_TOLERANCE_PX for side in sides)


def _is_aligned(
    starts: tuple[float, ...], ends: tuple[float, ...], others: tuple[float, ...], other_ends: tuple[float, ...]
) -> bool:
    """Whether two texts, each with the positions where it may begin and end, share an edge or their middle."""
    left = min(abs(a - b) for a in starts for b in others)
    right = min(abs(a - b) for a in ends for b in other_ends)
    middle = min(abs(a + b - c - d) / 2 for a in starts for b in ends for c in others for d in other_ends)
    return min(left, right, middle) <= ALIGNMENT_TOLERANCE_PX


def _is_blocked(
    left: float, right: float, top: float, bottom: float, segments: list[TextSegment], gaps: list[_Gap]
) -> bool:
    """Whether a segment between `top` and `bottom` stands in the corridor."""
    for segment in segments:
        middle = (segment.top + segment.bottom) / 2
        if not top < middle < bottom or segment.left >= right - 1 or segment.right <= left + 1:
            continue
        is_free = any(
            not g.open and g.top == segment.top and min(g.right, right) - max(g.left, left) >= MIN_CORRIDOR_PX
            for g in gaps
        )
        if not is_free:
            return True
    return False
