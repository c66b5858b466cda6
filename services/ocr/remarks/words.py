"""Read what a pen wrote: its ink alone on white, without the shapes that it drew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box

from ..engines.base import OcrEngine
from ..page import SCALE
from .ink import PenInk
from .shapes import PenShape
from .wording import has_words, is_request

MAX_LINES = 60
"""With more lines than this in one colour, the colour belongs to the form."""
MIN_CONFIDENCE = 0.5
"""Text that was recognised with less confidence is not a remark."""
MAX_LETTER_PX = 60 * SCALE
"""Maximum height of handwriting; frames are taller."""
PADDING_PX = round(6 * SCALE)
MIN_DETECTION_SIDE_PX = 320
"""Minimum side of the picture in which text is detected: detectors overlook text that fills a small one."""


@dataclass(frozen=True)
class PenText:
    """Text that one pen wrote in one place."""

    text: str
    box: Box
    """In points."""
    parts: list[int]
    """Numbers of its parts of the pen's ink."""


def read_writing(pixels: np.ndarray, pen: PenInk, shapes: Iterable[PenShape], engine: OcrEngine) -> list[PenText]:
    """Return the writing of a pen; lines below each other that belong together are one text."""
    drawn = [part for shape in shapes for part in shape.parts]
    boxes = pen.boxes.copy()
    boxes[drawn] = 0
    boxes[(boxes[:, 3] - boxes[:, 1] > MAX_LETTER_PX) | (boxes[:, 2] - boxes[:, 0] > 4 * MAX_LETTER_PX)] = 0
    parts = np.flatnonzero(boxes[:, 2] > boxes[:, 0])
    if not len(parts) or len(parts) > 30 * MAX_LINES:
        return []
    left, top = boxes[parts, :2].min(axis=0) - PADDING_PX
    right, bottom = boxes[parts, 2:].max(axis=0) + PADDING_PX
    left, top = max(0, int(left)), max(0, int(top))
    right, bottom = min(pixels.shape[1], int(right)), min(pixels.shape[0], int(bottom))
    alone = _isolate(pixels[top:bottom, left:right], pen, parts, np.s_[top:bottom, left:right])
    lines = [_parts_in_area(pen, boxes, parts, area, left, top) for area in engine.detect(_padded(alone))]
    lines = [line for line in lines if len(line)]
    if len(lines) > MAX_LINES:
        return []
    places = [_bounds(boxes[line]) for line in lines]
    crops = [alone[max(0, y - top - 4) : b - top + 4, max(0, x - left - 5) : r - left + 5] for x, y, r, b in places]
    found = [
        PenText(text.strip(), Box.between(*(side / SCALE for side in place)), [int(part) for part in line])
        for line, place, (text, confidence) in zip(lines, places, engine.read(crops), strict=True)
        if confidence >= MIN_CONFIDENCE and has_words(text)
    ]
    return _join_lines(found)


def _isolate(pixels: np.ndarray, pen: PenInk, parts: np.ndarray, region: tuple[slice, slice]) -> np.ndarray:
    """Draw these parts alone on white, as they look on the page."""
    chosen = np.zeros(len(pen.boxes), np.uint8)
    chosen[parts] = 1
    chosen_ink = chosen[pen.labels[region]]
    soft = cv2.dilate(chosen_ink, np.ones((3, 3), np.uint8)) & (1 - pen.prints[region])
    alone = np.full_like(pixels, 255)
    cv2.copyTo(pixels, soft, alone)
    # Where print crosses a stroke, draw the stroke over it.
    under = cv2.dilate(pen.prints[region], np.ones((3, 3), np.uint8))
    alone[(chosen_ink > 0) & (pen.ink[region] == 0) & (under > 0)] = pen.colour
    return alone


def _padded(alone: np.ndarray) -> np.ndarray:
    """Extend a small picture with white to the right and below."""
    more = [max(0, MIN_DETECTION_SIDE_PX - side) for side in alone.shape[:2]]
    white = (255, 255, 255)
    return cv2.copyMakeBorder(alone, 0, more[0], 0, more[1], cv2.BORDER_CONSTANT, value=white)


def _parts_in_area(
    pen: PenInk, boxes: np.ndarray, parts: np.ndarray, area: tuple[float, float, float, float], left: int, top: int
) -> np.ndarray:
    """Return the parts that lie mostly in a text area, whose origin is at `left` and `top`."""
    x, y, width, height = area
    own = boxes[parts]
    across = np.minimum(own[:, 2], x + width + left + 3) - np.maximum(own[:, 0], x + left - 3)
    down = np.minimum(own[:, 3], y + height + top + 2) - np.maximum(own[:, 1], y + top - 2)
    size = (own[:, 2] - own[:, 0]) * (own[:, 3] - own[:, 1])
    return np.asarray(parts[np.maximum(across, 0) * np.maximum(down, 0) > 0.5 * size])


def _bounds(boxes: np.ndarray) -> tuple[int, int, int, int]:
    left, top = boxes[:, :2].min(axis=0)
    right, bottom = boxes[:, 2:].max(axis=0)
    return int(left), int(top), int(right), int(bottom)


def _join_lines(lines: list[PenText]) -> list[PenText]:
    """Join text of one line that was detected in pieces, and lines below each other that belong together."""
    texts: list[PenText] = []
    for line in sorted(lines, key=lambda each: (round(each.box.middle[1] / 4), each.box.x)):
        before = next((text for text in reversed(texts) if _continues(text, line)), None)
        if before is None:
            texts.append(line)
        else:
            texts[texts.index(before)] = _concatenate(before, line)
    return texts


def _continues(text: PenText, line: PenText) -> bool:
    a, b = text.box, line.box
    height = min(a.height, b.height)
    level = min(a.bottom, b.bottom) - max(a.y, b.y) > 0.5 * height
    if level:
        return -0.5 * height < b.x - a.right < 0.9 * height and max(a.height, b.height) < 2 * height
    under = -0.3 * height < b.y - a.bottom < 0.7 * height and abs(a.x - b.x) < 2 * height
    # Requests listed below each other are separate requests.
    return under and not (is_request(text.text) and is_request(line.text))


def _concatenate(text: PenText, line: PenText) -> PenText:
    touching = is_cjk(text.text[-1]) or is_cjk(line.text[0])
    return PenText(
        text.text + ("" if touching else " ") + line.text, Box.around([text.box, line.box]), text.parts + line.parts
    )
