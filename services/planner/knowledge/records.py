"""Records of the knowledge base, and how text is normalised for a search."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Literal

from bandsmith.shared.model.base import Value

Collection = Literal["templates", "fields", "fixes", "articles"]
COLLECTIONS: tuple[Collection, ...] = ("templates", "fields", "fixes", "articles")
FINGERPRINT_SIZE = 64
"""Numbers in a page's fingerprint."""
MAX_SEARCHABLE_CHARS = 16_000
"""Maximum length of a record's searchable text. In UTF-8 it fits the longest text of Milvus."""

_ENGLISH = re.compile(r"[a-z]{4,}")


class Record(Value):
    id: str
    words: str
    """The text that is searched, as `searchable` returns it."""
    value: dict[str, Any]
    """The contents: at most 60,000 bytes as JSON."""
    fingerprint: list[float] | None = None
    """A template's page: `FINGERPRINT_SIZE` numbers of unit length."""


def searchable(text: str) -> str:
    """Normalise text for the index and for queries: lower case, English nouns in the singular, names in their parts."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ").lower()
    return _ENGLISH.sub(lambda word: _singular(word[0]), text)[:MAX_SEARCHABLE_CHARS]


def identity(*parts: str) -> str:
    """Return a short ID. The same parts always give the same one, so adding a record twice keeps one."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
