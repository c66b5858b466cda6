"""The reply about a template that the user attached: what is not run or drawn here, and other findings."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.replies import message_in, text
from bandsmith.shared.turns.verdict import Finding

from ..state import Turn

MAX_NOTICED = 5
_INERT = "inert."


def came(turn: Turn) -> bool:
    """Whether the template that the turn works on came with it."""
    return turn.upload is not None and (turn.saved is None or turn.saved.upload != turn.upload)


def sentences(turn: Turn) -> list[str]:
    """Notes about a template that was attached to this turn."""
    if turn.best is None or not came(turn):
        return []
    findings = turn.best.verdict.findings
    inert = _messages(turn, (f for f in findings if f.code.startswith(_INERT)))
    noticed = _messages(turn, (f for f in findings if f.severity == "warning" and not f.code.startswith(_INERT)))
    said = [*inert, *([text("turn.upload.inert", turn.language)] if inert else [])]
    if noticed:
        said.append(text("turn.upload.noticed", turn.language, count=len(noticed)))
        said += [f"- {message}" for message in noticed[:MAX_NOTICED]]
        if more := len(noticed) - MAX_NOTICED:
            said += [text("turn.upload.more", turn.language, count=more)] if more > 0 else []
        said.append(text("turn.upload.offer", turn.language))
    return said


def cannot_be_printed(turn: Turn) -> list[str]:
    """What the reply says of a template that came as it is and that the engine rejects."""
    assert turn.best is not None
    errors = [f"- {message}" for message in _messages(turn, turn.best.errors)]
    offer = [text("turn.upload.offer", turn.language)] if any(finding.edits for finding in turn.best.errors) else []
    return [text("turn.upload.rejected", turn.language), *errors, *offer]


def _messages(turn: Turn, findings: Iterable[Finding]) -> list[str]:
    return list(dict.fromkeys(message_in(finding, turn.language) for finding in findings))
