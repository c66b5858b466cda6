"""Who signs: the people that one phrase names, each with a line of their own."""

from __future__ import annotations

from ..both_parties import parties_in
from .labels import cleaned, is_label, split

_SHARED = frozenset({"health", "quality", "safety", "food", "research", "sales", "finance", "hygiene", "environment"})
"""Words before "and" that name no person: `health and safety officer` is one."""


MIN_BESIDE = 3
"""Signers with slashes between them, from which on each signs."""


def signers_in(words: str) -> list[str]:
    """Return the signers that words name: `driver and the foreman` are two, as are `counted by and checked by`."""
    if len(both := parties_in(words)) > 1:
        return both
    parts = [label for label in map(cleaned, split(words)) if label]
    if len(parts) == 2 and parts[0].casefold() in _SHARED:
        return [cleaned(words)]
    return parts or [cleaned(words)]


def signers_beside(words: str) -> list[str]:
    """Return the signers of words with slashes, where there are several: 申请人/主管/财务; of two, either may sign."""
    parts = [part.strip() for part in words.split("/")]
    return parts if len(parts) >= MIN_BESIDE and all(map(is_label, parts)) else [words]
