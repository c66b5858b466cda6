"""The errands of tasks: turns in a session beside the one of the task, and changes of the scheduled runs.

Theory of operation
===================

``RunErrand`` is a command of the gateway itself. For a change of runs it is answered at once. For a turn the gateway
starts that turn in the session beside, with the command's own id as the turn's id, and answers when the turn has ended:
the gateway that ends a turn of such a session looks whether the task still awaits a command of that id. A command's id
is made from a secret of the task's turn, so no other program can start a turn that answers for it. A command that is
delivered again starts no second turn, and an end that is seen again gives the same answer, which counts once.
"""

from __future__ import annotations

from typing import Literal

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.events import (
    Envelope,
    ErrandEnded,
    RunErrand,
    StartTurn,
    TurnFailed,
    TurnFinished,
    command_id,
)
from bandsmith.shared.language import Language
from bandsmith.shared.model.errand import SESSION_SUFFIX
from bandsmith.shared.owners import prefix_in
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.runs.store import Runs, view_of
from bandsmith.shared.runs.wording import changed_words, run_line

from .run_commands import RunCommands
from .state import SessionState

MAX_RESULT_CHARS = 4_000


def session_beside(session: str) -> str:
    """Return the session in which the turns of a task's errands take place."""
    return f"{session}{SESSION_SUFFIX}"


def is_beside(session: str) -> bool:
    return session.endswith(SESSION_SUFFIX)


class Errands:
    """Carries out ``RunErrand``."""

    def __init__(self, bus: Bus, runs: RunCommands) -> None:
        self._bus = bus
        self._runs = runs

    async def handle(self, command: RunErrand, envelope: Envelope) -> ErrandEnded | None:
        """Return the answer; None while a turn is to give it. Raises ``RetryableError``."""
        errand = command.work_errand
        if errand.turn is not None:
            await self._bus.send(self._start(command, envelope))
            return None
        owner = prefix_in(envelope.session)
        if errand.run_change is None:
            views = [view_of(state, owner) for state in await Runs(self._bus).of_owner(owner, 100)]
            lines = [run_line(view, command.language) for view in views]
            return ErrandEnded(
                work_outcome="read", work_result="\n".join(lines) or text("runs.talk.none", command.language)
            )
        changed = await self._runs.change_for(errand.run_change, owner, command.language)
        if changed.run_refusal or not changed.changed_runs:
            refusal = changed.run_refusal or text("errands.no_such_run", command.language)
            return ErrandEnded(work_outcome="refused", work_result=refusal)
        said = [changed_words(errand.run_change.do, view, command.language) for view in changed.changed_runs]
        return ErrandEnded(work_outcome="carried_out", work_result="\n".join(said))

    def _start(self, command: RunErrand, envelope: Envelope) -> Envelope:
        turn, session = command.work_errand.turn, session_beside(envelope.session)
        assert turn is not None
        start = StartTurn(
            text=turn.text,
            attachments=turn.attachments,
            language=command.language,
            asking=turn.asking,
            filling=turn.filling,
            delivery=turn.delivery,
        )
        return Envelope(
            id=command_id(session, envelope.id, StartTurn.kind(), 1),
            kind=StartTurn.kind(),
            session=session,
            turn=envelope.id,
            traceparent=envelope.traceparent,
            payload=start.model_dump(mode="json"),
        )


def answer_of(beside: SessionState, command: Envelope) -> ErrandEnded | None:
    """Return what became of the turn that a command started; None where it is not the last one, or not over."""
    if beside.turn is None or beside.turn.id != command.id or not beside.turn.over:
        return None
    asked = RunErrand.model_validate(command.payload)
    end = next((one for one in reversed(beside.events) if one.kind in (TurnFinished.kind(), TurnFailed.kind())), None)
    return None if end is None else ended(end, asked.language)


def ended(end: Envelope, language: Language) -> ErrandEnded:
    """Return the end of a turn as the result of a call."""
    if end.kind == TurnFailed.kind():
        failure = TurnFailed.model_validate(end.payload)
        return ErrandEnded(work_outcome="refused", work_result=message_in(failure, language))
    finished = TurnFinished.model_validate(end.payload)
    said = "\n".join([finished.reply, *finished.notes])[:MAX_RESULT_CHARS]
    outcome: Literal["read", "carried_out", "refused"] = "read" if finished.intent == "ask_data" else "carried_out"
    if finished.asks is not None or not finished.complete:
        outcome = "refused"
    return ErrandEnded(work_outcome=outcome, work_result=said, work_files=finished.files, usage=finished.usage)
