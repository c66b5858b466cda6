"""Reads what a pen wrote: its ink alone, on white, without the shapes that it drew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box

from ..engines.base import Engine
from ..page import SCALE
from .ink import Pen
from .shapes import Shape
from .wording import is_request, is_wording

MOST = 60
"""Who wrote more lines than this in one colour printed a form in it."""
SUREST = 0.5
"""A reading less sure than this is no remark."""
TALLEST = 60 * SCALE
"""Nobody writes taller letters, in pixels; frames are taller."""
PAD = round(6 * SCALE)
LEAST_SIDE = 320
"""A detector overlooks what fills a small picture, in pixels."""


@dataclass(frozen=True)
class Words:
    """What one pen wrote in one place."""

    text: str
    box: Box
    """In points."""
    parts: list[int]
    """Of the pen's ink."""


def read_writing(pixels: np.ndarray, pen: Pen, shapes: Iterable[Shape], engine: Engine) -> list[Words]:
    """The writing of a pen, lines that go on below each other as one text."""
    drawn = [part for shape in shapes for part in shape.parts]
    boxes = pen.boxes.copy()
    boxes[drawn] = 0
    boxes[(boxes[:, 3] - boxes[:, 1] > TALLEST) | (boxes[:, 2] - boxes[:, 0] > 4 * TALLEST)] = 0
    parts = np.flatnonzero(boxes[:, 2] > boxes[:, 0])
    if not len(parts) or len(parts) > 30 * MOST:
        return []
    left, top = boxes[parts, :2].min(axis=0) - PAD
    right, bottom = boxes[parts, 2:].max(axis=0) + PAD
    left, top = max(0, int(left)), max(0, int(top))
    right, bottom = min(pixels.shape[1], int(right)), min(pixels.shape[0], int(bottom))
    alone = _alone(pixels[top:bottom, left:right], pen, parts, np.s_[top:bottom, left:right])
    lines = [_own(pen, boxes, parts, area, left, top) for area in engine.detect(_padded(alone))]
    lines = [line for line in lines if len(line)]
    if len(lines) > MOST:
        return []
    places = [_around(boxes[line]) for line in lines]
    crops = [alone[max(0, y - top - 4) : b - top + 4, max(0, x - left - 5) : r - left + 5] for x, y, r, b in places]
    found = [
        Words(text.strip(), Box.between(*(side / SCALE for side in place)), [int(part) for part in line])
        for line, place, (text, sure) in zip(lines, places, engine.read(crops), strict=True)
        if sure >= SUREST and is_wording(text)
    ]
    return _joined(found)


def _alone(pixels: np.ndarray, pen: Pen, parts: np.ndarray, place: tuple[slice, slice]) -> np.ndarray:
    """A part of the page with nothing on it but these parts, on white."""
    chosen = np.zeros(len(pen.boxes), np.uint8)
    chosen[parts] = 1
    own = chosen[pen.labels[place]]
    soft = cv2.dilate(own, np.ones((3, 3), np.uint8)) & (1 - pen.prints[place])
    alone = np.full_like(pixels, 255)
    cv2.copyTo(pixels, soft, alone)
    # Where print lies over a stroke, the stroke is seen through it.
    under = cv2.dilate(pen.prints[place], np.ones((3, 3), np.uint8))
    alone[(own > 0) & (pen.ink[place] == 0) & (under > 0)] = pen.colour
    return alone


def _padded(alone: np.ndarray) -> np.ndarray:
    """The same on more white, to the right and below, if it is small."""
    more = [max(0, LEAST_SIDE - side) for side in alone.shape[:2]]
    white = (255, 255, 255)
    return cv2.copyMakeBorder(alone, 0, more[0], 0, more[1], cv2.BORDER_CONSTANT, value=white)


def _own(
    pen: Pen, boxes: np.ndarray, parts: np.ndarray, area: tuple[float, float, float, float], left: int, top: int
) -> np.ndarray:
    """Those of the parts that lie for the most part in a text area, which is told from `left` and `top`."""
    x, y, width, height = area
    own = boxes[parts]
    across = np.minimum(own[:, 2], x + width + left + 3) - np.maximum(own[:, 0], x + left - 3)
    down = np.minimum(own[:, 3], y + height + top + 2) - np.maximum(own[:, 1], y + top - 2)
    size = (own[:, 2] - own[:, 0]) * (own[:, 3] - own[:, 1])
    return np.asarray(parts[np.maximum(across, 0) * np.maximum(down, 0) > 0.5 * size])


def _around(boxes: np.ndarray) -> tuple[int, int, int, int]:
    left, top = boxes[:, :2].min(axis=0)
    right, bottom = boxes[:, 2:].max(axis=0)
    return int(left), int(top), int(right), int(bottom)


def _joined(lines: list[Words]) -> list[Words]:
    """Words of one line that were found apart, and lines that go on below each other, as one text each."""
    texts: list[Words] = []
    for line in sorted(lines, key=lambda each: (round(each.box.middle[1] / 4), each.box.x)):
        before = next((text for text in reversed(texts) if _goes_on(text, line)), None)
        if before is None:
            texts.append(line)
        else:
            texts[texts.index(before)] = _one(before, line)
    return texts


def _goes_on(text: Words, line: Words) -> bool:
    a, b = text.box, line.box
    height = min(a.height, b.height)
    level = min(a.bottom, b.bottom) - max(a.y, b.y) > 0.5 * height
    if level:
        return -0.5 * height < b.x - a.right < 0.9 * height and max(a.height, b.height) < 2 * height
    under = -0.3 * height < b.y - a.bottom < 0.7 * height and abs(a.x - b.x) < 2 * height
    # Requests listed below each other are requests of their own.
    return under and not (is_request(text.text) and is_request(line.text))


def _one(text: Words, line: Words) -> Words:
    touching = is_cjk(text.text[-1]) or is_cjk(line.text[0])
    return Words(
        text.text + ("" if touching else " ") + line.text, Box.around([text.box, line.box]), text.parts + line.parts
    )
