"""One step of a turn: an answer comes in, the table says where to go, and the next state says what to send.

Everything here is pure: the same session and envelope always give the same next session, with the same ids in it.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError

from shared.events import (
    Envelope,
    Event,
    Message,
    NodeFinished,
    NodeStarted,
    StageFailed,
    StartTurn,
    TurnFailed,
    TurnFinished,
    command_id,
)
from shared.model.base import Ref

from .routes import FIRST, UNROUTED, AtOnce, Row, route
from .state import Saved, Session, Turn

PAST = 20
"""How many turns' ids a session remembers."""


def begin(session: Session, envelope: Envelope, start: StartTurn) -> Session:
    """The session with a new turn that has taken its first step."""
    past = [*session.past, session.turn.id][-PAST:] if session.turn else session.past
    turn = Turn(id=envelope.turn, document=start.document, node=FIRST, since=envelope.time, attempts={FIRST: 1})
    said = [_envelope(turn, NodeStarted(node=FIRST), envelope)]
    return _walk(session.model_copy(update={"past": past}), turn, StartTurn, envelope, said)


def advance(session: Session, envelope: Envelope) -> Session | None:
    """The session after an answer; None when nothing awaits it (a duplicate, or late: its node was left)."""
    turn = session.turn
    if turn is None or envelope.causation not in turn.awaiting:
        return None
    event = _understand(envelope, turn.awaiting[envelope.causation])
    missing = {key: command for key, command in turn.awaiting.items() if key != envelope.causation}
    turn = turn.learn(event).model_copy(update={"awaiting": missing})
    return _walk(session, turn, type(event), envelope, [])


def is_over(turn: Turn) -> bool:
    return bool(turn.said) and turn.said[-1].kind in (TurnFinished.kind(), TurnFailed.kind())


def _understand(envelope: Envelope, command: Envelope) -> Message:
    """What an answer says; one that cannot be understood is a stage that failed."""
    try:
        return envelope.message()
    except (KeyError, ValidationError):
        return StageFailed(
            command=command.kind,
            code="answer",
            message=f"The answer to {command.kind} could not be understood; are all services of the same version?",
            message_zh=f"无法理解对 {command.kind} 的答复;请确认各服务的版本一致。",
        )


def _walk(session: Session, turn: Turn, on: type[Message], cause: Envelope, said: list[Envelope]) -> Session:
    """Take the rows from here until an answer is needed or the turn is over."""
    while True:
        row = route(turn, on)
        if row is UNROUTED:
            turn = turn.model_copy(update={"failure": _unrouted(turn.node, on)})
        if row.cap:
            spent = {**turn.spent, row.cap.name: turn.spent.get(row.cap.name, 0) + row.cap.cost}
            turn = turn.model_copy(update={"spent": spent})
        if row.enters:
            said.append(_envelope(turn, _finished(turn, row, cause), cause))
        if not isinstance(row.go, str):
            said.append(_envelope(turn, ENDS[row.go](turn), cause))
            return session.model_copy(update={"turn": turn.model_copy(update={"awaiting": {}, "said": said})})
        if row.enters:
            session, turn = _enter(session, turn, row.go, cause)
            said.append(_envelope(turn, NodeStarted(node=row.go, windows=_windows(turn, row)), cause))
        if row.send:
            commands = [
                _envelope(turn, command, cause, getattr(command, "window", None)) for command in turn.ask(row.send)
            ]
            turn = turn.model_copy(update={"awaiting": {command.id: command for command in commands}})
        if row.send or row.stays:
            return session.model_copy(update={"turn": turn.model_copy(update={"said": said})})
        on = AtOnce


def _enter(session: Session, turn: Turn, node: str, cause: Envelope) -> tuple[Session, Turn]:
    """The turn at the next node, where the gateway's own part is done; what it still awaited, it no longer does."""
    attempts = {**turn.attempts, node: turn.attempts.get(node, 0) + 1}
    turn = turn.model_copy(update={"node": node, "since": cause.time, "attempts": attempts, "awaiting": {}})
    return OWN[node](session, turn) if node in OWN else (session, turn)


# --- what the gateway does itself at a node ------------------------------------------------------------------------


def _save(session: Session, turn: Turn) -> tuple[Session, Turn]:
    """The turn's template becomes the session's."""
    saved = Saved.model_validate({name: getattr(turn, name) for name in Saved.model_fields})
    return session.model_copy(update={"saved": saved}), turn


def _keep_best(session: Session, turn: Turn) -> tuple[Session, Turn]:
    """The best version that was validated becomes the turn's result, and the session's template."""
    assert turn.best is not None, "the table comes to finalize only from a validated version"
    return _save(session, turn.model_copy(update={"template": turn.best.template, "data": turn.best.data}))


OWN: dict[str, Callable[[Session, Turn], tuple[Session, Turn]]] = {"save_session": _save, "finalize": _keep_best}


# --- what it says --------------------------------------------------------------------------------------------------


def _finish(turn: Turn) -> TurnFinished:
    best = turn.best
    assert best is not None, "the table ends so only from finalize"
    said = best.said
    files: dict[str, Ref | None] = {
        "report.jrxml": best.template,
        "data.json": best.data,
        "report.pdf": said.pdf,
        "page-1.png": said.pages[0] if said.pages else None,
        "compare.png": said.compare,
        "layout.png": turn.overlay,
        "layout.json": turn.layout,
        "verdict.json": said.verdict,
    }
    return TurnFinished(
        status="done" if said.passed else "unfinished",
        files={name: ref for name, ref in files.items() if ref},
        passed=said.passed,
        likeness=said.likeness,
        corrections=turn.attempts.get("correct_jrxml", 0),
        findings=said.findings,
        notes=turn.notes,
    )


def _fail(turn: Turn) -> TurnFailed:
    assert turn.failure is not None, "a turn fails by a stage that failed, or by an event without a route"
    return TurnFailed(code=turn.failure.code, message=turn.failure.message, message_zh=turn.failure.message_zh)


ENDS: dict[type[Event], Callable[[Turn], Event]] = {TurnFinished: _finish, TurnFailed: _fail}


def _unrouted(node: str, on: type[Message]) -> StageFailed:
    return StageFailed(
        command="",
        code="unrouted",
        message=f"The workflow has no route for {on.kind()} at {node}.",
        message_zh=f"工作流在 {node} 没有 {on.kind()} 的路由。",
    )


def _finished(turn: Turn, row: Row, cause: Envelope) -> NodeFinished:
    seconds = max(0.0, (cause.time - turn.since).total_seconds())
    return NodeFinished(node=turn.node, seconds=round(seconds, 3), outcome=row.outcome)


def _windows(turn: Turn, row: Row) -> int:
    """How many parts of the node's work run at the same time."""
    return max(1, turn.windows) if row.go == "refine_layout" else 1


def _envelope(turn: Turn, message: Message, cause: Envelope, window: int | None = None) -> Envelope:
    """A node sends several kinds in one attempt, so the kind stands beside the node in what the id is made of."""
    attempt = turn.attempts[turn.node]
    return Envelope(
        id=command_id(turn.id, f"{turn.node}/{message.kind()}", attempt, window),
        kind=message.kind(),
        session=cause.session,
        turn=turn.id,
        node=turn.node,
        causation=cause.id,
        attempt=attempt,
        time=cause.time,
        traceparent=cause.traceparent,
        payload=message.model_dump(mode="json"),
    )
