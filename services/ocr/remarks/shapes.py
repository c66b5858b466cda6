"""What a pen drew: arrows, loops around something, strokes through, under and towards something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box

from ..page import SCALE
from .ink import Pen

Kind = Literal["arrow", "loop", "box", "strike", "underline", "line"]
Point = tuple[float, float]

SHORTEST = 14.0
"""No stroke is shorter, in points; a loop may be 8 points across."""
ARROW = 18.0
"""No arrow is shorter, in points, from its tail to its tip: letters have hooks and bars too."""
WIDEST = 3.2 * SCALE
"""No pen is wider, in pixels."""
RIM, TOUCH = round(SCALE), round(3 * SCALE)
"""Print that a stroke goes through is seen this far from both of its edges, in pixels."""
STEP = round(4 * SCALE)
SPREAD = 3.5 * SCALE
"""An arrow's head is at least this wide, in pixels."""
HEAD = round(6 * SCALE)
"""How large the filled head of an arrow usually is, in pixels."""


@dataclass(frozen=True)
class Shape:
    """A thing drawn without lifting the pen, or in strokes that touch."""

    kind: Kind
    parts: list[int]
    """Of the pen's ink."""
    box: Box
    """In points."""
    start: Point | None = None
    end: Point | None = None
    """Of an arrow: its tail and its tip; of a line: its ends, in points."""
    heading: Point | None = None
    """Of an arrow: one point onwards at its tip, which is not the way from its tail where it bends."""


def find_shapes(pen: Pen) -> list[Shape]:
    """The shapes among a pen's strokes; all else may be writing."""
    found = []
    for part in pen.parts():
        box = pen.box(part)
        if max(box.width, box.height) >= 8:
            shape = _cross(pen, part) or _arrow(pen, part) or _loop(pen, part) or _stroke(pen, part)
            if shape is not None:
                found.append(shape)
    return found


def _own(pen: Pen, part: int) -> np.ndarray:
    """The part's mask within its box and one pixel around."""
    left, top, right, bottom = pen.boxes[part]
    mask = (pen.labels[top:bottom, left:right] == part).astype(np.uint8)
    return cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT)


def _point(pen: Pen, part: int, x: float, y: float) -> Point:
    """A place in the part's mask as points on the page."""
    left, top, *_ = pen.boxes[part]
    return (float(left) + x - 0.5) / SCALE, (float(top) + y - 0.5) / SCALE


def _width(mask: np.ndarray) -> float:
    """How wide the pen is: a stroke has two edges as long as itself."""
    edge = mask & (1 - cv2.erode(mask, np.ones((3, 3), np.uint8)))
    return 2 * float(np.count_nonzero(mask)) / max(1, int(np.count_nonzero(edge)))


def _walk(mask: np.ndarray, start: tuple[int, int]) -> np.ndarray:
    """How many steps within the mask each of its pixels is from `start` (row, column); -1 outside."""
    far = np.where(mask > 0, -1, -2).ravel()
    across = mask.shape[1]
    around = np.array([-across - 1, -across, 1 - across, -1, 1, across - 1, across, across + 1])
    front = np.array([start[0] * across + start[1]])
    far[front] = steps = 0
    while len(front):
        steps += 1
        # The mask has a rim of one pixel, so that no neighbour is outside of it.
        near = (front[:, None] + around).ravel()
        front = np.unique(near[far[near] == -1])
        far[front] = steps
    return np.maximum(far, -1).reshape(mask.shape)


def _sides(mask: np.ndarray) -> tuple[float, float]:
    """Length and breadth of the narrowest rectangle around the strokes, however it is turned."""
    places = cv2.findNonZero(mask).astype(np.float32)
    (_, _), sides, _ = cv2.minAreaRect(places)
    return float(max(sides)), float(min(sides))


