"""A ruling line, and how its pieces become one: joined, paired, aligned and extended to what they meet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from bandsmith.shared.model.layout import Dash

from ..page import SCALE

MEETING_TOLERANCE_PX = 1.6 * SCALE
"""Ends closer than this to a crossing rule are extended to it."""


@dataclass(frozen=True)
class Stroke:
    """A rule in pixels along its own axis: from `start` to `end`, its middle at `position` on the other axis."""

    horizontal: bool
    position: float
    start: float
    end: float
    thickness: float
    colour: tuple[int, int, int]
    dash: Dash = "Solid"

    @property
    def length(self) -> float:
        return self.end - self.start


def join_collinear(strokes: list[Stroke]) -> list[Stroke]:
    """Join pieces of the same line to one stroke."""
    joined: list[Stroke] = []
    for stroke in sorted(strokes, key=lambda s: (s.start, s.end)):
        for i, other in enumerate(joined):
            gap = stroke.start - other.end
            allowed = (3.5 if stroke.dash == other.dash == "Solid" else 8) * SCALE
            if abs(stroke.position - other.position) <= 1.0 * SCALE and gap <= allowed and _look_alike(stroke, other):
                longer = max(stroke, other, key=lambda s: s.length)
                at = (stroke.position * stroke.length + other.position * other.length) / max(
                    1.0, stroke.length + other.length
                )
                joined[i] = replace(longer, position=at, start=other.start, end=max(other.end, stroke.end))
                break
        else:
            joined.append(stroke)
    return joined


def _look_alike(a: Stroke, b: Stroke) -> bool:
    thin, thick = sorted((a.thickness, b.thickness))
    near = max(abs(p - q) for p, q in zip(a.colour, b.colour, strict=True)) < 90
    return near and (thick <= 2.2 * thin or thick - thin < 0.8 * SCALE)


def pair_double_rules(strokes: list[Stroke]) -> list[Stroke]:
    """Replace two thin strokes side by side with the same ends by one double rule."""
    left = sorted(strokes, key=lambda s: s.position)
    paired: list[Stroke] = []
    while left:
        stroke = left.pop(0)
        for other in left:
            apart = other.position - stroke.position
            if apart > 3 * SCALE:
                break
            same = abs(other.start - stroke.start) < 2 * SCALE and abs(other.end - stroke.end) < 2 * SCALE
            if apart >= 0.9 * SCALE and same and stroke.dash == other.dash == "Solid":
                left.remove(other)
                thickness = apart + (stroke.thickness + other.thickness) / 2
                middle = (stroke.position + other.position) / 2
                stroke = replace(stroke, position=middle, thickness=thickness, dash="Double")
                break
        paired.append(stroke)
    return paired


def align_positions(strokes: list[Stroke]) -> list[Stroke]:
    """Give strokes at almost the same position the same one."""
    if not strokes:
        return []
    ordered = sorted(strokes, key=lambda s: s.position)
    groups = [[ordered[0]]]
    for before, stroke in pairwise(ordered):
        if stroke.position - before.position <= 0.6 * SCALE and stroke.position - groups[-1][0].position <= 1.0 * SCALE:
            groups[-1].append(stroke)
        else:
            groups.append([stroke])
    aligned = []
    for group in groups:
        at = sum(s.position * s.length for s in group) / sum(s.length for s in group)
        aligned += [replace(s, position=at) for s in group]
    return aligned


def extend_to_crossings(across: list[Stroke], down: list[Stroke]) -> list[Stroke]:
    """Extend ends that nearly touch a crossing rule to its middle."""
    return [_extend_stroke(s, down) for s in across] + [_extend_stroke(s, across) for s in down]


def _extend_stroke(stroke: Stroke, others: list[Stroke]) -> Stroke:
    ends = []
    for end in (stroke.start, stroke.end):
        slack = MEETING_TOLERANCE_PX if stroke.dash == "Solid" else 2.5 * MEETING_TOLERANCE_PX
        near = [
            o.position
            for o in others
            if abs(o.position - end) <= slack + o.thickness / 2 and o.start - slack <= stroke.position <= o.end + slack
        ]
        ends.append(min(near, key=lambda at: abs(at - end)) if near else end)
    return replace(stroke, start=ends[0], end=ends[1]) if ends[1] > ends[0] else stroke
