"""Part what stands in two columns of a table without rules, though the gap is no wider than between words.

A white corridor down several rows tells columns from words: prose has none, and in a table some rows (often the header)
leave it wide open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..page import SCALE
from .line_segmentation import Components, Piece

NARROWEST = 1.5 * SCALE
"""A corridor is at least this wide, in pixels."""
WORD_GAP = 0.18
"""A gap inside a line counts from this many text heights on."""
ALIKE = 0.7
"""Rows of one table are about as high: a title above it says nothing about its columns, nor they about the title."""
OPEN_ROWS = 2
WIDE = 0.8
"""A gap of this many text heights parts columns when the rows around have theirs at the same place."""
HAIR = 0.7 * SCALE
WIDTH = 10 * SCALE
IN_LINE = 1.5 * SCALE
REACH = 70 * SCALE
"""How far up and down rows speak for a corridor."""


@dataclass(frozen=True)
class _Gap:
    left: float
    right: float
    top: float
    bottom: float
    starts: tuple[float, ...]
    """Where what stands before it may begin."""
    ends: tuple[float, ...]
    """Where what stands after it may end."""
    open: bool
    """Between two pieces, not inside one."""

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def part_columns(pieces: list[Piece], parts: Components) -> list[Piece]:
    """The same pieces, those cut that a corridor between columns runs through."""
    inner = {n: _inner_gaps(piece, parts) for n, piece in enumerate(pieces)}
    gaps = [gap for own in inner.values() for gap in own] + _open_gaps(pieces)
    result: list[Piece] = []
    for n, piece in enumerate(pieces):
        cuts = [gap.left for gap in inner[n] if _is_corridor(gap, gaps, pieces)]
        result += _cut(piece, parts, cuts) if cuts else [piece]
    return result


def _inner_gaps(piece: Piece, parts: Components) -> list[_Gap]:
    boxes = parts.boxes[piece.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])
    starts = boxes[order[1:], 0]
    wide = np.flatnonzero(starts - reach[:-1] >= max(NARROWEST, WORD_GAP * piece.height))
    begins = (float(piece.left), *(float(starts[i]) for i in wide))
    stops = (*(float(reach[i]) for i in wide), float(piece.right))
    return [
        _Gap(float(reach[i]), float(starts[i]), piece.top, piece.bottom, begins[: n + 1], stops[n + 1 :], False)
        for n, i in enumerate(wide)
    ]


def _open_gaps(pieces: list[Piece]) -> list[_Gap]:
    """The space between a piece and its next neighbour on the same line."""
    found = []
    for piece in pieces:
        right = [
            other
            for other in pieces
            if other.left >= piece.right
            and min(other.bottom, piece.bottom) - max(other.top, piece.top) > 0.4 * min(other.height, piece.height)
        ]
        if right:
            near = min(right, key=lambda other: other.left)
            top, bottom = min(piece.top, near.top), max(piece.bottom, near.bottom)
            found.append(_Gap(piece.right, near.left, top, bottom, (piece.left,), (near.right,), True))
    return found


def _is_corridor(gap: _Gap, gaps: list[_Gap], pieces: list[Piece]) -> bool:
    """Whether rows above and below leave the same place free, one of them openly, with nothing in between."""
    left, right = gap.left, gap.right
    rows: list[_Gap] = []
    for other in sorted(gaps, key=lambda g: abs(g.middle - gap.middle)):
        same_row = any(abs(other.middle - row.middle) < 0.6 * (row.bottom - row.top) for row in (gap, *rows))
        narrowed = min(right, other.right) - max(left, other.left)
        alike = ALIKE < (other.bottom - other.top) / (gap.bottom - gap.top) < 1 / ALIKE
        if not alike or same_row or abs(other.middle - gap.middle) > REACH or narrowed < NARROWEST:
            continue
        top, bottom = min(gap.top, other.top), max(gap.bottom, other.bottom)
        if _is_blocked(max(left, other.left), min(right, other.right), top, bottom, pieces, gaps):
            continue
        left, right = max(left, other.left), min(right, other.right)
        rows.append(other)
    wide = gap.right - gap.left >= WIDE * (gap.bottom - gap.top)
    if wide and _agree(gap, rows) >= OPEN_ROWS:
        return True
    opened = [row for row in rows if row.open]
    before = any(_in_line(gap.starts, (gap.left,), row.starts, (row.left,)) for row in opened)
    after = any(_in_line((gap.right,), gap.ends, (row.right,), row.ends) for row in opened)
    return len(opened) >= OPEN_ROWS and (before or after if wide else before and after)


def _agree(gap: _Gap, rows: list[_Gap]) -> int:
    """How many rows have a gap of about a column's that begins or ends at the same place to a hair."""
    sides = [(abs(gap.left - row.left), abs(gap.right - row.right)) for row in rows if row.right - row.left < 3 * WIDTH]
    return sum(min(side) <= HAIR for side in sides)


def _in_line(
    starts: tuple[float, ...], ends: tuple[float, ...], others: tuple[float, ...], other_ends: tuple[float, ...]
) -> bool:
    """Whether two texts, each with the places where it may begin and end, share a left, a right or a middle."""
    left = min(abs(a - b) for a in starts for b in others)
    right = min(abs(a - b) for a in ends for b in other_ends)
    middle = min(abs(a + b - c - d) / 2 for a in starts for b in ends for c in others for d in other_ends)
    return min(left, right, middle) <= IN_LINE


def _is_blocked(left: float, right: float, top: float, bottom: float, pieces: list[Piece], gaps: list[_Gap]) -> bool:
    """Whether a piece between `top` and `bottom` stands in the corridor."""
    for piece in pieces:
        middle = (piece.top + piece.bottom) / 2
        if not top < middle < bottom or piece.left >= right - 1 or piece.right <= left + 1:
            continue
        free = any(
            not g.open and g.top == piece.top and min(g.right, right) - max(g.left, left) >= NARROWEST for g in gaps
        )
        if not free:
            return True
    return False


def _cut(piece: Piece, parts: Components, cuts: list[float]) -> list[Piece]:
    middles = (parts.boxes[piece.parts, 0] + parts.boxes[piece.parts, 2]) / 2
    groups = np.searchsorted(np.sort(cuts), middles)
    return [parts.piece(piece.parts[groups == g]) for g in np.unique(groups)]
