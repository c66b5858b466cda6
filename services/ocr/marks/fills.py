"""Find areas of one colour other than the paper's: bars, zebra rows, cards, and those nested in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from ..channels import max_channel
from ..engines.base import TextArea
from ..page import SCALE
from .paper import colour_distance
from .strokes import Stroke

MIN_THICKNESS_PX = 4.3 * SCALE
"""A thinner area is a rule."""
MIN_AREA_PX = 60 * SCALE**2
"""Minimum area of a fill, in square pixels."""
MAX_COLOURS = 24
"""Maximum number of colours considered on one page."""

MAX_TINT, TINT_SHARE = 20.0, 0.45
"""On a photo, a pixel of a fill differs from its colour by no more, also in shares of its difference from the paper."""
MIN_SHARE_AROUND_LETTERS = 0.5
"""Share of a text area that has a fill's colour where the text ends with the fill."""
MIN_SHARE_OF_COLUMN = 0.25
"""Share of a column of pixels in a text area that has a fill's colour where there is fill above and below a letter."""
MIN_STEP, MIN_PHOTO_STEP = 0.5, 0.8
"""Change of colour across an edge of a fill, in shares of its difference from the paper; a shadow falls off slowly."""


@dataclass(frozen=True)
class Patch:
    """A fill in pixels."""

    left: float
    top: float
    right: float
    bottom: float
    colour: tuple[int, int, int]
    """BGR."""
    radius: float = 0.0

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


def find_patches(pixels: np.ndarray, paper: tuple[int, int, int], noise: float, areas: list[TextArea]) -> list[Patch]:
    """Return the fills of an evenly lit page, outer ones first. `areas` are text, whose thick strokes are not fills."""
    smooth = cv2.GaussianBlur(cv2.medianBlur(pixels, 5), (5, 5), 0) if noise else pixels
    flat = _flat_mask(smooth, noise)
    patches: list[Patch] = []
    for colour in _fill_colours(smooth, flat, paper, noise):
        # Closer to this colour than to the paper's, however pale it is.
        apart = max(abs(a - b) for a, b in zip(colour, paper, strict=True))
        distance = colour_distance(smooth, colour)
        mask = (distance <= _mask_tolerance(apart, noise)).astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        _bridge_text(mask, distance < apart / 2, areas)
        patches += _rectangles(mask, colour)
    patches = [
        p for p in (_trim_edges(patch, smooth, paper, noise) for patch in patches) if p and not _is_glyph_part(p, areas)
    ]
    return sorted(_drop_duplicates(patches), key=lambda p: -p.area)


def snap_to_rules(patch: Patch, strokes: list[Stroke]) -> Patch:
    """Move the sides that a rule draws to the middle of that rule."""

    def snapped(position: float, horizontal: bool, low: float, high: float) -> float:
        positions = [
            s.position
            for s in strokes
            if s.horizontal == horizontal
            and abs(s.position - position) <= s.thickness / 2 + 1.5 * SCALE
            and min(s.end, high) - max(s.start, low) > 0.8 * (high - low)
        ]
        return min(positions, key=lambda at: abs(at - position), default=position)

    left, right = (snapped(x, False, patch.top, patch.bottom) for x in (patch.left, patch.right))
    top, bottom = (snapped(y, True, patch.left, patch.right) for y in (patch.top, patch.bottom))
    return replace(patch, left=left, top=top, right=right, bottom=bottom)


def paint_ground(pixels: np.ndarray, paper: tuple[int, int, int], patches: list[Patch]) -> np.ndarray:
    """Return the page with nothing on it but its paper and its fills."""
    ground = np.full_like(pixels, paper)
    for patch in patches:
        left, top, right, bottom = (round(v) for v in (patch.left, patch.top, patch.right, patch.bottom))
        if patch.radius < 1:
            ground[top:bottom, left:right] = patch.colour
            continue
        r = round(patch.radius)
        colour = tuple(int(c) for c in patch.colour)
        cv2.rectangle(ground, (left + r, top), (right - r - 1, bottom - 1), colour, -1)
        cv2.rectangle(ground, (left, top + r), (right - 1, bottom - r - 1), colour, -1)
        for x in (left + r, right - r - 1):
            for y in (top + r, bottom - r - 1):
                cv2.circle(ground, (x, y), r, colour, -1)
    return ground


