"""The errands of tasks: turns in a session beside the one of the task, and changes of the scheduled runs.

Theory of operation
===================

``RunErrand`` is a command of the gateway itself. For a change of runs it is answered at once. For a turn the gateway
starts that turn in the session beside, with the command's own id as the turn's id, and answers when the turn has ended:
the gateway that ends a turn of such a session looks whether the task still awaits a command of that id. A command's id
is made from a secret of the task's turn, so no other program can start a turn that answers for it. A command that is
delivered again starts no second turn, and an end that is seen again gives the same answer, which counts once.

The turn beside knows the report that it works on and what is asked of it, and nothing else: neither what was said
beside before nor the report of an earlier errand. A report that it makes becomes that of the task's session if
everything that was asked was done and it passed every check. If the turn shows new queries, the task shows them to the
user, and a yes, or what is to be different, goes on with that turn.
"""

from __future__ import annotations

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
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
from bandsmith.shared.model.errand import SESSION_SUFFIX, Errand, ErrandTurn
from bandsmith.shared.model.run_request import RunChange
from bandsmith.shared.model.session_parts import Intent, Version
from bandsmith.shared.model.task import Answer
from bandsmith.shared.owners import owner_of_session, prefix_in
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.runs.store import Runs, view_of
from bandsmith.shared.runs.wording import changed_words, edit_lines, run_line

from .local_nodes import seen_by_models
from .run_commands import RunCommands
from .state import SessionState, Turn

MAX_RESULT_CHARS = 4_000
MAX_LISTED = 30
"""Sessions that are listed, the last changed first."""
CHANGES = {
    "change": "errands.change_run",
    "cancel": "errands.cancel",
    "pause": "errands.pause",
    "resume": "errands.resume",
}
"""Codes of what the user agrees to."""
NO_CHANGES: tuple[Intent, ...] = ("undo_modification", "redo_modification", "restore_version", "reset_session")
"""What a request that a tool passes on must not turn out to be."""


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
            await self._bus.send(self._start(errand.turn, command, envelope))
            return None
        owner = prefix_in(envelope.session)
        if errand.run_change is not None:
            if errand.looks_up:
                return await self._looked_up(errand.run_change, owner, command.language)
            return await self._change(errand.run_change, owner, command.language)
        if errand.lists == "sessions":
            return ErrandEnded(work_outcome="read", work_result=await self._sessions(owner, command.language))
        views = [view_of(state, owner) for state in await Runs(self._bus).of_owner(owner, 100)]
        lines = [run_line(view, command.language) for view in views]
        return ErrandEnded(
            work_outcome="read", work_result="\n".join(lines) or text("runs.talk.none", command.language)
        )

    async def _looked_up(self, change: RunChange, owner: str, language: Language) -> ErrandEnded:
        """Show a change of runs for the user's consent; refuse it if there is no such run."""
        stored = [await Runs(self._bus).read(owner + name) for name in change.names]
        views = [view_of(one.state, owner) for one in stored if one is not None]
        if len(views) < len(change.names):
            return ErrandEnded(work_outcome="refused", work_result=text("errands.no_such_run", language))
        lines = []
        for one in views:
            lines.append(f"{text(CHANGES[change.do], language, name=one.name)}\n- {run_line(one, language)}")
            try:
                lines += edit_lines(change.edit, one.zone, change.at, language)
            except BadInput as refused:
                return ErrandEnded(work_outcome="refused", work_result=message_in(refused, language))
        agreed = Errand(run_change=change)
        return ErrandEnded(work_outcome="shown", work_shown="\n".join(lines), work_errand=agreed)

    async def _change(self, change: RunChange, owner: str, language: Language) -> ErrandEnded:
        """Change the scheduled runs. One that is to be removed and is gone was removed by the same command before."""
        changed = await self._runs.change_for(change, owner, language)
        if changed.run_refusal:
            return ErrandEnded(work_outcome="refused", work_result=changed.run_refusal)
        said = [changed_words(change.do, view, language) for view in changed.changed_runs]
        gone = [text("errands.removed", language, name=name) for name in change.names if change.do == "cancel"]
        return ErrandEnded(work_outcome="carried_out", work_result="\n".join(said or gone))

    async def _sessions(self, owner: str, language: Language) -> str:
        """Return the owner's sessions, a line each."""
        prefix = f"session-{owner}"
        keys = [key for key in await self._bus.state_keys(prefix) if not is_beside(key)]
        stored = [await self._bus.read_state(key) for key in keys if owner or not owner_of_session(key[8:])]
        sessions = [SessionState.model_validate_json(one[0], extra="ignore") for one in stored if one is not None]
        sessions.sort(key=lambda session: str(session.changed or ""), reverse=True)
        lines = [_line_of(session, language) for session in sessions[:MAX_LISTED]]
        return "\n".join(lines) or text("errands.sessions.none", language)

    def _start(self, turn: ErrandTurn, command: RunErrand, envelope: Envelope) -> Envelope:
        session = session_beside(envelope.session)
        start = StartTurn(
            text=turn.text,
            attachments=turn.attachments,
            language=command.language,
            asking=turn.asking,
            filling=turn.filling,
            delivery=turn.delivery,
            action=turn.action,
            answer=turn.answer,
            workpiece=turn.workpiece,
        )
        return Envelope(
            id=command_id(session, envelope.id, StartTurn.kind(), 1),
            kind=StartTurn.kind(),
            session=session,
            turn=envelope.id,
            traceparent=envelope.traceparent,
            payload=start.model_dump(mode="json"),
        )


