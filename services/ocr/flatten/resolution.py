"""Check the resolution that an image file states against the size of its print."""

from __future__ import annotations

import cv2
import numpy as np

MIN_GLYPH_PT = 3.2
"""Typical height of letters below which a page is not printed: that of type of 6 points."""
_MIN_GLYPHS = 40
"""From fewer letters nothing follows."""


def believed(resolution: float | None, picture: np.ndarray) -> float | None:
    """Return the resolution (dots per inch), or None where letters would be too small to read.

    Programs write the resolution of their settings, often 300, into pictures of any size.
    """
    if resolution is None:
        return None
    height = _glyph_height(picture)
    return None if height is not None and height / resolution * 72 < MIN_GLYPH_PT else resolution


def _glyph_height(picture: np.ndarray) -> float | None:
    """Return the median height in pixels of what looks like letters; None where there is too little of it."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 15)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    widths, heights = stats[1:count, 2], stats[1:count, 3]
    letters = heights[(heights >= 4) & (heights <= 120) & (widths <= 2 * heights) & (4 * widths >= heights)]
    return float(np.median(letters)) if len(letters) >= _MIN_GLYPHS else None
