"""Separate underlines from rules: an underline is close below one line of text and as long as it."""

from __future__ import annotations

from .line_segmentation import TextSegment
from .strokes import Stroke


def separate_underlines(strokes: list[Stroke], segments: list[TextSegment]) -> tuple[list[Stroke], set[int]]:
    """Return the strokes that are rules, and the indices of the segments that the other strokes underline."""
    kept, underlined = [], set()
    for stroke in strokes:
        found = {n for n, segment in enumerate(segments) if _underlines(stroke, segment)}
        underlined |= found
        if not found:
            kept.append(stroke)
    return kept, underlined


def _underlines(stroke: Stroke, segment: TextSegment) -> bool:
    if not stroke.horizontal or stroke.dash != "Solid" or stroke.thickness > 0.2 * segment.height:
        return False
    slack = 0.35 * segment.height
    ends = abs(stroke.start - segment.left) <= slack and abs(stroke.end - segment.right) <= slack
    return ends and -0.3 * segment.height <= stroke.position - segment.bottom <= 0.3 * segment.height
