"""Read the list of columns in what is left of a request.

Theory of operation
===================

The other clauses have been taken out of the request before. What is left has a list somewhere: lines with bullets,
words in brackets, or words after a *marker* such as "with", "showing" or a colon. Every marker is tried. A list scores
one for each label, and a little more for a clear marker, a colon and an early position. The list with the highest score
is taken. Chinese words with only blanks between them are a list where there is no other.

What users say is in ``templates/*/spec_columns.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bandsmith.shared.fonts import is_cjk

from ..sentence_templates import Phrase, matches, phrase_at, phrases
from .labels import bullet, cleaned, is_label, listed, split

SUBJECT = "spec_columns"
RULES = frozenset({
    "marker", "weak_marker", "no_marker", "owned", "each_of", "closing", "heading", "report_name",
})  # fmt: skip
BRACKETS_SCORE, CLEAR_MARKER_SCORE, COLON_SCORE = 0.5, 0.4, 0.3
"""Added to the number of labels of a list in brackets, after a clear marker, after a colon."""
_SENTENCE_END = re.compile(r"(?<!\bno)(?<!\bnr)(?<!\bqty)[.。!?！？]+(?=\s|$)|。|\n+", re.IGNORECASE)
"""A full stop that does not stand behind an abbreviation, or a new line."""
_WORDS_WITH_BLANKS = re.compile(r"(?:[\u3400-\u9fff()]{1,8}[ \t]+){2,}[\u3400-\u9fff()]{1,8}")
_BRACKETS = re.compile(r"\(([^()]{3,300})\)")
_HEADING_END = re.compile(r"\s*:\s*|\s+[-–—]\s+")
_SEMICOLON = re.compile(r"[;；]")


@dataclass(frozen=True)
class FoundColumns:
    """The labels of the columns, and the text around them."""

    labels: list[str]
    rest: str


@dataclass(frozen=True)
class _List:
    """A list of labels in a sentence."""

    labels: list[str]
    rest: str
    """The sentence without the list."""
    score: float


def columns_in(text: str) -> FoundColumns:
    """Return the list of labels that is most likely to be that of the columns."""
    labels, rest = _bullets(text)
    if len(labels) >= 2:
        return FoundColumns(labels, rest)
    best, score = FoundColumns([], text), 0.0
    for sentence in _SENTENCE_END.split(text):
        for found in (*_lists_in_brackets(sentence), *_lists_after_markers(sentence)):
            if found.score > score:
                score, best = found.score, FoundColumns(found.labels, text.replace(sentence, found.rest))
    return best if best.labels else _blank_separated(text)


def _bullets(text: str) -> tuple[list[str], str]:
    """Return the labels in lines with bullets or numbers, and the other lines."""
    labels: list[str] = []
    others: list[str] = []
    for line in text.splitlines():
        content = bullet(line)
        if content is None:
            others.append(line)
            continue
        head, *tail = _HEADING_END.split(content, maxsplit=1)
        if tail and any(matches(SUBJECT, "heading", head)):
            labels += listed(tail[0])
        else:
            label = cleaned(re.sub(r"\s*\([^()]*\)$", "", head))
            labels += [label] if label and is_label(label) else listed(content)
    return list(dict.fromkeys(labels)), "\n".join(others)


def _lists_in_brackets(sentence: str) -> Iterator[_List]:
    for brackets in _BRACKETS.finditer(sentence):
        labels = listed(brackets[1])
        if len(labels) >= 3:
            rest = sentence[: brackets.start()] + sentence[brackets.end() :]
            yield _List(labels, rest, len(labels) + BRACKETS_SCORE)


def _lists_after_markers(sentence: str) -> Iterator[_List]:
    for marker in _markers(sentence):
        labels, rest = _after(sentence, marker)
        if labels:
            words = sentence[marker.start : marker.end]
            weak = any(matches(SUBJECT, "weak_marker", words.strip().rstrip(":")))
            score = len(labels) + (0.0 if weak else CLEAR_MARKER_SCORE) + (COLON_SCORE if words.endswith(":") else 0.0)
            yield _List(labels, rest, score - 0.01 * marker.start / len(sentence))


def _markers(sentence: str) -> list[Phrase]:
    """Return the markers of a sentence, except where they name the report: "a list of"."""
    others = {phrase.start for phrase in phrases(SUBJECT, "no_marker", sentence)}
    return [phrase for phrase in phrases(SUBJECT, "marker", sentence) if phrase.start not in others]


def _after(sentence: str, marker: Phrase) -> tuple[list[str], str]:
    """Return the labels after a marker, and the sentence without them."""
    tail = _before_closing(sentence[marker.end :])
    labels = _labels_of(tail)
    if not labels:
        return [], sentence
    if tail.lstrip().startswith("their"):
        head = sentence[: marker.end].rstrip()
        owners = [phrase.slots["owner"] for phrase in phrases(SUBJECT, "owned", head) if phrase.end == len(head)]
        labels = [*(cleaned(owner) for owner in owners), *labels]
    left = [part for block in _SEMICOLON.split(tail) for part in split(block) if cleaned(part) not in labels]
    return labels, "; ".join([sentence[: marker.start], *left])


def _before_closing(tail: str) -> str:
    """Return what stands before "……的表格" at the end of a list."""
    closing = next(iter(phrases(SUBJECT, "closing", tail)), None)
    return tail[: closing.start] if closing and "、" not in tail[closing.end :] else tail


def _labels_of(tail: str) -> list[str]:
    """Return the labels of a list; `各产品的销售数量和销售金额` has three."""
    tail = tail.lstrip()
    each = phrase_at(SUBJECT, "each_of", tail)
    if each and is_cjk(tail[each.end : each.end + 1] or " "):
        tail = f"{each.slots['owner']}、{tail[each.end :]}"
    parts = _SEMICOLON.split(tail)
    if len(parts) > 2 and all(len(split(part)) <= 1 for part in parts if part.strip()):
        return listed(tail)
    return next((labels for part in parts if (labels := listed(part))), [])


def _blank_separated(text: str) -> FoundColumns:
    """Return short Chinese words with blanks between them, where there is no other list."""
    words = _WORDS_WITH_BLANKS.search(text)
    labels = [word for word in words[0].split() if not any(matches(SUBJECT, "report_name", word))] if words else []
    if words is None or len(labels) < 3:
        return FoundColumns([], text)
    return FoundColumns(labels, text.replace(words[0], " "))
