"""Plays the part of the services, without a bus: walks a session through the table of routes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bandsmith.services.gateway.reducer import advance, begin
from bandsmith.services.gateway.state import SessionState, Turn
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import (
    COMMANDS,
    ClassifyIntent,
    CorrectTemplate,
    Envelope,
    Event,
    ModifyTemplate,
    NodeStarted,
    StartTurn,
    TurnFinished,
    ValidateTemplate,
)
from bandsmith.shared.language import Language
from bandsmith.shared.model.action import Action
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.errand import Workpiece
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import Delivery
from bandsmith.shared.model.session_parts import Intent
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning

from .service_answers import answers
from .service_events import NOW, RULES, corrected, modified, ref, validated, wants

PICTURE = Document(name="form.jpg", content=ref("photo"))
TEMPLATE = Document(name="old.jrxml", content=ref("jrxml"))
ROWS_FILE = Document(name="rows.csv", content=ref("rows-file"))
WORKBOOK = Document(name="rows.xlsx", content=ref("workbook"))
NOTES = Document(name="columns.txt", content=ref("words"))


def starting(
    text: str = "",
    attachments: tuple[Document, ...] = (PICTURE,),
    turn: str = "t",
    session: str = "s",
    filling: Filling | None = None,
    asking: Asking | None = None,
    edits: tuple[AnyEdit, ...] = (),
    action: Action | None = None,
    planning: Planning | None = None,
    reply: Answer | None = None,
    delivery: Delivery | None = None,
    workpiece: Workpiece | None = None,
) -> Envelope:
    language: Language | None = None if text else "en"
    start = StartTurn(
        text=text,
        attachments=list(attachments),
        language=language,
        filling=filling,
        asking=asking,
        edits=list(edits),
        action=action,
        planning=planning,
        answer=reply,
        delivery=delivery,
        workpiece=workpiece,
    )
    return Envelope(
        id=f"start-{turn}",
        kind="StartTurn",
        session=session,
        turn=turn,
        payload=start.model_dump(mode="json"),
    )


def start(
    text: str = "",
    attachments: tuple[Document, ...] = (PICTURE,),
    session: SessionState | None = None,
    turn: str = "t",
    budget: Allowance = RULES,
    filling: Filling | None = None,
    asking: Asking | None = None,
    edits: tuple[AnyEdit, ...] = (),
    action: Action | None = None,
    planning: Planning | None = None,
    reply: Answer | None = None,
    delivery: Delivery | None = None,
    workpiece: Workpiece | None = None,
) -> SessionState:
    """A session whose next turn has just begun: by default its first, with a picture."""
    more: dict[str, Any] = {
        "filling": filling,
        "asking": asking,
        "edits": edits,
        "action": action,
        "planning": planning,
        "reply": reply,
        "delivery": delivery,
        "workpiece": workpiece,
    }
    started = starting(text, attachments, turn, **more)
    begun = begin(session or SessionState(id="s"), started, budget)
    assert begun is not None
    return begun


def answer(session: SessionState, command: Envelope, event: Event) -> SessionState | None:
    envelope = Envelope(
        id=f"answer-to-{command.id}",
        kind=event.kind(),
        session=session.id,
        turn=command.turn,
        node=command.node,
        causation=command.id,
        attempt=command.attempt,
        time=NOW,
        payload=event.model_dump(mode="json"),
    )
    return advance(session, envelope)


Script = dict[type, list[Event]]


def play(script: Script | None = None, session: SessionState | None = None) -> Iterator[SessionState]:
    """A turn from where it stands, step by step; by default a first one that brings a picture.

    `script` names what a command is answered with each time, the last for ever.
    """
    script = {command: list(events) for command, events in (script or {}).items()}
    at: SessionState | None = session or start()
    while at and at.turn:
        yield at
        if not at.turn.awaiting:
            return
        command = next(iter(at.turn.awaiting.values()))
        queue = script.get(COMMANDS[command.kind], [])
        event = (queue.pop(0) if len(queue) > 1 else queue[0]) if queue else answers(command)[0]
        at = answer(at, command, event)


def played(
    text: str = "",
    script: Script | None = None,
    session: SessionState | None = None,
    attachments: tuple[Document, ...] = (),
    turn: str = "t",
) -> SessionState:
    """The session after a whole turn of what a user says."""
    *_, last = play(script, start(text, attachments, session, turn))
    return last


def with_report(turns: int = 1) -> SessionState:
    """A session that has a report, built from words and changed so many times but one."""
    session = played("a sales report", {ClassifyIntent: [wants("initial_generation")]}, turn="built")
    for number in range(1, turns):
        script: Script = {ClassifyIntent: [wants("modify_report")], ModifyTemplate: [modified(f"modified-{number}")]}
        session = played(f"change {number}", script, session, turn=f"changed-{number}")
    return session


def nodes(sessions: list[SessionState]) -> list[str]:
    """The nodes that a turn came to, one by one."""
    started = (event.message() for session in sessions for event in session.events)
    return [event.node for event in started if isinstance(event, NodeStarted)]


def turn_of(session: SessionState) -> Turn:
    assert session.turn is not None
    return session.turn


def end_of(session: SessionState) -> Event:
    """What the turn ended with."""
    assert turn_of(session).over
    message = session.events[-1].message()
    assert isinstance(message, Event)
    return message


def finished(session: SessionState) -> TurnFinished:
    """Return the end of a turn that did not fail."""
    end = end_of(session)
    assert isinstance(end, TurnFinished)
    return end


def wanting(intent: Intent, script: Script | None = None, **more: Any) -> Script:
    """Return a script in which the sentence has this intent."""
    return {ClassifyIntent: [wants(intent, **more)], **(script or {})}


def undone(session: SessionState, times: int = 1) -> SessionState:
    """Return the session after its last changes are undone, one turn for each."""
    for number in range(times):
        turn = f"undo-{number}-{len(session.past)}"
        session = played("undo", wanting("undo_modification"), session, turn=turn)
    return session


BROKEN: Script = {ValidateTemplate: [validated(2)], CorrectTemplate: [corrected(changed=False)]}
"""A template with errors that no correction removes."""
