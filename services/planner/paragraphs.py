"""Lines that are one text, as a model says: they stand below each other at the distance of lines.

One text is printed at the distance that its font gives lines. Where those of the form are nearer or farther, they stay
texts of their own, which are printed where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bandsmith.shared.fonts import line_size
from bandsmith.shared.model.layout import TextLine

MAX_LEADING = 2.0
"""Distance between the middles of two lines of one text, in heights of the higher one."""
MAX_DRIFT = 0.3
"""How far the last line of one text may be printed from where it stands, in its size."""
MIN_LEVEL_SHARE = 0.3
"""Share of the lower of two texts that is level with the other one if they are parts of one line."""


def is_paragraph(lines: Sequence[TextLine]) -> bool:
    """Whether texts can be lines of one text, or parts of its lines, in the order in which they are read."""
    return len(lines) > 1 and all(_goes_on(one, other) for one, other in pairwise(lines))


def is_set_as_one(lines: Sequence[TextLine]) -> bool:
    """Whether the lines of a paragraph are about as far apart as one text is printed."""
    heights = [_line_height(other) for one, other in pairwise(lines) if not _are_level(one, other)]
    printed = sum(heights) if heights else 0.0
    return abs(lines[-1].box.middle[1] - lines[0].box.middle[1] - printed) <= MAX_DRIFT * lines[0].style.size


def _line_height(line: TextLine) -> float:
    style = line.style
    return line_size(line.text, style.family, style.size, style.bold, style.italic).line_height


def _are_level(one: TextLine, other: TextLine) -> bool:
    return one.box.level_share(other.box) > MIN_LEVEL_SHARE and one.box.middle[0] < other.box.x


def _goes_on(one: TextLine, other: TextLine) -> bool:
    if _are_level(one, other):
        return True
    below = other.box.middle[1] - one.box.middle[1]
    return 0 < below <= MAX_LEADING * max(one.box.height, other.box.height)
