"""Lines that are one text, as a model says: they stand below each other at the distance of lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bandsmith.shared.model.layout import TextLine

MAX_LEADING = 2.0
"""Distance between the middles of two lines of one text, in heights of the higher one."""
MIN_LEVEL_SHARE = 0.3
"""Share of the lower of two texts that is level with the other one if they are parts of one line."""


def is_paragraph(lines: Sequence[TextLine]) -> bool:
    """Whether texts can be lines of one text, or parts of its lines, in the order in which they are read."""
    return len(lines) > 1 and all(_goes_on(one, other) for one, other in pairwise(lines))


def _goes_on(one: TextLine, other: TextLine) -> bool:
    if one.box.level_share(other.box) > MIN_LEVEL_SHARE and one.box.middle[0] < other.box.x:
        return True
    below = other.box.middle[1] - one.box.middle[1]
    return 0 < below <= MAX_LEADING * max(one.box.height, other.box.height)
