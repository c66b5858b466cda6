"""Takes uneven light, grain and blur off a photographed page, and leaves fills their colours."""

from __future__ import annotations

import cv2
import numpy as np

_STEP = 8
"""The light is measured on blocks of this many pixels."""


def even_light(pixels: np.ndarray) -> np.ndarray:
    """The page as if lit evenly: its paper becomes one white. A page whose paper is dark stays as it is.

    The light of a lamp falls off smoothly across a page, so one smooth surface through the paper's brightness is
    divided out; a fill is not smooth, it has edges, and so keeps its difference from the paper.
    """
    blocks = _paper_blocks(pixels)
    light = _surface(blocks)
    if light is None:
        return pixels
    light = cv2.resize(light, (pixels.shape[1], pixels.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = pixels.astype(np.float32) / np.maximum(light, 1.0)
    grain = _grain(even)
    even = np.clip(even / max(0.85, 1.0 - 2.5 * grain) * 255, 0, 255).astype(np.uint8)
    if grain > 0.004:
        even = cv2.bilateralFilter(even, 5, 255 * min(0.12, 4 * grain), 1.5)
    return even


def crisp(pixels: np.ndarray) -> np.ndarray:
    """Edges made about as steep as print's again, after a lens and two resamplings have softened them."""
    return cv2.addWeighted(pixels, 1.8, cv2.GaussianBlur(pixels, (0, 0), 1.5), -0.8, 0)


def _paper_blocks(pixels: np.ndarray) -> np.ndarray:
    """The usual light colour of each block: what most of the paper in it looks like, print left out."""
    h, w = pixels.shape[0] // _STEP * _STEP, pixels.shape[1] // _STEP * _STEP
    parts = pixels[:h, :w].reshape(h // _STEP, _STEP, w // _STEP, _STEP, 3).transpose(0, 2, 1, 3, 4)
    return np.median(parts[:, :, ::2, ::2].reshape(h // _STEP, w // _STEP, -1, 3), axis=2).astype(np.float32)


def _surface(blocks: np.ndarray) -> np.ndarray | None:
    """The light on each block (BGR), by a polynomial through the blocks that are bare paper; None on dark paper."""
    rows, columns = blocks.shape[:2]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].reshape(2, -1)
    colours = np.log(np.maximum(blocks.reshape(-1, 3), 1.0))
    grey = colours.mean(axis=1)
    tint = colours - grey[:, None]
    # The paper is what most blocks look like, and the light may change its brightness but hardly its tint.
    common = np.abs(grey - _mode(grey)) < 0.35
    if np.exp(grey[common]).mean() < 90:
        return None
    papery = (np.abs(tint - [_mode(tint[common, i]) for i in range(3)]) < 0.05).all(axis=1)
    paper, light = common & papery, grey
    # Stiff at first, so that a large fill does not bend it; then as supple as light is.
    powers = {(i, j): x**i * y**j for i in range(4) for j in range(4 - i)}
    for degree, bound in ((1, 0.20), (1, 0.12), (2, 0.08), (2, 0.05), (3, 0.04), (3, 0.04)):
        terms = np.stack([power for (i, j), power in powers.items() if i + j <= degree], axis=1)
        if paper.sum() < 10 * terms.shape[1]:
            return None
        # By the normal equations: few terms, well apart on -1 to 1, and far quicker than all blocks at once.
        own = terms[paper]
        fit, *_ = np.linalg.lstsq(own.T @ own, own.T @ colours[paper], rcond=None)
        light = terms @ fit
        off = (colours - light).mean(axis=1)
        # Nothing on a page is lighter than its paper, so what is above the surface is paper more likely than below.
        paper = papery & (off < 1.5 * bound) & (off > -bound)
    return np.exp(light).reshape(rows, columns, 3).astype(np.float32)


def _mode(values: np.ndarray) -> float:
    counts, edges = np.histogram(values, bins=40)
    counts = np.convolve(counts, np.ones(3), mode="same")
    best = int(np.argmax(counts))
    return float(edges[best] + edges[best + 1]) / 2


def _grain(even: np.ndarray) -> float:
    """How much bare paper varies from pixel to pixel, as a part of white."""
    blue, green, red = cv2.split(even)
    grey = (blue + green + red) / 3
    rough = cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), 2))
    return float(np.median(rough[grey > 0.9]) * 1.48) if (grey > 0.9).any() else 0.0
