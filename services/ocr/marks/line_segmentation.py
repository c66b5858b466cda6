"""From text areas to single printed lines: cut at rules and wide gaps, mended where cut wrongly, none missed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..engines.base import Area
from ..page import SCALE
from .paper import Sheet
from .rules import Stroke

GAP = 1.5
"""A gap wider than this many text heights parts two texts."""
WORD = 0.3
"""A gap narrower than this many text heights is inside one text."""
SMALLEST = 3 * SCALE
LARGEST = 70 * SCALE
"""Heights of what may be a glyph, in pixels."""


@dataclass
class Piece:
    """One line of text to be read: its tight box in pixels and the ink components it is made of."""

    left: int
    top: int
    right: int
    bottom: int
    parts: np.ndarray
    """Indices of its components."""

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top


@dataclass
class Components:
    """The connected pieces of ink that are not rules or pictures."""

    labels: np.ndarray
    """Per pixel: 0, or one more than the index of its component."""
    boxes: np.ndarray
    """(n, 4): left, top, right, bottom."""
    sizes: np.ndarray
    """(n,): pixels."""

    def piece(self, parts: list[int] | np.ndarray) -> Piece:
        parts = np.asarray(parts)
        boxes = self.boxes[parts]
        left, top = boxes[:, :2].min(axis=0)
        right, bottom = boxes[:, 2:].max(axis=0)
        return Piece(int(left), int(top), int(right), int(bottom), parts)

    def own(self, piece: Piece) -> np.ndarray:
        """The mask of a piece's ink within its box."""
        return np.isin(self.labels[piece.top : piece.bottom, piece.left : piece.right], piece.parts + 1)


def ruled(strokes: list[Stroke], shape: tuple[int, ...], slack: float = 1.0) -> np.ndarray:
    """The mask (0 or 1) of all that the rules cover, and `slack` pixels around it."""
    mask = np.zeros(shape[:2], np.uint8)
    for s in strokes:
        half = s.thickness / 2 + slack
        a, b = max(0, round(s.start - slack)), max(0, round(s.end + slack))
        lo, hi = max(0, round(s.at - half)), max(0, round(s.at + half))
        if s.horizontal:
            mask[lo:hi, a:b] = 1
        else:
            mask[a:b, lo:hi] = 1
    return mask


def components(ink: np.ndarray, noise: float) -> Components:
    """The connected pieces of a mask; specks are dropped where there is noise."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    stats = stats[1:count]
    boxes = np.column_stack([stats[:, 0], stats[:, 1], stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]])
    least = 5 if noise else 2
    small = stats[:, 4] < least
    if small.any():
        labels[np.concatenate([[False], small])[labels]] = 0
        boxes[small] = 0
    return Components(labels, boxes, np.where(small, 0, stats[:, 4]))


def find_pieces(parts: Components, areas: list[Area], strokes: list[Stroke]) -> list[Piece]:
    """The lines of text on the page, from top to bottom."""
    height = parts.boxes[:, 3] - parts.boxes[:, 1]
    width = parts.boxes[:, 2] - parts.boxes[:, 0]
    usable = (parts.sizes > 0) & (height <= LARGEST) & (width <= 2.5 * LARGEST)
    owner = np.where(usable, _owners(parts.boxes, areas), -1)
    pieces: list[Piece] = []
    for number, area in enumerate(areas):
        mine = np.flatnonzero(owner == number)
        if len(mine):
            pieces += _cut(parts, mine, area, strokes)
    orphans = np.flatnonzero(usable & (owner < 0))
    pieces, orphans = _adopt(parts, pieces, orphans, strokes)
    pieces += _lone(parts, orphans, strokes)
    pieces = [p for p in _mend(parts, pieces, strokes) if _glyphs(parts, p)]
    return sorted(pieces, key=lambda p: (p.top, p.left))


def _owners(boxes: np.ndarray, areas: list[Area]) -> np.ndarray:
    """For each component the area that covers most of it, or -1."""
    if not areas or not len(boxes):
        return np.full(len(boxes), -1)
    x, y, w, h = np.array(areas, np.float32).T
    left, top, right, bottom = (boxes[:, i, None].astype(np.float32) for i in range(4))
    across = np.minimum(right, x + w + 2) - np.maximum(left, x - 2)
    down = np.minimum(bottom, y + h + 1) - np.maximum(top, y - 1)
    cover = np.maximum(0, across) * np.maximum(0, down) / np.maximum(1, (right - left) * (bottom - top))
    best = cover.argmax(axis=1)
    return np.where(cover.max(axis=1) >= 0.5, best, -1)


def _cut(parts: Components, mine: np.ndarray, area: Area, strokes: list[Stroke]) -> list[Piece]:
    """One area's components, cut at rules through it and at wide gaps."""
    x, y, w, h = area
    groups = [mine]
    for stroke in strokes:
        low, high, at = (x, x + w, y) if stroke.horizontal else (y, y + h, x)
        size = h if stroke.horizontal else w
        covered = min(stroke.end, high) - max(stroke.start, low)
        if at + 2 < stroke.at < at + size - 2 and covered >= 0.6 * (high - low):
            groups = [part for group in groups for part in _part(parts, group, stroke)]
    pieces = []
    for group in groups:
        for line in _stacked(parts, group):
            pieces += _split(parts, line, 0.6 * h if len(groups) == 1 else 0)
    return pieces


