"""What the gateway does itself at a node, and when a turn ends: versions, snapshots, undo, reset, the history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from bandsmith.shared.model.session import Failure, HistoryEntry, Version

from .state import SessionState, Turn

SNAPSHOTS = 5
VERSIONS = 50
"""How many versions a session lists."""
LONGEST_REPLY = 2000
"""Characters of a reply that the history keeps."""
LONGEST_REQUEST = 200
"""Characters of the request that stand beside its version."""
MOST_FINDINGS = 10
"""How many findings of a failed turn the next one's prompts carry."""

Step = tuple[SessionState, Turn]


def record(session: SessionState, turn: Turn, now: datetime) -> Step:
    """The turn's template is one more version, if it is another than the last."""
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
        request=turn.text[:LONGEST_REQUEST],
        time=now,
    )
    return session, turn.model_copy(update={"versions": [*turn.versions, version]})


def undo_or_redo(session: SessionState, turn: Turn, _: datetime) -> Step:
    """The session as the newest snapshot has it; where there is none, nothing changes."""
    back = turn.intent == "undo_modification"
    stack, other = (session.undo, session.redo) if back else (session.redo, session.undo)
    if not stack:
        return session, turn
    snapshot = stack[-1]
    saved = snapshot.saved
    history = [said for said in turn.history if said.number <= snapshot.said] if back else turn.history
    stacks = stack[:-1], [*other, turn.before][-SNAPSHOTS:]
    undo, redo = stacks if back else (stacks[1], stacks[0])
    session = session.model_copy(
        update={
            "saved": saved,
            "status": snapshot.status,
            "undo": undo,
            "redo": redo,
            "pending_failure_context": None,
        }
    )
    facts = {
        "template": saved.template if saved else None,
        "data": saved.data if saved else None,
        "author": "handle_undo",
        "history": history,
        "changed": 1,
    }
    return session, turn.model_copy(update=facts)


def reset(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Everything as it was at first but the session's id and name, and what tells its turns apart."""
    kept = {name: getattr(session, name) for name in ("id", "name", "turn", "waiting", "past", "said")}
    return SessionState.model_validate(kept), turn.model_copy(
        update={"template": None, "data": None, "history": [], "archive": None}
    )


def keep_best(session: SessionState, turn: Turn, _: datetime) -> Step:
    """The best version that was validated becomes the session's report, which undo can take back."""
    if turn.best is None:
        return session, turn
    best = turn.best
    saved = next((version for version in turn.versions if version.template == best.template), turn.saved)
    passed = best.said.passed
    changes: dict[str, object] = {
        "saved": saved,
        "status": "done" if passed else "unfinished",
        "pending_failure_context": None if passed else _failure(turn),
    }
    if turn.intent not in ("undo_modification", "redo_modification") and turn.is_new:
        changes |= {"undo": [*session.undo, turn.before][-SNAPSHOTS:], "redo": []}
    return session.model_copy(update=changes), turn.model_copy(update={"template": best.template, "data": best.data})


OWN: dict[str, Callable[[SessionState, Turn, datetime], Step]] = {
    "handle_undo": undo_or_redo,
    "handle_reset": reset,
    "save_session": record,
    "validate": record,
    "finalize": keep_best,
}


def close(session: SessionState, turn: Turn, reply: str, now: datetime) -> SessionState:
    """The session after a turn, with what was said in it."""
    history = turn.history
    words: list[tuple[Literal["user", "assistant"], str]] = [("user", turn.text), ("assistant", reply[:LONGEST_REPLY])]
    number = history[-1].number if history else 0
    for role, text in words:
        if text:
            number += 1
            history = [*history, HistoryEntry(number=number, role=role, text=text, time=now)]
    return session.model_copy(
        update={
            "history": history,
            "archive": turn.archive,
            "versions": [*session.versions, *turn.versions][-VERSIONS:],
            "changed": now,
        }
    )


def _failure(turn: Turn) -> Failure:
    assert turn.best is not None, "only a version that was validated can be unfinished"
    return Failure(
        error=turn.explanation,
        findings=[finding.model_copy(update={"edits": []}) for finding in turn.best.errors[:MOST_FINDINGS]],
        template=turn.best.template,
        attempts=turn.corrections,
        time=turn.since,
    )
