"""The gateway's own work at a node and at the end of a turn: versions, snapshots, undo, reset, the history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from bandsmith.shared.model.session import ArtefactKind, Failure, HistoryEntry, Snapshot, Version

from .state import SessionState, Turn

MAX_SNAPSHOTS = 5
MAX_VERSIONS = 50
MAX_REPLY_CHARS = 2000
"""Longer replies are cut in the history."""
MAX_REQUEST_CHARS = 200
"""Longer requests are cut in the list of versions."""
MAX_FINDINGS = 10
"""How many findings of a failed turn the next turn's prompts contain."""

Step = tuple[SessionState, Turn]


def record(session: SessionState, turn: Turn, now: datetime) -> Step:
    """Add the turn's template to its versions, unless it is the last one."""
    last = turn.versions[-1].template if turn.versions else turn.saved.template if turn.saved else None
    if turn.template is None or turn.data is None or turn.template == last:
        return session, turn
    rebuilt = "generate_skeleton" in turn.attempts or turn.saved is None
    version = Version(
        number=turn.numbered + len(turn.versions) + 1,
        template=turn.template,
        data=turn.data,
        layout=turn.layout if rebuilt or turn.saved is None else turn.saved.layout,
        form=turn.form if rebuilt or turn.saved is None else turn.saved.form,
        author=turn.author,
        request=turn.text[:MAX_REQUEST_CHARS],
        time=now,
    )
    return session, turn.model_copy(update={"versions": [*turn.versions, version]})


def undo_or_redo(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Restore the newest snapshot, if there is one."""
    back = turn.intent == "undo_modification"
    stack, other = (session.undo, session.redo) if back else (session.redo, session.undo)
    if not stack:
        return session, turn
    snapshot = stack[-1]
    version = snapshot.version
    history = [entry for entry in turn.history if entry.number <= snapshot.last_entry] if back else turn.history
    stacks = stack[:-1], [*other, _snapshot(session, turn, snapshot.kind)][-MAX_SNAPSHOTS:]
    undo, redo = stacks if back else (stacks[1], stacks[0])
    session = session.model_copy(
        update={
            "artefacts": _with(session.artefacts, snapshot.kind, version),
            "status": snapshot.status,
            "undo": undo,
            "redo": redo,
            "pending_failure_context": None,
        }
    )
    facts: dict[str, object] = {"history": history, "changed": 1}
    if snapshot.kind == "report":
        facts |= {
            "template": version.template if version else None,
            "data": version.data if version else None,
            "author": "handle_undo",
        }
    return session, turn.model_copy(update=facts)


def _snapshot(session: SessionState, turn: Turn, kind: ArtefactKind) -> Snapshot:
    """Take a snapshot of the session's artefact of a kind, before it is replaced."""
    return Snapshot(
        kind=kind,
        version=session.artefacts.get(kind),
        status=session.status,
        last_entry=turn.history[-1].number if turn.history else 0,
    )


def _with(
    artefacts: dict[ArtefactKind, Version], kind: ArtefactKind, version: Version | None
) -> dict[ArtefactKind, Version]:
    others = {other: current for other, current in artefacts.items() if other != kind}
    return others | {kind: version} if version else others


def reset(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Empty the session, except for its id and name and for what identifies its turns."""
    kept = {name: getattr(session, name) for name in ("id", "name", "turn", "waiting", "past", "events")}
    return SessionState.model_validate(kept), turn.model_copy(
        update={"template": None, "data": None, "history": [], "archive": None}
    )


def keep_best(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Make the best version that was validated the session's report, in a way that can be undone."""
    if turn.best is None:
        return session, turn
    best = turn.best
    saved = next((version for version in turn.versions if version.template == best.template), turn.saved)
    passed = best.verdict.passed
    changes: dict[str, object] = {
        "artefacts": _with(session.artefacts, "report", saved),
        "status": "done" if passed else "unfinished",
        "pending_failure_context": None if passed else _failure(turn),
    }
    if turn.intent not in ("undo_modification", "redo_modification") and turn.is_new:
        changes |= {"undo": [*session.undo, _snapshot(session, turn, "report")][-MAX_SNAPSHOTS:], "redo": []}
    return session.model_copy(update=changes), turn.model_copy(update={"template": best.template, "data": best.data})


LOCAL_NODES: dict[str, Callable[[SessionState, Turn, datetime], Step]] = {
    "handle_undo": undo_or_redo,
    "handle_reset": reset,
    "save_session": record,
    "validate": record,
    "finalize": keep_best,
}


def close(session: SessionState, turn: Turn, reply: str, now: datetime) -> SessionState:
    """Add the turn's request, reply and versions to the session."""
    history = turn.history
    words: list[tuple[Literal["user", "assistant"], str]] = [
        ("user", turn.text),
        ("assistant", reply[:MAX_REPLY_CHARS]),
    ]
    number = history[-1].number if history else 0
    for role, text in words:
        if text:
            number += 1
            history = [*history, HistoryEntry(number=number, role=role, text=text, time=now)]
    return session.model_copy(
        update={
            "history": history,
            "archive": turn.archive,
            "versions": [*session.versions, *turn.versions][-MAX_VERSIONS:],
            "changed": now,
        }
    )


def _failure(turn: Turn) -> Failure:
    assert turn.best is not None, "only a version that was validated can be unfinished"
    return Failure(
        error=turn.explanation,
        findings=[finding.model_copy(update={"edits": []}) for finding in turn.best.errors[:MAX_FINDINGS]],
        template=turn.best.template,
        attempts=turn.corrections,
        time=turn.since,
    )
