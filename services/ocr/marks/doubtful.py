"""Separate doubtful marks from print: holes, specks and pens that look like letters or rules, and parts of drawings.

A recogniser finds a letter in anything. On printed pages it is sure of nearly every line, of single characters too;
what it is unsure of is dropped where it is small, and becomes a picture where it is large. Parts of one drawing become
one picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bandsmith.shared.fonts import DEFAULT_FAMILY, measure

from ..page import SCALE
from .fills import Patch
from .line_segmentation import Components, TextSegment
from .pictures import PictureRegion
from .recognition import RecognisedLine
from .strokes import Stroke

MIN_CHARACTER_CONFIDENCE, MIN_TALL_CHARACTER_CONFIDENCE = 0.7, 0.9
"""A single character that was read with less confidence is no character; printed ones reach 0.9."""
MIN_LINE_CONFIDENCE, MIN_TALL_CONFIDENCE = 0.45, 0.55
"""Minimum confidence of a longer text, and of one that is much taller than most."""
MAX_TALL = 2.5
"""A text that is taller than this times the page's typical text is much taller than most."""
SURE_CONFIDENCE = 0.9
"""A text that is read with this confidence may be set as wide or as narrow as it likes."""
CAPITAL_HEIGHT, MAX_STRETCH = 0.72, 3.0
"""Height of capitals in shares of their size of type, and how many times wider or narrower than usual text may be."""
MIN_SLIM = 0.15
"""A narrower doubtful mark, in shares of its height, is what a rule left; it is no drawing."""
MIN_PICTURE_PX = 14 * SCALE
"""A smaller doubtful mark is a speck."""
JOIN_DISTANCE_PX = 5 * SCALE
"""Parts of a drawing are this close to each other."""
MAX_PICTURE_SHARE = 0.25
"""A larger share of the page is not one drawing."""
MIN_FREE_VERTICAL_PX, MIN_FREE_HORIZONTAL_PX = 36 * SCALE, 16 * SCALE
"""A rule on a scan or photo that meets no other rule is at least this long."""
MIN_GROUP_PX = 36 * SCALE
"""Short rules on a scan or photo that meet each other draw something at least this long, or are scraps of a seal."""
MAX_RIM_PX = 9 * SCALE
"""A rule along the rim of a scan or photo, this close to it, is the edge of the paper."""


@dataclass
class CertainMarks:
    """What is left of the marks, with the doubtful ones as pictures."""

    lines: list[RecognisedLine]
    strokes: list[Stroke]
    patches: list[Patch]
    images: list[PictureRegion]


def separate_doubtful(
    lines: Sequence[RecognisedLine],
    strokes: Sequence[Stroke],
    patches: Sequence[Patch],
    images: Sequence[PictureRegion],
    parts: Components,
) -> CertainMarks:
    """Return the marks of a page without the doubtful ones, and the pictures that these form.

    `parts` is all ink that is no rule; what of it is no text either stays a picture if it is large.
    """
    typical = float(np.median([line.segment.height for line in lines])) if lines else 0.0
    doubtful = [line for line in lines if _is_doubtful(line, typical)]
    certain = [line for line in lines if line not in doubtful]
    in_lines = np.concatenate([np.zeros(0, int), *(line.segment.parts for line in lines)])
    unread = np.setdiff1d(np.flatnonzero(parts.sizes), in_lines)
    large = [line.segment for line in doubtful] + [parts.segment([part]) for part in unread]
    large = [segment for segment in large if _is_drawing(segment)]
    seeds = [PictureRegion(s.left, s.top, s.right, s.bottom, "image") for s in large]
    # Where there is text inside, the doubtful mark is a pen or a rule around it.
    seeds = [seed for seed in seeds if not any(_is_inside(line.segment, [seed]) for line in certain)]
    max_area = MAX_PICTURE_SHARE * parts.labels.size
    pictures = _joined([*images, *(seed for seed in seeds if seed.area <= max_area)], max_area)
    certain = [line for line in certain if not _is_inside(line.segment, pictures)]
    return CertainMarks(
        certain,
        [stroke for stroke in strokes if not _is_inside(_box(stroke), pictures)],
        [patch for patch in patches if not _is_inside(patch, pictures)],
        pictures,
    )


