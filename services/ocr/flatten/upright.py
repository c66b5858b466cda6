"""Tells which way up a flat page is, by reading a few of its lines each way."""

from __future__ import annotations

import cv2
import numpy as np

from ..engines import Area, Engine

WORK = 960
"""The longer side of the small picture on which lines are looked for: the large ones are enough."""
SURE = 0.93
"""Lines that read this well are the right way up; upside down they read at 0.5 to 0.85."""


def quarter_turns(pixels: np.ndarray, engine: Engine) -> int:
    """By how many quarter turns, anticlockwise as ``np.rot90`` turns, the page has to be turned to be upright."""
    # Upright is by far the likeliest: where a few level lines read well, nothing else is tried.
    rough = [_crop(pixels, area) for area in _level_lines(pixels)[:4]]
    if len(rough) > 2 and _legibility(rough, 0, engine) > SURE:
        return 0
    scale = min(1.0, WORK / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    areas = [(x / scale, y / scale, width / scale, height / scale) for x, y, width, height in engine.detect(small)]
    level = [area for area in areas if area[2] > 1.8 * area[3]]
    plumb = [area for area in areas if area[3] > 1.8 * area[2]]
    on_side = sum(area[3] for area in plumb) > sum(area[2] for area in level)
    lines = [_crop(pixels, area) for area in _longest(plumb if on_side else level)[:8]]
    if not lines:
        return 0
    turns = (1, 3) if on_side else (0, 2)
    scores = [_legibility(lines, turn, engine) for turn in turns]
    best = int(np.argmax(scores))
    clear = scores[best] > 0.7 and scores[best] > scores[1 - best] + 0.08
    return turns[best] if clear else 0


def _level_lines(pixels: np.ndarray) -> list[Area]:
    """Places that look like level lines of text, without asking the engine: print whose letters run together."""
    grey = cv2.cvtColor(pixels[::2, ::2], cv2.COLOR_BGR2GRAY)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 25, 20)
    runs = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, 13), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(runs)
    found = []
    for x, y, width, height, covered in stats[1:count]:
        if 7 <= height <= 30 and 4 * height <= width <= 16 * height and covered > 0.35 * width * height:
            found.append((2.0 * x, 2.0 * y, 2.0 * width, 2.0 * height))
    return _longest(found)


def _longest(areas: list[Area]) -> list[Area]:
    """Those that tell most first: long for their height, but not so long that they take long to read."""
    return sorted(areas, key=lambda area: -min(max(area[2:]) / min(area[2:]), 12))


def _crop(pixels: np.ndarray, area: Area) -> np.ndarray:
    x, y, width, height = area
    margin = max(3.0, 0.12 * min(width, height))
    top, left = max(0, round(y - margin)), max(0, round(x - margin))
    return pixels[top : round(y + height + margin) + 1, left : round(x + width + margin) + 1]


def _legibility(lines: list[np.ndarray], turns: int, engine: Engine) -> float:
    """How well the lines read after so many quarter turns, 0 to 1; long readings count more."""
    read = engine.read([np.ascontiguousarray(np.rot90(line, turns)) for line in lines])
    weights = [max(1, len(text)) for text, _ in read]
    return float(np.average([confidence for _, confidence in read], weights=weights))
