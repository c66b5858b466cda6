"""Split a label from its value where the gap after the colon is wider than a space: the form prints two texts."""

from __future__ import annotations

import re

import numpy as np

from bandsmith.shared.fonts import DEFAULT_FAMILY, is_cjk, measure

from .line_segmentation import Components, TextSegment

MAX_SPACE_AFTER_LATIN, MAX_SPACE_AFTER_CJK, MAX_SPACE_AFTER_FULL_WIDTH = 1.15, 0.75, 0.85
"""Maximum width of a space after a colon, in text heights: after Latin text, after Chinese text, and after a
full-width colon, whose glyph includes space."""
MAX_COLON_GAP = 0.8
"""Maximum distance, in text heights, of a lone colon from the text that it belongs to."""


def split_at_colon(segment: TextSegment, text: str, parts: Components) -> list[tuple[TextSegment, str]]:
    """Return one or two segments with their texts."""
    match = re.match(r"^([^:：]{1,40}[:：])\s*([^\s/].*)$", text)
    if not match or re.search(r"\d\s*[:：]$", match.group(1)):
        return [(segment, text)]
    label, value = match.groups()
    boxes = parts.boxes[segment.parts]
    order = np.argsort(boxes[:, 0])
    reach = np.maximum.accumulate(boxes[order, 2])
    starts = boxes[order[1:], 0]
    share = measure(label, DEFAULT_FAMILY, 10).advance / measure(text, DEFAULT_FAMILY, 10).advance
    expected = segment.left + share * segment.width
    height = float(np.percentile(boxes[:, 3] - boxes[:, 1], 90))
    space = MAX_SPACE_AFTER_CJK if any(map(is_cjk, label)) else MAX_SPACE_AFTER_LATIN
    gaps = starts - reach[:-1]
    before = np.concatenate([[0], gaps[:-1]])
    wide = np.flatnonzero(gaps > np.where(before > 0.3 * height, MAX_SPACE_AFTER_FULL_WIDTH, space) * height)
    candidates = [int(i) for i in wide if reach[i] - 2.5 * height < expected < starts[i] + 1.5 * height]
    if not candidates:
        return [(segment, text)]
    cut = min(candidates, key=lambda i: abs((reach[i] + starts[i]) / 2 - expected))
    left, right = segment.parts[order[: cut + 1]], segment.parts[order[cut + 1 :]]
    return [(parts.segment(left), label), (parts.segment(right), value)]


def owner_of_colon(colon: TextSegment, segments: list[TextSegment]) -> int | None:
    """Return the index of the segment directly before a lone colon, if there is one."""
    candidates = [
        (colon.left - segment.right, n)
        for n, segment in enumerate(segments)
        if segment is not colon
        and -1 <= colon.left - segment.right <= MAX_COLON_GAP * segment.height
        and segment.top - 2 <= (colon.top + colon.bottom) / 2 <= segment.bottom + 2
    ]
    return min(candidates)[1] if candidates else None
