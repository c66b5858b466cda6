"""Use the words that a document carries instead of an OCR engine: where text is, and exactly what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bandsmith.shared.fonts import DEFAULT_FAMILY, is_cjk, line_size
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextStyle

from ..engines.base import TextArea
from ..page import SCALE, Divider, Word
from .line_segmentation import TextSegment
from .strokes import Stroke

_LEADER = re.compile(r"_{3,}|\.{0,4}…(?:…|\.{2})[.…]*|\.{5}[.…]*")
"""Characters that stand for a line to write on."""
MIN_SHARED = 0.6
"""Share of a stroke that lies in a word if it is a part of its letters; it may reach on to a rule beside the word."""
LETTERS, LETTERS_AND_FEET, LETTERS_AND_SIDES = 0.3, 0.45, 0.52
"""Share of a word's box, from its middle on, in which its letters are rather than an underline; dots of a broken line
may also be their feet, and upright ones their sides."""
MAX_SPACE, MAX_FIXED_SPACE, MAX_JUSTIFIED_SPACE = 0.45, 0.7, 0.85
"""Maximum width of a space, in heights of the words; in a typewriter's face it is as wide as a letter.

In justified text, which a document writes as one, it is wider still.
"""
_FIXED_FAMILY = "Liberation Mono"
_COLONS = (":", "：")
_DATE = re.compile(r"\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2(?:\d\d|\d{4})|\d{4}年\d\d?月\d\d?日")
SAME_EDGE, MAX_LINE_PITCH = 0.25, 1.8
"""How far from each other the lines of a paragraph begin at most, across and down, in heights of its text."""
_CLOSING = frozenset(":;,.)]")
"""Marks that belong to the word before them, also where a document writes them in another weight."""


def without_leaders(words: list[Word]) -> list[Word]:
    """Return the words without the underscores and dots that draw a line to write on, which is found as a rule."""
    return [part for word in words for part in _between_leaders(word)]


def _between_leaders(word: Word) -> list[Word]:
    """Return the parts of a word that leaders divide. A word with brackets around a leader stays whole."""
    spans = [match.span() for match in _LEADER.finditer(word.text)]
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(word.text)]
    parts = [(start, end) for start, end in zip(starts, ends, strict=True) if word.text[start:end].strip()]
    if not spans or (len(parts) > 1 and not all(any(map(str.isalnum, word.text[a:b])) for a, b in parts)):
        return [word]
    return [_part_of(word, start, end) for start, end in parts]


def _part_of(word: Word, start: int, end: int) -> Word:
    """Return the characters of a word from `start` to `end`. Dots are much narrower than letters."""
    scale = word.box.width / max(_width(word, word.text), 1e-6)
    left = word.box.x + scale * _width(word, word.text[:start])
    right = word.box.x + scale * _width(word, word.text[:end])
    box = Box.between(left, word.box.y, right, word.box.bottom)
    return replace(word, text=word.text[start:end].strip(), box=box, goes_on=word.goes_on and end == len(word.text))


def _width(word: Word, text: str) -> float:
    style = word.style or TextStyle(family=DEFAULT_FAMILY, size=10)
    return line_size(text, style.family, style.size, style.bold, style.italic).advance if text else 0.0


def word_areas(words: list[Word], dividers: Sequence[Divider] = ()) -> list[TextArea]:
    """Return the areas, in pixels, that runs of words cover. No run crosses a divider, or goes on behind a label whose
    value is set in another colour or weight, or is a date.
    """
    runs: list[list[Word]] = []
    for word in sorted(words, key=lambda w: w.box.x):
        run = next(
            (run for run in runs if _goes_on(run, word, words) and not _are_parted(run[-1], word, dividers)), None
        )
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


def _are_parted(last: Word, word: Word, dividers: Sequence[Divider]) -> bool:
    """Whether a divider stands between two words."""
    left, right, y = last.box.middle[0], word.box.middle[0], word.box.middle[1]
    return any(left < divider.x < right and divider.top < y < divider.bottom for divider in dividers)


def _follows(last: Word, word: Word) -> bool:
    a, b = last.box, word.box
    low, high = sorted((a.height, b.height))
    level = low > 0.7 * high and min(a.bottom, b.bottom) - max(a.y, b.y) > 0.6 * low
    fixed = all(each.style is not None and each.style.family == _FIXED_FAMILY for each in (last, word))
    widest = MAX_JUSTIFIED_SPACE if last.goes_on else MAX_FIXED_SPACE if fixed else MAX_SPACE
    return level and -0.3 * low <= b.x - a.right <= widest * low


def _goes_on(run: list[Word], word: Word, words: list[Word]) -> bool:
    """Whether a word belongs to a run: it follows closely, and the run is no label that looks unlike its value."""
    return _follows(run[-1], word) and not _is_label_of(run, word, words)


def _is_label_of(run: list[Word], word: Word, words: list[Word]) -> bool:
    """Whether a run ends with the colon of a label, and the value behind it has another look or is a date.

    A date alone can be printed by its pattern; with wording around it, it is a text.
    """
    if word.style is None or not run[-1].text.endswith(_COLONS):
        return False
    # A colon that stands alone often has the weight of the value.
    last = next((one for one in reversed(run) if one.text not in _COLONS), run[-1])
    if run[-1].style is None or last.style is None:
        return False
    if run[-1].style.colour != word.style.colour:
        return True
    if last.style.bold != word.style.bold:
        return not _begins_paragraph(run[0], word, words)
    return _is_lone_date(word, words) and sum(one.text.endswith(_COLONS) for one in run) == 1


def _is_lone_date(word: Word, words: list[Word]) -> bool:
    """Whether a word is a date, and the last one of its line."""
    return bool(_DATE.fullmatch(word.text)) and not any(_follows(word, one) for one in words if one is not word)


def _begins_paragraph(label: Word, value: Word, words: list[Word]) -> bool:
    """Whether the line below a label goes on with its text, in the weight of what stands behind the label."""
    x, y, height = label.box.x, label.box.y, label.box.height
    return any(
        one.style is not None
        and value.style is not None
        and one.style.bold == value.style.bold
        and abs(one.box.x - x) < SAME_EDGE * height
        and 0.5 * height < one.box.y - y < MAX_LINE_PITCH * height
        for one in words
    )


def is_part_of_word(stroke: Stroke, words: list[Word]) -> bool:
    """Whether a stroke consists of bars of letters: of a single word, or, if it is broken, of words along it.

    The sides of the zeros below each other in a column look like a dotted line.
    """
    broken = LETTERS_AND_FEET if stroke.horizontal else LETTERS_AND_SIDES
    reach = LETTERS if stroke.dash == "Solid" else broken
    shared = [_shared_length(stroke, word, reach) for word in words if any(map(str.isalnum, word.text))]
    most = max(shared, default=0.0) if stroke.dash == "Solid" else sum(shared)
    return most > MIN_SHARED * max(stroke.length, 1.0)


def _shared_length(stroke: Stroke, word: Word, reach: float) -> float:
    """Return how much of a stroke lies in a word, no farther from its middle than this share of its size."""
    box = word.box
    across, along = (box.middle[1], box.x) if stroke.horizontal else (box.middle[0], box.y)
    size, length = (box.height, box.width) if stroke.horizontal else (box.width, box.height)
    if abs(stroke.position / SCALE - across) >= reach * size:
        return 0.0
    return max(0.0, min((along + length) * SCALE, stroke.end) - max(along * SCALE, stroke.start))


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
        is_close = gap < 0.1 * word.box.height
        may_touch = n and (is_cjk(line[n - 1].text[-1]) or is_cjk(word.text[0]) or word.text[0] in _CLOSING)
        text += word.text if not n or (is_close and may_touch) else " " + word.text
    return text.strip()


def style_of(line: list[Word]) -> TextStyle | None:
    """Return the style of a line: that of most of its characters, and among equals the first."""
    counts: dict[TextStyle | None, int] = {}
    for word in line:
        counts[word.style] = counts.get(word.style, 0) + len(word.text)
    return max(counts, key=lambda style: counts[style])
