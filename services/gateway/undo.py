"""Undo, redo, and the return to an earlier version."""

from __future__ import annotations

from datetime import datetime

from bandsmith.shared.model.session_parts import ArtefactKind, Snapshot, Version

from .state import SessionState, Turn

MAX_SNAPSHOTS = 5
MAX_REQUEST_CHARS = 200
"""Of a request that is kept with what it changed."""

Step = tuple[SessionState, Turn]


def undo_or_redo(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Restore snapshots, newest first, up to the requested number."""
    back = turn.intent == "undo_modification"
    requests: list[str] = []
    while len(requests) < turn.steps and (stack := session.undo if back else session.redo):
        requests.append(stack[-1].request)
        session, turn = _one_step(session, turn, back=back)
    return session, turn.model_copy(update={"changed": len(requests), "stepped": requests})


def _one_step(session: SessionState, turn: Turn, *, back: bool) -> Step:
    stack, other = (session.undo, session.redo) if back else (session.redo, session.undo)
    snapshot = stack[-1]
    version = snapshot.version
    history = [entry for entry in turn.history if entry.number <= snapshot.last_entry] if back else turn.history
    current = take_snapshot(session, turn, snapshot.kind).model_copy(update={"request": snapshot.request})
    stacks = stack[:-1], [*other, current][-MAX_SNAPSHOTS:]
    undo, redo = stacks if back else (stacks[1], stacks[0])
    session = session.model_copy(
        update={
            "artefacts": with_version(session.artefacts, snapshot.kind, version),
            "status": snapshot.status,
            "undo": undo,
            "redo": redo,
            "pending_failure_context": None,
        }
    )
    facts: dict[str, object] = {"history": history}
    if snapshot.kind == "report":
        facts |= _facts_of(version, "handle_undo")
    return session, turn.model_copy(update=facts)


def restore(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Make the version with this number the report, if the session has it."""
    wanted = [version for version in session.versions if version.kind == "report" and version.number == turn.version]
    if not wanted:
        return session, turn
    return session, turn.model_copy(update={**_facts_of(wanted[-1], "handle_restore"), "changed": 1})


def _facts_of(version: Version | None, author: str) -> dict[str, object]:
    """Return what a turn knows of the report that an earlier version makes it."""
    kept = {name: getattr(version, name, None) for name in ("template", "data", "upload")}
    return {**kept, "restored": version, "author": author}


def take_snapshot(session: SessionState, turn: Turn, kind: ArtefactKind) -> Snapshot:
    """Take a snapshot of the session's artefact of a kind, before it is replaced."""
    return Snapshot(
        kind=kind,
        version=session.artefacts.get(kind),
        status=session.status,
        last_entry=turn.history[-1].number if turn.history else 0,
        request=turn.text[:MAX_REQUEST_CHARS],
    )


def with_version(
    artefacts: dict[ArtefactKind, Version], kind: ArtefactKind, version: Version | None
) -> dict[ArtefactKind, Version]:
    others = {other: current for other, current in artefacts.items() if other != kind}
    return others | {kind: version} if version else others
