"""Turn text areas into single printed lines: cut at rules and wide gaps, joined where cut wrongly, none missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ..engines.base import TextArea
from ..page import SCALE
from .paper import PageRaster
from .strokes import Stroke

MAX_TEXT_GAP = 1.5
"""A wider gap, in text heights, separates two texts."""
MAX_WORD_GAP = 0.3
"""A narrower gap, in text heights, lies inside one text."""
MIN_GLYPH_PX = 3 * SCALE
MAX_GLYPH_PX = 70 * SCALE
"""Minimum and maximum height of a glyph."""


@dataclass
class TextSegment:
    """One line of text to be recognised: its tight box in pixels and its components of ink."""

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
    """The connected components of ink that are not rules or pictures."""

    labels: np.ndarray
    """Per pixel: 0, or one more than the index of its component."""
    boxes: np.ndarray
    """(n, 4): left, top, right, bottom."""
    sizes: np.ndarray
    """(n,): pixels."""

    def segment(self, parts: list[int] | np.ndarray) -> TextSegment:
        parts = np.asarray(parts)
        boxes = self.boxes[parts]
        left, top = boxes[:, :2].min(axis=0)
        right, bottom = boxes[:, 2:].max(axis=0)
        return TextSegment(int(left), int(top), int(right), int(bottom), parts)

    def cut(self, segment: TextSegment, positions: Sequence[float]) -> list[TextSegment]:
        """Return the parts of a segment between positions across the page, from left to right."""
        middles = (self.boxes[segment.parts, 0] + self.boxes[segment.parts, 2]) / 2
        groups = np.searchsorted(np.sort(positions), middles)
        return [self.segment(segment.parts[groups == group]) for group in np.unique(groups)]

    def mask(self, segment: TextSegment) -> np.ndarray:
        """Return the mask of a segment's ink within its box."""
        return np.isin(self.labels[segment.top : segment.bottom, segment.left : segment.right], segment.parts + 1)


def rule_mask(strokes: list[Stroke], shape: tuple[int, ...], slack: float = 1.0) -> np.ndarray:
    """Return the mask (0 or 1) of the rules and `slack` pixels around them."""
    mask = np.zeros(shape[:2], np.uint8)
    for s in strokes:
        half = s.thickness / 2 + slack
        a, b = max(0, round(s.start - slack)), max(0, round(s.end + slack))
        lo, hi = max(0, round(s.position - half)), max(0, round(s.position + half))
        if s.horizontal:
            mask[lo:hi, a:b] = 1
        else:
            mask[a:b, lo:hi] = 1
    return mask


def find_components(ink: np.ndarray, noise: float) -> Components:
    """Return the connected components of a mask, without specks: which are larger where there is noise."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    stats = stats[1:count]
    boxes = np.column_stack([stats[:, 0], stats[:, 1], stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]])
    min_size = 5 if noise else 2
    small = stats[:, 4] < min_size
    if small.any():
        labels[np.concatenate([[False], small])[labels]] = 0
        boxes[small] = 0
    return Components(labels, boxes, np.where(small, 0, stats[:, 4]))


def find_segments(
    parts: Components, areas: list[TextArea], strokes: list[Stroke], known: Sequence[TextArea] = ()
) -> list[TextSegment]:
    """Return the lines of text on the page, from top to bottom. What stands in a `known` area is text of any size."""
    height = parts.boxes[:, 3] - parts.boxes[:, 1]
    width = parts.boxes[:, 2] - parts.boxes[:, 0]
    usable = (parts.sizes > 0) & (height <= MAX_GLYPH_PX) & (width <= 2.5 * MAX_GLYPH_PX)
    owner = np.where(usable, _owning_areas(parts.boxes, areas), -1)
    segments: list[TextSegment] = []
    for number, area in enumerate(areas):
        mine = np.flatnonzero(owner == number)
        if len(mine):
            segments += _cut_area(parts, mine, area, strokes)
    orphans = np.flatnonzero(usable & (owner < 0))
    segments, orphans = _adopt_neighbours(parts, segments, orphans, strokes)
    segments += _find_undetected_lines(parts, orphans, strokes)
    segments = [p for p in _join_neighbours(parts, segments, strokes) if _is_text_sized(parts, p, known)]
    return sorted(segments, key=lambda p: (p.top, p.left))


def _owning_areas(boxes: np.ndarray, areas: list[TextArea]) -> np.ndarray:
    """Return, for each component, the index of the area that covers most of it, or -1."""
    if not areas or not len(boxes):
        return np.full(len(boxes), -1)
    x, y, w, h = np.array(areas, np.float32).T
    left, top, right, bottom = (boxes[:, i, None].astype(np.float32) for i in range(4))
    across = np.minimum(right, x + w + 2) - np.maximum(left, x - 2)
    down = np.minimum(bottom, y + h + 1) - np.maximum(top, y - 1)
    cover = np.maximum(0, across) * np.maximum(0, down) / np.maximum(1, (right - left) * (bottom - top))
    best = cover.argmax(axis=1)
    return np.where(cover.max(axis=1) >= 0.5, best, -1)


def _cut_area(parts: Components, mine: np.ndarray, area: TextArea, strokes: list[Stroke]) -> list[TextSegment]:
    """Cut one area's components at rules through it and at wide gaps."""
    x, y, w, h = area
    groups = [mine]
    for stroke in strokes:
        low, high, at = (x, x + w, y) if stroke.horizontal else (y, y + h, x)
        size = h if stroke.horizontal else w
        covered = min(stroke.end, high) - max(stroke.start, low)
        if at + 2 < stroke.position < at + size - 2 and covered >= 0.6 * (high - low):
            groups = [part for group in groups for part in _split_at_rule(parts, group, stroke)]
    segments = []
    for group in groups:
        for line in _split_stacked_lines(parts, group):
            segments += _split_at_gaps(parts, line, 0.6 * h if len(groups) == 1 else 0)
    return segments


