"""Find the areas of a page that are text: from its words, or from the engine where it carries none or hardly any."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ..engines.base import OcrEngine, TextArea
from ..page import SCALE, Page, Word
from .embedded_words import word_areas

MAX_FEW_WORDS = 12
"""A page of a document with no more words than these may draw its other texts as curves."""
MIN_DRAWN_GLYPHS = 2.0
"""Marks as large as small letters, from which on others than the known words are looked for, per known character."""
GLYPH_PX = (2.5 * SCALE, 16 * SCALE)
"""Height and width of such a mark, at least and at most."""


def find_text_areas(page: Page, words: Sequence[Word] | None, engine: OcrEngine) -> list[TextArea]:
    """Return the areas of the known words, and of others that look like text where the known ones are few."""
    if words is None:
        return engine.detect(page.ocr_pixels)
    known = word_areas(list(words), page.dividers)
    if not words or len(words) > MAX_FEW_WORDS or not _has_drawn_text(page, words, known):
        return known
    return known + [area for area in engine.detect(page.ocr_pixels) if not any(_touch(area, one) for one in known)]


def _has_drawn_text(page: Page, words: Sequence[Word], known: Sequence[TextArea]) -> bool:
    """Whether a page has many more marks as large as letters than its words and pictures explain."""
    grey = cv2.cvtColor(page.ocr_pixels, cv2.COLOR_BGR2GRAY)
    ink = (grey < np.median(grey) - 60).astype(np.uint8)
    pictures = [tuple(SCALE * side for side in (box.x, box.y, box.width, box.height)) for box in page.pictures]
    for x, y, width, height in [*known, *pictures]:
        ink[max(0, int(y)) : int(y + height) + 1, max(0, int(x)) : int(x + width) + 1] = 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    widths, heights = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    low, high = GLYPH_PX
    glyphs = np.count_nonzero((heights >= low) & (heights <= high) & (widths <= high))
    return bool(glyphs > MIN_DRAWN_GLYPHS * sum(len(word.text) for word in words))


def _touch(one: TextArea, other: TextArea) -> bool:
    """Whether two areas have a part in common."""
    (x, y, w, h), (left, top, width, height) = one, other
    return min(x + w, left + width) > max(x, left) and min(y + h, top + height) > max(y, top)
