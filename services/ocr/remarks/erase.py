"""Erase a pen's strokes from a page, so that it looks as if they had never been drawn."""

from __future__ import annotations

import cv2
import numpy as np

from .ink import PenInk, chroma

MIN_TINT = 2
"""Minimum difference between channels at which a pixel beside ink contains some of it."""


def erase_strokes(pixels: np.ndarray, pen: PenInk, parts: list[int]) -> np.ndarray:
    """Return a copy of a BGR page without these parts of the pen's ink, filled from what is beside them."""
    ink = np.where(pen.mask(parts), pen.ink, 0)
    tinted = cv2.dilate(ink, np.ones((9, 9), np.uint8)) & (chroma(pixels) >= MIN_TINT).astype(np.uint8)
    erased = cv2.max(cv2.dilate(ink, np.ones((3, 3), np.uint8)), tinted) & (1 - pen.prints) | ink
    left, top, width, height = cv2.boundingRect(erased)
    top, left = max(0, top - 1), max(0, left - 1)
    region = np.s_[top : top + height + 2, left : left + width + 2]
    clean = pixels.copy()
    clean[region] = _bridge_gaps(pixels[region], erased[region] > 0)
    return clean


def _bridge_gaps(pixels: np.ndarray, erased: np.ndarray) -> np.ndarray:
    """Fill what is erased from both sides across its thinnest direction.

    Print that a stroke crosses is thereby joined across it, which filling evenly from all sides would not do.
    """
    vertical, height = _interpolate_columns(pixels, erased)
    horizontal, width = (part.swapaxes(0, 1) for part in _interpolate_columns(pixels.swapaxes(0, 1), erased.T))
    filled = np.where((height <= width)[..., None], vertical, horizontal)
    return np.where(erased[..., None], filled, pixels).astype(np.uint8)


def _interpolate_columns(pixels: np.ndarray, erased: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Interpolate each pixel between the nearest ones above and below that are left, and return their distance."""
    rows = np.arange(len(erased))[:, None]
    above = np.maximum.accumulate(np.where(erased, -1, rows), axis=0)
    below = np.minimum.accumulate(np.where(erased, len(erased), rows)[::-1], axis=0)[::-1]
    distance = np.where((above < 0) | (below == len(erased)), 2 * len(erased), below - above)
    above, below = np.where(above < 0, below, above), np.where(below == len(erased), above, below)
    above, below = (np.clip(side, 0, len(erased) - 1) for side in (above, below))
    share = ((rows - above) / np.maximum(1, below - above))[..., None]
    columns = np.arange(erased.shape[1])[None, :]
    return pixels[above, columns] * (1 - share) + pixels[below, columns] * share, distance