def _ends(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each of the two places that are farthest from each other along the strokes: the steps to it."""
    rows, columns = np.nonzero(mask)
    far = _walk(mask, (int(rows[0]), int(columns[0])))
    one = _walk(mask, _farthest(far))
    return one, _walk(mask, _farthest(one))


def _farthest(far: np.ndarray) -> tuple[int, int]:
    row, column = np.unravel_index(int(far.argmax()), far.shape)
    return int(row), int(column)


def _arrow(pen: Pen, part: int) -> Shape | None:
    """One stroke, straight or bent, that spreads on both sides just before it ends."""
    box = pen.box(part)
    across = float(np.hypot(box.width, box.height)) * SCALE
    if across < ARROW * SCALE:
        return None
    mask = _own(pen, part)
    width = _width(mask)
    if min(_sides(mask)) < SPREAD:
        return None
    # A web of strokes is no single one.
    if width > WIDEST or np.count_nonzero(mask) > 3 * width * across + 4 * HEAD**2:
        return None
    for far in _ends(mask):
        found = _head(mask, far, width)
        if found is not None:
            (tail, tip), along = (_point(pen, part, *place) for place in found[:2]), found[2]
            if np.hypot(tip[0] - tail[0], tip[1] - tail[1]) > ARROW:
                return Shape("arrow", [part], box, tail, tip, along)
    return None


def _head(mask: np.ndarray, far: np.ndarray, width: float) -> tuple[Point, Point, Point] | None:
    """Where a stroke starts (x, y), where its head's tip is, and a step onwards there, seen from the start of `far`."""
    length = int(far.max())
    if length < max(ARROW * SCALE, 6 * width):
        return None
    rows, columns = np.nonzero(mask)
    steps = far[rows, columns]
    places = np.column_stack([columns, rows]).astype(float)
    # The shaft: at each step one clump no wider than the pen allows.
    shaft = 0
    for at in range(0, length, 2):
        ring = places[(steps >= at) & (steps < at + 2)]
        if len(ring) and np.ptp(ring, axis=0).max() > 1.5 * width + 3:
            break
        shaft = at
    if shaft < 0.45 * length:
        return None
    before, last = (places[np.abs(steps - at) <= 2].mean(axis=0) for at in (shaft * 0.7, shaft - 2))
    along = (last - before) / max(1e-6, float(np.hypot(*(last - before))))
    # What lies about the shaft's end, and the tip: as far along as any of it.
    head = places[(np.hypot(*(places - last).T) < max(0.45 * length, 5 * width)) & (steps > 0.3 * length)] - last
    forward = head @ along
    tip = last + head[forward >= forward.max() - 1].mean(axis=0)
    side = (last + head - tip) @ np.array([-along[1], along[0]])
    behind = (tip - last - head) @ along
    left, right = float(-side.min()), float(side.max())
    if min(left, right) < max(0.8 * width, 3) or left + right < max(2.2 * width, SPREAD):
        return None
    if min(left, right) < 0.3 * max(left, right) or left + right > 1.1 * length:
        return None
    # A head is narrow at its tip and widest behind it; the bar of a T is not.
    near = side[behind < 1.2 * width]
    if np.ptp(near) > 0.65 * (left + right) + 1:
        return None
    widest = behind[np.argmax(np.abs(side))]
    if widest < 0.8 * width:
        return None
    tail = places[steps <= 1].mean(axis=0)
    return (float(tail[0]), float(tail[1])), (float(tip[0]), float(tip[1])), (float(along[0]), float(along[1]))


def _loop(pen: Pen, part: int) -> Shape | None:
    """A stroke once around something printed: roundish, or along the sides of a rectangle."""
    box = pen.box(part)
    if min(box.width, box.height) < 7 or max(box.width, box.height) < 10:
        return None
    mask = _own(pen, part)
    rows, columns = np.nonzero(mask)
    if len(rows) > 0.5 * mask.size:
        return None
    inner, foreign = _inside(pen, part, box)
    if not foreign or inner > 0.15 * foreign:
        return None
    if _follows_rectangle(mask):
        return Shape("box", [part], box)
    height, width = mask.shape
    across, down = (columns - (width - 1) / 2) / (width / 2), (rows - (height - 1) / 2) / (height / 2)
    radius = np.hypot(across, down)
    turns = np.unique((np.arctan2(down, across) / (2 * np.pi) * 36).astype(int))
    around = (radius > 0.6) & (radius < 1.3)
    if len(turns) >= 31 and around.mean() > 0.88 and _follows_ellipse(columns, rows):
        return Shape("loop", [part], box)
    return None


def _follows_ellipse(columns: np.ndarray, rows: np.ndarray) -> bool:
    """Whether most of a stroke lies near the ellipse that fits it best."""
    (x, y), (one, other), angle = cv2.fitEllipse(np.column_stack([columns, rows]).astype(np.float32))
    turn = np.radians(angle)
    dx, dy = columns - x, rows - y
    along = (dx * np.cos(turn) + dy * np.sin(turn)) / max(1.0, one / 2)
    across = (-dx * np.sin(turn) + dy * np.cos(turn)) / max(1.0, other / 2)
    return bool((np.abs(np.hypot(along, across) - 1) < 0.3).mean() > 0.85)


def _follows_rectangle(mask: np.ndarray) -> bool:
    """Whether a stroke keeps to the four sides of its box, and covers them."""
    deep = round(min(3 * SCALE, 0.2 * min(mask.shape)))
    middle = mask[deep:-deep, deep:-deep]
    sides = (mask[:deep].max(axis=0), mask[-deep:].max(axis=0), mask[:, :deep].max(axis=1), mask[:, -deep:].max(axis=1))
    return bool(
        np.count_nonzero(middle) < 0.05 * np.count_nonzero(mask) and min(float(side.mean()) for side in sides) > 0.9
    )


def _inside(pen: Pen, part: int, box: Box) -> tuple[int, int]:
    """How many pixels of the pen's other ink and how many of print lie inside a loop."""
    trim_x, trim_y = 0.12 * box.width, 0.12 * box.height
    place = np.s_[
        round((box.y + trim_y) * SCALE) : round((box.bottom - trim_y) * SCALE),
        round((box.x + trim_x) * SCALE) : round((box.right - trim_x) * SCALE),
    ]
    labels = pen.labels[place]
    return int(np.count_nonzero((labels > 0) & (labels != part))), int(np.count_nonzero(pen.prints[place]))


def _stroke(pen: Pen, part: int) -> Shape | None:
    """One straight or slightly wavy stroke: through print, under print, or from somewhere to somewhere."""
    box = pen.box(part)
    mask = _own(pen, part)
    if _width(mask) > WIDEST:
        return None
    length, breadth = (side / SCALE for side in _sides(mask))
    if length < SHORTEST or breadth > max(3.0, min(7.0, 0.12 * length)):
        return None
    if box.width > 3.5 * box.height:
        kind = _crosses(pen, part)
        if kind is not None:
            return Shape(kind, [part], box)
    one, other = (_point(pen, part, far[1], far[0]) for far in map(_start, _ends(mask)))
    return Shape("line", [part], box, one, other)


def _start(far: np.ndarray) -> tuple[int, int]:
    row, column = np.argwhere(far == 0)[0]
    return int(row), int(column)


def _crosses(pen: Pen, part: int) -> Literal["strike", "underline"] | None:
    """Whether a level stroke goes through print or right under it, all along."""
    left, top, right, bottom = (int(side) for side in pen.boxes[part])
    mask = pen.labels[top:bottom, left:right] == part
    if _goes_on(pen, part):
        return None
    above = below = over = steps = 0
    for at in range(0, right - left - STEP // 2, STEP):
        rows = np.flatnonzero(mask[:, at : at + STEP].any(axis=1))
        if not len(rows):
            continue
        steps += 1
        upper, lower = top + int(rows[0]), top + int(rows[-1]) + 1
        columns = np.s_[left + at : left + at + STEP]
        # Print that is crossed is seen a little off the stroke; the rim of a printed rule right at it.
        above += bool(pen.prints[max(0, upper - TOUCH) : max(0, upper - RIM), columns].any())
        below += bool(pen.prints[lower + RIM : lower + TOUCH, columns].any())
        over += bool(pen.prints[max(0, upper - round(5 * SCALE)) : upper, columns].any())
    if not steps:
        return None
    if max(above, below) >= 0.5 * steps and min(above, below) >= 0.25 * steps:
        return "strike"
    return "underline" if over >= 0.6 * steps and below <= 0.3 * steps else None


def _goes_on(pen: Pen, part: int) -> bool:
    """Whether more of the same straight line follows at either end, as of a printed rule that was seen in pieces."""
    left, top, right, bottom = (int(side) for side in pen.boxes[part])
    x1, y1, x2, y2 = pen.boxes.T
    flat = (y2 - y1 <= 3 + bottom - top) & (x2 - x1 > 2 * (y2 - y1))
    level = (y1 < bottom) & (y2 > top) & flat
    beside = (x1 < right + 30 * SCALE) & (x2 > left - 30 * SCALE) & (x2 > 0)
    return int(np.count_nonzero(level & beside)) > 1


def _cross(pen: Pen, part: int) -> Shape | None:
    """Two strokes from corner to corner across print."""
    box = pen.box(part)
    if min(box.width, box.height) < 9:
        return None
    mask = _own(pen, part)
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
    return Shape("strike", [part], box)