def _part(parts: Components, group: np.ndarray, stroke: Stroke) -> list[np.ndarray]:
    side = 1 if stroke.horizontal else 0
    middle = (parts.boxes[group, side] + parts.boxes[group, side + 2]) / 2
    return [part for part in (group[middle < stroke.at], group[middle >= stroke.at]) if len(part)]


def _stacked(parts: Components, group: np.ndarray) -> list[np.ndarray]:
    """Lines that one area took together: bands of rows with nothing between, each of several glyphs."""
    boxes = parts.boxes[group]
    top, bottom = boxes[:, 1].min(), boxes[:, 3].max()
    heights = boxes[:, 3] - boxes[:, 1]
    if bottom - top < 1.7 * np.percentile(heights, 90) or len(group) < 4:
        return [group]
    filled = np.zeros(bottom - top, bool)
    for _, a, _, b in boxes:
        filled[a - top : b - top] = True
    empty = np.flatnonzero(~filled)
    for row in empty:
        above = (boxes[:, 1] + boxes[:, 3]) / 2 < top + row
        tall = [heights[side].max(initial=0) for side in (above, ~above)]
        if min(above.sum(), (~above).sum()) >= 2 and min(tall) > 0.5 * max(tall) and min(tall) >= SMALLEST:
            return [*_stacked(parts, group[above]), *_stacked(parts, group[~above])]
    return [group]


def _split(parts: Components, group: np.ndarray, least: float) -> list[Piece]:
    """Cut where the gap between glyphs is wide for their height."""
    boxes = parts.boxes[group]
    em = max(least, float(np.percentile(boxes[:, 3] - boxes[:, 1], 90)))
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])
    gaps = boxes[order[1:], 0] - reach[:-1]
    cuts = np.flatnonzero(gaps > GAP * em) + 1
    return [parts.piece(group[each]) for each in np.split(order, cuts)]


def _adopt(
    parts: Components, pieces: list[Piece], orphans: np.ndarray, strokes: list[Stroke]
) -> tuple[list[Piece], np.ndarray]:
    """Give ink just beside a line (a colon, a last digit) to that line."""
    if not pieces:
        return pieces, orphans
    left: list[int] = []
    boxes = np.array([(p.left, p.top, p.right, p.bottom) for p in pieces])
    more: dict[int, list[int]] = {}
    for i in orphans[np.argsort(parts.boxes[orphans, 0])]:
        x0, y0, x1, y1 = parts.boxes[i]
        tall = boxes[:, 3] - boxes[:, 1]
        gap = np.maximum(boxes[:, 0] - x1, x0 - boxes[:, 2])
        inside = np.minimum(y1, boxes[:, 3]) - np.maximum(y0, boxes[:, 1])
        fits = (gap <= WORD * tall) & (inside >= 0.7 * (y1 - y0)) & (y1 - y0 <= 1.2 * tall)
        fits &= (x0 >= boxes[:, 0]) | (gap >= -tall)
        near = [n for n in np.flatnonzero(fits) if not _parted(x0, x1, y0, y1, boxes[n], strokes)]
        if not near:
            left.append(int(i))
            continue
        n = min(near, key=lambda n: gap[n])
        more.setdefault(n, []).append(int(i))
        boxes[n] = [min(boxes[n, 0], x0), min(boxes[n, 1], y0), max(boxes[n, 2], x1), max(boxes[n, 3], y1)]
    grown = [
        parts.piece(np.concatenate([p.parts, more[n]]).astype(int)) if n in more else p for n, p in enumerate(pieces)
    ]
    return grown, np.array(left, int)


