"""One step of a session: a message comes in, the table says where to go, and the next state says what to publish.

Every function is pure: the same session and envelope always give the same next session, with the same ids in it. Only
the secret of a new turn is random; the state is written before anything that is made from it is published. A step
returns None if it changes nothing.
"""

from __future__ import annotations

from pydantic import ValidationError

from bandsmith.shared.errors import BandsmithError, TerminalError, UnknownMessage
from bandsmith.shared.events import (
    Command,
    Envelope,
    Message,
    NodeFinished,
    NodeStarted,
    StageFailed,
    StartTurn,
    TurnFailed,
    TurnFinished,
    TurnQueued,
    TurnStarted,
    command_id,
)
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.replies import message_in

from . import reply
from .local_nodes import LOCAL_NODES, close
from .new_turn import new_turn
from .records import recorded
from .routes import WORKFLOW
from .run_questions import keeps_run_waiting
from .state import SessionState, Turn
from .task import leaves_task_waiting
from .workflow import AtOnce, Row, Workflow

MAX_PAST_TURNS = 20
"""How many turns' ids a session remembers."""
NO_MODEL = Allowance()
CANCELLED = "cancelled"
"""Code of the failure of a turn that was cancelled."""


def begin(
    session: SessionState, envelope: Envelope, budget: Allowance = NO_MODEL, workflow: Workflow = WORKFLOW
) -> SessionState | None:
    """Begin a turn, or let it wait for the one under way. None: the turn is known already."""
    if envelope.turn in known_turns(session):
        return None
    if session.turn and not session.turn.over:
        waiting = [*session.waiting, envelope]
        queued = _envelope(envelope, envelope.turn, TurnQueued(before=len(waiting)), workflow.first, 1)
        return session.model_copy(update={"waiting": waiting, "events": [queued]})
    return _begin(session, envelope, budget, workflow, [])


def advance(
    session: SessionState, envelope: Envelope, budget: Allowance = NO_MODEL, workflow: Workflow = WORKFLOW
) -> SessionState | None:
    """Apply an answer. None: nothing awaits it, because it is a duplicate or its node was left.

    The answer to a command whose failure ended the session's last turn resumes that turn. Raises ``UnknownMessage`` for
    an answer, or at a node, that only a gateway of another version knows.
    """
    turn, events = session.turn, list[Envelope]()
    if turn is None:
        return None
    if turn.over and turn.lost and turn.lost.id == envelope.causation and envelope.kind != StageFailed.kind():
        session, turn = _resume(session, turn, turn.lost, envelope)
        events.append(_envelope_of(turn, NodeStarted(node=turn.node), envelope))
    command = turn.awaiting.get(envelope.causation)
    if command is None:
        return None
    event = _message(envelope, turn, workflow)
    awaiting = {key: command for key, command in turn.awaiting.items() if key != envelope.causation}
    lost = command if isinstance(event, StageFailed) and not awaiting else None
    turn = turn.learn(event, awaiting=awaiting, lost=lost)
    return _next(_walk(session, turn, type(event), envelope, events, workflow), budget, workflow)


def abandon(
    session: SessionState,
    envelope: Envelope,
    error: BandsmithError,
    budget: Allowance = NO_MODEL,
    workflow: Workflow = WORKFLOW,
) -> SessionState | None:
    """End the turn of a message that cannot be applied. None: the turn is over, or not under way."""
    turn = session.turn
    if turn is None or turn.over or turn.id != envelope.turn:
        return None
    failure = StageFailed.of(envelope.kind, error)
    lost = turn.awaiting.get(envelope.causation) if len(turn.awaiting) == 1 else None
    turn = turn.learn(failure, lost=lost)
    return _next(_end(session, turn, TurnFailed, envelope, []), budget, workflow)


def cancel(
    session: SessionState, envelope: Envelope, budget: Allowance = NO_MODEL, workflow: Workflow = WORKFLOW
) -> SessionState | None:
    """End the turn that the message names, whether it runs or waits. None: it is neither under way nor waiting.

    Answers that come later change nothing, so the report stays the last one that passed.
    """
    code = "turn.failed.cancelled" if session.versions else "turn.failed.cancelled_first"
    turn, error = session.turn, TerminalError.of(code, code=CANCELLED)
    if turn and not turn.over and turn.id == envelope.turn:
        turn = turn.model_copy(update={"mishap": StageFailed.of(envelope.kind, error), "lost": None})
        return _next(_end(session, turn, TurnFailed, envelope, []), budget, workflow)
    waiting = [start for start in session.waiting if start.turn != envelope.turn]
    if len(waiting) == len(session.waiting):
        return None
    return refuse(session.model_copy(update={"waiting": waiting}), envelope, error)


