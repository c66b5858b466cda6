"""Fade the red ink of seals, so that the print below them can be read."""

from __future__ import annotations

import cv2
import numpy as np

from ..page import SCALE

MIN_SEAL_PT, MAX_SEAL_PT = 45, 220
"""Diameter of a seal: 16 to 78 mm."""
MAX_SEAL_RATIO = 1.8
"""Its length, at most, in breadths."""
_MIN_SEAL_PX, _MAX_SEAL_PX = MIN_SEAL_PT * SCALE, MAX_SEAL_PT * SCALE

_PRINT_DARKNESS = 0.62
"""Dark print has less than this share of the paper's light in the red channel; the ink of seals has 0.75 and more."""


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
            _MAX_SEAL_PX, MAX_SEAL_RATIO * min(width, height)
        )
        if not roundish or not 0.06 < red[area].mean() < 0.6:
            continue
        faded = pixels.copy() if faded is None else faded
        ink = cv2.dilate(red[area], np.ones((5, 5), np.uint8)) > 0
        faded[area] = _without_ink(pixels[area], ink)
    return faded


def _without_ink(pixels: np.ndarray, ink: np.ndarray) -> np.ndarray:
    """Return the pixels with those of `ink` as light as the paper around, except where dark print lies below.

    On photos the ink is darker than the paper in the red channel, too; left so, its letters would be read.
    """
    paper = np.median(pixels[~ink], axis=0) if not ink.all() else np.full(3, 255.0)
    strength = pixels[:, :, 2:].astype(np.float32) / max(1.0, float(paper[2]))
    is_print = strength < _PRINT_DARKNESS
    covered = np.where(is_print, pixels[:, :, 2:], paper.astype(np.uint8))
    return np.where(ink[:, :, None], covered, pixels).astype(np.uint8)