def _line_of(session: SessionState, language: Language) -> str:
    code = "report" if session.report else "no_report"
    changed = f"{session.changed:%Y-%m-%d %H:%M}" if session.changed else "-"
    number = session.report.number if session.report else 0
    return text(f"errands.sessions.{code}", language, name=session.name or session.id, changed=changed, number=number)


def answer_of(beside: SessionState, command: Envelope) -> ErrandEnded | None:
    """Return what became of the turn that a command started; None where it is not the last one, or not over."""
    if beside.turn is None or beside.turn.id != command.id or not beside.turn.over:
        return None
    asked = RunErrand.model_validate(command.payload)
    end = next((one for one in reversed(beside.events) if one.kind in (TurnFinished.kind(), TurnFailed.kind())), None)
    return None if end is None else _ended(beside.turn, end, asked)


def _ended(turn: Turn, end: Envelope, asked: RunErrand) -> ErrandEnded:
    """Return the end of a turn as the result of a call."""
    language, errand = asked.language, asked.work_errand
    if end.kind == TurnFailed.kind():
        failure = TurnFailed.model_validate(end.payload)
        return ErrandEnded(work_outcome="refused", work_result=message_in(failure, language))
    finished = TurnFinished.model_validate(end.payload)
    said = "\n".join([seen_by_models(turn, finished.reply), *finished.notes])[:MAX_RESULT_CHARS]
    if finished.asks is not None and finished.intent == "fill_report":
        return _shown(turn, finished, asked)
    makes_report = errand.turn is not None and errand.turn.makes_report
    made = _made(turn) if makes_report and finished.status == "done" and finished.intent not in NO_CHANGES else None
    goes_astray = errand.turn is not None and errand.turn.answer is not None and finished.intent != "fill_report"
    if goes_astray or finished.asks is not None or not finished.complete or (makes_report and made is None):
        said = text("errands.not_taken", language, reply=said) if makes_report else said
        return ErrandEnded(work_outcome="refused", work_result=said, usage=finished.usage)
    return ErrandEnded(
        work_outcome="read" if errand.reads else "carried_out",
        work_result=said,
        work_files=finished.files,
        work_report=made,
        work_bindings=turn.bindings,
        usage=finished.usage,
    )


def _shown(turn: Turn, finished: TurnFinished, asked: RunErrand) -> ErrandEnded:
    """Return the queries that the turn shows, for the user of the task to review together with the filling."""
    assert finished.asks is not None
    accepts = Answer(question=finished.asks.id, decision="accept")
    filling = asked.work_errand.shown
    queries = text("errands.fill.queries", asked.language, shown=turn.bindings_shown)
    return ErrandEnded(
        work_outcome="shown",
        work_errand=Errand(turn=ErrandTurn(answer=accepts), shown=filling, bindings=turn.bindings),
        work_shown="\n\n".join(filter(None, (filling, queries))),
        usage=finished.usage,
    )


def _made(turn: Turn) -> Version | None:
    """Return the report that a turn made; None if it made none."""
    best = turn.best
    return next((one for one in reversed(turn.versions) if best and one.template == best.template), None)