def rename(session: SessionState, name: str) -> SessionState | None:
    """Give a session another name. None: it has that name, or it has not begun."""
    if session.turn is None or session.name == name:
        return None
    return session.model_copy(update={"name": name, "events": []})


def unshare(session: SessionState, envelope: Envelope) -> SessionState | None:
    """Take back the links that show a session. None: it has not begun."""
    if session.turn is None:
        return None
    return session.model_copy(update={"unshared": envelope.time, "events": []})


def refuse(session: SessionState, envelope: Envelope, error: BandsmithError) -> SessionState | None:
    """Refuse a turn, and remember it so that it never begins. None: the session is not stored, as it had no turn."""
    if session.turn is None:
        return None
    past = [*session.past, envelope.turn][-MAX_PAST_TURNS:]
    return session.model_copy(update={"past": past, "events": [refused(envelope, error)]})


def refused(envelope: Envelope, error: BandsmithError) -> Envelope:
    """Return the event that ends a turn which never began."""
    event = TurnFailed.of(StageFailed.of("", error))
    return _envelope(envelope, envelope.turn, event, "", 1)


def known_turns(session: SessionState) -> set[str]:
    """Return the ids of the turns that began, wait or were refused."""
    turns = {*session.past, *(waiting.turn for waiting in session.waiting)}
    return {*turns, session.turn.id} if session.turn else turns


def _next(session: SessionState, budget: Allowance, workflow: Workflow) -> SessionState:
    """Begin the turn that has waited longest, if no other is under way. The time that it waited is not its own."""
    if not session.waiting or (session.turn and not session.turn.over):
        return session
    first, *others = session.waiting
    if session.events:
        first = first.model_copy(update={"time": session.events[-1].time})
    return _begin(session.model_copy(update={"waiting": others}), first, budget, workflow, session.events)


def _begin(
    session: SessionState, envelope: Envelope, budget: Allowance, workflow: Workflow, events: list[Envelope]
) -> SessionState:
    """Take a turn's first step. `events` are those of the same step, in which the turn before ended."""
    start = StartTurn.model_validate(envelope.payload)
    turn = new_turn(session, envelope, start, budget, workflow)
    session = session.model_copy(
        update={
            "past": [*session.past, session.turn.id][-MAX_PAST_TURNS:] if session.turn else session.past,
            "name": session.name or start.name or session.id,
            "created": session.created or envelope.time,
        }
    )
    started = TurnStarted(text=turn.text, files=[document.name for document in turn.attachments])
    news = (_envelope_of(turn, message, envelope) for message in (started, NodeStarted(node=turn.node)))
    return _walk(session, turn, StartTurn, envelope, [*events, *news], workflow)


