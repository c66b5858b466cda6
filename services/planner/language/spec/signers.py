"""Who signs: the people that one phrase names, each with a line of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .labels import cleaned, split

_SHARED = frozenset({"health", "quality", "safety", "food", "research", "sales", "finance", "hygiene", "environment"})
"""Words before "and" that name no person: `health and safety officer` is one."""
_STAMPED = "(盖章)"
_BOTH_ZH = re.compile(
    r"(?:甲乙)?双方(?P<who>负责人|代表|经办人)?(?:各自|都|均|要|需)*(?P<how>签字盖章|盖章|盖公章|签章|签字|签名|确认)?"
)
_BOTH_EN = re.compile(r"(?:the )?both (?:the )?(?:parties|sides)|(?:the )?two parties", re.IGNORECASE)


def signers_in(words: str) -> list[str]:
    """Return the signers that words name: `driver and the foreman` are two, as are `counted by and checked by`."""
    if len(both := _parties(words)) > 1:
        return both
    parts = [label for label in map(cleaned, split(words)) if label]
    if len(parts) == 2 and parts[0].casefold() in _SHARED:
        return [cleaned(words)]
    return parts or [cleaned(words)]


def with_both_parties(labels: Iterable[str]) -> list[str]:
    """Return the labels of signature lines with 双方盖章 and `both parties` as two of them."""
    parties = list(dict.fromkeys(party for label in labels for party in _parties(label)))
    return [one for one in parties if f"{one}{_STAMPED}" not in parties]


def _parties(label: str) -> list[str]:
    if _BOTH_EN.fullmatch(label.strip()):
        return ["First party", "Second party"]
    if found := _BOTH_ZH.fullmatch(label.strip()):
        mark = _STAMPED if "章" in (found["how"] or "") else ""
        return [f"{party}{found['who'] or ''}{mark}" for party in ("甲方", "乙方")]
    return [label]
