"""Puts words and shapes together to requests; what nobody asks a change with stays a part of the form."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE
from .ink import Pen
from .shapes import Point, Shape
from .wording import is_request, may_request
from .words import Words

AT_TAIL = 28.0
AT_END = 12.0
"""How far words may be from an arrow's tail or a line's end, in points."""
BESIDE = 45.0
"""How far words may be from what is circled or underlined, in points."""
AT_STRIKE = 22.0
"""How far words may be from what they are to replace, in points."""
AT_MARK = 7.0
"""How far a loop or stroke may be from the tip of an arrow that means it."""
AIMED = 60.0
"""How far before its tip an arrow aims, in points."""

ShapeName = Literal["none", "arrow", "circle", "strike", "underline"]


@dataclass(frozen=True)
class Request:
    """A remark of which nobody has looked yet what stands at its target."""

    text: str
    box: Box
    shape: ShapeName
    place: Box | None
    """What a loop or stroke marks; None where words alone stand, or an arrow aims."""
    tip: Point | None
    heading: Point | None
    """Of an arrow: where it ends, and a step of one point onwards."""
    parts: list[int]
    """Of the pen's ink."""


def find_requests(pen: Pen, shapes: list[Shape], texts: list[Words]) -> list[Request]:
    """The requests of one pen, from top to bottom."""
    found = _by_arrows(pen, shapes, texts)
    found += _by_marks(pen, [shape for shape in shapes if _is_free(shape.parts, found)], texts, found)
    often = Counter(text.text for text in texts)
    found += [
        Request(text.text, text.box, "none", None, None, None, text.parts)
        for text in texts
        # What stands there more than once is printed in every row.
        if _is_free(text.parts, found) and is_request(text.text) and often[text.text] == 1
    ]
    return sorted(_merged(found), key=lambda request: (request.box.y, request.box.x))


def _is_free(parts: list[int], found: list[Request]) -> bool:
    return not any(part in request.parts for request in found for part in parts)


def _by_arrows(pen: Pen, shapes: list[Shape], texts: list[Words]) -> list[Request]:
    """Words with an arrow from them, to print or to what is circled or struck."""
    marks = [shape for shape in shapes if shape.kind in ("loop", "box", "strike")]
    found = []
    for arrow in shapes:
        pointed = _pointed(pen, arrow, texts)
        if pointed is None:
            continue
        words, tip, heading = pointed
        mark = next((each for each in marks if _gap_to(each.box, tip) < AT_MARK), None)
        shape: ShapeName = "arrow" if mark is None else "strike" if mark.kind == "strike" else "circle"
        parts = [*words.parts, *arrow.parts, *(mark.parts if mark else [])]
        found.append(Request(words.text, words.box, shape, mark.box if mark else None, tip, heading, parts))
    return found


def _by_marks(pen: Pen, marks: list[Shape], texts: list[Words], before: list[Request]) -> list[Request]:
    """What is circled or underlined with words near, and what is struck, each text with the first that it is near."""
    strikes = [mark for mark in marks if mark.kind == "strike"]
    found: list[Request] = []
    for mark in marks:
        free = [text for text in texts if _is_free(text.parts, [*before, *found])]
        if mark.kind in ("loop", "box", "underline"):
            # Forms have coloured boxes and rules too, so words beside them have to say more.
            asks = may_request if mark.kind == "loop" else is_request
            words = _nearest([text for text in free if asks(text.text)], mark.box, BESIDE)
            shape: ShapeName = "underline" if mark.kind == "underline" else "circle"
            if words is not None:
                parts = [*words.parts, *mark.parts]
                found.append(Request(words.text, words.box, shape, mark.box, None, None, parts))
        elif mark.kind == "strike":
            words = _nearest(free, mark.box, AT_STRIKE)
            if words is not None:
                parts = [*words.parts, *mark.parts]
                found.append(Request(words.text, words.box, "strike", mark.box, None, None, parts))
            elif not _crowded(pen, mark, strikes):
                found.append(Request("", mark.box, "strike", mark.box, None, None, mark.parts))
    return found