def drop_free_strokes(strokes: Sequence[Stroke], shape: tuple[int, ...]) -> list[Stroke]:
    """Drop strokes of a page that was not drawn by a program which no form prints.

    These are pens, folds, scratches and scraps of seals, which are short and meet nothing long, and the paper's edges.
    """
    inner = [stroke for stroke in strokes if not _is_edge_of_paper(stroke, shape)]
    kept = [stroke for group in _groups(inner) if len(group) == 1 or _extent(group) >= MIN_GROUP_PX for stroke in group]
    return [
        stroke
        for stroke in kept
        if stroke.length >= (MIN_FREE_HORIZONTAL_PX if stroke.horizontal else MIN_FREE_VERTICAL_PX)
        or any(_meet(stroke, other) for other in kept)
    ]


def _is_edge_of_paper(stroke: Stroke, shape: tuple[int, ...]) -> bool:
    """Whether a stroke runs along the page's rim, close to it."""
    size = shape[0] if stroke.horizontal else shape[1]
    return min(stroke.position, size - stroke.position) <= MAX_RIM_PX


def _groups(strokes: Sequence[Stroke]) -> list[list[Stroke]]:
    """Return the strokes by what they are connected with."""
    groups: list[list[Stroke]] = []
    for stroke in strokes:
        joined, apart = [stroke], list[list[Stroke]]()
        for group in groups:
            if any(_meet(stroke, other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def _extent(group: Sequence[Stroke]) -> float:
    """Return the longer side of the box around strokes."""
    boxes = [_box(stroke) for stroke in group]
    across = max(box.right for box in boxes) - min(box.left for box in boxes)
    return max(across, max(box.bottom for box in boxes) - min(box.top for box in boxes))


def _is_doubtful(line: RecognisedLine, typical: float) -> bool:
    tall = line.segment.height > MAX_TALL * typical
    if line.confidence < SURE_CONFIDENCE and _contradicts_shape(line):
        return True
    if len(line.text.replace(" ", "")) == 1:
        return line.confidence < (MIN_TALL_CHARACTER_CONFIDENCE if tall else MIN_CHARACTER_CONFIDENCE)
    return line.confidence < (MIN_TALL_CONFIDENCE if tall else MIN_LINE_CONFIDENCE)


def _contradicts_shape(line: RecognisedLine) -> bool:
    """Whether a text would be many times wider or narrower than its ink is for its height: it was misread."""
    advance = measure(line.text, DEFAULT_FAMILY, line.segment.height / CAPITAL_HEIGHT).advance
    return not advance / MAX_STRETCH <= line.segment.width <= advance * MAX_STRETCH


def _is_drawing(segment: TextSegment) -> bool:
    short, long = sorted((segment.width, segment.height))
    return long >= MIN_PICTURE_PX and short >= MIN_SLIM * long


def _meet(stroke: Stroke, other: Stroke) -> bool:
    """Whether two strokes cross or touch, or continue each other."""
    slack = 2 * SCALE
    if stroke.horizontal == other.horizontal:
        beside = abs(stroke.position - other.position) <= slack
        gap = max(stroke.start, other.start) - min(stroke.end, other.end)
        return stroke is not other and beside and gap <= 8 * slack
    return (
        other.start - slack <= stroke.position <= other.end + slack
        and stroke.start - slack <= other.position <= stroke.end + slack
    )


def _joined(regions: Sequence[PictureRegion], max_area: float) -> list[PictureRegion]:
    """Join regions that are close to each other, unless they would become too large."""
    joined: list[PictureRegion] = []
    for region in regions:
        whole = region
        while near := next((other for other in joined if _fits(whole, other, max_area)), None):
            joined.remove(near)
            whole = _around(whole, near)
        joined.append(whole)
    return joined


def _fits(one: PictureRegion, other: PictureRegion, max_area: float) -> bool:
    across = max(one.left - other.right, other.left - one.right)
    down = max(one.top - other.bottom, other.top - one.bottom)
    return max(across, down) <= JOIN_DISTANCE_PX and _around(one, other).area <= max_area


def _around(one: PictureRegion, other: PictureRegion) -> PictureRegion:
    left, top = min(one.left, other.left), min(one.top, other.top)
    return PictureRegion(left, top, max(one.right, other.right), max(one.bottom, other.bottom), "image")


def _box(stroke: Stroke) -> PictureRegion:
    start, end, at = round(stroke.start), round(stroke.end), round(stroke.position)
    left, top, right, bottom = (start, at, end, at) if stroke.horizontal else (at, start, at, end)
    return PictureRegion(left, top, right, bottom, "image")


def _is_inside(mark: PictureRegion | Patch | TextSegment, pictures: Sequence[PictureRegion]) -> bool:
    slack = 2 * SCALE
    return any(
        mark.left >= picture.left - slack
        and mark.right <= picture.right + slack
        and mark.top >= picture.top - slack
        and mark.bottom <= picture.bottom + slack
        for picture in pictures
    )
