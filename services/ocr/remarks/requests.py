"""Combine text and shapes into requests; whatever does not ask for a change remains part of the form."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE
from .ink import PenInk
from .shapes import PenShape, Point
from .wording import is_request, may_request
from .words import PenText

MAX_TAIL_GAP_PT = 28.0
MAX_LINE_END_GAP_PT = 12.0
"""Maximum distance of text from an arrow's tail, and from the end of a line."""
MAX_MARK_GAP_PT = 45.0
"""Maximum distance of text from what is circled or underlined."""
MAX_STRIKE_GAP_PT = 22.0
"""Maximum distance of text from the struck text that it replaces."""
MAX_TIP_GAP_PT = 7.0
"""Maximum distance of a loop or stroke from the tip of the arrow that points at it."""
MAX_LETTER_RATIO = 1.3
"""Size of a letter, at most, in heights of its text."""
AIM_DISTANCE_PT = 60.0
"""How far ahead of its tip an arrow points."""

ShapeName = Literal["none", "arrow", "circle", "strike", "underline"]


@dataclass(frozen=True)
class PenRequest:
    """A remark whose target on the page has not been looked up yet."""

    text: str
    box: Box
    shape: ShapeName
    parts: list[int]
    """Numbers of its parts of the pen's ink."""
    marked: Box | None = None
    """What a loop or stroke marks; None for text alone and for an arrow."""
    tip: Point | None = None
    """Tip of an arrow."""
    direction: Point | None = None
    """Unit vector in which an arrow points at its tip."""


def find_requests(pen: PenInk, shapes: list[PenShape], texts: list[PenText]) -> list[PenRequest]:
    """Return the requests of one pen, from top to bottom."""
    found = _by_arrows(pen, shapes, texts)
    found += _by_marks(pen, [shape for shape in shapes if _is_free(shape.parts, found)], texts, found)
    often = Counter(text.text for text in texts)
    found += [
        PenRequest(text.text, text.box, "none", text.parts)
        for text in texts
        # Text that occurs more than once is printed in every row.
        if _is_free(text.parts, found) and is_request(text.text) and often[text.text] == 1
    ]
    return sorted(_merge_strikes(found), key=lambda request: (request.box.y, request.box.x))


def _is_free(parts: list[int], found: list[PenRequest]) -> bool:
    return not any(part in request.parts for request in found for part in parts)


def _by_arrows(pen: PenInk, shapes: list[PenShape], texts: list[PenText]) -> list[PenRequest]:
    """Return text with an arrow from it to print, or to something circled or struck."""
    marks = [shape for shape in shapes if shape.kind in ("loop", "box", "strike")]
    found = []
    for arrow in shapes:
        pointed = _arrow_from_text(pen, arrow, texts)
        if pointed is None:
            continue
        words, tip, direction = pointed
        mark = next((each for each in marks if _gap_to(each.box, tip) < MAX_TIP_GAP_PT), None)
        shape: ShapeName = "arrow" if mark is None else "strike" if mark.kind == "strike" else "circle"
        parts = [*words.parts, *arrow.parts, *(mark.parts if mark else [])]
        found.append(PenRequest(words.text, words.box, shape, parts, mark.box if mark else None, tip, direction))
    return found


def _by_marks(pen: PenInk, marks: list[PenShape], texts: list[PenText], before: list[PenRequest]) -> list[PenRequest]:
    """Return what is circled or underlined with text nearby, and what is struck; each text is used once."""
    strikes = [mark for mark in marks if mark.kind == "strike"]
    found: list[PenRequest] = []
    for mark in marks:
        free = [text for text in texts if _is_free(text.parts, [*before, *found])]
        if mark.kind in ("loop", "box", "underline"):
            # Forms have coloured boxes and rules, too, so text beside them must be explicit.
            asks = may_request if mark.kind == "loop" else is_request
            words = _nearest([text for text in free if asks(text.text)], mark.box, MAX_MARK_GAP_PT)
            shape: ShapeName = "underline" if mark.kind == "underline" else "circle"
            if words is not None:
                parts = [*words.parts, *mark.parts]
                found.append(PenRequest(words.text, words.box, shape, parts, mark.box))
        elif mark.kind == "strike":
            words = _nearest(free, mark.box, MAX_STRIKE_GAP_PT)
            if words is not None:
                parts = [*words.parts, *mark.parts]
                found.append(PenRequest(words.text, words.box, "strike", parts, mark.box))
            elif not _is_amid_ink(pen, mark, strikes):
                found.append(PenRequest("", mark.box, "strike", mark.parts, mark.box))
    return found


