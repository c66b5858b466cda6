"""Remove a watermark: large, pale letters across the page, which would be read as text, or drawn as boxes and pictures.

A watermark is told by what print is not, all of it together: pale, large, and written at an angle. Pale fills are
rectangles, pale headings are straight, and the lines of a chart are thin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from bandsmith.shared.replies import Text

from ..page import SCALE, Page

MIN_CONTRAST, MAX_CONTRAST = 8, 110
"""How much darker than the paper a watermark is, of 255."""
_SCALE = SCALE / 2
"""Pixels per point of the image that is searched: half the page's resolution is enough for large letters."""
MIN_STROKE_PX = 3
"""Its strokes are at least this wide; what is pale at the edges of print is thinner."""
MIN_LETTER_PX = 10 * _SCALE
"""Height or width of a part of a letter, at least."""
MAX_FILLED_SHARE = 0.8
"""A part that fills more of its box is an area."""
MIN_LENGTH_PX, MIN_HEIGHT_PX = 90 * _SCALE, 14 * _SCALE
"""Length and height of its line."""
MIN_ASPECT, MAX_ASPECT = 1.8, 16.0
MIN_ANGLE, MAX_ANGLE = 10.0, 80.0
"""Degrees between its line and the page's edges."""
MIN_PARTS, MAX_LINES = 2, 16
"""A line has as many parts, and a page as many lines. More pale shapes are a photo."""
MAX_GAP = 0.6
"""Between the letters of a line, in sizes of their parts."""
MAX_SHADING = 24
"""Differences in contrast within a line, of 255. Shadows on a photo have more."""
STRIP_HEIGHT = 1.2
"""Height of the strip that is searched for the rest of a line, in heights of what was found of it."""
SHADE_TOLERANCE = 6
"""Difference in brightness, of 255, up to which pixels are of one watermark."""


def without_watermark(page: Page) -> Page:
    """Return the page without its watermark, which a note tells the user."""
    erased = erase_watermark(page.pixels)
    if erased is None:
        return page
    seals_faded = page.seals_faded if page.seals_faded is None else erase_watermark(page.seals_faded)
    return replace(
        page, pixels=erased, seals_faded=seals_faded, notes=[*page.notes, Text.of("documents.notes.watermark")]
    )


def erase_watermark(pixels: np.ndarray) -> np.ndarray | None:
    """Return a copy of a BGR page without its watermark; None when there is none."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    paper = int(np.bincount(grey[::3].ravel(), minlength=256).argmax())
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    pale = ((small >= paper - MAX_CONTRAST) & (small <= paper - MIN_CONTRAST)).astype(np.uint8)
    thick = cv2.morphologyEx(pale, cv2.MORPH_OPEN, np.ones((MIN_STROKE_PX, MIN_STROKE_PX), np.uint8))
    mask = _written_across(thick, _letter_parts(thick), small)
    if mask is None:
        return None
    area = cv2.resize(cv2.dilate(mask, np.ones((5, 5), np.uint8)), grey.shape[::-1]) > 0
    erased = pixels.copy()
    shade = float(np.median(small[mask > 0]))  # what is darker is print over it
    erased[area & (grey >= shade - MAX_SHADING)] = np.median(pixels[grey == paper], axis=0)
    return erased


def _letter_parts(thick: np.ndarray) -> np.ndarray:
    """Return the mask of what may be a part of a large letter."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    sizes = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    filled = stats[:, cv2.CC_STAT_AREA] / np.maximum(1, sizes[0] * sizes[1])
    is_letter = (np.maximum(*sizes) >= MIN_LETTER_PX) & (filled <= MAX_FILLED_SHARE)
    is_letter &= (sizes[0] < 0.6 * thick.shape[1]) & (sizes[1] < 0.6 * thick.shape[0])
    is_letter[0] = False
    return is_letter[labels].astype(np.uint8) if count > 1 else np.zeros_like(thick)


def _written_across(thick: np.ndarray, parts: np.ndarray, grey: np.ndarray) -> np.ndarray | None:
    """Return the mask of what stands in lines at an angle to the page; None where nothing does."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(parts)
    if len(stats) <= MIN_PARTS:
        return None
    typical = float(np.median(stats[1:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].max(axis=1)))
    reach = max(1, round(MAX_GAP * typical))
    joined = cv2.morphologyEx(parts, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = np.zeros_like(parts)
    long = np.flatnonzero(np.hypot(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) >= MIN_LENGTH_PX)
    for number in long if len(long) <= MAX_LINES else []:
        own = ((labels == number) & (parts > 0)).astype(np.uint8)
        if number and _is_line_across(own, grey):
            strip = _strip(cv2.minAreaRect(cv2.findNonZero(own)), grey.shape)
            shade = float(np.median(grey[own > 0]))
            found |= thick & strip & (np.abs(grey.astype(np.float32) - shade) <= SHADE_TOLERANCE).astype(np.uint8)
    return found if found.any() else None


def _is_line_across(own: np.ndarray, grey: np.ndarray) -> bool:
    """Whether letter parts stand in a line at an angle to the page, and have one colour, unlike shadows."""
    core = cv2.erode(own, np.ones((3, 3), np.uint8)) > 0
    if cv2.connectedComponents(own)[0] - 1 < MIN_PARTS or not core.any():
        return False
    _, (one, other), angle = cv2.minAreaRect(cv2.findNonZero(own))
    length, height = max(one, other), min(one, other)
    is_line = length >= MIN_LENGTH_PX and height >= MIN_HEIGHT_PX and MIN_ASPECT <= length / height <= MAX_ASPECT
    low, high = np.percentile(grey[core], (5, 95))
    return bool(is_line and MIN_ANGLE <= angle % 90 <= MAX_ANGLE and high - low <= MAX_SHADING)


def _strip(rectangle: tuple[Sequence[float], Sequence[float], float], shape: tuple[int, int]) -> np.ndarray:
    """Return the mask of the strip across the page in which a line stands: letters of it may be hidden or far apart."""
    middle, (one, other), angle = rectangle
    across = float(sum(shape))
    sides = (across, STRIP_HEIGHT * other) if one > other else (STRIP_HEIGHT * one, across)
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [cv2.boxPoints((middle, sides, angle)).astype(np.int32)], (1,))
    return mask
