"""The fingerprint of a page: 64 numbers that say where its texts, rules and fills are, but not what they say."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout

COLUMNS, ROWS = 4, 8
"""The grid that divides the page. Each cell has one number for texts and one for rules and fills."""


def of_layout(layout: Layout) -> list[float]:
    """Return the fingerprint of a form's page."""
    marks = [_rule_box(rule.x1, rule.y1, rule.x2, rule.y2) for rule in layout.rules]
    return of_boxes(layout.page, [line.box for line in layout.lines], [*marks, *(fill.box for fill in layout.fills)])


def of_boxes(page: Size, texts: Iterable[Box], marks: Iterable[Box]) -> list[float]:
    """Return a vector of unit length with the square root of the covered share of each cell.

    The root keeps pages with little on them distinguishable.
    """
    covered = [*_covered(page, texts), *_covered(page, marks)]
    length = sqrt(sum(covered)) or 1.0
    return [sqrt(share) / length for share in covered] if any(covered) else [1.0] * len(covered)


def _covered(page: Size, boxes: Iterable[Box]) -> list[float]:
    """Return the share of each cell that the boxes cover."""
    cell_width, cell_height = page.width / COLUMNS, page.height / ROWS
    shares = [0.0] * (COLUMNS * ROWS)
    for box in boxes:
        for row in range(ROWS):
            overlap_height = min(box.y + box.height, (row + 1) * cell_height) - max(box.y, row * cell_height)
            for column in range(COLUMNS) if overlap_height > 0 else ():
                overlap_width = min(box.x + box.width, (column + 1) * cell_width) - max(box.x, column * cell_width)
                if overlap_width > 0:
                    area = overlap_height * overlap_width
                    shares[row * COLUMNS + column] += area / (cell_width * cell_height)
    return shares


def _rule_box(x1: float, y1: float, x2: float, y2: float) -> Box:
    """Return a rule's area. It is as thick as a letter at least: thinner rules would not count beside texts."""
    return Box(x=min(x1, x2), y=min(y1, y2), width=max(abs(x2 - x1), 5.0), height=max(abs(y2 - y1), 5.0))
