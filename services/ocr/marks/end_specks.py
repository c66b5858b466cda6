"""Cut specks of dirt off the ends of a line of text, which would make it longer, and its letters larger.

A speck is a small mark apart from the words at an end where the text that was read has no mark as small: a line that
begins with a dash or ends with a full stop keeps it.
"""

from __future__ import annotations

import numpy as np

from .line_segmentation import Components, TextSegment

MAX_SPECK_HEIGHTS = 0.25
"""A mark that is larger both ways, in heights of the line, is no speck."""
MIN_APART_HEIGHTS = 0.3
"""A mark nearer to the words belongs to a letter."""
_SMALL_MARKS = frozenset(".,:;·•・-–—_~'\"`´*°^|!！，。、；：．…‘’“”")
"""Characters that are as small as a speck, or have a part that is."""


def without_end_specks(parts: Components, segment: TextSegment, text: str) -> TextSegment:
    """Return a segment without the specks before its first and behind its last character."""
    kept = segment.parts[np.argsort(parts.boxes[segment.parts, 0])]
    if text[0] not in _SMALL_MARKS:
        kept = kept[_leading_specks(parts.boxes[kept], segment.height) :]
    if text[-1] not in _SMALL_MARKS:
        mirrored = parts.boxes[kept][:, [2, 1, 0, 3]] * [-1, 1, -1, 1]
        order = np.argsort(mirrored[:, 0])
        kept = kept[order[_leading_specks(mirrored[order], segment.height) :]]
    return segment if len(kept) == len(segment.parts) else parts.segment(np.sort(kept))


def _leading_specks(boxes: np.ndarray, height: int) -> int:
    """Return how many of the marks, ordered from the left, are specks before the words; never all of them."""
    for number, (left, top, right, bottom) in enumerate(boxes[:-1]):
        is_small = max(right - left, bottom - top) <= MAX_SPECK_HEIGHTS * height
        if not is_small or boxes[number + 1][0] - right < MIN_APART_HEIGHTS * height:
            return number
    return 0
