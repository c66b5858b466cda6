"""Tells which way up a flat page is, by reading a few of its lines each way."""

from __future__ import annotations

import cv2
import numpy as np

from ..engines import Area, Engine

WORK = 960
"""The longer side of the small picture on which lines are looked for: the large ones are enough."""
LINES = 6
SURE = 0.85
"""Lines that read this well are the right way up; upside down they do not."""


def quarter_turns(pixels: np.ndarray, engine: Engine) -> int:
    """By how many quarter turns, anticlockwise as ``np.rot90`` turns, the page has to be turned to be upright."""
    scale = min(1.0, WORK / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    areas = [tuple(value / scale for value in area) for area in engine.detect(small)]
    level = [area for area in areas if area[2] > 1.8 * area[3]]
    plumb = [area for area in areas if area[3] > 1.8 * area[2]]
    on_side = sum(area[3] for area in plumb) > sum(area[2] for area in level)
    lines = [_crop(pixels, area) for area in _telling(plumb if on_side else level)]
    if not lines:
        return 0
    # Upright is by far the likeliest: when it reads well, nothing else is tried.
    if not on_side and _legibility(lines, 0, engine) > SURE:
        return 0
    turns = (1, 3) if on_side else (0, 2)
    scores = [_legibility(lines, turn, engine) for turn in turns]
    best = int(np.argmax(scores))
    clear = scores[best] > 0.7 and scores[best] > scores[1 - best] + 0.08
    return turns[best] if clear else 0


def _telling(areas: list[Area]) -> list[Area]:
    """The longest lines, but not those so long that they take long to read."""
    by_length = sorted(areas, key=lambda area: -min(max(area[2:]) / min(area[2:]), 15))
    return by_length[:LINES]


def _crop(pixels: np.ndarray, area: Area) -> np.ndarray:
    x, y, width, height = area
    margin = 0.1 * min(width, height)
    top, left = max(0, round(y - margin)), max(0, round(x - margin))
    return pixels[top : round(y + height + margin) + 1, left : round(x + width + margin) + 1]


def _legibility(lines: list[np.ndarray], turns: int, engine: Engine) -> float:
    """How well the lines read after so many quarter turns, 0 to 1; long readings count more."""
    read = engine.read([np.ascontiguousarray(np.rot90(line, turns)) for line in lines])
    weights = [max(1, len(text)) for text, _ in read]
    return float(np.average([confidence for _, confidence in read], weights=weights))
