"""Decide which way up a flat page is, by recognising a few of its lines in each direction."""

from __future__ import annotations

import cv2
import numpy as np

from ..engines import OcrEngine, TextArea

WORK_SIDE_PX = 960
"""Longer side of the reduced picture in which lines are detected: large lines are enough."""
UPRIGHT_CONFIDENCE = 0.93
"""Lines that read this well are upright; upside down they read at 0.5 to 0.85."""


CLEAR_MARGIN = 0.08
"""By how much lines read better in the direction that is believed than in any other."""


def quarter_turns(pixels: np.ndarray, engine: OcrEngine) -> int:
    """Return by how many quarter turns, anticlockwise as in ``np.rot90``, the page must be rotated to be upright."""
    # Upright is by far the most likely: where a few horizontal lines read well, nothing else is tried.
    rough = [_crop(pixels, area) for area in _level_lines(pixels)[:4]]
    if len(rough) > 2 and _legibility(rough, 0, engine) > UPRIGHT_CONFIDENCE:
        return 0
    scores = _scores(pixels, engine)
    # Lines that stand close beside each other are detected across as well, so a page on its side seems to have lines.
    if max(scores.values(), default=0.0) <= UPRIGHT_CONFIDENCE:
        scores |= {turn + 1: score for turn, score in _scores(np.rot90(pixels), engine).items()}
    best = max(scores, key=lambda turn: scores[turn], default=0)
    others = [score for turn, score in scores.items() if turn != best]
    clear = bool(others) and scores[best] > 0.7 and scores[best] > max(others) + CLEAR_MARGIN
    return best if clear else 0


def _scores(pixels: np.ndarray, engine: OcrEngine) -> dict[int, float]:
    """Return how well the level lines of a picture read as they are, and upside down, by their quarter turns."""
    scale = min(1.0, WORK_SIDE_PX / max(pixels.shape[:2]))
    small = np.ascontiguousarray(pixels)
    small = cv2.resize(small, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else small
    areas = [(x / scale, y / scale, width / scale, height / scale) for x, y, width, height in engine.detect(small)]
    lines = _lines(pixels, [area for area in areas if area[2] > 1.8 * area[3]])
    return {turn: _legibility(lines, turn, engine) for turn in (0, 2)} if lines else {}


def _lines(pixels: np.ndarray, areas: list[TextArea]) -> list[np.ndarray]:
    return [_crop(pixels, area) for area in _most_informative(areas)[:8]]


def _level_lines(pixels: np.ndarray) -> list[TextArea]:
    """Return areas that look like horizontal lines of text, without the engine: print whose letters run together."""
    grey = cv2.cvtColor(pixels[::2, ::2], cv2.COLOR_BGR2GRAY)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 25, 20)
    runs = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, 13), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(runs)
    areas = []
    for x, y, width, height, covered in stats[1:count]:
        if 7 <= height <= 30 and 4 * height <= width <= 16 * height and covered > 0.35 * width * height:
            areas.append((2.0 * x, 2.0 * y, 2.0 * width, 2.0 * height))
    return _most_informative(areas)


def _most_informative(areas: list[TextArea]) -> list[TextArea]:
    """Sort areas by the evidence they give: long for their height, but not so long that reading them takes long."""
    return sorted(areas, key=lambda area: -min(max(area[2:]) / min(area[2:]), 12))


def _crop(pixels: np.ndarray, area: TextArea) -> np.ndarray:
    x, y, width, height = area
    margin = max(3.0, 0.12 * min(width, height))
    top, left = max(0, round(y - margin)), max(0, round(x - margin))
    return pixels[top : round(y + height + margin) + 1, left : round(x + width + margin) + 1]


def _legibility(lines: list[np.ndarray], turns: int, engine: OcrEngine) -> float:
    """Return the mean confidence of the lines after so many quarter turns, 0 to 1; long texts count more."""
    read = engine.read([np.ascontiguousarray(np.rot90(line, turns)) for line in lines])
    weights = [max(1, len(text)) for text, _ in read]
    return float(np.average([confidence for _, confidence in read], weights=weights))
