"""Remove uneven light, grain and blur from a photographed page, and keep the colours of fills."""

from __future__ import annotations

import cv2
import numpy as np

_BLOCK_PX = 8
"""Side of the blocks on which light is measured."""


def even_light(pixels: np.ndarray) -> np.ndarray:
    """Return the page as if lit evenly, its paper white. A page whose paper is dark stays as it is.

    The light of a lamp falls off smoothly across a page, so one smooth surface through the paper's brightness is
    divided out. A fill is not smooth but has edges, and so keeps its difference from the paper.
    """
    blocks = _block_colours(pixels)
    light = _fit_light(blocks)
    if light is None:
        return pixels
    light = cv2.resize(light, (pixels.shape[1], pixels.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = pixels.astype(np.float32) / np.maximum(light, 1.0)
    grain = _grain(even)
    even = np.clip(even / max(0.85, 1.0 - 2.5 * grain) * 255, 0, 255).astype(np.uint8)
    if grain > 0.004:
        even = cv2.bilateralFilter(even, 5, 255 * min(0.12, 4 * grain), 1.5)
    return even


def sharpen(pixels: np.ndarray) -> np.ndarray:
    """Make edges about as steep as those of print, after a lens and two resamplings have softened them."""
    return cv2.addWeighted(pixels, 1.8, cv2.GaussianBlur(pixels, (0, 0), 1.5), -0.8, 0)


def _block_colours(pixels: np.ndarray) -> np.ndarray:
    """Return the median colour of each block: its paper, without the print."""
    h, w = pixels.shape[0] // _BLOCK_PX * _BLOCK_PX, pixels.shape[1] // _BLOCK_PX * _BLOCK_PX
    parts = pixels[:h, :w].reshape(h // _BLOCK_PX, _BLOCK_PX, w // _BLOCK_PX, _BLOCK_PX, 3).transpose(0, 2, 1, 3, 4)
    return np.median(parts[:, :, ::2, ::2].reshape(h // _BLOCK_PX, w // _BLOCK_PX, -1, 3), axis=2).astype(np.float32)


def _fit_light(blocks: np.ndarray) -> np.ndarray | None:
    """Fit a polynomial to the blocks of bare paper and return the light (BGR) on each block; None on dark paper."""
    rows, columns = blocks.shape[:2]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].reshape(2, -1)
    colours = np.log(np.maximum(blocks.reshape(-1, 3), 1.0))
    grey = colours.mean(axis=1)
    tint = colours - grey[:, None]
    # Most blocks are paper. Light changes the paper's brightness but hardly its tint.
    common = np.abs(grey - _mode(grey)) < 0.35
    if np.exp(grey[common]).mean() < 90:
        return None
    papery = (np.abs(tint - [_mode(tint[common, i]) for i in range(3)]) < 0.05).all(axis=1)
    paper, light = common & papery, grey
    # Stiff at first, so that a large fill does not bend the surface; then as flexible as light is.
    powers = {(i, j): x**i * y**j for i in range(4) for j in range(4 - i)}
    for degree, bound in ((1, 0.20), (1, 0.12), (2, 0.08), (2, 0.05), (3, 0.04), (3, 0.04)):
        terms = np.stack([power for (i, j), power in powers.items() if i + j <= degree], axis=1)
        if paper.sum() < 10 * terms.shape[1]:
            return None
        # The normal equations are well conditioned (few terms on -1 to 1) and much faster than all blocks at once.
        own = terms[paper]
        fit, *_ = np.linalg.lstsq(own.T @ own, own.T @ colours[paper], rcond=None)
        light = terms @ fit
        off = (colours - light).mean(axis=1)
        # Nothing is lighter than the paper, so a block above the surface is more likely paper than one below.
        paper = papery & (off < 1.5 * bound) & (off > -bound)
    return np.exp(light).reshape(rows, columns, 3).astype(np.float32)


def _mode(values: np.ndarray) -> float:
    counts, edges = np.histogram(values, bins=40)
    counts = np.convolve(counts, np.ones(3), mode="same")
    best = int(np.argmax(counts))
    return float(edges[best] + edges[best + 1]) / 2


def _grain(even: np.ndarray) -> float:
    """Return how much bare paper varies from pixel to pixel, as a share of white."""
    blue, green, red = cv2.split(even)
    grey = (blue + green + red) / 3
    rough = cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), 2))
    return float(np.median(rough[grey > 0.9]) * 1.48) if (grey > 0.9).any() else 0.0