def _pointed(pen: Pen, shape: Shape, texts: list[Words]) -> tuple[Words, Point, Point] | None:
    """The words that an arrow, or a line from words to print, comes from; its tip, and a step onwards there."""
    if shape.start is None or shape.end is None:
        return None
    if shape.kind == "arrow":
        words = _nearest_to(texts, shape.start, AT_TAIL)
        if words is None or _gap_to(words.box, shape.start) >= _gap_to(words.box, shape.end):
            return None
        heading = shape.heading or _step(shape.start, shape.end)
        return (words, shape.end, heading) if _aims(pen, shape.end, heading) else None
    asking = [text for text in texts if may_request(text.text)]
    for tail, tip in ((shape.start, shape.end), (shape.end, shape.start)):
        words = _nearest_to(asking, tail, AT_END)
        heading = _step(tail, tip)
        if words is not None and _gap_to(words.box, tip) > AT_END and _aims(pen, tip, heading):
            return words, tip, heading
    return None


def _aims(pen: Pen, tip: Point, heading: Point) -> bool:
    """Whether there is print around or before an arrow's tip."""
    for far in range(0, round(AIMED), 4):
        x, y = (round((tip[i] + far * heading[i]) * SCALE) for i in (0, 1))
        reach = round(8 * SCALE)
        if pen.prints[max(0, y - reach) : max(0, y + reach), max(0, x - reach) : max(0, x + reach)].any():
            return True
    return False


def _crowded(pen: Pen, shape: Shape, strikes: list[Shape]) -> bool:
    """Whether a stroke stands amid other ink of its colour, as in a stamp or a signature."""
    left, top, right, bottom = (round(side * SCALE) for side in _edges(shape.box))
    margin = round(5 * SCALE)
    around = pen.labels[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]
    own = np.isin(around, [part for strike in strikes for part in strike.parts])
    return bool(np.count_nonzero((around > 0) & ~own) > 0.15 * np.count_nonzero(own))


def _merged(found: list[Request]) -> list[Request]:
    """Two bare strokes through one text are one request."""
    kept: list[Request] = []
    for request in found:
        twin = next((each for each in kept if _same_strike(each, request)), None)
        if twin is None:
            kept.append(request)
            continue
        box = Box.around([twin.box, request.box])
        kept[kept.index(twin)] = Request("", box, "strike", box, None, None, twin.parts + request.parts)
    return kept


def _same_strike(one: Request, other: Request) -> bool:
    if one.text or other.text or one.shape != "strike" or other.shape != "strike":
        return False
    a, b = one.box, other.box
    across = min(a.right, b.right) - max(a.x, b.x)
    return across > 0.5 * min(a.width, b.width) and abs(a.middle[1] - b.middle[1]) < 8


def _nearest(texts: list[Words], box: Box, reach: float) -> Words | None:
    near = min(texts, key=lambda text: gap(text.box, box), default=None)
    return near if near is not None and gap(near.box, box) <= reach else None


def _nearest_to(texts: list[Words], point: Point, reach: float) -> Words | None:
    near = min(texts, key=lambda text: _gap_to(text.box, point), default=None)
    return near if near is not None and _gap_to(near.box, point) <= reach else None


def gap(one: Box, other: Box) -> float:
    """The distance between two boxes, in points; 0 where they meet."""
    across = max(0.0, max(one.x, other.x) - min(one.right, other.right))
    down = max(0.0, max(one.y, other.y) - min(one.bottom, other.bottom))
    return float(np.hypot(across, down))


def grown(box: Box, by: float) -> Box:
    """The box with a margin of so many points."""
    return Box.between(box.x - by, box.y - by, box.right + by, box.bottom + by)


def _gap_to(box: Box, point: Point) -> float:
    return gap(box, Box(x=point[0], y=point[1], width=0, height=0))


def _step(tail: Point, tip: Point) -> Point:
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    far = max(1e-6, float(np.hypot(dx, dy)))
    return dx / far, dy / far


def _edges(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.right, box.bottom
