"""The paper and what stands out from it: colour, noise, contrast and ink."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..channels import max_channel


@dataclass
class PageRaster:
    """A page, and how each pixel differs from the ground (paper and fills) below it."""

    pixels: np.ndarray
    """BGR, 8 bits."""
    ground: np.ndarray
    """BGR, 8 bits: the page without its text and rules."""
    contrast: np.ndarray
    """8 bits: the largest difference from the ground in any channel."""
    ink: np.ndarray
    """0 or 1: whether the pixel has nearly half of its stroke's contrast."""
    paper: tuple[int, int, int]
    """BGR."""
    noise: float
    """Typical deviation of the paper from its colour, in grey levels: 0 for a drawn page, 1.5 to 5 for a photo."""

    @property
    def min_contrast(self) -> float:
        """Minimum contrast of a mark; anything less is noise."""
        return max(16.0, 5 * self.noise) if self.noise else 12.0


def hex_colour(bgr: np.ndarray | tuple[int, ...]) -> str:
    blue, green, red = (round(float(c)) for c in bgr)
    return f"#{red:02X}{green:02X}{blue:02X}"


def colour_distance(pixels: np.ndarray, colour: tuple[int, ...]) -> np.ndarray:
    """Return how far each pixel is from a colour, in the channel that differs most."""
    return max_channel(cv2.absdiff(pixels, np.array([*colour, 0], np.float64)))


def estimate_noise(pixels: np.ndarray) -> float:
    """Estimate the deviation of flat areas from their colour, in grey levels; 0 for a page that was drawn.

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
    """Return the colour of the paper (BGR): the one that fills the margin, or else the commonest on the page."""
    rim = max(4, min(pixels.shape[:2]) // 60)
    margin = np.concatenate(
        [part.reshape(-1, 3) for part in (pixels[:rim], pixels[-rim:], pixels[:, :rim], pixels[:, -rim:])]
    )
    colour, share = _commonest_colour(margin)
    if share < 0.6:
        colour, _ = _commonest_colour(pixels[::2, ::2].reshape(-1, 3))
    return colour


def _commonest_colour(colours: np.ndarray) -> tuple[tuple[int, int, int], float]:
    """Return the commonest colour, and the share of all colours that are close to it."""
    coarse = colours.astype(np.int32) >> 3
    keys = (coarse[:, 0] << 10) | (coarse[:, 1] << 5) | coarse[:, 2]
    top = int(np.bincount(keys, minlength=1 << 15).argmax())
    centre = (np.array([top >> 10, (top >> 5) & 31, top & 31]) << 3) + 4
    is_close = (np.abs(colours.astype(np.int16) - centre) <= 10).all(axis=1)
    if not is_close.any():
        return tuple(int(c) for c in centre), 0.0  # type: ignore[return-value]
    blue, green, red = np.median(colours[is_close], axis=0)
    return (int(blue), int(green), int(red)), float(is_close.mean())


def find_ink(pixels: np.ndarray, ground: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the contrast against the ground (8 bits) and the mask of ink.

    Ink has at least 45 % of the strongest contrast nearby: the edge of a stroke lies where about half of it is covered,
    whatever its colour.
    """
    # Where two grounds meet, an edge pixel mixes both: a colour between the two is not a mark.
    reach = np.ones((7, 7) if noise else (3, 3), np.uint8)
    darker, lighter = cv2.erode(ground, reach), cv2.dilate(ground, reach)
    contrast = max_channel(cv2.max(cv2.subtract(darker, pixels), cv2.subtract(pixels, lighter)))
    if noise:
        # A camera and its sharpening overshoot at an edge by a share of the step.
        overshoot = (max_channel(cv2.subtract(lighter, darker)) * 0.3).astype(np.uint8)
        contrast = cv2.GaussianBlur(cv2.subtract(contrast, overshoot), (3, 3), 0)
    strongest = cv2.dilate(contrast, np.ones((13, 13), np.uint8))
    min_ink = max(24.0, 7 * noise)
    ink = (contrast >= np.maximum(strongest * 0.45, min_ink)).astype(np.uint8)
    return contrast, ink


def make_raster(pixels: np.ndarray, ground: np.ndarray, paper: tuple[int, int, int], noise: float) -> PageRaster:
    """Build the raster of a page; where the light is still uneven, the ground follows the page slowly."""
    if noise:
        height, width = pixels.shape[:2]
        small = cv2.resize(pixels, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
        slow = cv2.resize(cv2.medianBlur(small, 25), (width, height))
        far = (max_channel(cv2.absdiff(slow, ground)) >= 14).astype(np.uint8)
        ground = cv2.copyTo(ground, far, slow)
    contrast, ink = find_ink(pixels, ground, noise)
    return PageRaster(pixels=pixels, ground=ground, contrast=contrast, ink=ink, paper=paper, noise=noise)
