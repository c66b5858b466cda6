"""Locate the wide gaps in a line's ink: before which character of its text each one stands."""

from __future__ import annotations

import numpy as np

from bandsmith.shared.fonts import DEFAULT_FAMILY, measure

from .line_segmentation import Components, TextSegment

EM_PER_INK_HEIGHT = 1.05
"""Size of a Chinese font, in heights of its ink."""
LETTER_GAP_EM = 0.12
"""Width of the gap that characters have without a space."""
POSITION_TOLERANCE_EM = 0.3
"""Maximum distance of a gap from the position between two characters."""


def em_of(segment: TextSegment) -> float:
    """Return the size of a line's Chinese font in pixels; that of a Latin one is near it."""
    return EM_PER_INK_HEIGHT * segment.height


def locate_gaps(gaps: list[tuple[float, float]], text: str, segment: TextSegment) -> list[int]:
    """Return before which character of a text without spaces each gap stands: 0 where that is uncertain."""
    # Recognisers write every colon after Chinese text as a full-width one, whatever its width on the page.
    readings = {text, text.replace("：", ":")}
    return min((_locate(gaps, reading, segment) for reading in readings), key=lambda found: found[0])[1]


def _locate(gaps: list[tuple[float, float]], text: str, segment: TextSegment) -> tuple[float, list[int]]:
    """Return the total error, and the places of the gaps for one reading of the text."""
    em = em_of(segment)
    reach = [measure(text[:n], DEFAULT_FAMILY, 10).advance for n in range(len(text) + 1)]
    if reach[-1] <= 0:  # characters that have no width of their own
        return 0.0, [0] * len(gaps)
    room = sum(width - LETTER_GAP_EM * em for _, width in gaps)
    scale = (segment.width - room) / reach[-1]
    before, off, places = 0.0, 0.0, []
    for start, width in gaps:
        at = start - segment.left - before
        n = int(np.argmin([abs(r * scale - at) for r in reach]))
        error = abs(reach[n] * scale - at)
        places.append(n if error <= POSITION_TOLERANCE_EM * em and n < len(text) else 0)
        off += error
        before += width - LETTER_GAP_EM * em
    return off, places


def wide_gaps(segment: TextSegment, parts: Components, min_width: float) -> list[tuple[float, float]]:
    """Return where the gaps in a line's ink begin and how wide they are, in pixels."""
    boxes = parts.boxes[segment.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])[:-1]
    widths = boxes[order[1:], 0] - reach
    return [(float(reach[i]), float(widths[i])) for i in np.flatnonzero(widths >= min_width)]