def _resume(session: SessionState, turn: Turn, command: Envelope, cause: Envelope) -> tuple[SessionState, Turn]:
    """Return to the node that failed, waiting for the answer, with the session as if nothing had failed."""
    session = session.model_copy(
        update={
            "history": turn.history,
            "turns": [record for record in session.turns if record.turn != turn.id],
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


def unreadable(session: SessionState, envelope: Envelope) -> Envelope:
    """Return the failure of the command whose answer no gateway could read."""
    command = session.turn.awaiting.get(envelope.causation) if session.turn else None
    if command is None:
        return envelope
    failed = StageFailed.of(command.kind, TerminalError.of("turn.failed.answer", command=command.kind))
    return envelope.model_copy(update={"kind": StageFailed.kind(), "payload": failed.model_dump(mode="json")})


def _message(envelope: Envelope, turn: Turn, workflow: Workflow) -> Message:
    """Return the answer's message. Raises ``UnknownMessage`` where another version has to read it."""
    try:
        message = envelope.message()
    except (KeyError, ValidationError):
        raise UnknownMessage.of("bus.unknown_answer", code="message") from None
    if not isinstance(message, StageFailed) and not workflow.knows(turn.node):
        raise UnknownMessage.of("bus.unknown_answer", code="message")
    return message


def _walk(
    session: SessionState, turn: Turn, on: type[Message], cause: Envelope, events: list[Envelope], workflow: Workflow
) -> SessionState:
    """Take rows until an answer is needed or the turn is over."""
    while True:
        row = workflow.route(turn, on)
        if row is workflow.unrouted:
            turn = turn.model_copy(update={"mishap": _unrouted(turn.node, on)})
        if row.cap or row.renews:
            turn = turn.model_copy(update={"spent": row.charged(turn.spent)})
        if row.enters:
            events.append(_envelope_of(turn, _finished(turn, row, cause), cause))
        if not isinstance(row.go, str):
            return _end(session, turn, row.go, cause, events)
        if row.enters:
            session, turn = _enter(session, turn, row.go, cause)
            events.append(_envelope_of(turn, NodeStarted(node=row.go, windows=workflow.parts(turn, row.go)), cause))
        if row.send:
            commands = _commands(turn, row, cause)
            turn = turn.model_copy(update={"awaiting": {command.id: command for command in commands}})
        if row.send or row.stays:
            return session.model_copy(update={"turn": turn, "events": events})
        on = AtOnce


def _enter(session: SessionState, turn: Turn, node: str, cause: Envelope) -> tuple[SessionState, Turn]:
    """Enter a node and do the gateway's own part there. Commands of the node before are no longer awaited."""
    attempts = {**turn.attempts, node: turn.attempts.get(node, 0) + 1}
    turn = turn.model_copy(update={"node": node, "since": cause.time, "attempts": attempts, "awaiting": {}})
    return LOCAL_NODES[node](session, turn, cause.time) if node in LOCAL_NODES else (session, turn)


def _end(
    session: SessionState, turn: Turn, end: type[Message], cause: Envelope, events: list[Envelope]
) -> SessionState:
    """End the turn, and add its reply to the history."""
    event: TurnFinished | TurnFailed
    if end is TurnFinished:
        turn = keeps_run_waiting(leaves_task_waiting(turn))
        event = finished = reply.finished(turn)
        reply_text = finished.reply
        session = session.model_copy(update={"pending": turn.asks or turn.leaves, "suspended": turn.suspends})
    else:
        event = failure = reply.failed(turn)
        reply_text = message_in(failure, turn.language)
    session = close(session, turn, reply_text, cause.time)
    session = session.model_copy(update={"turns": recorded(session.turns, turn, event, reply_text, cause.time)})
    lost = turn.lost if end is TurnFailed and turn.lost and turn.lost.node == turn.node else None
    turn = turn.model_copy(update={"over": True, "awaiting": {}, "lost": lost})
    return session.model_copy(update={"turn": turn, "events": [*events, _envelope_of(turn, event, cause)]})


def _unrouted(node: str, on: type[Message]) -> StageFailed:
    return StageFailed.of("", TerminalError.of("turn.failed.unrouted", event=on.kind(), node=node))


def _finished(turn: Turn, row: Row, cause: Envelope) -> NodeFinished:
    seconds = max(0.0, (cause.time - turn.since).total_seconds())
    return NodeFinished(node=turn.node, seconds=round(seconds, 3), outcome=row.outcome)


def _commands(turn: Turn, row: Row, cause: Envelope) -> list[Envelope]:
    """Return the commands that a row sends: one, or one for each part of the node's work."""
    assert row.send is not None
    if row.each is None:
        return [_envelope_of(turn, command, cause) for command in turn.ask(row.send)]
    commands = turn.ask(row.send, row.each(turn))
    return [_envelope_of(turn, command, cause, number) for number, command in enumerate(commands)]


def _envelope_of(turn: Turn, message: Message, cause: Envelope, part: int | None = None) -> Envelope:
    """Wrap a message that the turn publishes from its current node.

    Everybody who may follow turns sees the ids of events, so these are not made from the secret.
    """
    secret = turn.secret if isinstance(message, Command) else ""
    return _envelope(cause, turn.id, message, turn.node, turn.attempts[turn.node], part, secret)


def _envelope(
    cause: Envelope, turn: str, message: Message, node: str, attempt: int, part: int | None = None, secret: str = ""
) -> Envelope:
    """Wrap a message. Its id contains the kind, because a node may send several kinds in one attempt."""
    kind = message.kind()
    return Envelope(
        id=command_id(cause.session, turn, f"{node}/{kind}{secret and '/'}{secret}", attempt, part),
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
