"""Coloured ink on a page, sorted by pen: thin strokes of one hue, apart from the page's print and its fills."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE

SATURATION, CHROMA = 80, 55
"""From which saturation (of 255) and difference between channels on a pixel is coloured ink."""
LEAST = 60
"""Fewer pixels of one hue are no writing."""
REACH = 10
"""How far, in steps of two degrees, the ink of one pen strays from its hue."""
PENS = 5
THICK = round(5.3 * SCALE)
"""No stroke is thicker, in pixels; an arrow's head may be, up to `HEAD`."""
HEAD = 18 * SCALE
LETTER = 14 * SCALE
FRINGE = 50
"""How much darker the print is that coloured edges belong to."""
CONTRAST = 60
"""From which difference from what is around it on a pixel is print."""


@dataclass
class Pen:
    """All ink of one hue that is drawn in strokes, as connected parts."""

    colour: tuple[int, int, int]
    """BGR."""
    ink: np.ndarray
    """0 or 1 for each pixel of the page."""
    labels: np.ndarray
    """For each pixel 0 or the number of its part; strokes go on where print lies over them."""
    boxes: np.ndarray
    """(n + 1, 4), left, top, right and bottom by number of part, in pixels; what was dropped has no area."""
    prints: np.ndarray
    """0 or 1 for each pixel: what is printed on the page in any other colour."""

    def parts(self) -> list[int]:
        """The numbers of the parts that are there, from top to bottom."""
        return [int(n) for n in np.flatnonzero(self.boxes[:, 2] > self.boxes[:, 0])]

    def mask(self, parts: list[int]) -> np.ndarray:
        """Which pixels of the page these parts cover, True or False."""
        chosen = np.zeros(len(self.boxes), bool)
        chosen[parts] = True
        return np.asarray(chosen[self.labels])

    def within(self, box: Box) -> list[int]:
        """The parts whose middle lies in a place, as do the dots of letters."""
        x, y = (self.boxes[:, 0] + self.boxes[:, 2]) / 2 / SCALE, (self.boxes[:, 1] + self.boxes[:, 3]) / 2 / SCALE
        inside = (x >= box.x) & (x <= box.right) & (y >= box.y) & (y <= box.bottom)
        return [int(n) for n in np.flatnonzero(inside & (self.boxes[:, 2] > 0))]

    def box(self, part: int) -> Box:
        left, top, right, bottom = (float(side) / SCALE for side in self.boxes[part])
        return Box.between(left, top, right, bottom)


def find_pens(pixels: np.ndarray) -> list[Pen]:
    """The pens that coloured ink on a BGR page is of; none on a page without colour, after a few milliseconds."""
    coloured = (chroma(pixels) >= CHROMA).astype(np.uint8)
    if np.count_nonzero(coloured) < LEAST:
        return []
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV))
    coloured &= (saturation >= SATURATION).astype(np.uint8)
    coloured = _without_fringes(coloured, value)
    dark, light = _printed(value)
    pens = []
    counts = np.bincount(hue[coloured > 0], minlength=180).astype(float)
    for _ in range(PENS):
        near = sum(np.roll(counts, step) for step in range(-3, 4))
        peak = int(np.argmax(near))
        own = [(peak + step) % 180 for step in range(-REACH, REACH + 1)]
        if counts[own].sum() < LEAST:
            break
        counts[own] = 0
        is_own = np.zeros(256, np.uint8)
        is_own[own] = 1
        pen = _pen(pixels, coloured & np.asarray(cv2.LUT(hue, is_own)), dark, light)
        if pen is not None:
            pens.append(pen)
    return pens


def _without_fringes(coloured: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The mask without the colour that subpixels leave at black print: small, and much darker print right beside it."""
    darker = cv2.subtract(value, cv2.erode(value, np.ones((3, 3), np.uint8))) > FRINGE
    count, labels, stats, _ = cv2.connectedComponentsWithStats(coloured, connectivity=8)
    letters = (stats[:count, 2:4].max(axis=1) < LETTER) & (stats[:count, 4] >= 4)
    edges = np.bincount(labels[darker & (coloured > 0)], minlength=count)
    fringes = letters & (edges > 0.5 * stats[:count, 4])
    # Where much of what may be letters is such fringes, the rest is the same of fainter print.
    gone = letters if fringes.sum() > 0.3 * letters.sum() else fringes
    return np.where(gone[labels], 0, coloured).astype(np.uint8) if gone.any() else coloured


def chroma(pixels: np.ndarray) -> np.ndarray:
    """The difference between each pixel's largest and smallest channel."""
    blue, green, red = cv2.split(pixels)
    return cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))


def _printed(value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """0 or 1: what is thin and darker than what is around it, and what is lighter, by each pixel's brightest channel.

    In its own brightest channel the ink of a pen is nearly as light as paper.
    """
    around = np.ones((15, 15), np.uint8)
    dark = cv2.morphologyEx(value, cv2.MORPH_BLACKHAT, around)
    light = cv2.morphologyEx(value, cv2.MORPH_TOPHAT, around)
    return (dark > CONTRAST).astype(np.uint8), (light > CONTRAST).astype(np.uint8)


def _pen(pixels: np.ndarray, ink: np.ndarray, dark: np.ndarray, light: np.ndarray) -> Pen | None:
    """The pen whose ink, and fills of its colour, a mask shows; None when it drew no strokes."""
    beside = cv2.dilate(ink, np.ones((3, 3), np.uint8))
    between = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    # The paper between strokes is lighter than they are and is no print.
    prints = np.asarray((dark & (1 - beside)) | (light & (1 - cv2.max(beside, between))))
    # A stroke goes on under print that lies over it, and over a gap of a pixel or two.
    under = between & dark
    whole = cv2.morphologyEx(ink | under, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    stats = stats[:count]
    boxes = np.column_stack([stats[:, 0], stats[:, 1], stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]])
    dropped = stats[:, 4] < 4
    fills, places = _fills(ink)
    dropped[np.unique(labels[fills])] = True
    for left, top, right, bottom in places:
        # What is left of a fill between the letters on it is not drawn either.
        dropped |= (boxes[:, 0] >= left) & (boxes[:, 1] >= top) & (boxes[:, 2] <= right) & (boxes[:, 3] <= bottom)
    dropped[0] = True
    boxes[dropped] = 0
    labels[dropped[labels]] = 0
    ink = np.where(labels > 0, ink, 0).astype(np.uint8)
    if np.count_nonzero(ink) < LEAST:
        return None
    core = cv2.erode(ink, np.ones((3, 3), np.uint8))
    blue, green, red = np.median(pixels[(core if core.any() else ink) > 0], axis=0)
    return Pen((int(blue), int(green), int(red)), ink, labels, boxes, prints)


def _fills(ink: np.ndarray) -> tuple[np.ndarray, list[tuple[int, int, int, int]]]:
    """Which pixels lie in what is too thick for a stroke and too large for an arrow's head, and where that is."""
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (THICK, THICK))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(ink, cv2.MORPH_OPEN, round_))
    large = stats[:count, 2:4].max(axis=1) > HEAD
    large[0] = False
    return large[labels], [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[:count][large]]
