"""Use the words that a document carries instead of an OCR engine: where text is, and exactly what it says."""

from __future__ import annotations

from bandsmith.shared.fonts import is_cjk

from ..engines.base import TextArea
from ..page import SCALE, Word
from .line_segmentation import TextSegment

MAX_SPACE = 0.45
"""Maximum width of a space, in heights of the words."""


def word_areas(words: list[Word]) -> list[TextArea]:
    """Return the areas, in pixels, that runs of words cover."""
    runs: list[list[Word]] = []
    for word in sorted(words, key=lambda w: w.box.x):
        run = next((run for run in runs if _follows(run[-1], word)), None)
        if run is None:
            runs.append([word])
        else:
            run.append(word)
    areas = []
    for run in runs:
        left, top = run[0].box.x, min(w.box.y for w in run)
        right, bottom = max(w.box.right for w in run), max(w.box.bottom for w in run)
        areas.append((left * SCALE, top * SCALE, (right - left) * SCALE, (bottom - top) * SCALE))
    return areas


def _follows(last: Word, word: Word) -> bool:
    a, b = last.box, word.box
    low, high = sorted((a.height, b.height))
    level = low > 0.7 * high and min(a.bottom, b.bottom) - max(a.y, b.y) > 0.6 * low
    return level and -0.3 * low <= b.x - a.right <= MAX_SPACE * low


def words_by_segment(words: list[Word], segments: list[TextSegment]) -> list[list[Word]]:
    """Return, for each segment, the words whose middle lies in it, from left to right."""
    words_of: list[list[Word]] = [[] for _ in segments]
    for word in sorted(words, key=lambda w: w.box.x):
        x, y = (v * SCALE for v in word.box.middle)
        slack = word.box.height * SCALE / 2
        candidates = [
            n
            for n, p in enumerate(segments)
            if p.left - 3 <= x <= p.right + 3 and p.top - slack <= y <= p.bottom + slack
        ]
        if candidates:
            words_of[min(candidates, key=lambda n: abs((segments[n].top + segments[n].bottom) / 2 - y))].append(word)
    return words_of


def join_words(line: list[Word]) -> str:
    """Join the words of one line to its text."""
    text = ""
    for n, word in enumerate(line):
        gap = word.box.x - line[n - 1].box.right if n else 0.0
        touching = gap < 0.1 * word.box.height and n and (is_cjk(line[n - 1].text[-1]) or is_cjk(word.text[0]))
        text += word.text if not n or touching else " " + word.text
    return text.strip()
