"""Fade the red ink of seals, so that the print below them can be read."""

from __future__ import annotations

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE

MIN_SEAL_PT, MAX_SEAL_PT = 45, 220
"""Diameter of a seal: 16 to 78 mm."""
MAX_SEAL_RATIO = 1.8
"""Its length, at most, in breadths."""
_MIN_SEAL_PX, _MAX_SEAL_PX = MIN_SEAL_PT * SCALE, MAX_SEAL_PT * SCALE

REDDISH, PURE_RED = (12, 30), (6, 90)
"""Hue in steps of two degrees, below which ink is that of a seal, and its least saturation.

A reddish title that a seal is stamped on is told from it by the purer red of the seal.
"""

_PRINT_DARKNESS = 0.62
"""Dark print has less than this share of the paper's light in the red channel; the ink of seals has 0.75 and more."""


def fade_seals(pixels: np.ndarray) -> np.ndarray | None:
    """Return a copy of a BGR page on which red seals are as light as the paper; None when there is no seal.

    In the red channel red ink is as light as paper, and black print stays dark.
    """
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV))
    faded = None
    for max_hue, min_saturation in (REDDISH, PURE_RED):
        red = (hue < max_hue) | (hue > 180 - 1.25 * max_hue)
        found = _fade(pixels, (red & (saturation > min_saturation) & (value > 90)).astype(np.uint8), faded)
        faded = faded if found is None else found
    return faded


def _fade(pixels: np.ndarray, red: np.ndarray, faded: np.ndarray | None) -> np.ndarray | None:
    """Return a copy of a page, or `faded`, with the seals among its red ink faded; None when there is none."""
    if np.count_nonzero(red) < 0.0005 * red.size:
        return None
    joined = cv2.morphologyEx(red, cv2.MORPH_CLOSE, np.ones((21, 21), np.uint8))
    seals = 0
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
        seals += 1
        ink = cv2.dilate(red[area], np.ones((5, 5), np.uint8)) > 0
        faded[area] = _without_ink(faded[area], ink)
    return faded if seals else None


def seal_picture(box: Box, with_it: np.ndarray, without_it: np.ndarray) -> bytes:
    """Return a seal as a PNG: what differs between the page with and without it; all else is transparent."""
    area = np.s_[round(box.y * SCALE) : round(box.bottom * SCALE), round(box.x * SCALE) : round(box.right * SCALE)]
    shown, below = (pixels[area].astype(np.int32) for pixels in (with_it, without_it))
    opacity = np.clip(np.abs(shown - below).max(axis=2, keepdims=True) * 2, 0, 255)
    return cv2.imencode(".png", np.dstack([shown, opacity]).astype(np.uint8))[1].tobytes()


def _without_ink(pixels: np.ndarray, ink: np.ndarray) -> np.ndarray:
    """Return the pixels with those of `ink` as light as the paper around, except where dark print lies below.

    On photos the ink is darker than the paper in the red channel, too; left so, its letters would be read.
    """
    paper = np.median(pixels[~ink], axis=0) if not ink.all() else np.full(3, 255.0)
    strength = pixels[:, :, 2:].astype(np.float32) / max(1.0, float(paper[2]))
    is_print = strength < _PRINT_DARKNESS
    covered = np.where(is_print, pixels[:, :, 2:], paper.astype(np.uint8))
    return np.where(ink[:, :, None], covered, pixels).astype(np.uint8)
