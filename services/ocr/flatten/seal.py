"""Fade the red ink of seals, so that the print below them can be read."""

from __future__ import annotations

import cv2
import numpy as np

from ..page import SCALE

_MIN_SEAL_PX, _MAX_SEAL_PX = 45 * SCALE, 220 * SCALE
"""Diameter of a seal: 16 to 78 mm."""


def fade_seals(pixels: np.ndarray) -> np.ndarray | None:
    """Return a copy of a BGR page on which red seals are as light as the paper; None when there is no seal.

    In the red channel red ink is as light as paper, and black print stays dark.
    """
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV))
    red = (((hue < 12) | (hue > 165)) & (saturation > 30) & (value > 90)).astype(np.uint8)
    if np.count_nonzero(red) < 0.0005 * red.size:
        return None
    joined = cv2.morphologyEx(red, cv2.MORPH_CLOSE, np.ones((21, 21), np.uint8))
    faded = None
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    for left, top, width, height, _ in stats[1:count]:
        area = np.s_[top : top + height, left : left + width]
        # A seal is roundish and mostly paper between its strokes; a red fill or a line of red text is not.
        roundish = min(width, height) > _MIN_SEAL_PX and max(width, height) < min(
            _MAX_SEAL_PX, 1.8 * min(width, height)
        )
        if not roundish or not 0.06 < red[area].mean() < 0.6:
            continue
        faded = pixels.copy() if faded is None else faded
        grey = pixels[area][:, :, 2:]
        ink = cv2.dilate(red[area], np.ones((3, 3), np.uint8))[:, :, None] > 0
        faded[area] = np.where(ink, grey, faded[area])
    return faded