def _bridge_text(mask: np.ndarray, closer: np.ndarray, areas: list[TextArea]) -> None:
    """Count text areas as fill where the fill's colour is on both sides, or on one side and around the letters.

    `closer` are the pixels that are closer to the fill's colour than to the paper's: blur, and sharpening after it,
    leave little of the colour itself between letters.
    """
    for x, y, w, h in areas:
        left, top, right, bottom = round(x), round(y), round(x + w), round(y + h)
        middle = slice(top + (bottom - top) // 4, bottom - (bottom - top) // 4)
        beside = (mask[middle, max(0, left - 5) : left + 1], mask[middle, right - 1 : right + 5])
        sides = sum(bool(part.size) and part.mean() > 0.6 for part in beside)
        around = closer[top:bottom, left:right]
        if sides == 2:
            mask[top + 1 : bottom - 1, left:right] = 1
        elif sides == 1 and around.mean() > MIN_SHARE_AROUND_LETTERS:
            # The text begins or ends with the fill, and its area reaches beyond: only what the fill covers is filled.
            covered = np.flatnonzero(around.mean(axis=0) > MIN_SHARE_OF_COLUMN)
            mask[top + 1 : bottom - 1, left + covered[0] : left + covered[-1] + 1] = 1


def _mask_tolerance(apart: float, noise: float) -> float:
    """Return how far a pixel of a fill may be from its colour, which differs from the paper's by `apart`.

    Closer to this colour than to the paper's, however pale it is. On a photo, letters and edges tint what is near them.
    """
    tolerance = _colour_tolerance(noise)
    tinted = min(MAX_TINT, TINT_SHARE * apart) if noise else 0.0
    return min(max(tolerance, tinted), apart / 2)


def _colour_tolerance(noise: float) -> float:
    return 3 if noise == 0 else 9


def _flat_mask(pixels: np.ndarray, noise: float) -> np.ndarray:
    """Return the mask (0 or 1) of pixels where the colour does not change."""
    kernel = np.ones((3, 3), np.uint8)
    change = max_channel(cv2.absdiff(cv2.dilate(pixels, kernel), cv2.erode(pixels, kernel)))
    return (change <= (2 if noise == 0 else 10)).astype(np.uint8)


def _fill_colours(
    pixels: np.ndarray, flat: np.ndarray, paper: tuple[int, int, int], noise: float
) -> list[tuple[int, int, int]]:
    """Return the colours, besides the paper's, of enough flat pixels; the commonest first."""
    away = colour_distance(pixels, paper)
    sample = pixels[(flat > 0) & (away > (2 if noise == 0 else 8))]
    colours: list[tuple[int, int, int]] = []
    tolerance = _colour_tolerance(noise)
    while len(sample) > MIN_AREA_PX / 2 and len(colours) < MAX_COLOURS:
        coarse = sample.astype(np.int32) >> (1 if noise == 0 else 3)
        keys = (coarse[:, 0] << 14) | (coarse[:, 1] << 7) | coarse[:, 2]
        values, counts = np.unique(keys, return_counts=True)
        if counts.max() < MIN_AREA_PX / 4:
            break
        seed = sample[np.argmax(keys == values[counts.argmax()])].astype(np.int16)
        close = (np.abs(sample.astype(np.int16) - seed) <= tolerance).all(axis=1)
        blue, green, red = np.median(sample[close], axis=0)
        colours.append((int(blue), int(green), int(red)))
        sample = sample[~close]
    return colours


def _rectangles(mask: np.ndarray, colour: tuple[int, int, int]) -> list[Patch]:
    """Split the area of one colour into rectangles, with the text and rules on it bridged."""
    bridged = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(bridged, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    patches = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if w * h < MIN_AREA_PX or min(w, h) < MIN_THICKNESS_PX - 2:
            continue
        shape = np.zeros((h, w), np.uint8)
        cv2.drawContours(shape, [contour], 0, (1,), -1, offset=(-x, -y))
        filled = mask[y : y + h, x : x + w]
        if filled[shape > 0].mean() < 0.3:
            continue
        for left, top, right, bottom in _split_into_bands(shape):
            part = filled[top:bottom, left:right]
            if (
                (right - left) * (bottom - top) >= MIN_AREA_PX
                and min(right - left, bottom - top) >= MIN_THICKNESS_PX - 2
                and part.mean() >= 0.3
            ):
                radius = _corner_radius(shape[top:bottom, left:right])
                patches.append(Patch(x + left, y + top, x + right, y + bottom, colour, radius))
    return patches


def _split_into_bands(shape: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Split a shape into rectangles: bands of rows with the same ends. A nearly full box stays whole."""
    height, width = shape.shape
    if shape.mean() > 0.93:
        return [(0, 0, width, height)]
    slack = 4

    def runs(row: np.ndarray) -> tuple[tuple[int, int], ...]:
        steps = np.flatnonzero(np.diff(np.concatenate([[0], row, [0]])))
        pairs = zip(steps[::2], steps[1::2], strict=True)
        return tuple((int(a), int(b)) for a, b in pairs if b - a >= MIN_THICKNESS_PX - 2)

    rows = [runs(row.astype(np.int8)) for row in shape]
    bands: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    for y, each in enumerate(rows):
        last = bands[-1][1] if bands else None
        if (
            last is not None
            and len(last) == len(each)
            and all(abs(a - c) <= slack and abs(b - d) <= slack for (a, b), (c, d) in zip(last, each, strict=True))
        ):
            continue
        bands.append((y, each))
    edges = [y for y, _ in bands] + [height]
    return [
        (left, top, right, bottom)
        for (top, each), bottom in zip(bands, edges[1:], strict=True)
        for left, right in each
        if bottom - top >= MIN_THICKNESS_PX - 2
    ]


def _corner_radius(shape: np.ndarray) -> float:
    """Return the radius of its rounded corners: along the diagonal an arc begins at 0.29 r."""
    reach = min(shape.shape) // 2
    corners = (shape, shape[:, ::-1], shape[::-1], shape[::-1, ::-1])
    empty = sorted(int(np.argmax(np.append(np.diagonal(corner[:reach, :reach]), 1))) for corner in corners)
    return empty[1] / (1 - 0.5**0.5) if empty[0] >= 3 and empty[3] <= 2 * empty[0] else 0.0


def _trim_edges(patch: Patch, pixels: np.ndarray, paper: tuple[int, int, int], noise: float) -> Patch | None:
    """Move the edges to where half of the colour is gone; None when there are no edges (a shadow)."""
    height, width = pixels.shape[:2]
    colour = np.array(patch.colour, np.float32)
    edges = {}
    sharp = 0
    step = MIN_PHOTO_STEP if noise else MIN_STEP
    x0, y0, x1, y1 = round(patch.left), round(patch.top), round(patch.right), round(patch.bottom)
    inner_x, inner_y = _inner_part(x0, x1), _inner_part(y0, y1)
    for side in ("left", "top", "right", "bottom"):
        outward = -1 if side in ("left", "top") else 1
        place = {"left": x0, "top": y0, "right": x1, "bottom": y1}[side]
        limit = width if side in ("left", "right") else height
        reach = 6
        places = np.arange(place - reach, place + reach)
        valid = places[(places >= 0) & (places < limit)]
        lines = pixels[inner_y, valid] if side in ("left", "right") else pixels[valid, inner_x].transpose(1, 0, 2)
        difference = np.abs(np.median(lines.astype(np.float32), axis=0) - colour).max(axis=1)
        beyond = difference[-1] if outward > 0 else difference[0]
        if place <= 2 or place >= limit - 2:
            edges[side] = 0.0 if outward < 0 else float(limit)
            sharp += 1
            continue
        if beyond > step * max(6, float(np.abs(colour - np.array(paper, np.float32)).max())) or difference.max() > 40:
            sharp += 1
        inside = difference < max(2.5 if noise == 0 else 6, 0.5 * min(difference.max(), max(beyond, 6)))
        inner = valid[inside]
        if not len(inner):
            edges[side] = float(place)
            continue
        edges[side] = float(inner.max() + 1) if outward > 0 else float(inner.min())
    if sharp < (3 if noise else 2):
        return None
    trimmed = replace(patch, left=edges["left"], top=edges["top"], right=edges["right"], bottom=edges["bottom"])
    thin = min(trimmed.right - trimmed.left, trimmed.bottom - trimmed.top) < MIN_THICKNESS_PX - 1
    return None if thin else trimmed


def _inner_part(start: int, end: int) -> slice:
    """Return the pixels between two edges without an eighth at both ends, at least one."""
    inset = max(1, (end - start) // 8)
    return slice(start + inset, max(start + inset + 1, end - inset))


def _is_glyph_part(patch: Patch, areas: list[TextArea]) -> bool:
    """Whether a patch is part of a letter: it lies in a text area that is much larger."""
    for x, y, w, h in areas:
        across = min(patch.right, x + w) - max(patch.left, x)
        down = min(patch.bottom, y + h) - max(patch.top, y)
        if max(0.0, across) * max(0.0, down) > 0.7 * patch.area and patch.area < 0.5 * w * h:
            return True
    return False


def _drop_duplicates(patches: list[Patch]) -> list[Patch]:
    """Drop patches that repeat another one of the same colour."""
    kept: list[Patch] = []
    for patch in sorted(patches, key=lambda p: -p.area):
        for other in kept:
            across = min(patch.right, other.right) - max(patch.left, other.left)
            down = min(patch.bottom, other.bottom) - max(patch.top, other.top)
            inside = max(0.0, across) * max(0.0, down) / patch.area
            if inside > 0.9 and (other.colour == patch.colour or patch.area > 0.9 * other.area):
                break
        else:
            kept.append(patch)
    return kept
