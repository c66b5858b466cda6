"""Find coloured ink on a page, sorted by pen: thin strokes of one hue, apart from the page's print and fills."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE

MIN_SATURATION, MIN_CHROMA = 80, 55
"""Minimum saturation (of 255) and difference between channels of coloured ink."""
MIN_INK_PX = 60
"""Fewer pixels of one hue are not writing."""
HUE_REACH = 10
"""How far the ink of one pen deviates from its hue, in steps of two degrees."""
MAX_PENS = 5
"""Maximum number of pens considered."""
MAX_STROKE_PX = round(5.3 * SCALE)
"""Maximum thickness of a stroke; an arrowhead may be larger."""
MAX_ARROWHEAD_PX = 18 * SCALE
"""Maximum size of a filled arrowhead."""
MAX_LETTER_PX = 14 * SCALE
"""Maximum size of a letter that may have coloured fringes."""
MIN_FRINGE_CONTRAST = 50
"""Minimum difference in brightness to the print that a coloured fringe belongs to."""
MIN_PRINT_CONTRAST = 60
"""Minimum difference in brightness of print from its surroundings."""


@dataclass
class PenInk:
    """All ink of one hue that was drawn in strokes, as connected parts."""

    colour: tuple[int, int, int]
    """BGR."""
    ink: np.ndarray
    """0 or 1 per pixel of the page."""
    labels: np.ndarray
    """Per pixel: 0, or the number of its part; strokes continue below print that crosses them."""
    boxes: np.ndarray
    """(n + 1, 4): left, top, right and bottom of each part by number, in pixels; dropped parts have no area."""
    prints: np.ndarray
    """0 or 1 per pixel: print in any other colour."""

    def parts(self) -> list[int]:
        """Return the numbers of the parts that exist, from top to bottom."""
        return [int(n) for n in np.flatnonzero(self.boxes[:, 2] > self.boxes[:, 0])]

    def mask(self, parts: list[int]) -> np.ndarray:
        """Return which pixels of the page these parts cover, as booleans."""
        chosen = np.zeros(len(self.boxes), bool)
        chosen[parts] = True
        return np.asarray(chosen[self.labels])

    def within(self, box: Box) -> list[int]:
        """Return the parts whose middle lies in a box, such as the dots of letters."""
        x, y = (self.boxes[:, 0] + self.boxes[:, 2]) / 2 / SCALE, (self.boxes[:, 1] + self.boxes[:, 3]) / 2 / SCALE
        inside = (x >= box.x) & (x <= box.right) & (y >= box.y) & (y <= box.bottom)
        return [int(n) for n in np.flatnonzero(inside & (self.boxes[:, 2] > 0))]

    def box(self, part: int) -> Box:
        left, top, right, bottom = (float(side) / SCALE for side in self.boxes[part])
        return Box.between(left, top, right, bottom)


def find_pens(pixels: np.ndarray) -> list[PenInk]:
    """Return the pens that drew on a BGR page; none after a few milliseconds on a page without colour."""
    coloured = (chroma(pixels) >= MIN_CHROMA).astype(np.uint8)
    if np.count_nonzero(coloured) < MIN_INK_PX:
        return []
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV))
    coloured &= (saturation >= MIN_SATURATION).astype(np.uint8)
    coloured = _without_fringes(coloured, value)
    dark, light = _print_masks(value)
    pens = []
    counts = np.bincount(hue[coloured > 0], minlength=180).astype(float)
    for _ in range(MAX_PENS):
        smoothed = sum(np.roll(counts, step) for step in range(-3, 4))
        peak = int(np.argmax(smoothed))
        hues = [(peak + step) % 180 for step in range(-HUE_REACH, HUE_REACH + 1)]
        if counts[hues].sum() < MIN_INK_PX:
            break
        counts[hues] = 0
        is_hue = np.zeros(256, np.uint8)
        is_hue[hues] = 1
        pen = _make_pen(pixels, coloured & np.asarray(cv2.LUT(hue, is_hue)), dark, light)
        if pen is not None:
            pens.append(pen)
    return pens


def _without_fringes(coloured: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Remove coloured fringes of subpixel rendering: small, with much darker print beside them."""
    darker = cv2.subtract(value, cv2.erode(value, np.ones((3, 3), np.uint8))) > MIN_FRINGE_CONTRAST
    count, labels, stats, _ = cv2.connectedComponentsWithStats(coloured, connectivity=8)
    letters = (stats[:count, 2:4].max(axis=1) < MAX_LETTER_PX) & (stats[:count, 4] >= 4)
    edges = np.bincount(labels[darker & (coloured > 0)], minlength=count)
    fringes = letters & (edges > 0.5 * stats[:count, 4])
    # Where many letter-sized parts are fringes, the others are fringes of fainter print.
    gone = letters if fringes.sum() > 0.3 * letters.sum() else fringes
    return np.where(gone[labels], 0, coloured).astype(np.uint8) if gone.any() else coloured


