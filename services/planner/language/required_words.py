"""Words that a clause must contain for a template to read it, so that most templates are never tried on most clauses.

A pattern takes milliseconds to compile, and there are some 1,600: without this, the first sentence would wait seconds.
What is required may be less than what the pattern requires, never more: a template that is not tried reads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

Words = frozenset[str]
"""Words of which one has to be there."""

_SAME_LETTERS = str.maketrans("İıſ", "iis")
"""Letters that a pattern without regard to case takes for others, and that `str.lower` leaves as they are."""


@lru_cache(maxsize=256)
def comparable(text: str) -> str:
    """Return a text in the letters of required words."""
    return text.translate(_SAME_LETTERS).lower()


def may_match(required: Sequence[Words], text: str) -> bool:
    """Whether a text contains what a template requires."""
    letters = comparable(text)
    for words in required:  # loops, since this runs a thousand times for each clause
        for word in words:
            if word in letters:
                break
        else:
            return False
    return True


def required_words(
    tokens: Iterator[re.Match[str]],
    of_part: Callable[[str], Iterable[Words]],
    of_slot: Callable[[str], Iterable[Words]],
) -> list[Words]:
    """Return what the alternatives up to the end of the tokens, or of the group that they are in, require."""
    alternatives: list[list[Words]] = [[]]
    word = ""
    for token in tokens:
        char = token["escaped"] or token["char"] or ""
        if char and (char.isascii() or char.lower() == char.upper()):
            word += char.lower()
            continue
        alternatives[-1] += [frozenset([word])] if word else []
        word = ""
        if token["mark"] == "|":
            alternatives.append([])
        elif token["mark"] == "(":
            alternatives[-1] += required_words(tokens, of_part, of_slot)
        elif token["mark"] == "[":
            required_words(tokens, of_part, of_slot)  # these words may be missing
        elif token["mark"] or token["edge"] == "/":
            break
        elif token["part"]:
            alternatives[-1] += of_part(token["part"])
        elif token["slot"]:
            alternatives[-1] += of_slot(token["slot"])
    alternatives[-1] += [frozenset([word])] if word else []
    return one_of(alternatives)


def one_of(alternatives: Sequence[Sequence[Words]]) -> list[Words]:
    """Return what several alternatives have in common: one of the words that each requires, the rarest of them."""
    if len(alternatives) == 1:
        return list(alternatives[0])
    if not alternatives or not all(alternatives):
        return []
    return [frozenset().union(*(max(words, key=_rarity) for words in alternatives))]


def _rarity(words: Words) -> int:
    """How rare the most frequent of some words is, by its length. A Chinese character counts as three letters."""
    return min(len(word.encode()) for word in words)
