"""Split labels and values that were recognised as one text, where gaps wider than a space set them apart."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from bandsmith.shared.fonts import DEFAULT_FAMILY, is_cjk, measure

from .gaps import em_of, locate_gaps, wide_gaps
from .line_segmentation import Components, TextSegment

MAX_SPACE_AFTER_LATIN, MAX_SPACE_AFTER_CJK, MAX_SPACE_AFTER_FULL_WIDTH = 1.15, 0.75, 0.85
"""Maximum width of a space after a colon, in text heights: after Latin text, after Chinese text, and after a
full-width colon, whose glyph includes space."""
MIN_GAP_BEFORE_LABEL_EM = 0.6
"""Minimum width of a gap that sets a label apart from the value before it."""
_COLONS = re.compile("[:：]")
_LABEL = re.compile(r"[^\W\d][^:：]{0,11}[:：]")
MAX_COLON_GAP = 0.8
"""Maximum distance, in text heights, of a lone colon from the text that it belongs to."""


def split_at_labels(segment: TextSegment, text: str, parts: Components) -> list[tuple[TextSegment, str]]:
    """Return one or more segments with their texts: cut before each label that stands apart from what precedes it."""
    if len(_COLONS.findall(text)) < 2:
        return [(segment, text)]
    gaps = wide_gaps(segment, parts, MIN_GAP_BEFORE_LABEL_EM * em_of(segment))
    plain = "".join(text.split())
    cuts: dict[int, float] = {}
    for n, (start, _) in zip(locate_gaps(gaps, plain, segment), gaps, strict=True):
        if n > max(cuts, default=0) and not _COLONS.match(plain[n - 1]) and _LABEL.match(plain[n:]):
            cuts[n] = start
    return list(zip(parts.cut(segment, list(cuts.values())), _cut_text(text, list(cuts)), strict=True))


def _cut_text(text: str, cuts: list[int]) -> list[str]:
    """Return the parts of a text between its characters of these numbers, which count no spaces."""
    kept = [n for n, char in enumerate(text) if not char.isspace()]
    ends = [0, *(kept[n] for n in cuts), len(text)]
    return [text[start:end].strip() for start, end in pairwise(ends)]


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
