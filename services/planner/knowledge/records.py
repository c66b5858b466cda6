"""Records: what the store keeps of a piece of knowledge, and how its words are made alike for a search."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Literal

from bandsmith.shared.model.base import Value

Room = Literal["templates", "fields", "fixes", "articles"]
ROOMS: tuple[Room, ...] = ("templates", "fields", "fixes", "articles")
SHAPE = 64
"""Numbers that tell what a page looks like."""
MOST_WORDS = 16_000
"""So many characters of a record are searched: in UTF-8 they fit Milvus' longest text."""

_ENGLISH = re.compile(r"[a-z]{4,}")


class Record(Value):
    id: str
    words: str
    """What it is found by, as `searchable` gives it."""
    value: dict[str, Any]
    """What it says: at most 60,000 bytes as JSON."""
    shape: list[float] | None = None
    """Of templates: `SHAPE` numbers of unit length."""


def searchable(text: str) -> str:
    """Text as it is indexed and asked for: small letters, English nouns in their singular, names at their parts."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ").lower()
    return _ENGLISH.sub(lambda word: _singular(word[0]), text)[:MOST_WORDS]


def identity(*parts: str) -> str:
    """A short id: the same parts always give the same, so that keeping twice keeps one."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
