"""Find out what each segment says: from the document's own words, from its shape, or from the engine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bandsmith.shared.model.layout import TextStyle

from ..engines.base import OcrEngine
from ..page import Word
from .colons import owner_of_colon, split_at_colon, split_at_labels
from .embedded_words import join_words, words_by_segment
from .end_specks import without_end_specks
from .line_segmentation import Components, TextSegment, crop_line
from .paper import PageRaster
from .spaces import restore_spaces

MIN_CONFIDENCE = 0.3
"""Text that was recognised with less confidence is dropped."""


class RecognisedLine(NamedTuple):
    """A segment and its text."""

    segment: TextSegment
    text: str
    confidence: float
    style: TextStyle | None = None
    """Set where the document gives it."""


def read_words(words: list[Word], segments: list[TextSegment]) -> list[RecognisedLine]:
    """Return the segments in which known words stand."""
    return [
        RecognisedLine(segment, join_words(line), 1.0, line[0].style)
        for segment, line in zip(segments, words_by_segment(words, segments), strict=True)
        if line
    ]


def read_segments(
    raster: PageRaster, parts: Components, segments: list[TextSegment], rules: np.ndarray, engine: OcrEngine
) -> list[RecognisedLine]:
    """Return the segments that are text; a label and its value that were recognised together are split."""
    colons = [n for n, segment in enumerate(segments) if _is_colon(parts, segment)]
    others = [segment for n, segment in enumerate(segments) if n not in colons]
    read = engine.read([crop_line(raster, parts, segment, rules) for segment in others])
    found: list[RecognisedLine] = []
    ends = {}
    for n in colons:
        owner = owner_of_colon(segments[n], others)
        if owner is None:
            found.append(RecognisedLine(segments[n], ":", 1.0))
        else:
            ends[owner] = segments[n]
    for n, (segment, (text, confidence)) in enumerate(zip(others, read, strict=True)):
        if n in ends and text.strip() and confidence >= MIN_CONFIDENCE:
            whole = parts.segment(np.concatenate([segment.parts, ends[n].parts]))
            found.append(RecognisedLine(whole, f"{text.strip()}:", min(1.0, confidence)))
            continue
        if text.strip() and confidence >= MIN_CONFIDENCE:
            clean = without_end_specks(parts, segment, text.strip())
            found += [
                RecognisedLine(part, restore_spaces(part, part_text, parts), min(1.0, confidence))
                for pair, pair_text in split_at_labels(clean, text.strip(), parts)
                for part, part_text in split_at_colon(pair, pair_text, parts)
            ]
    return sorted(found, key=lambda line: (line.segment.top, line.segment.left))


def _is_colon(parts: Components, segment: TextSegment) -> bool:
    """Whether this is two equal dots above each other; recognisers see nothing in so small a crop."""
    if len(segment.parts) != 2:
        return False
    left, top, right, bottom = parts.boxes[segment.parts].T
    width, height = right - left, bottom - top
    equal = abs(width[0] - width[1]) <= 1 and abs(height[0] - height[1]) <= 1 and abs(left[0] - left[1]) <= 1
    square = abs(width[0] - height[0]) <= 1 + 0.3 * width[0]
    return bool(equal and square and segment.height >= 2.5 * height[0])
