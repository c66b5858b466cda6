"""Findings that end a command: what was to be printed, exported or read may not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.model.verdict import Finding

_SHOWN = 5


def refusal(findings: Sequence[Finding]) -> TerminalError:
    """One error for `findings`, at least one: the first one's code, each one's sentence once."""
    return TerminalError(
        _joined((f.message for f in findings), " ", " And {} more."),
        message_zh=_joined((f.message_zh for f in findings), "", "另有 {} 处。"),
        code=findings[0].code,
    )


def _joined(sentences: Iterable[str], between: str, rest: str) -> str:
    once = list(dict.fromkeys(sentences))
    return between.join(once[:_SHOWN]) + (rest.format(len(once) - _SHOWN) if len(once) > _SHOWN else "")
