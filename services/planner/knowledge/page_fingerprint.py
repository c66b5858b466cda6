"""Shape: what a page looks like, as 64 numbers: where its texts, rules and fills are, whatever they say."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout

COLUMNS, ROWS = 4, 8
"""The page's parts; each has a number for texts and one for lines and fills."""


def of_layout(layout: Layout) -> list[float]:
    marks = [_along(rule.x1, rule.y1, rule.x2, rule.y2) for rule in layout.rules]
    return of_boxes(layout.page, [line.box for line in layout.lines], [*marks, *(fill.box for fill in layout.fills)])


def of_boxes(page: Size, texts: Iterable[Box], marks: Iterable[Box]) -> list[float]:
    """64 numbers of unit length: the roots of how much of each part of the page is covered, so that a page with little
    on it is still told from another."""
    covered = [*_covered(page, texts), *_covered(page, marks)]
    length = sqrt(sum(covered)) or 1.0
    return [sqrt(share) / length for share in covered] if any(covered) else [1.0] * len(covered)


def _covered(page: Size, boxes: Iterable[Box]) -> list[float]:
    wide, high = page.width / COLUMNS, page.height / ROWS
    shares = [0.0] * (COLUMNS * ROWS)
    for box in boxes:
        for row in range(ROWS):
            tall = min(box.y + box.height, (row + 1) * high) - max(box.y, row * high)
            for column in range(COLUMNS) if tall > 0 else ():
                across = min(box.x + box.width, (column + 1) * wide) - max(box.x, column * wide)
                if across > 0:
                    shares[row * COLUMNS + column] += tall * across / (wide * high)
    return shares


def _along(x1: float, y1: float, x2: float, y2: float) -> Box:
    """A rule as an area: as broad as a letter, else no rule would count beside the texts."""
    return Box(x=min(x1, x2), y=min(y1, y2), width=max(abs(x2 - x1), 5.0), height=max(abs(y2 - y1), 5.0))
