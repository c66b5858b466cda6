"""What the words of a reference say by themselves, before anything is looked for in a template."""

from __future__ import annotations

import re
from functools import cache

from .fuzzy_match import normal
from .sentence_templates import matches, pattern, phrases

_ARTICLES = frozenset({"the", "a", "an", "all", "any", "some", "my", "our", "your", "its", "their", "this", "that"})
_SIGNS_OF_COMPARISON = set("<>=")


def asks_for_column(words: str) -> bool:
    return bool(phrases("references", "asks_for_column", words.strip()))


@cache
def between_names() -> re.Pattern[str]:
    """Return the pattern of what stands between two names of a list."""
    words = pattern("references", "joins_names")
    return re.compile(rf"\s*(?:[,，、&]|{words})\s*", re.IGNORECASE)


def of_kind(words: str) -> str:
    """Return a name that begins with the kind of thing that it is, without the words around it; empty for any other."""
    return next((f"{slots['kind']} {slots['name']}" for slots in matches("references", "of_kind", words)), "")


def is_article(words: str) -> bool:
    """Whether words are nothing but articles, which stand in many texts of a page."""
    return set(words.casefold().split()) <= _ARTICLES


def is_generic(words: str) -> bool:
    """Whether words are for what every report has."""
    return any(matches("references", "generic", words))


def holds_no_name(words: str) -> bool:
    """Whether words hold something that no name does, such as a sign of comparison or a number."""
    marks = any(char in _SIGNS_OF_COMPARISON or char.isdecimal() for char in words)
    return marks or bool(phrases("references", "no_name", words))


def is_nominal(words: str) -> bool:
    """Whether words that fit nothing in this report look like a name."""
    if holds_no_name(words) or phrases("references", "verb", words) or not re.search(r"[^\W\d_]", words):
        return False
    return len(words.split()) <= 3 and len(re.findall(r"[\u3400-\u9fff]", words)) <= 8


def quotable(words: str) -> str:
    """Return the words to quote in a refusal about a column that does not exist."""
    return words.strip() if of_kind(words.strip()) else without_kind(words)


def without_kind(words: str) -> str:
    """Return words without articles and without words for the kind of thing, such as “column”."""
    text = words.strip()
    while slots := next(matches("references", "named", text), None):
        text = slots["name"]
    return text


def words_in(text: str) -> set[str]:
    """Return the words of a name: English words, and pairs of Chinese characters."""
    plain = normal(text)
    chinese = re.findall(r"[\u3400-\u9fff]+", plain)
    return set(re.findall(r"[a-z]{2,}", plain)) | {run[n : n + 2] for run in chinese for n in range(len(run) - 1)}