def _lone(parts: Components, orphans: np.ndarray, strokes: list[Stroke]) -> list[Piece]:
    """Lines of ink that the detector did not see: glyphs of one height beside each other."""
    found: list[list[int]] = []
    boxes: list[list[int]] = []
    for i in orphans[np.lexsort((parts.boxes[orphans, 0],))]:
        x0, y0, x1, y1 = (int(v) for v in parts.boxes[i])
        for n, box in enumerate(boxes):
            tall = max(box[3] - box[1], y1 - y0)
            inside = min(y1, box[3]) - max(y0, box[1])
            if (
                x0 - box[2] <= 0.5 * tall
                and inside >= 0.5 * min(y1 - y0, box[3] - box[1])
                and not _parted(x0, x1, y0, y1, box, strokes)
            ):
                found[n].append(int(i))
                boxes[n] = [min(box[0], x0), min(box[1], y0), max(box[2], x1), max(box[3], y1)]
                break
        else:
            found.append([int(i)])
            boxes.append([x0, y0, x1, y1])
    lone = [parts.piece(group) for group in _stack_dots(found, boxes)]
    # A single small or hair-thin piece is what is left of a rule.
    return [
        piece
        for piece in lone
        if len(piece.parts) > 1 or (piece.width >= 0.17 * piece.height and piece.height >= 4 * SCALE)
    ]


def _stack_dots(groups: list[list[int]], boxes: list[list[int]]) -> list[list[int]]:
    """Two dots above each other are one colon."""
    stacked: list[list[int]] = []
    dots: list[tuple[list[int], list[int]]] = []
    for group, box in sorted(zip(groups, boxes, strict=True), key=lambda each: each[1][1]):
        x0, y0, x1, y1 = box
        if len(group) > 1 or y1 - y0 > 0.8 * SMALLEST or x1 - x0 < 0.6 * (y1 - y0):
            stacked.append(group)
            continue
        above = next(
            (
                dot
                for dot in dots
                if abs(dot[1][0] - x0) <= 1 and abs(dot[1][2] - x1) <= 1 and 0 < y0 - dot[1][3] <= 4 * (y1 - y0)
            ),
            None,
        )
        if above:
            above[0].extend(group)
            dots.remove(above)
        else:
            stacked.append(group)
            dots.append((group, box))
    return stacked


def _parted(x0: float, x1: float, y0: float, y1: float, box: np.ndarray | list[int], strokes: list[Stroke]) -> bool:
    """Whether a vertical rule stands between two boxes."""
    near, far = min(x1, box[2]), max(x0, box[0])
    low, high = max(y0, box[1]), min(y1, box[3])
    if low > high:
        low, high = min(y0, box[1]), max(y1, box[3])
    middle = (low + high) / 2
    return any(not s.horizontal and near - 2 <= s.at <= far + 2 and s.start <= middle <= s.end for s in strokes)


def _mend(parts: Components, pieces: list[Piece], strokes: list[Stroke]) -> list[Piece]:
    """Join neighbours of one line whose gap is no more than the space between words."""
    mended: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: p.left):
        for i, other in enumerate(mended):
            low, high = sorted((piece.height, other.height))
            inside = min(piece.bottom, other.bottom) - max(piece.top, other.top)
            gap = piece.left - other.right
            box = [other.left, other.top, other.right, other.bottom]
            if (
                inside >= 0.7 * low
                and low >= 0.5 * high
                and -0.5 * high <= gap <= WORD * low
                and not _parted(piece.left, piece.right, piece.top, piece.bottom, box, strokes)
            ):
                mended[i] = parts.piece(np.concatenate([other.parts, piece.parts]))
                break
        else:
            mended.append(piece)
    return mended


def _glyphs(parts: Components, piece: Piece) -> bool:
    """Whether a piece may be text by its size."""
    return piece.height >= SMALLEST and piece.height <= LARGEST and parts.sizes[piece.parts].sum() >= 6


def crop(sheet: Sheet, parts: Components, piece: Piece, rules: np.ndarray) -> np.ndarray:
    """The picture of one line for the recogniser: dark on light, without rules and neighbours (`rules`: their mask)."""
    pad_y, pad_x = max(3, round(0.18 * piece.height)), max(4, round(0.25 * piece.height))
    top, left = max(0, piece.top - pad_y), max(0, piece.left - pad_x)
    area = np.s_[top : piece.bottom + pad_y, left : piece.right + pad_x]
    labels = parts.labels[area]
    foreign = ((labels > 0) & ~np.isin(labels, piece.parts + 1)).astype(np.uint8)
    own = cv2.dilate(((labels > 0) & (foreign == 0)).astype(np.uint8), np.ones((3, 3), np.uint8))
    hidden = (cv2.dilate(foreign, np.ones((3, 3), np.uint8)) | rules[area]) & (1 - own)
    picture = np.where(hidden[..., None] > 0, sheet.ground[area], sheet.pixels[area])
    ground = sheet.ground[area].mean()
    inked = own > 0
    if inked.any() and picture[inked].mean() > ground:
        picture = 255 - picture
    return np.ascontiguousarray(picture)