def _split_at_rule(parts: Components, group: np.ndarray, stroke: Stroke) -> list[np.ndarray]:
    side = 1 if stroke.horizontal else 0
    middle = (parts.boxes[group, side] + parts.boxes[group, side + 2]) / 2
    return [part for part in (group[middle < stroke.position], group[middle >= stroke.position]) if len(part)]


def _split_stacked_lines(parts: Components, group: np.ndarray) -> list[np.ndarray]:
    """Split lines that one area covers together: at an empty row with several glyphs on both sides."""
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
        if min(above.sum(), (~above).sum()) >= 2 and min(tall) > 0.5 * max(tall) and min(tall) >= MIN_GLYPH_PX:
            return [*_split_stacked_lines(parts, group[above]), *_split_stacked_lines(parts, group[~above])]
    return [group]


def _split_at_gaps(parts: Components, group: np.ndarray, min_em: float) -> list[TextSegment]:
    """Cut where the gap between glyphs is wide for their height."""
    boxes = parts.boxes[group]
    em = max(min_em, float(np.percentile(boxes[:, 3] - boxes[:, 1], 90)))
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])
    gaps = boxes[order[1:], 0] - reach[:-1]
    cuts = np.flatnonzero(gaps > MAX_TEXT_GAP * em) + 1
    return [parts.segment(group[each]) for each in np.split(order, cuts)]


def _adopt_neighbours(
    parts: Components, segments: list[TextSegment], orphans: np.ndarray, strokes: list[Stroke]
) -> tuple[list[TextSegment], np.ndarray]:
    """Add ink just beside a line (a colon, a last digit) to that line; return the lines and the ink that is left."""
    if not segments:
        return segments, orphans
    left: list[int] = []
    boxes = np.array([(p.left, p.top, p.right, p.bottom) for p in segments])
    more: dict[int, list[int]] = {}
    for i in orphans[np.argsort(parts.boxes[orphans, 0])]:
        x0, y0, x1, y1 = parts.boxes[i]
        tall = boxes[:, 3] - boxes[:, 1]
        gap = np.maximum(boxes[:, 0] - x1, x0 - boxes[:, 2])
        inside = np.minimum(y1, boxes[:, 3]) - np.maximum(y0, boxes[:, 1])
        fits = (gap <= MAX_WORD_GAP * tall) & (inside >= 0.7 * (y1 - y0)) & (y1 - y0 <= 1.2 * tall)
        fits &= (x0 >= boxes[:, 0]) | (gap >= -tall)
        candidates = [n for n in np.flatnonzero(fits) if not _is_rule_between(x0, x1, y0, y1, boxes[n], strokes)]
        if not candidates:
            left.append(int(i))
            continue
        n = min(candidates, key=lambda n: gap[n])
        more.setdefault(n, []).append(int(i))
        boxes[n] = [min(boxes[n, 0], x0), min(boxes[n, 1], y0), max(boxes[n, 2], x1), max(boxes[n, 3], y1)]
    grown = [
        parts.segment(np.concatenate([p.parts, more[n]]).astype(int)) if n in more else p
        for n, p in enumerate(segments)
    ]
    return grown, np.array(left, int)