def chroma(pixels: np.ndarray) -> np.ndarray:
    """Return the difference between each pixel's largest and smallest channel."""
    blue, green, red = cv2.split(pixels)
    return cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))


def _print_masks(value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return masks of what is thin and darker than its surroundings, and lighter, in each pixel's brightest channel.

    In its own brightest channel the ink of a pen is nearly as light as paper.
    """
    around = np.ones((15, 15), np.uint8)
    dark = cv2.morphologyEx(value, cv2.MORPH_BLACKHAT, around)
    light = cv2.morphologyEx(value, cv2.MORPH_TOPHAT, around)
    return (dark > MIN_PRINT_CONTRAST).astype(np.uint8), (light > MIN_PRINT_CONTRAST).astype(np.uint8)


def _make_pen(pixels: np.ndarray, ink: np.ndarray, dark: np.ndarray, light: np.ndarray) -> PenInk | None:
    """Return the pen whose ink, with fills of its colour, a mask shows; None when it drew no strokes."""
    beside = cv2.dilate(ink, np.ones((3, 3), np.uint8))
    between = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    # The paper between strokes is lighter than they are, but is not print.
    prints = np.asarray((dark & (1 - beside)) | (light & (1 - cv2.max(beside, between))))
    # A stroke continues below print that crosses it, and over a gap of a pixel or two.
    under = between & dark
    whole = cv2.morphologyEx(ink | under, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    stats = stats[:count]
    boxes = np.column_stack([stats[:, 0], stats[:, 1], stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]])
    dropped = stats[:, 4] < 4
    fills, fill_boxes = _find_fills(ink)
    dropped[np.unique(labels[fills])] = True
    for left, top, right, bottom in fill_boxes:
        # The remnants of a fill between the letters on it were not drawn either.
        dropped |= (boxes[:, 0] >= left) & (boxes[:, 1] >= top) & (boxes[:, 2] <= right) & (boxes[:, 3] <= bottom)
    dropped[0] = True
    boxes[dropped] = 0
    labels[dropped[labels]] = 0
    ink = np.where(labels > 0, ink, 0).astype(np.uint8)
    if np.count_nonzero(ink) < MIN_INK_PX:
        return None
    core = cv2.erode(ink, np.ones((3, 3), np.uint8))
    blue, green, red = np.median(pixels[(core if core.any() else ink) > 0], axis=0)
    return PenInk((int(blue), int(green), int(red)), ink, labels, boxes, prints)


def _find_fills(ink: np.ndarray) -> tuple[np.ndarray, list[tuple[int, int, int, int]]]:
    """Return the pixels of areas too thick for a stroke and too large for an arrowhead, and the areas' boxes."""
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (MAX_STROKE_PX, MAX_STROKE_PX))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(ink, cv2.MORPH_OPEN, round_))
    large = stats[:count, 2:4].max(axis=1) > MAX_ARROWHEAD_PX
    large[0] = False
    return large[labels], [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[:count][large]]
