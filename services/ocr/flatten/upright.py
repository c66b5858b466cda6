"""Decide which way up a flat page is, by recognising a few of its lines in each direction."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from ..engines import OcrEngine, TextArea

WORK_SIDE_PX = 960
"""Longer side of the reduced picture in which lines are detected: large lines are enough."""
UPRIGHT_CONFIDENCE = 0.93
"""Lines that read this well are upright; upside down they read at 0.5 to 0.85."""
MIN_SURE_CHARACTERS = 45
"""Minimum number of characters to decide without a look at the other directions: a page on its side may have a few
upright texts."""
MIN_CONFIDENCE, CLEAR_MARGIN = 0.7, 0.08
"""How well lines read in the direction that is believed, and by how much better than upside down."""
MORE_EVIDENCE = 1.5
"""A page is on its side if so many times the characters are read there, weighed by their confidence."""


def quarter_turns(pixels: np.ndarray, engine: OcrEngine) -> int:
    """Return by how many quarter turns, anticlockwise as in ``np.rot90``, the page must be rotated to be upright."""
    # Upright is by far the most likely: where a few horizontal lines read well, nothing else is tried.
    rough = [_crop(pixels, area) for area in _level_lines(pixels)[:4]]
    if len(rough) > 2 and _are_upright(*_legibility(rough, 0, engine)):
        return 0
    level = _read_both_ways(pixels, engine)
    if _are_upright(level.scores[0], level.characters):
        return 0
    # Lines that stand close beside each other are detected across as well, so a page on its side seems to have lines.
    on_side = _read_both_ways(np.rot90(pixels), engine)
    if on_side.evidence > MORE_EVIDENCE * level.evidence:
        return on_side.clear_turn(1, 3) or 0
    return level.clear_turn(0, 2) or 0


def _are_upright(score: float, characters: int) -> bool:
    return score > UPRIGHT_CONFIDENCE and characters >= MIN_SURE_CHARACTERS


class _BothWays(NamedTuple):
    """How well the level lines of a picture read as they are, and upside down: 0 to 1, and their characters."""

    scores: tuple[float, float]
    characters: int

    @property
    def evidence(self) -> float:
        return max(self.scores) * self.characters

    def clear_turn(self, as_it_is: int, upside_down: int) -> int | None:
        """Return the turn that reads clearly better; None where there is none."""
        low, high = sorted(self.scores)
        clear = high > MIN_CONFIDENCE and high > low + CLEAR_MARGIN
        return (as_it_is, upside_down)[self.scores.index(high)] if clear else None


def _read_both_ways(pixels: np.ndarray, engine: OcrEngine) -> _BothWays:
    scale = min(1.0, WORK_SIDE_PX / max(pixels.shape[:2]))
    small = np.ascontiguousarray(pixels)
    small = cv2.resize(small, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else small
    areas = [(x / scale, y / scale, width / scale, height / scale) for x, y, width, height in engine.detect(small)]
    lines = _lines(pixels, [area for area in areas if area[2] > 1.8 * area[3]])
    if not lines:
        return _BothWays((0.0, 0.0), 0)
    (upright, characters), (turned, others) = (_legibility(lines, turn, engine) for turn in (0, 2))
    return _BothWays((upright, turned), max(characters, others))


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


def _legibility(lines: list[np.ndarray], turns: int, engine: OcrEngine) -> tuple[float, int]:
    """Return the mean confidence of the lines after so many quarter turns, 0 to 1, and the number of characters.

    Long texts count more.
    """
    read = engine.read([np.ascontiguousarray(np.rot90(line, turns)) for line in lines])
    lengths = [len(text) for text, _ in read]
    weights = [max(1, length) for length in lengths]
    return float(np.average([confidence for _, confidence in read], weights=weights)), sum(lengths)
