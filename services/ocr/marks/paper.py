"""The sheet under the marks: its light made even, its colour, and what stands out from it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

PAPER = 255
"""What evened paper is brought to, in its brightest channel."""


@dataclass
class Sheet:
    """A page in even light, and how each pixel differs from the ground (paper and fills) under it."""

    pixels: np.ndarray
    """BGR, 8 bits."""
    ground: np.ndarray
    """BGR, 8 bits: the page without its text and rules."""
    contrast: np.ndarray
    """8 bits: the largest difference from the ground in any channel."""
    ink: np.ndarray
    """0 or 1: at least half of a stroke's own contrast."""
    paper: tuple[int, int, int]
    """BGR."""
    noise: float
    """Typical deviation of paper from its colour, in grey levels: 0 for a drawn page, some for a photo or scan."""

    @property
    def faint(self) -> float:
        """The least contrast that is a mark and not noise."""
        return 12 if self.noise == 0 else max(16, 5 * self.noise)


def hex_colour(bgr: np.ndarray | tuple[int, ...]) -> str:
    blue, green, red = (round(float(c)) for c in bgr)
    return f"#{red:02X}{green:02X}{blue:02X}"


def even_light(pixels: np.ndarray) -> tuple[np.ndarray, float]:
    """The page as if lit evenly, and its noise; a page that was drawn, not photographed, is returned as it is."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    counts = np.sort(np.bincount(grey.ravel(), minlength=256))
    if counts[-3:].sum() > 0.45 * grey.size:
        return pixels, 0.0
    height, width = grey.shape
    # Paper is what is bright around text: strokes are dilated away before the page is made small.
    small = cv2.resize(cv2.dilate(cv2.medianBlur(pixels, 3), np.ones((5, 5), np.uint8)), (width // 8, height // 8))
    light = _paper_surface(small.astype(np.float32))
    if light is None:
        return pixels, 4.0
    colour = light.reshape(-1, 3).mean(axis=0)
    # White paper under a lamp is a little yellow; paper that is coloured keeps its colour.
    keep = colour / colour.max() if (colour.max() - colour.min()) / colour.max() > 0.2 else np.ones(3)
    gain = (PAPER * keep / np.maximum(light, 1)).astype(np.float32)
    evened = pixels * cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR)
    evened = np.clip(evened, 0, 255).astype(np.uint8)
    steps = np.abs(np.diff(grey[::3].astype(np.int16), axis=1))
    return evened, max(1.0, float(np.median(steps[steps < 24])) * 1.2)


def _paper_surface(small: np.ndarray) -> np.ndarray | None:
    """The paper's colour at each place: a quadratic surface through what is bright; None where paper is dark."""
    height, width = small.shape[:2]
    grey = small.mean(axis=2)
    y, x = np.mgrid[0:height, 0:width] / max(height, width)
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)
    level = grey.ravel()
    if np.median(level) < 90:
        return None
    tile = max(4, max(height, width) // 8)
    bright = cv2.dilate(grey.astype(np.float32), np.ones((tile, tile), np.uint8))
    chosen = level > 0.9 * bright.ravel()
    for allowed in (0.12, 0.06, 0.05, 0.04, 0.04):
        fit, *_ = np.linalg.lstsq(terms[chosen], level[chosen], rcond=None)
        guess = terms @ fit
        off = level / np.maximum(guess, 1) - 1
        chosen = (off > -allowed) & (off < 2 * allowed)
        if chosen.sum() < 0.05 * len(level):
            return None
    flat = small.reshape(-1, 3)
    fit, *_ = np.linalg.lstsq(terms[chosen], flat[chosen], rcond=None)
    return (terms @ fit).reshape(height, width, 3)


def paper_colour(pixels: np.ndarray) -> tuple[int, int, int]:
    """The colour of the sheet, BGR: the one that fills the margin, else the one most of the page has."""
    rim = max(4, min(pixels.shape[:2]) // 60)
    margin = np.concatenate(
        [part.reshape(-1, 3) for part in (pixels[:rim], pixels[-rim:], pixels[:, :rim], pixels[:, -rim:])]
    )
    colour, share = _commonest(margin)
    if share < 0.6:
        colour, _ = _commonest(pixels[::2, ::2].reshape(-1, 3))
    return colour


def _commonest(colours: np.ndarray) -> tuple[tuple[int, int, int], float]:
    """The commonest colour, and the share of all that is near it."""
    coarse = colours.astype(np.int32) >> 3
    keys = (coarse[:, 0] << 10) | (coarse[:, 1] << 5) | coarse[:, 2]
    top = int(np.bincount(keys, minlength=1 << 15).argmax())
    centre = (np.array([top >> 10, (top >> 5) & 31, top & 31]) << 3) + 4
    near = (np.abs(colours.astype(np.int16) - centre) <= 10).all(axis=1)
    if not near.any():
        return tuple(int(c) for c in centre), 0.0  # type: ignore[return-value]
    blue, green, red = np.median(colours[near], axis=0)
    return (int(blue), int(green), int(red)), float(near.mean())


def stand_out(pixels: np.ndarray, ground: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Contrast against the ground (8 bits), and the mask of ink.

    Ink is what has at least 45 % of the strongest contrast nearby: the edge of a stroke lies where half of it is
    covered, whatever its colour.
    """
    # Where two grounds meet, an edge pixel has something of both: what lies between them is neither's mark.
    reach = np.ones((5, 5) if noise else (3, 3), np.uint8)
    darker, lighter = cv2.erode(ground, reach), cv2.dilate(ground, reach)
    contrast = cv2.max(cv2.subtract(darker, pixels), cv2.subtract(pixels, lighter)).max(axis=2)
    if noise:
        contrast = cv2.GaussianBlur(contrast, (3, 3), 0)
    strongest = cv2.dilate(contrast, np.ones((13, 13), np.uint8))
    least = max(24.0, 7 * noise)
    ink = (contrast >= np.maximum(strongest * 0.45, least)).astype(np.uint8)
    return contrast, ink


def lay_out(pixels: np.ndarray, ground: np.ndarray, paper: tuple[int, int, int], noise: float) -> Sheet:
    """A sheet whose ground is known; where light is still uneven, the ground follows the page slowly."""
    if noise:
        height, width = pixels.shape[:2]
        small = cv2.resize(pixels, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
        slow = cv2.resize(cv2.medianBlur(small, 25), (width, height))
        near = (cv2.absdiff(slow, ground).max(axis=2) < 14)[..., None]
        ground = np.where(near, slow, ground)
    contrast, ink = stand_out(pixels, ground, noise)
    return Sheet(pixels=pixels, ground=ground, contrast=contrast, ink=ink, paper=paper, noise=noise)