def _find_undetected_lines(parts: Components, orphans: np.ndarray, strokes: list[Stroke]) -> list[TextSegment]:
    """Build lines of ink that the detector missed: glyphs of one height beside each other."""
    groups: list[list[int]] = []
    boxes: list[list[int]] = []
    for i in orphans[np.lexsort((parts.boxes[orphans, 0],))]:
        x0, y0, x1, y1 = (int(v) for v in parts.boxes[i])
        for n, box in enumerate(boxes):
            tall = max(box[3] - box[1], y1 - y0)
            inside = min(y1, box[3]) - max(y0, box[1])
            if (
                x0 - box[2] <= 0.5 * tall
                and inside >= 0.5 * min(y1 - y0, box[3] - box[1])
                and not _is_rule_between(x0, x1, y0, y1, box, strokes)
            ):
                groups[n].append(int(i))
                boxes[n] = [min(box[0], x0), min(box[1], y0), max(box[2], x1), max(box[3], y1)]
                break
        else:
            groups.append([int(i)])
            boxes.append([x0, y0, x1, y1])
    lone = [parts.segment(group) for group in _join_colon_dots(groups, boxes)]
    # A single small or very thin segment is a remnant of a rule.
    return [
        segment
        for segment in lone
        if len(segment.parts) > 1 or (segment.width >= 0.17 * segment.height and segment.height >= 4 * SCALE)
    ]


def _join_colon_dots(groups: list[list[int]], boxes: list[list[int]]) -> list[list[int]]:
    """Join two dots above each other to one colon."""
    stacked: list[list[int]] = []
    dots: list[tuple[list[int], list[int]]] = []
    for group, box in sorted(zip(groups, boxes, strict=True), key=lambda each: each[1][1]):
        x0, y0, x1, y1 = box
        if len(group) > 1 or y1 - y0 > 0.8 * MIN_GLYPH_PX or x1 - x0 < 0.6 * (y1 - y0):
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


def _is_rule_between(
    x0: float, x1: float, y0: float, y1: float, box: np.ndarray | list[int], strokes: list[Stroke]
) -> bool:
    """Whether a vertical rule stands between two boxes."""
    near, far = min(x1, box[2]), max(x0, box[0])
    low, high = max(y0, box[1]), min(y1, box[3])
    if low > high:
        low, high = min(y0, box[1]), max(y1, box[3])
    middle = (low + high) / 2
    return any(not s.horizontal and near - 2 <= s.position <= far + 2 and s.start <= middle <= s.end for s in strokes)


def _join_neighbours(parts: Components, segments: list[TextSegment], strokes: list[Stroke]) -> list[TextSegment]:
    """Join neighbours on one line whose gap is no wider than a space between words."""
    joined: list[TextSegment] = []
    for segment in sorted(segments, key=lambda p: p.left):
        for i, other in enumerate(joined):
            low, high = sorted((segment.height, other.height))
            inside = min(segment.bottom, other.bottom) - max(segment.top, other.top)
            gap = segment.left - other.right
            box = [other.left, other.top, other.right, other.bottom]
            if (
                inside >= 0.7 * low
                and low >= 0.5 * high
                and -0.5 * high <= gap <= MAX_WORD_GAP * low
                and not _is_rule_between(segment.left, segment.right, segment.top, segment.bottom, box, strokes)
            ):
                joined[i] = parts.segment(np.concatenate([other.parts, segment.parts]))
                break
        else:
            joined.append(segment)
    return joined


def _is_text_sized(parts: Components, segment: TextSegment, known: Sequence[TextArea]) -> bool:
    """Whether a segment has the size of text, or stands in a known area."""
    if segment.height > MAX_GLYPH_PX or parts.sizes[segment.parts].sum() < 6:
        return False
    x, y = (segment.left + segment.right) / 2, (segment.top + segment.bottom) / 2
    is_known = any(left <= x <= left + width and top <= y <= top + height for left, top, width, height in known)
    return is_known or segment.height >= MIN_GLYPH_PX


def crop_line(raster: PageRaster, parts: Components, segment: TextSegment, rules: np.ndarray) -> np.ndarray:
    """Return one line for the recogniser: dark on light, without rules (`rules` is their mask) and neighbours."""
    pad_y, pad_x = max(3, round(0.18 * segment.height)), max(4, round(0.25 * segment.height))
    top, left = max(0, segment.top - pad_y), max(0, segment.left - pad_x)
    area = np.s_[top : segment.bottom + pad_y, left : segment.right + pad_x]
    labels = parts.labels[area]
    foreign = ((labels > 0) & ~np.isin(labels, segment.parts + 1)).astype(np.uint8)
    own = cv2.dilate(((labels > 0) & (foreign == 0)).astype(np.uint8), np.ones((3, 3), np.uint8))
    hidden = (cv2.dilate(foreign, np.ones((3, 3), np.uint8)) | rules[area]) & (1 - own)
    picture = np.where(hidden[..., None] > 0, raster.ground[area], raster.pixels[area])
    ground = raster.ground[area].mean()
    inked = own > 0
    if inked.any() and picture[inked].mean() > ground:
        picture = 255 - picture
    return np.ascontiguousarray(picture)
