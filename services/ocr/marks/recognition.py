"""Find out what each segment says: from the document's own words, from its shape, or from the engine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.layout import TextStyle

from ..engines.base import OcrEngine
from ..page import SCALE, Word
from .colons import owner_of_colon, split_at_colon, split_at_labels
from .embedded_words import join_words, style_of, words_by_segment
from .end_specks import without_end_specks
from .line_segmentation import Components, TextSegment, crop_line
from .paper import PageRaster
from .spaces import restore_spaces
from .upright import split_upright

MIN_CONFIDENCE = 0.3
"""Text that was recognised with less confidence is dropped."""
SURE_CONFIDENCE = 0.9
"""Ink of a document that carries its words is a further text if it is read with this confidence."""
USUAL_HEIGHT = (0.6, 1.8)
"""Height of such a text, in heights of the others."""
MAX_DOT_PX = 5 * SCALE
"""Size of a dot of a colon."""
MAX_UNNAMED_SEGMENTS = 60
"""With more ink that no word explains, the page is a drawing."""


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
        RecognisedLine(segment, join_words(line), 1.0, style_of(line))
        for segment, line in zip(segments, words_by_segment(words, segments), strict=True)
        if line
    ]


def read_unnamed_ink(
    raster: PageRaster,
    parts: Components,
    segments: list[TextSegment],
    read: list[RecognisedLine],
    engine: OcrEngine,
    words: list[Word],
) -> list[RecognisedLine]:
    """Return the segments in which no known word stands, but text all the same.

    Documents draw some texts as curves, and the words of others get lost. What is not surely a text of the usual size
    is a drawing. A part of a known word, which a rule cuts off, is read already.
    """
    known = {id(line.segment) for line in read} | {id(one) for one in segments if _is_part_of_word(one, words)}
    others = [segment for segment in segments if id(segment) not in known]
    usual = _usual_heights([line.segment.height for line in read], [segment.height for segment in others])
    left = [segment for segment in others if any(low <= segment.height <= high for low, high in usual)]
    if not 0 < len(left) <= MAX_UNNAMED_SEGMENTS:
        return []
    blank = np.zeros(raster.ink.shape, np.uint8)
    texts = engine.read([crop_line(raster, parts, segment, blank) for segment in left])
    return [
        RecognisedLine(segment, text.strip(), min(1.0, confidence))
        for segment, (text, confidence) in zip(left, texts, strict=True)
        if confidence >= SURE_CONFIDENCE and _is_wording_or_figure(text.strip())
    ]


def _usual_heights(known: list[int], others: list[int]) -> list[tuple[float, float]]:
    """Return the ranges of the heights of texts: those of the known ones, and of the others where these are more.

    A page whose text is drawn as curves may carry its title alone as words, which is much larger.
    """
    groups = [heights for heights in (known, others if len(others) > len(known) > 0 else []) if heights]
    return [(USUAL_HEIGHT[0] * usual, USUAL_HEIGHT[1] * usual) for usual in map(float, map(np.median, groups))]


def _is_part_of_word(segment: TextSegment, words: list[Word]) -> bool:
    """Whether the middle of a segment lies in the box of a word."""
    x, y = (segment.left + segment.right) / 2 / SCALE, (segment.top + segment.bottom) / 2 / SCALE
    return any(word.box.holds(x, y) for word in words)


def _is_wording_or_figure(text: str) -> bool:
    """Whether this is a number, or more than a single letter, for which a drawing is easily mistaken."""
    return text.isdigit() or sum(map(str.isalnum, text)) > max(1.0, 0.6 * len(text))


def read_segments(
    raster: PageRaster, parts: Components, segments: list[TextSegment], rules: np.ndarray, engine: OcrEngine
) -> list[RecognisedLine]:
    """Return the segments that are text; a label and its value that were recognised together are split."""
    colons = [n for n, segment in enumerate(segments) if _is_colon(parts, segment)]
    others = [segment for n, segment in enumerate(segments) if n not in colons]
    others = _with_upright_characters(raster, parts, others, rules, engine)
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


def _with_upright_characters(
    raster: PageRaster, parts: Components, segments: list[TextSegment], rules: np.ndarray, engine: OcrEngine
) -> list[TextSegment]:
    """Return the segments, each character of a Chinese label that is set upright as one; recognisers turn such text."""
    pieces = {n: split for n, segment in enumerate(segments) if (split := split_upright(segment, parts))}
    flat = [piece for split in pieces.values() for piece in split]
    texts = iter(engine.read([crop_line(raster, parts, piece, rules) for piece in flat]) if flat else [])
    found: list[TextSegment] = []
    for n, segment in enumerate(segments):
        read = [next(texts) for _ in pieces.get(n, [])]
        is_label = read and all(len(text.strip()) == 1 and is_cjk(text.strip()) for text, _ in read)
        found += pieces[n] if is_label else [segment]
    return found


def _is_colon(parts: Components, segment: TextSegment) -> bool:
    """Whether this is two equal dots above each other; recognisers see nothing in so small a crop."""
    if len(segment.parts) != 2:
        return False
    left, top, right, bottom = parts.boxes[segment.parts].T
    width, height = right - left, bottom - top
    if max(height.max(), width.max()) > MAX_DOT_PX:
        return False
    equal = abs(width[0] - width[1]) <= 1 and abs(height[0] - height[1]) <= 1 and abs(left[0] - left[1]) <= 1
    square = abs(width[0] - height[0]) <= 1 + 0.3 * width[0]
    return bool(equal and square and segment.height >= 2.5 * height[0])
