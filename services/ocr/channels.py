"""The largest and the smallest of each pixel's channels: NumPy's max along an axis of three is many times slower."""

from __future__ import annotations

import cv2
import numpy as np


def max_channel(pixels: np.ndarray) -> np.ndarray:
    """Return the largest of each pixel's three channels."""
    blue, green, red = cv2.split(pixels)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def min_channel(pixels: np.ndarray) -> np.ndarray:
    """Return the smallest of each pixel's three channels."""
    blue, green, red = cv2.split(pixels)
    return np.asarray(cv2.min(cv2.min(blue, green), red))
