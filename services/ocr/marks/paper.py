"""The sheet under the marks: its colour, its noise, and what stands out from it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass
class Sheet:
    """A page, and how each pixel differs from the ground (paper and fills) under it."""

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
        return max(16.0, 5 * self.noise) if self.noise else 12.0


def hex_colour(bgr: np.ndarray | tuple[int, ...]) -> str:
    blue, green, red = (round(float(c)) for c in bgr)
    return f"#{red:02X}{green:02X}{blue:02X}"


def most(channels: np.ndarray) -> np.ndarray:
    """The largest of each pixel's three channels."""
    # NumPy's max along an axis of three is many times slower.
    blue, green, red = cv2.split(channels)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def away_from(pixels: np.ndarray, colour: tuple[int, ...]) -> np.ndarray:
    """How far each pixel is from one colour, in the channel that differs most."""
    return most(cv2.absdiff(pixels, np.array([*colour, 0], np.float64)))


def noise_of(pixels: np.ndarray) -> float:
    """Typical deviation of flat areas from their colour, in grey levels; 0 where a page was drawn, not photographed.

    Grain shows as many steps of a few levels between neighbours; a drawn page has steps at the edges of its marks only.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)[::2].astype(np.int16)
    steps = np.abs(np.diff(grey, axis=1))
    small = steps[(steps >= 1) & (steps <= 24)]
    few = 0.24 * max(1, int(np.count_nonzero(steps > 30)))
    if np.count_nonzero(small <= 6) < few:
        return 0.0
    return float(np.clip(small.mean() / 2, 1.5, 5))


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
    reach = np.ones((7, 7) if noise else (3, 3), np.uint8)
    darker, lighter = cv2.erode(ground, reach), cv2.dilate(ground, reach)
    contrast = most(cv2.max(cv2.subtract(darker, pixels), cv2.subtract(pixels, lighter)))
    if noise:
        # A camera, and what sharpens its picture, overshoot at an edge by a share of its height.
        overshoot = (most(cv2.subtract(lighter, darker)) * 0.3).astype(np.uint8)
        contrast = cv2.GaussianBlur(cv2.subtract(contrast, overshoot), (3, 3), 0)
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
        far = (most(cv2.absdiff(slow, ground)) >= 14).astype(np.uint8)
        ground = cv2.copyTo(ground, far, slow)
    contrast, ink = stand_out(pixels, ground, noise)
    return Sheet(pixels=pixels, ground=ground, contrast=contrast, ink=ink, paper=paper, noise=noise)
