"""One step of a session: a message comes in, the table says where to go, and the next state says what to send.

Everything here is pure: the same session and envelope always give the same next session, with the same ids in it.
"""

from __future__ import annotations

from pydantic import ValidationError

from bandsmith.shared.errors import BandsmithError, TerminalError
from bandsmith.shared.events import (
    Envelope,
    Message,
    NodeFinished,
    NodeStarted,
    StageFailed,
    StartTurn,
    TurnFailed,
    TurnFinished,
    TurnQueued,
    command_id,
)
from bandsmith.shared.language import language_of
from bandsmith.shared.llm.base import Allowance

from . import reply
from .local_nodes import OWN, close
from .routes import WORKFLOW
from .state import SessionState, Turn
from .workflow import AtOnce, Row, Workflow

PAST = 20
"""How many turns' ids a session remembers."""
NO_MODEL = Allowance()


def begin(
    session: SessionState, envelope: Envelope, budget: Allowance = NO_MODEL, workflow: Workflow = WORKFLOW
) -> SessionState | None:
    """The session with one more turn, which takes its first step or waits; None when it has begun already."""
    if envelope.turn in known_turns(session):
        return None
    if session.turn and not session.turn.over:
        waiting = [*session.waiting, envelope]
        queued = _envelope(envelope, envelope.turn, TurnQueued(before=len(waiting)), workflow.first, 1)
        return session.model_copy(update={"waiting": waiting, "said": [queued]})
    return _begin(session, envelope, budget, workflow, [])


def advance(
    session: SessionState, envelope: Envelope, budget: Allowance = NO_MODEL, workflow: Workflow = WORKFLOW
) -> SessionState | None:
    """The session after an answer; None when nothing awaits it (a duplicate, or late: its node was left).

    The answer to a command whose failure ended the session's last turn takes that turn up again.
    """
    turn, said = session.turn, list[Envelope]()
    if turn is None:
        return None
    if turn.over and turn.lost and turn.lost.id == envelope.causation and envelope.kind != StageFailed.kind():
        session, turn = _take_up(session, turn, turn.lost, envelope)
        said.append(_say(turn, NodeStarted(node=turn.node), envelope))
    command = turn.awaiting.get(envelope.causation)
    if command is None:
        return None
    event = _understand(envelope, command)
    missing = {key: command for key, command in turn.awaiting.items() if key != envelope.causation}
    lost = command if isinstance(event, StageFailed) and not missing else None
    turn = turn.learn(event, awaiting=missing, lost=lost)
    return _next(_walk(session, turn, type(event), envelope, said, workflow), budget, workflow)


def abandon(
    session: SessionState,
    envelope: Envelope,
    error: BandsmithError,
    budget: Allowance = NO_MODEL,
    workflow: Workflow = WORKFLOW,
) -> SessionState | None:
    """The session without the turn that a message cannot move; None when the turn is over, or is not its turn."""
    turn = session.turn
    if turn is None or turn.over or turn.id != envelope.turn:
        return None
    failed = _stage_failed(envelope.kind, error)
    lost = turn.awaiting.get(envelope.causation) if len(turn.awaiting) == 1 else None
    turn = turn.learn(failed, lost=lost)
    return _next(_end(session, turn, TurnFailed, envelope, []), budget, workflow)


def turn_away(session: SessionState, envelope: Envelope, error: BandsmithError) -> SessionState | None:
    """The session, knowing of a turn that it refused, so that it never begins; None of one that has had no turn."""
    if session.turn is None:
        return None
    past = [*session.past, envelope.turn][-PAST:]
    return session.model_copy(update={"past": past, "said": [failed(envelope, error)]})


def failed(envelope: Envelope, error: BandsmithError) -> Envelope:
    """What is said of a turn that never began."""
    event = TurnFailed(code=error.code, message=error.message, message_zh=error.message_zh)
    return _envelope(envelope, envelope.turn, event, "", 1)


def known_turns(session: SessionState) -> set[str]:
    """The turns that began or wait."""
    turns = {*session.past, *(waiting.turn for waiting in session.waiting)}
    return {*turns, session.turn.id} if session.turn else turns


def _next(session: SessionState, budget: Allowance, workflow: Workflow) -> SessionState:
    """The session at the turn that waits longest, if it is free for it."""
    if not session.waiting or (session.turn and not session.turn.over):
        return session
    first, *rest = session.waiting
    return _begin(session.model_copy(update={"waiting": rest}), first, budget, workflow, session.said)


def _begin(
    session: SessionState, envelope: Envelope, budget: Allowance, workflow: Workflow, said: list[Envelope]
) -> SessionState:
    """`said`: how the turn before ended, where that is the same step."""
    start = StartTurn.model_validate(envelope.payload)
    past = [*session.past, session.turn.id][-PAST:] if session.turn else session.past
    saved = session.report
    turn = Turn(
        id=envelope.turn,
        text=start.text,
        attachments=start.attachments,
        language=start.language or language_of(start.text),
        began=envelope.time,
        budget=budget,
        saved=saved,
        history=session.history,
        archive=session.archive,
        failure=session.pending_failure_context,
        pending=session.pending,
        numbered=session.versions[-1].number if session.versions else 0,
        template=saved.template if saved else None,
        data=saved.data if saved else None,
        node=workflow.first,
        since=envelope.time,
        attempts={workflow.first: 1},
    )
    session = session.model_copy(
        update={
            "past": past,
            "name": session.name or start.name or session.id,
            "created": session.created or envelope.time,
        }
    )
    said = [*said, _say(turn, NodeStarted(node=turn.node), envelope)]
    return _walk(session, turn, StartTurn, envelope, said, workflow)


