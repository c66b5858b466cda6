"""Find what is neither text nor rules: barcodes, seals, logos and photos."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np

from ..channels import max_channel
from ..engines.base import TextArea
from ..page import SCALE

MIN_MISSING_PX = 3 * SCALE
"""Difference between the sides of a square code from which on a part of it was left out."""
MIN_SQUARENESS = 0.7
"""Its shorter side, in longer sides; rows of bars are wider."""
MIN_CODE_SHARE = 0.2
"""Dark share of such a part, at least."""

PictureKind = Literal["image", "barcode", "seal"]


@dataclass(frozen=True)
class PictureRegion:
    """A picture in pixels."""

    left: int
    top: int
    right: int
    bottom: int
    kind: PictureKind

    @property
    def area(self) -> int:
        return (self.right - self.left) * (self.bottom - self.top)


def find_seals(pixels: np.ndarray, seals_faded: np.ndarray | None) -> list[PictureRegion]:
    """Return the seals: the areas that were faded so that the text below can be read."""
    if seals_faded is None:
        return []
    faded = (max_channel(cv2.absdiff(pixels, seals_faded)) > 32).astype(np.uint8)
    reach = round(10 * SCALE)  # a seal's ring, letters and star lie apart from each other
    found = [
        PictureRegion(x, y, x + w, y + h, "seal")
        for x, y, w, h, size in _connected_boxes(
            cv2.morphologyEx(faded, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        )
        if min(w, h) > 20 * SCALE and size > 0.2 * w * h
    ]
    return [seal for seal in found if not any(_is_within(seal, other) for other in found if other is not seal)]


def _is_within(one: PictureRegion, other: PictureRegion) -> bool:
    across = other.left <= one.left and one.right <= other.right
    return across and other.top <= one.top and one.bottom <= other.bottom


def find_barcodes(pixels: np.ndarray, noise: float, areas: list[TextArea]) -> tuple[list[PictureRegion], np.ndarray]:
    """Return the barcodes outside text areas, and the mask (0 or 1) of their bars, without the digits below them."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (3, 3), 0) if noise else grey
    # The paper of a barcode is the lightest area near it, whatever it is printed on.
    height, width = grey.shape
    darkest = cv2.resize(cv2.erode(grey, np.ones((9, 9), np.uint8)), (width // 4, height // 4))
    light = cv2.resize(cv2.dilate(darkest, np.ones((31, 31), np.uint8)), (width, height))
    dark = (cv2.subtract(light, grey) > 70).astype(np.uint8)
    mask = np.zeros(grey.shape, np.uint8)
    turned = [(y, x, h, w) for x, y, w, h in areas]
    regions = [*_find_linear_codes(dark, mask, areas), *map(_transposed, _find_linear_codes(dark.T, mask.T, turned))]
    regions = _without_twins([_whole_square(region, dark, mask) for region in regions])
    regions += _find_square_codes(dark & (1 - mask), mask, areas)
    return regions, mask


def _without_twins(regions: list[PictureRegion]) -> list[PictureRegion]:
    """Return the codes; a square one seems to have bars in both directions."""
    kept: list[PictureRegion] = []
    for region in sorted(regions, key=lambda each: -each.area):
        x, y = (region.left + region.right) / 2, (region.top + region.bottom) / 2
        if not any(one.left <= x <= one.right and one.top <= y <= one.bottom for one in kept):
            kept.append(region)
    return kept


def _whole_square(region: PictureRegion, dark: np.ndarray, mask: np.ndarray) -> PictureRegion:
    """Return a code; one that is about square has no digits beside its bars, and is square."""
    x, y, w, h = region.left, region.top, region.right - region.left, region.bottom - region.top
    if min(w, h) < MIN_SQUARENESS * max(w, h):
        return region
    x, y, w, h = _as_square(x, y, w, h, dark)
    mask[y : y + h, x : x + w] = 1
    return PictureRegion(x, y, x + w, y + h, region.kind)


def _find_linear_codes(dark: np.ndarray, mask: np.ndarray, areas: list[TextArea]) -> list[PictureRegion]:
    """Find rows of at least ten upright bars close together."""
    upright = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((round(7 * SCALE), 1), np.uint8))
    # A bar is thin; the side of a dark fill is not.
    upright = cv2.subtract(upright, cv2.morphologyEx(upright, cv2.MORPH_OPEN, np.ones((1, round(7 * SCALE)), np.uint8)))
    joined = cv2.morphologyEx(upright, cv2.MORPH_CLOSE, np.ones((1, round(6 * SCALE)), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    regions = []
    for i, (x, y, w, h, _) in enumerate(stats[1:count], 1):
        if w < 24 * SCALE or h < 7 * SCALE or w < 0.8 * h:
            continue
        code_bars = (labels[y : y + h, x : x + w] == i) & (upright[y : y + h, x : x + w] > 0)
        crossed = np.diff(code_bars.astype(np.int8), axis=1, prepend=0) == 1
        bars = np.percentile(crossed.sum(axis=1), 90)
        # Letters on a dark fill leave upright strips of it, but above and below them the fill is unbroken.
        whole = np.percentile(dark[y : y + h, x : x + w].mean(axis=1), 95) > 0.9
        # Letters have upright strokes too, but a low area in which the detector sees text has no bars.
        covered = _covered_share(x, y, w, h, areas) > 0.5
        text = covered and (h < 16 * SCALE or _holds_lines(x, y, w, h, areas))
        if bars < 10 or w / bars > 5.5 * SCALE or whole or text:
            continue
        mask[y : y + h, x : x + w] |= (labels[y : y + h, x : x + w] == i).astype(np.uint8)
        regions.append(PictureRegion(int(x), int(y), int(x + w), int(y + h), "barcode"))
    return regions


def _holds_lines(x: int, y: int, w: int, h: int, areas: list[TextArea]) -> bool:
    """Whether text areas lie below each other in a box: lines of print, whose letters are the upright strokes."""
    middles = sorted(b + d / 2 for a, b, c, d in areas if x < a + c / 2 < x + w and y < b + d / 2 < y + h)
    return any(below - above > 0.3 * h for above, below in pairwise(middles))


def _transposed(region: PictureRegion) -> PictureRegion:
    return PictureRegion(region.top, region.left, region.bottom, region.right, region.kind)


def _find_square_codes(dark: np.ndarray, mask: np.ndarray, areas: list[TextArea]) -> list[PictureRegion]:
    """Find square codes: blocks about half dark on a light ground, with horizontal and vertical edges."""
    reach = round(6 * SCALE)
    joined = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((round(12 * SCALE),) * 2, np.uint8))
    regions = []
    for x, y, w, h, size in _connected_boxes(joined):
        part = dark[y : y + h, x : x + w]
        if min(w, h) < 16 * SCALE or max(w, h) > 2 * min(w, h) or size < 0.75 * w * h or not 0.33 < part.mean() < 0.72:
            continue
        across = np.count_nonzero(np.diff(part.astype(np.int8), axis=1)) / h
        down = np.count_nonzero(np.diff(part.astype(np.int8), axis=0)) / w
        if min(across, down) < 5 or _slanting_share(part) > 0.36 or _covered_share(x, y, w, h, areas) > 0.45:
            continue
        around = dark[max(0, y - 4) : y + h + 4, max(0, x - 4) : x + w + 4]
        if (around.sum() - part.sum()) > 0.15 * (around.size - part.size):
            continue
        left, top, width, height = _as_square(x, y, w, h, dark)
        mask[max(0, top - 3) : top + height + 3, max(0, left - 3) : left + width + 3] = 1
        regions.append(PictureRegion(left, top, left + width, top + height, "barcode"))
    return regions


def _as_square(x: int, y: int, w: int, h: int, dark: np.ndarray) -> tuple[int, int, int, int]:
    """Return the box of a square code with the rows or columns of it that lie looser and were left out."""
    if w < h:
        top, left, down, across = _as_square(y, x, h, w, dark.T)
        return left, top, across, down
    missing = round(w - h)
    if missing < MIN_MISSING_PX or missing > h:
        return x, y, w, h
    above, below = (dark[max(0, top) : top + missing, x : x + w] for top in (y - missing, y + h))
    shares = [float(strip.mean()) if len(strip) else 0.0 for strip in (above, below)]
    if max(shares) < MIN_CODE_SHARE:
        return x, y, w, h
    return (x, max(0, y - missing), w, min(w, y + h)) if shares[0] > shares[1] else (x, y, w, w)


def _slanting_share(part: np.ndarray) -> float:
    """Return the share of edges that are neither horizontal nor vertical."""
    smooth = cv2.GaussianBlur(part.astype(np.float32), (3, 3), 0)
    dx, dy = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0)), np.abs(cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    edge = dx + dy > 1
    if not edge.any():
        return 0.0
    return float((np.minimum(dx, dy)[edge] > 0.45 * np.maximum(dx, dy)[edge]).mean())


def find_images(ink: np.ndarray, areas: list[TextArea], excluded: np.ndarray) -> list[PictureRegion]:
    """Return logos and photos: dense ink of some size outside text areas."""
    reach = round(2 * SCALE)
    joined = cv2.morphologyEx(ink & (1 - excluded), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    # Ink that is thin everywhere is rules.
    thick = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((round(9 * SCALE),) * 2, np.uint8))
    regions = []
    for x, y, w, h, size in _connected_boxes(thick):
        dense = ink[y : y + h, x : x + w].mean()
        if min(w, h) < 16 * SCALE or size < 0.5 * w * h or dense < 0.35:
            continue
        if _covered_share(x, y, w, h, areas) < 0.5:
            regions.append(PictureRegion(x, y, x + w, y + h, "image"))
    return regions


def _covered_share(x: int, y: int, w: int, h: int, areas: list[TextArea]) -> float:
    """Return the share of a box that text areas cover."""
    across = (max(0.0, min(x + w, a + c) - max(x, a)) * max(0.0, min(y + h, b + d) - max(y, b)) for a, b, c, d in areas)
    return sum(across) / (w * h)


def _connected_boxes(mask: np.ndarray) -> list[tuple[int, int, int, int, int]]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return [(int(x), int(y), int(w), int(h), int(size)) for x, y, w, h, size in stats[1:count]]
