"""Split a text that is written from top to bottom into its characters: 密码区 beside a block of a form."""

from __future__ import annotations

import numpy as np

from ..page import SCALE
from .line_segmentation import Components, TextSegment

MIN_WIDTH_PX, MAX_WIDTH_PX = 5 * SCALE, 24 * SCALE
"""Width of a character that is a part of an upright label."""
MIN_SLIM = 1.7
"""Height of an upright text, at least, in its widths."""
SQUARE = (0.55, 1.35)
"""Height of a Chinese character, in widths of its text."""


def split_upright(segment: TextSegment, parts: Components) -> list[TextSegment]:
    """Return the segments of the characters, from top to bottom; none where they are not about square."""
    width = segment.width
    if not MIN_WIDTH_PX <= width <= MAX_WIDTH_PX or segment.height < MIN_SLIM * width:
        return []
    order = segment.parts[np.argsort(parts.boxes[segment.parts, 1], kind="stable")]
    groups: list[list[int]] = []
    for part in order:
        _, top, _, bottom = parts.boxes[part]
        start = min((parts.boxes[other, 1] for other in groups[-1]), default=top) if groups else top
        if groups and bottom - start <= SQUARE[1] * width:
            groups[-1].append(int(part))
        else:
            groups.append([int(part)])
    pieces = [parts.segment(np.array(group)) for group in groups]
    low, high = (ratio * width for ratio in SQUARE)
    return pieces if len(pieces) > 1 and all(low <= piece.height <= high for piece in pieces) else []