def _take_up(session: SessionState, turn: Turn, command: Envelope, cause: Envelope) -> tuple[SessionState, Turn]:
    """The turn back at the node that failed, waiting for the answer, and the session as if it had not failed."""
    session = session.model_copy(
        update={
            "history": turn.history,
            "versions": [version for version in session.versions if version.number <= turn.numbered],
        }
    )
    return session, turn.model_copy(
        update={
            "attempts": {**turn.attempts, turn.node: turn.attempts[turn.node] + 1},
            "since": cause.time,
            "awaiting": {command.id: command},
            "over": False,
            "notes": turn.notes[:-1],
            "mishap": None,
        }
    )


def _understand(envelope: Envelope, command: Envelope) -> Message:
    """What an answer says; one that cannot be understood is a stage that failed."""
    try:
        return envelope.message()
    except (KeyError, ValidationError):
        return _stage_failed(command.kind, TerminalError.of("turn.failed.answer", command=command.kind))


def _walk(
    session: SessionState, turn: Turn, on: type[Message], cause: Envelope, said: list[Envelope], workflow: Workflow
) -> SessionState:
    """Take the rows from here until an answer is needed or the turn is over."""
    while True:
        row = workflow.route(turn, on)
        if row is workflow.unrouted:
            turn = turn.model_copy(update={"mishap": _unrouted(turn.node, on)})
        if row.cap or row.renews:
            turn = turn.model_copy(update={"spent": row.charged(turn.spent)})
        if row.enters:
            said.append(_say(turn, _finished(turn, row, cause), cause))
        if not isinstance(row.go, str):
            return _end(session, turn, row.go, cause, said)
        if row.enters:
            session, turn = _enter(session, turn, row.go, cause)
            said.append(_say(turn, NodeStarted(node=row.go, windows=workflow.parts(turn, row.go)), cause))
        if row.send:
            commands = _commands(turn, row, cause)
            turn = turn.model_copy(update={"awaiting": {command.id: command for command in commands}})
        if row.send or row.stays:
            return session.model_copy(update={"turn": turn, "said": said})
        on = AtOnce


def _enter(session: SessionState, turn: Turn, node: str, cause: Envelope) -> tuple[SessionState, Turn]:
    """The turn at the next node, where the gateway's own part is done; what it still awaited, it no longer does."""
    attempts = {**turn.attempts, node: turn.attempts.get(node, 0) + 1}
    turn = turn.model_copy(update={"node": node, "since": cause.time, "attempts": attempts, "awaiting": {}})
    return OWN[node](session, turn, cause.time) if node in OWN else (session, turn)


def _end(session: SessionState, turn: Turn, how: type[Message], cause: Envelope, said: list[Envelope]) -> SessionState:
    """The session after the turn; what was said to the user is in its history."""
    event: TurnFinished | TurnFailed
    if how is TurnFinished:
        event = finished = reply.finished(turn)
        words = finished.reply
        session = session.model_copy(update={"pending": turn.asks})
    else:
        event = failure = reply.failed(turn)
        words = failure.message_zh if turn.language == "zh" and failure.message_zh else failure.message
    session = close(session, turn, words, cause.time)
    lost = turn.lost if how is TurnFailed and turn.lost and turn.lost.node == turn.node else None
    turn = turn.model_copy(update={"over": True, "awaiting": {}, "lost": lost})
    return session.model_copy(update={"turn": turn, "said": [*said, _say(turn, event, cause)]})


def _unrouted(node: str, on: type[Message]) -> StageFailed:
    return _stage_failed("", TerminalError.of("turn.failed.unrouted", event=on.kind(), node=node))


def _stage_failed(command: str, error: BandsmithError) -> StageFailed:
    return StageFailed(command=command, code=error.code, message=error.message, message_zh=error.message_zh)


def _finished(turn: Turn, row: Row, cause: Envelope) -> NodeFinished:
    seconds = max(0.0, (cause.time - turn.since).total_seconds())
    return NodeFinished(node=turn.node, seconds=round(seconds, 3), outcome=row.outcome)


def _commands(turn: Turn, row: Row, cause: Envelope) -> list[Envelope]:
    """The commands that a row sends: one, or one for each part of the node's work."""
    assert row.send is not None
    if row.each is None:
        return [_say(turn, command, cause) for command in turn.ask(row.send)]
    commands = turn.ask(row.send, row.each(turn))
    return [_say(turn, command, cause, number) for number, command in enumerate(commands)]


def _say(turn: Turn, message: Message, cause: Envelope, part: int | None = None) -> Envelope:
    """`message` as the turn sends it from where it stands."""
    return _envelope(cause, turn.id, message, turn.node, turn.attempts[turn.node], part)


def _envelope(
    cause: Envelope, turn: str, message: Message, node: str, attempt: int, part: int | None = None
) -> Envelope:
    """A node sends several kinds in one attempt, so the kind stands beside the node in what the id is made of."""
    kind = message.kind()
    return Envelope(
        id=command_id(cause.session, turn, f"{node}/{kind}", attempt, part),
        kind=kind,
        session=cause.session,
        turn=turn,
        node=node,
        causation=cause.id,
        attempt=attempt,
        time=cause.time,
        traceparent=cause.traceparent,
        payload=message.model_dump(mode="json"),
    )
