"""Takes a pen's strokes off a page, so that it looks as if nobody had drawn on it."""

from __future__ import annotations

import cv2
import numpy as np

from .ink import Pen, chroma

TINT = 2
"""From which difference between channels on a pixel beside ink has something of it."""


def wiped(pixels: np.ndarray, pen: Pen, parts: list[int]) -> np.ndarray:
    """A copy of a BGR page without these parts of the pen's ink: what is beside them goes on under them."""
    own = np.where(pen.mask(parts), pen.ink, 0)
    tinted = cv2.dilate(own, np.ones((9, 9), np.uint8)) & (chroma(pixels) >= TINT).astype(np.uint8)
    gone = cv2.max(cv2.dilate(own, np.ones((3, 3), np.uint8)), tinted) & (1 - pen.prints) | own
    left, top, width, height = cv2.boundingRect(gone)
    top, left = max(0, top - 1), max(0, left - 1)
    place = np.s_[top : top + height + 2, left : left + width + 2]
    clean = pixels.copy()
    clean[place] = _bridged(pixels[place], gone[place] > 0)
    return clean


def _bridged(pixels: np.ndarray, gone: np.ndarray) -> np.ndarray:
    """What is gone, from what is on either side of it where it is thinnest.

    So print that a stroke crosses is joined again across it, which an even spread from all sides would not do.
    """
    down, deep = _between(pixels, gone)
    across, wide = (part.swapaxes(0, 1) for part in _between(pixels.swapaxes(0, 1), gone.T))
    thin = np.where((deep <= wide)[..., None], down, across)
    return np.where(gone[..., None], thin, pixels).astype(np.uint8)


def _between(pixels: np.ndarray, gone: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each pixel as what lies between the next ones above and below that are not gone, and how far these are apart."""
    rows = np.arange(len(gone))[:, None]
    above = np.maximum.accumulate(np.where(gone, -1, rows), axis=0)
    below = np.minimum.accumulate(np.where(gone, len(gone), rows)[::-1], axis=0)[::-1]
    apart = np.where((above < 0) | (below == len(gone)), 2 * len(gone), below - above)
    above, below = np.where(above < 0, below, above), np.where(below == len(gone), above, below)
    above, below = (np.clip(side, 0, len(gone) - 1) for side in (above, below))
    share = ((rows - above) / np.maximum(1, below - above))[..., None]
    columns = np.arange(gone.shape[1])[None, :]
    return pixels[above, columns] * (1 - share) + pixels[below, columns] * share, apart
