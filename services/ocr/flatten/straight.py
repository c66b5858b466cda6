"""Measure how far a page is still skewed, from its ruling lines or else from its lines of text."""

from __future__ import annotations

import math

import cv2
import numpy as np

WORK_SIDE_PX = 1600
_MAX_SKEW = math.radians(12)
"""A segment that is steeper is not a skewed rule."""
_MIN_CORRECTION = math.radians(0.08)
"""A smaller correction is less than a pixel across the page and is not made."""


def find_straightening(pixels: np.ndarray) -> np.ndarray | None:
    """Return the homography (3, 3; the size stays) that straightens the page; None if it is straight."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WORK_SIDE_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    half = max(small.shape) / 2
    middle = np.array([small.shape[1] / 2, small.shape[0] / 2])
    change = _by_rules(small, middle, half)
    if change is None:
        slope = _by_text(small)
        change = np.array([[1, slope, 0], [-slope, 1, 0], [0, 0, 1]])
    if np.abs(change - np.eye(3)).max() < _MIN_CORRECTION:
        return None
    # From the picture's pixels to coordinates around its centre, about -1 to 1, and back.
    ratio = half / scale
    to = np.array([[1 / ratio, 0, -middle[0] / half], [0, 1 / ratio, -middle[1] / half], [0, 0, 1]])
    return np.linalg.inv(to) @ change @ to


def _by_rules(small: np.ndarray, middle: np.ndarray, half: float) -> np.ndarray | None:
    """Return the homography that makes long segments horizontal and vertical; None when there are few.

    To first order, [[1, b, 0], [d, 1, 0], [g, h, 1]] maps a horizontal line's slope s = -d + g y and a vertical line's
    t = -b + h x to zero: two straight-line fits.
    """
    segments = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    if segments is None:
        return None
    ends = segments.reshape(-1, 2, 2).astype(np.float64)
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    long = length > 0.05 * max(small.shape)
    ends, along, length = ends[long], along[long], length[long]
    at = (ends.mean(axis=1) - middle) / half
    level = np.abs(along[:, 1]) < np.abs(along[:, 0]) * math.tan(_MAX_SKEW)
    plumb = np.abs(along[:, 0]) < np.abs(along[:, 1]) * math.tan(_MAX_SKEW)
    d, g = _slopes(along[level, 1] / along[level, 0], at[level, 1], length[level])
    b, h = _slopes(along[plumb, 0] / along[plumb, 1], at[plumb, 0], length[plumb])
    enough = 0.8 * max(small.shape)
    seen_level, seen_plumb = length[level].sum() > enough, length[plumb].sum() > enough
    if not seen_level and not seen_plumb:
        return None
    if not seen_level:
        d, g = -b, 0.0
    if not seen_plumb:
        b, h = -d, 0.0
    return np.array([[1, b, 0], [d, 1, 0], [g, h, 1]])


def _slopes(slopes: np.ndarray, at: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Return -intercept and gradient of a robust fit of slopes over positions; gradient 0 where they cluster."""
    if len(slopes) < 3:
        return 0.0, 0.0
    spread = len(slopes) >= 8 and np.percentile(at, 90) - np.percentile(at, 10) > 0.5
    terms = np.stack([np.ones_like(at), at], axis=1)[:, : 2 if spread else 1]
    trust = weights.copy()
    fit = np.zeros(terms.shape[1])
    for _ in range(15):
        root = np.sqrt(trust)[:, None]
        fit, *_ = np.linalg.lstsq(terms * root, slopes * root[:, 0], rcond=None)
        off = np.abs(slopes - terms @ fit)
        trust = weights / np.maximum(off / 0.002, 1.0) ** 2
    agree = weights[off < 0.006].sum() / weights.sum()
    if agree < 0.5:
        return 0.0, 0.0
    return -float(fit[0]), float(fit[1]) if spread else 0.0


def _by_text(small: np.ndarray) -> float:
    """Return the slope (rise over run, y down) at which lines of text and the gaps between them differ most."""
    ink = cv2.adaptiveThreshold(small, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 15)
    ys, xs = np.nonzero(ink)
    if len(ys) < 200:
        return 0.0
    if len(ys) > 60_000:
        keep = np.random.default_rng(0).choice(len(ys), 60_000, replace=False)
        ys, xs = ys[keep], xs[keep]
    xs = xs - small.shape[1] / 2

    def sharpness(slope: float) -> float:
        rows = np.round(ys - slope * xs).astype(int)
        counts = np.bincount(rows - rows.min()).astype(np.float64)
        return float((np.diff(counts) ** 2).sum())

    best = 0.0
    for step, reach in ((0.005, 0.21), (0.001, 0.005), (0.0002, 0.001)):
        slopes = best + np.arange(-reach, reach + step / 2, step)
        best = float(slopes[int(np.argmax([sharpness(s) for s in slopes]))])
    # Only a clear gain counts: a page of few words has no direction worth rotating it for.
    return best if sharpness(best) > 1.15 * sharpness(0.0) else 0.0
