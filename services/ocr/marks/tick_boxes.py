"""Find boxes to tick: small squares that stand alone, empty or with a tick or a cross inside.

A square is an outline whose four sides and corners are inked. Letters have rounded corners, cells of tables touch each
other, and boxes for single characters stand side by side. Characters such as 国 and 回 have level strokes inside, which
ticks and crosses have not. Where the document carries its words, a square inside of one is a letter, unless the word is
one of the signs that documents use for a box; elsewhere the OCR engine, which is certain of an ideograph (四, 图), is
shown each square that is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box

from ..engines import OcrEngine
from ..page import SCALE, Word

SIGNS = "☐☑☒□❏❑❒◻▢口"
"""Characters that documents use for a box to tick."""
WORDS_LIKE_SIGNS = (
    "口座",
    "口頭",
    "口头",
    "口径",
    "口徑",
    "口味",
    "口罩",
    "口岸",
    "口袋",
    "口红",
    "口紅",
    "口腔",
    "口令",
    "口号",
    "口述",
)
"""Words that begin with the ideograph for a mouth, which is also used as a box."""
MIN_SIDE_PT, MAX_SIDE_PT = 5.5, 17.0
MAX_ASPECT = 1.15
MIN_SIDE_COVERAGE = 0.92
"""Share of each side that has ink."""
OUTLINE = 0.14
"""Thickness of the outline at most, as a share of the box."""
MIN_TICK, MAX_TICK = 0.05, 0.6
"""Share of the inside that a tick covers. A darker square is a bullet or a letter."""
MIN_STROKE = 0.65
"""Length of a level or upright stroke inside, as a share of the inside's width or height."""
MAX_STROKES = 1
"""A tick or a cross has hardly one such stroke; what has more is a character."""
MAX_FRAME = 3.0
"""Size of a character that has a square inside, in the square's sides: 回."""
LETTER_MARGIN = 0.25
"""Paper around a square that is read, in its widths."""
MIN_LETTER_CONFIDENCE = 0.8
"""Crosses and ticks are read with less than 0.5, except as V; ideographs with more than 0.95."""
MIN_APART = 0.6
"""Distance of two boxes side by side, in their widths; closer ones are for single characters."""


@dataclass(frozen=True)
class TickSquare:
    """A box to tick, in pixels."""

    left: int
    top: int
    right: int
    bottom: int
    ticked: bool

    @property
    def box(self) -> Box:
        return Box.between(self.left / SCALE, self.top / SCALE, self.right / SCALE, self.bottom / SCALE)


def find_tick_squares(ink: np.ndarray, words: Sequence[Word] | None) -> list[TickSquare]:
    """Return the boxes to tick on a mask of ink (0 or 1). `words` are the document's own."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    low, high = MIN_SIDE_PT * SCALE, MAX_SIDE_PT * SCALE
    found = []
    for left, top, width, height, _ in stats[1:]:
        if low <= width <= high and low <= height <= high and max(width, height) <= MAX_ASPECT * min(width, height):
            square = _square(ink[top : top + height, left : left + width], int(left), int(top))
            if square is None or _is_framed(square, stats[1:]):
                continue
            if words is None or _is_no_letter(square.box, words):
                found.append(square)
    return [square for square in found if not any(_is_beside(square, other) for other in found)]


def without_ideographs(squares: Sequence[TickSquare], pixels: np.ndarray, engine: OcrEngine) -> list[TickSquare]:
    """Return the squares of a page (BGR) that the engine does not read as an ideograph."""
    read = engine.read([_with_margin(square, pixels) for square in squares]) if squares else []
    return [
        square
        for square, (text, confidence) in zip(squares, read, strict=True)
        if confidence < MIN_LETTER_CONFIDENCE or len(text) != 1 or text in SIGNS or not is_cjk(text)
    ]


def without_signs(words: list[Word], squares: Sequence[TickSquare]) -> list[Word]:
    """Return the words without the signs that are boxes to tick."""
    kept = []
    for word in words:
        inside = [square.box for square in squares if word.box.overlap(square.box) > 0.5 * square.box.area]
        text = word.text.lstrip(SIGNS)
        if not inside:
            kept.append(word)
        elif text and text != word.text:
            left = max(box.right for box in inside)
            kept.append(replace(word, text=text, box=Box.between(left, word.box.y, word.box.right, word.box.bottom)))
    return kept


def _square(ink: np.ndarray, left: int, top: int) -> TickSquare | None:
    """Return the square that an area shows; None where it shows something else."""
    height, width = ink.shape
    rim = max(2, round(OUTLINE * min(height, width)))
    sides = (ink[:rim].any(axis=0), ink[-rim:].any(axis=0), ink[:, :rim].any(axis=1), ink[:, -rim:].any(axis=1))
    corners = (ink[:2, :2], ink[:2, -2:], ink[-2:, :2], ink[-2:, -2:])
    if any(side.mean() < MIN_SIDE_COVERAGE for side in sides) or not all(corner.any() for corner in corners):
        return None
    inner = ink[rim + 1 : -rim - 1, rim + 1 : -rim - 1]
    share = float(inner.mean()) if inner.size else 1.0
    if share > MAX_TICK or max(_strokes(inner), _strokes(inner.T)) > MAX_STROKES:
        return None
    return TickSquare(left, top, left + width, top + height, share >= MIN_TICK)


def _is_framed(square: TickSquare, stats: np.ndarray) -> bool:
    """Whether a square is a part of a character: another mark, not much larger, is around it."""
    left, top, width, height = stats[:, :4].T
    around = (left < square.left) & (top < square.top) & (left + width > square.right) & (top + height > square.bottom)
    side = MAX_FRAME * (square.right - square.left)
    return bool((around & (width <= side) & (height <= side)).any())


def _strokes(inner: np.ndarray) -> int:
    """Return how many level strokes an area has: rows next to each other with a long run of ink are one."""
    long_rows = [_longest_run(row) >= MIN_STROKE * len(row) for row in inner]
    return sum(is_long and not was_long for was_long, is_long in pairwise([False, *long_rows]))


def _longest_run(row: np.ndarray) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], row, [0]))))
    return int(np.diff(edges)[::2].max(initial=0))


def _with_margin(square: TickSquare, pixels: np.ndarray) -> np.ndarray:
    margin = round(LETTER_MARGIN * (square.right - square.left))
    top, left = max(0, square.top - margin), max(0, square.left - margin)
    return pixels[top : square.bottom + margin, left : square.right + margin]


def _is_no_letter(box: Box, words: Sequence[Word]) -> bool:
    over = [word for word in words if word.box.overlap(box) > 0.3 * box.area]
    return all(_begins_with_sign(word.text) or (len(word.text) == 1 and not word.text.isalnum()) for word in over)


def _begins_with_sign(text: str) -> bool:
    """Whether a word begins with a sign for a box, and not with the ideograph of the same shape."""
    return text[0] in SIGNS and not text.startswith(WORDS_LIKE_SIGNS)


def _is_beside(one: TickSquare, other: TickSquare) -> bool:
    """Whether another box stands right beside one, as those for single characters do."""
    gap = max(one.left - other.right, other.left - one.right)
    level = min(one.bottom, other.bottom) - max(one.top, other.top) > 0.5 * (one.bottom - one.top)
    return one is not other and level and gap < MIN_APART * (one.right - one.left)
