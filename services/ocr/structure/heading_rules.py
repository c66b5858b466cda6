"""How far the headings of a table reach: to the upright rules beside them, and down to the end of their ruled table."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.layout import Grid, RulingLine

from .table_model import Heading


def end_of_grid(heading: Heading, grids: Sequence[Grid], top: float) -> float | None:
    """Return the bottom of the ruled table that a header is in; None without one, or where it rules the header only.

    `top` is the bottom of the headings' ink.
    """
    line = heading.lines[0]
    around = [grid.box.bottom for grid in grids if heading.ruled and grid.box.holds(*line.box.middle)]
    return around[0] if around and around[0] > top + line.style.size else None


def between_rules(headings: Sequence[Heading], rules: Sequence[RulingLine]) -> list[Heading]:
    """Return the headings, each as wide as the stretch between the upright rules beside it, also without a whole cell.

    Rules that stop at the header do not divide what is below it.
    """
    heads = [line.box for heading in headings for line in heading.lines]
    end = max(box.bottom for box in heads) + min(box.height for box in heads)
    upright = [rule.x1 for rule in rules if not rule.horizontal and rule.y1 <= end <= rule.y2]
    found = []
    for heading in headings:
        middle = (heading.left + heading.right) / 2
        left = max((x for x in upright if x < middle), default=None)
        right = min((x for x in upright if x > middle), default=None)
        within = [other for other in headings if left is not None and right is not None and left < other.left < right]
        is_apart = len(within) == 1 and not heading.ruled and heading.lines
        if left is not None and right is not None and is_apart:
            found.append(Heading(heading.lines, left, right, ruled=True, name=heading.name))
        else:
            found.append(heading)
    return found
