"""Recognise what a pen drew: arrows, loops around print, strokes through and below print, and lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE
from .ink import PenInk

PenShapeKind = Literal["arrow", "loop", "box", "strike", "underline", "line"]
Point = tuple[float, float]

MIN_STROKE_PT = 14.0
"""Minimum length of a stroke; a loop may be 8 points across."""
MIN_ARROW_PT = 18.0
"""Minimum length of an arrow from tail to tip: letters have hooks and bars, too."""
MAX_PEN_WIDTH_PX = 3.2 * SCALE
"""Maximum width of a pen."""
RULE_RIM_PX, PRINT_REACH_PX = round(SCALE), round(3 * SCALE)
"""Print that a stroke crosses shows between these distances from both of its edges."""
SAMPLE_STEP_PX = round(4 * SCALE)
"""Distance between the positions at which a stroke is tested for print."""
MIN_HEAD_WIDTH_PX = 3.5 * SCALE
"""Minimum width of an arrowhead."""
FILLED_HEAD_PX = round(6 * SCALE)
"""Typical size of a filled arrowhead."""


@dataclass(frozen=True)
class PenShape:
    """Something drawn without lifting the pen, or in strokes that touch."""

    kind: PenShapeKind
    parts: list[int]
    """Numbers of its parts of the pen's ink."""
    box: Box
    """In points."""
    start: Point | None = None
    end: Point | None = None
    """Tail and tip of an arrow, or the ends of a line, in points."""
    direction: Point | None = None
    """Unit vector in which an arrow points at its tip; where it bends, this is not the direction from its tail."""


def find_shapes(pen: PenInk) -> list[PenShape]:
    """Return the shapes among a pen's strokes; the other strokes may be writing."""
    found = []
    for part in pen.parts():
        box = pen.box(part)
        if max(box.width, box.height) >= 8:
            shape = _cross(pen, part) or _arrow(pen, part) or _loop(pen, part) or _stroke(pen, part)
            if shape is not None:
                found.append(shape)
    return found


def _mask(pen: PenInk, part: int) -> np.ndarray:
    """Return the part's mask within its box, with a border of one pixel."""
    left, top, right, bottom = pen.boxes[part]
    mask = (pen.labels[top:bottom, left:right] == part).astype(np.uint8)
    return cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT)


def _point(pen: PenInk, part: int, x: float, y: float) -> Point:
    """Convert a position in the part's mask to points on the page."""
    left, top, *_ = pen.boxes[part]
    return (float(left) + x - 0.5) / SCALE, (float(top) + y - 0.5) / SCALE


def _width(mask: np.ndarray) -> float:
    """Return the width of the pen: a stroke has two edges as long as itself."""
    edge = mask & (1 - cv2.erode(mask, np.ones((3, 3), np.uint8)))
    return 2 * float(np.count_nonzero(mask)) / max(1, int(np.count_nonzero(edge)))


def _geodesic_steps(mask: np.ndarray, start: tuple[int, int]) -> np.ndarray:
    """Return the number of steps within the mask from `start` (row, column) to each pixel; -1 outside the mask."""
    distances = np.where(mask > 0, -1, -2).ravel()
    across = mask.shape[1]
    around = np.array([-across - 1, -across, 1 - across, -1, 1, across - 1, across, across + 1])
    front = np.array([start[0] * across + start[1]])
    distances[front] = steps = 0
    while len(front):
        steps += 1
        # The mask's border of one pixel keeps every neighbour inside the array.
        neighbours = (front[:, None] + around).ravel()
        front = np.unique(neighbours[distances[neighbours] == -1])
        distances[front] = steps
    return np.maximum(distances, -1).reshape(mask.shape)


def _min_rectangle(mask: np.ndarray) -> tuple[float, float]:
    """Return length and breadth of the narrowest rectangle around the strokes, at any angle."""
    places = cv2.findNonZero(mask).astype(np.float32)
    (_, _), sides, _ = cv2.minAreaRect(places)
    return float(max(sides)), float(min(sides))