def _arrow_from_text(pen: PenInk, shape: PenShape, texts: list[PenText]) -> tuple[PenText, Point, Point] | None:
    """Return the text that an arrow, or a line to print, comes from, with the tip and the direction at the tip."""
    if shape.start is None or shape.end is None:
        return None
    if shape.kind == "arrow":
        words = _nearest_to(texts, shape.start, MAX_TAIL_GAP_PT)
        if words is None or _gap_to(words.box, shape.start) >= _gap_to(words.box, shape.end):
            return None
        if _is_letter(shape, words):
            return None
        direction = shape.direction or _unit_step(shape.start, shape.end)
        return (words, shape.end, direction) if _has_print_ahead(pen, shape.end, direction) else None
    asking = [text for text in texts if may_request(text.text)]
    for tail, tip in ((shape.start, shape.end), (shape.end, shape.start)):
        words = _nearest_to(asking, tail, MAX_LINE_END_GAP_PT)
        direction = _unit_step(tail, tip)
        if (
            words is not None
            and _gap_to(words.box, tip) > MAX_LINE_END_GAP_PT
            and _has_print_ahead(pen, tip, direction)
        ):
            return words, tip, direction
    return None


def _is_letter(shape: PenShape, words: PenText) -> bool:
    """Whether a shape stands in the line of a text and is as small as its letters: strokes of 彩 look like arrows."""
    across, line = shape.box, words.box
    is_small = max(across.width, across.height) <= MAX_LETTER_RATIO * line.height
    return is_small and line.y <= across.middle[1] <= line.bottom


def _has_print_ahead(pen: PenInk, tip: Point, direction: Point) -> bool:
    """Whether there is print around or ahead of an arrow's tip."""
    for distance in range(0, round(AIM_DISTANCE_PT), 4):
        x, y = (round((tip[i] + distance * direction[i]) * SCALE) for i in (0, 1))
        reach = round(8 * SCALE)
        if pen.prints[max(0, y - reach) : max(0, y + reach), max(0, x - reach) : max(0, x + reach)].any():
            return True
    return False


def _is_amid_ink(pen: PenInk, shape: PenShape, strikes: list[PenShape]) -> bool:
    """Whether a stroke is surrounded by ink of its colour, as in a stamp or a signature."""
    left, top, right, bottom = (round(side * SCALE) for side in _edges(shape.box))
    margin = round(5 * SCALE)
    around = pen.labels[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]
    own = np.isin(around, [part for strike in strikes for part in strike.parts])
    return bool(np.count_nonzero((around > 0) & ~own) > 0.15 * np.count_nonzero(own))


def _merge_strikes(found: list[PenRequest]) -> list[PenRequest]:
    """Merge two strokes without text through the same print into one request."""
    kept: list[PenRequest] = []
    for request in found:
        twin = next((each for each in kept if _same_strike(each, request)), None)
        if twin is None:
            kept.append(request)
            continue
        box = Box.around([twin.box, request.box])
        kept[kept.index(twin)] = PenRequest("", box, "strike", twin.parts + request.parts, box)
    return kept


def _same_strike(one: PenRequest, other: PenRequest) -> bool:
    if one.text or other.text or one.shape != "strike" or other.shape != "strike":
        return False
    a, b = one.box, other.box
    across = min(a.right, b.right) - max(a.x, b.x)
    return across > 0.5 * min(a.width, b.width) and abs(a.middle[1] - b.middle[1]) < 8


def _nearest(texts: list[PenText], box: Box, reach: float) -> PenText | None:
    near = min(texts, key=lambda text: gap_between(text.box, box), default=None)
    return near if near is not None and gap_between(near.box, box) <= reach else None


def _nearest_to(texts: list[PenText], point: Point, reach: float) -> PenText | None:
    near = min(texts, key=lambda text: _gap_to(text.box, point), default=None)
    return near if near is not None and _gap_to(near.box, point) <= reach else None


def gap_between(one: Box, other: Box) -> float:
    """Return the distance between two boxes, in points; 0 where they meet."""
    across = max(0.0, max(one.x, other.x) - min(one.right, other.right))
    down = max(0.0, max(one.y, other.y) - min(one.bottom, other.bottom))
    return float(np.hypot(across, down))


def expand(box: Box, by: float) -> Box:
    """Return the box with a margin, in points."""
    return Box.between(box.x - by, box.y - by, box.right + by, box.bottom + by)


def _gap_to(box: Box, point: Point) -> float:
    return gap_between(box, Box(x=point[0], y=point[1], width=0, height=0))


def _unit_step(tail: Point, tip: Point) -> Point:
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = max(1e-6, float(np.hypot(dx, dy)))
    return dx / length, dy / length


def _edges(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.right, box.bottom
