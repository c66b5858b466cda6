"""Measure the size of a line of text by its width and height in a face; sizes that cannot be told apart are one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from bandsmith.shared.fonts import is_cjk, measure

from ..page import SCALE

Face = tuple[str, bool, bool]
"""Family, bold, italic."""
MAX_WIDTH_RATIO, MAX_READ_RATIO = 1.2, 1.5
"""CJK text that is wider than this times the width its height suggests is letter-spaced, other text misread."""


class PrintedText(Protocol):
    """A text, and how it was printed."""

    @property
    def text(self) -> str: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def underline(self) -> bool: ...


def fit_size(line: PrintedText, face: Face) -> tuple[float, float]:
    """Return the size that fits the line's width and height, and how far these disagree (log ratio)."""
    ink = measure(line.text, face[0], 100, face[1], face[2]).ink
    if ink.width <= 0 or ink.height <= 0:
        return line.height / 0.75, 0.0
    by_width, by_height = 100 * line.width / ink.width, 100 * line.height / ink.height
    # A long line's size shows in its width, a single character's in its height.
    share = min(1.0, max(0.15, line.width / max(line.height, 0.1) / 3))
    size = math.exp(share * math.log(by_width) + (1 - share) * math.log(by_height))
    # Titles are set with spaces between their characters, which the recogniser omits. A line under a text takes
    # what it crosses from the height of the letters.
    max_ratio = MAX_WIDTH_RATIO if is_mostly_cjk(line.text) else MAX_READ_RATIO
    if by_width > max_ratio * by_height and (max_ratio == MAX_WIDTH_RATIO or not line.underline):
        size = by_height
    return size, math.log(by_width / by_height)


def is_mostly_cjk(text: str) -> bool:
    return sum(is_cjk(c) for c in text) * 2 >= len(text.replace(" ", ""))


def harmonise_sizes(appearances: Sequence[PrintedText], raw: Sequence[float]) -> list[float]:
    """Round sizes to half points and merge sizes that cannot be told apart."""
    widths = [min(line.width, 200.0) for line in appearances]
    votes: dict[float, float] = defaultdict(float)
    for size, weight in zip(raw, widths, strict=True):
        votes[_half(size)] += weight
    common = sorted(votes, key=lambda size: -votes[size])
    sizes = []
    for line, size in zip(appearances, raw, strict=True):
        # One pixel of the box is this share of its size.
        uncertainty = 1 / SCALE / max(line.width, 1.5 * line.height)
        candidates = [c for c in common if abs(math.log(c / size)) <= 0.02 + 0.7 * uncertainty]
        own_votes = votes[_half(size)]
        best = next((c for c in candidates if votes[c] > 1.5 * own_votes), _half(size))
        sizes.append(best)
    return sizes


def _half(size: float) -> float:
    return max(1.0, round(size * 2) / 2)