def _steps_from_ends(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the steps to each pixel from either end: the two pixels farthest from each other along the strokes."""
    rows, columns = np.nonzero(mask)
    distances = _geodesic_steps(mask, (int(rows[0]), int(columns[0])))
    from_first = _geodesic_steps(mask, _farthest(distances))
    return from_first, _geodesic_steps(mask, _farthest(from_first))


def _farthest(distances: np.ndarray) -> tuple[int, int]:
    row, column = np.unravel_index(int(distances.argmax()), distances.shape)
    return int(row), int(column)


def _arrow(pen: PenInk, part: int) -> PenShape | None:
    """Recognise one stroke, straight or bent, that spreads to both sides just before its end."""
    box = pen.box(part)
    across = float(np.hypot(box.width, box.height)) * SCALE
    if across < MIN_ARROW_PT * SCALE:
        return None
    mask = _mask(pen, part)
    width = _width(mask)
    if min(_min_rectangle(mask)) < MIN_HEAD_WIDTH_PX:
        return None
    # A web of strokes is not an arrow.
    if width > MAX_PEN_WIDTH_PX or np.count_nonzero(mask) > 3 * width * across + 4 * FILLED_HEAD_PX**2:
        return None
    for distances in _steps_from_ends(mask):
        head = _find_head(mask, distances, width)
        if head is not None:
            (tail, tip), along = (_point(pen, part, *point) for point in head[:2]), head[2]
            if np.hypot(tip[0] - tail[0], tip[1] - tail[1]) > MIN_ARROW_PT:
                return PenShape("arrow", [part], box, tail, tip, along)
    return None


def _find_head(mask: np.ndarray, distances: np.ndarray, width: float) -> tuple[Point, Point, Point] | None:
    """Return tail (x, y), tip and direction of an arrow, if its tail is where the steps `distances` start."""
    length = int(distances.max())
    if length < max(MIN_ARROW_PT * SCALE, 6 * width):
        return None
    rows, columns = np.nonzero(mask)
    steps = distances[rows, columns]
    points = np.column_stack([columns, rows]).astype(float)
    # The shaft: at each step one clump no wider than the pen.
    shaft = 0
    for at in range(0, length, 2):
        ring = points[(steps >= at) & (steps < at + 2)]
        if len(ring) and np.ptp(ring, axis=0).max() > 1.5 * width + 3:
            break
        shaft = at
    if shaft < 0.45 * length:
        return None
    before, last = (points[np.abs(steps - at) <= 2].mean(axis=0) for at in (shaft * 0.7, shaft - 2))
    along = (last - before) / max(1e-6, float(np.hypot(*(last - before))))
    # The head is the ink around the shaft's end, and the tip the farthest of it.
    head = points[(np.hypot(*(points - last).T) < max(0.45 * length, 5 * width)) & (steps > 0.3 * length)] - last
    forward = head @ along
    tip = last + head[forward >= forward.max() - 1].mean(axis=0)
    side = (last + head - tip) @ np.array([-along[1], along[0]])
    behind = (tip - last - head) @ along
    left, right = float(-side.min()), float(side.max())
    if min(left, right) < max(0.8 * width, 3) or left + right < max(2.2 * width, MIN_HEAD_WIDTH_PX):
        return None
    if min(left, right) < 0.3 * max(left, right) or left + right > 1.1 * length:
        return None
    # A head is narrow at its tip and widest farther back; the bar of a T is not.
    at_tip = side[behind < 1.2 * width]
    if np.ptp(at_tip) > 0.65 * (left + right) + 1:
        return None
    widest = behind[np.argmax(np.abs(side))]
    if widest < 0.8 * width:
        return None
    tail = points[steps <= 1].mean(axis=0)
    return (float(tail[0]), float(tail[1])), (float(tip[0]), float(tip[1])), (float(along[0]), float(along[1]))


def _loop(pen: PenInk, part: int) -> PenShape | None:
    """Recognise a stroke once around something printed: roundish, or along the sides of a rectangle."""
    box = pen.box(part)
    if min(box.width, box.height) < 7 or max(box.width, box.height) < 10:
        return None
    mask = _mask(pen, part)
    rows, columns = np.nonzero(mask)
    if len(rows) > 0.5 * mask.size:
        return None
    inner, foreign = _inside(pen, part, box)
    if not foreign or inner > 0.15 * foreign:
        return None
    if _follows_rectangle(mask):
        return PenShape("box", [part], box)
    height, width = mask.shape
    across, down = (columns - (width - 1) / 2) / (width / 2), (rows - (height - 1) / 2) / (height / 2)
    radius = np.hypot(across, down)
    turns = np.unique((np.arctan2(down, across) / (2 * np.pi) * 36).astype(int))
    around = (radius > 0.6) & (radius < 1.3)
    if len(turns) >= 31 and around.mean() > 0.88 and _follows_ellipse(columns, rows):
        return PenShape("loop", [part], box)
    return None


def _follows_ellipse(columns: np.ndarray, rows: np.ndarray) -> bool:
    """Whether most of a stroke is close to the ellipse that fits it best."""
    (x, y), (one, other), angle = cv2.fitEllipse(np.column_stack([columns, rows]).astype(np.float32))
    turn = np.radians(angle)
    dx, dy = columns - x, rows - y
    along = (dx * np.cos(turn) + dy * np.sin(turn)) / max(1.0, one / 2)
    across = (-dx * np.sin(turn) + dy * np.cos(turn)) / max(1.0, other / 2)
    return bool((np.abs(np.hypot(along, across) - 1) < 0.3).mean() > 0.85)


def _follows_rectangle(mask: np.ndarray) -> bool:
    """Whether a stroke follows the four sides of its box and covers them."""
    deep = round(min(3 * SCALE, 0.2 * min(mask.shape)))
    middle = mask[deep:-deep, deep:-deep]
    sides = (mask[:deep].max(axis=0), mask[-deep:].max(axis=0), mask[:, :deep].max(axis=1), mask[:, -deep:].max(axis=1))
    return bool(
        np.count_nonzero(middle) < 0.05 * np.count_nonzero(mask) and min(float(side.mean()) for side in sides) > 0.9
    )


def _inside(pen: PenInk, part: int, box: Box) -> tuple[int, int]:
    """Return how many pixels of the pen's other ink, and how many of print, lie inside a loop."""
    trim_x, trim_y = 0.12 * box.width, 0.12 * box.height
    place = np.s_[
        round((box.y + trim_y) * SCALE) : round((box.bottom - trim_y) * SCALE),
        round((box.x + trim_x) * SCALE) : round((box.right - trim_x) * SCALE),
    ]
    labels = pen.labels[place]
    return int(np.count_nonzero((labels > 0) & (labels != part))), int(np.count_nonzero(pen.prints[place]))


def _stroke(pen: PenInk, part: int) -> PenShape | None:
    """Recognise one straight or slightly wavy stroke: through print, below print, or between two points."""
    box = pen.box(part)
    mask = _mask(pen, part)
    if _width(mask) > MAX_PEN_WIDTH_PX:
        return None
    length, breadth = (side / SCALE for side in _min_rectangle(mask))
    if length < MIN_STROKE_PT or breadth > max(3.0, min(7.0, 0.12 * length)):
        return None
    if box.width > 3.5 * box.height:
        kind = _classify_level_stroke(pen, part)
        if kind is not None:
            return PenShape(kind, [part], box)
    start, end = (_point(pen, part, column, row) for row, column in map(_origin, _steps_from_ends(mask)))
    return PenShape("line", [part], box, start, end)


def _origin(distances: np.ndarray) -> tuple[int, int]:
    row, column = np.argwhere(distances == 0)[0]
    return int(row), int(column)


def _classify_level_stroke(pen: PenInk, part: int) -> Literal["strike", "underline"] | None:
    """Decide whether a horizontal stroke runs through print or directly below it along its length."""
    left, top, right, bottom = (int(side) for side in pen.boxes[part])
    mask = pen.labels[top:bottom, left:right] == part
    if _continues_beyond(pen, part):
        return None
    above = below = over = steps = 0
    for at in range(0, right - left - SAMPLE_STEP_PX // 2, SAMPLE_STEP_PX):
        rows = np.flatnonzero(mask[:, at : at + SAMPLE_STEP_PX].any(axis=1))
        if not len(rows):
            continue
        steps += 1
        upper, lower = top + int(rows[0]), top + int(rows[-1]) + 1
        columns = np.s_[left + at : left + at + SAMPLE_STEP_PX]
        # Print that is crossed shows a little away from the stroke; the rim of a printed rule directly at it.
        above += bool(pen.prints[max(0, upper - PRINT_REACH_PX) : max(0, upper - RULE_RIM_PX), columns].any())
        below += bool(pen.prints[lower + RULE_RIM_PX : lower + PRINT_REACH_PX, columns].any())
        over += bool(pen.prints[max(0, upper - round(5 * SCALE)) : upper, columns].any())
    if not steps:
        return None
    if max(above, below) >= 0.5 * steps and min(above, below) >= 0.25 * steps:
        return "strike"
    return "underline" if over >= 0.6 * steps and below <= 0.3 * steps else None


def _continues_beyond(pen: PenInk, part: int) -> bool:
    """Whether the same straight line continues at either end, as a printed rule that was found in pieces does."""
    left, top, right, bottom = (int(side) for side in pen.boxes[part])
    x1, y1, x2, y2 = pen.boxes.T
    flat = (y2 - y1 <= 3 + bottom - top) & (x2 - x1 > 2 * (y2 - y1))
    level = (y1 < bottom) & (y2 > top) & flat
    beside = (x1 < right + 30 * SCALE) & (x2 > left - 30 * SCALE) & (x2 > 0)
    return int(np.count_nonzero(level & beside)) > 1


def _cross(pen: PenInk, part: int) -> PenShape | None:
    """Recognise two strokes from corner to corner across print."""
    box = pen.box(part)
    if min(box.width, box.height) < 9:
        return None
    mask = _mask(pen, part)
    rows, columns = np.nonzero(mask)
    height, width = mask.shape
    pen_width = _width(mask)
    x, y = columns / width, rows / height
    reach = (pen_width + 0.08 * min(height, width)) / min(height, width)
    falling, rising = np.abs(x - y) < reach, np.abs(x + y - 1) < reach
    corners = [mask[: height // 3, : width // 3], mask[: height // 3, -(width // 3) :]]
    corners += [mask[-(height // 3) :, : width // 3], mask[-(height // 3) :, -(width // 3) :]]
    if not all(corner.any() for corner in corners) or (falling | rising).mean() < 0.93 or reach > 0.35:
        return None
    inner, foreign = _inside(pen, part, box)
    if inner > 0.1 * max(1, foreign) or foreign < 0.03 * height * width:
        return None
    return PenShape("strike", [part], box)
