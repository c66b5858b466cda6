"""What follows for a run from the time and from the log: pure functions of its state.

Theory of operation
===================

Several gateways look after the same runs, and each may die at any point. A run's state is replaced by compare-and-set:

1. When a run is due, a gateway stores the attempt first. The attempt contains the id of the turn that it starts, which
   is derived from the run, the due time and the number of the attempt.
2. A gateway that finds an attempt without a turn in the log sends the command that starts the turn. Sending it twice
   starts one turn, because the id is the same and a session begins a turn of that id only once.
3. A gateway that finds the end of the turn in the log stores the result: done, failed, or the next attempt.

A gateway that dies between two steps therefore loses no run, and several gateways do not run one twice.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from itertools import chain

from ..errors import BadInput
from ..events import Command, Envelope, SendNotice, StartTurn, TurnFailed, TurnFinished, command_id
from ..model.filling import Filling
from ..model.run import MAX_RESULTS, Run, RunAttempt, RunResult, RunState
from ..model.run_request import RunEdit
from ..owners import prefix_in
from ..replies import message_in, text
from .times import checked, due_between, next_due, values_on

SESSION_PREFIX = "run-"
PUNCTUAL = timedelta(minutes=5)
"""A time is missed when nothing started its run for so long."""
FIRST_PAUSE = timedelta(minutes=1)
"""Before the first retry; the pause doubles each time."""
MAX_AGE = timedelta(days=1)
"""An attempt whose end is not in the log for so long has failed."""


def session_of(run: Run) -> str:
    """Return the session that the run's turns belong to: one of its owner, so that only their sources are read."""
    owner = prefix_in(run.name)
    return owner + SESSION_PREFIX + run.name.removeprefix(owner)


def begun(state: RunState, now: datetime, log_end: int) -> RunState:
    """Return the state with an attempt, if a time has come and no attempt is under way."""
    if state.current or state.paused or state.next_due is None or state.next_due > now:
        return state
    chosen, skipped = _chosen(state.run, state.next_due, now)
    last = chosen or skipped[-1]
    results = [
        RunResult(due=due, ended=now, outcome="skipped", attempts=0, told=text("runs.missed", state.run.language))
        for due in skipped
    ]
    return state.model_copy(
        update={
            "next_due": next_due(state.run.times, last),
            "current": _attempt(state.run, chosen, 1, log_end, now) if chosen else None,
            "results": [*state.results, *results][-MAX_RESULTS:],
        }
    )


def started_now(state: RunState, now: datetime, log_end: int) -> RunState:
    """Return the state with an attempt that a user asked for outside of the run's times."""
    return state.model_copy(update={"current": _attempt(state.run, now.replace(microsecond=0), 1, log_end, now)})


def edited(state: RunState, edit: RunEdit, now: datetime) -> RunState:
    """Return a run as it is to be instead. Raises ``BadInput`` for times that cannot be read or never come."""
    run = edit.applied_to(state.run)
    due = next_due(checked(run.times), now)
    if due is None:
        raise BadInput.of("runs.never", code="run")
    return state.model_copy(update={"run": run, "next_due": due})


def ended(state: RunState, end: TurnFinished | TurnFailed | None, now: datetime, log_end: int) -> RunState:
    """Return the state after the turn of its attempt ended; None: its end is lost."""
    attempt = state.current
    assert attempt is not None
    # A turn that failed by its input would fail again.
    if not is_done(end) and (end is None or end.retryable) and attempt.number <= state.run.retries:
        again = _attempt(state.run, attempt.due, attempt.number + 1, log_end, now + _pause_before(attempt.number + 1))
        return state.model_copy(update={"current": again})
    result = RunResult(
        due=attempt.due,
        ended=now,
        outcome="done" if is_done(end) else "failed",
        attempts=attempt.number,
        told=_told(end, state.run),
    )
    return state.model_copy(
        update={
            "current": None,
            "owes_notice": not is_done(end) and bool(state.run.tell),
            "results": [*state.results, result][-MAX_RESULTS:],
        }
    )


def is_done(end: TurnFinished | TurnFailed | None) -> bool:
    """Whether the turn of a run did all that it was started for."""
    return isinstance(end, TurnFinished) and end.complete and end.status == "done"


def may_start(attempt: RunAttempt, now: datetime) -> bool:
    """Whether the attempt's pause is over. A longer wait than its pause was stored by a clock that was ahead."""
    return not timedelta(0) < attempt.not_before - now <= _pause_before(attempt.number)


def start_command(state: RunState) -> Envelope:
    """Return the command that starts the turn of the attempt."""
    run, attempt = state.run, state.current
    assert attempt is not None
    values = values_on(attempt.due, run.times.zone)
    parameters = {name: _with_values(value, values) for name, value in run.filling.parameters.items()}
    filling: Filling = run.filling.model_copy(update={"parameters": parameters})
    title = f"{run.delivery.title or run.name} {values['date']}"
    start = StartTurn(
        attachments=[run.template, *([run.data] if run.data else [])],
        language=run.language,
        name=run.name,
        filling=filling,
        delivery=run.delivery.model_copy(update={"title": title, "key": _name_of(run, attempt.due)}),
    )
    return _envelope(run, attempt.turn, start)


def notice_command(state: RunState) -> Envelope:
    """Return the command that tells of the last failure; its id is the same however often it is sent."""
    run, result = state.run, state.results[-1]
    notice = SendNotice(
        to=run.tell, run=run.name, due=result.due, zone=run.times.zone, reason=result.told, language=run.language
    )
    return _envelope(run, _name_of(run, result.due), notice)


def _pause_before(number: int) -> timedelta:
    """Return the pause before an attempt, counted from 1."""
    return FIRST_PAUSE * 2 ** (number - 2) if number > 1 else timedelta(0)


def _chosen(run: Run, first: datetime, now: datetime) -> tuple[datetime | None, list[datetime]]:
    """Return which of the times from `first` until now is run, and the latest of the times that are left out."""
    if run.missed == "all":
        return first, []
    waiting = deque(chain([first], due_between(run.times, first, now)), maxlen=MAX_RESULTS + 1)
    if run.missed == "skip" and waiting[-1] < now - PUNCTUAL:
        return None, list(waiting)
    return waiting.pop(), list(waiting)


def _attempt(run: Run, due: datetime, number: int, log_end: int, not_before: datetime) -> RunAttempt:
    turn = f"{_name_of(run, due)}-{number}"
    return RunAttempt(due=due, turn=turn, number=number, after=log_end, not_before=not_before)


def _envelope(run: Run, turn: str, command: Command) -> Envelope:
    session = session_of(run)
    return Envelope(
        id=command_id(session, turn, command.kind(), 1),
        kind=command.kind(),
        session=session,
        turn=turn,
        payload=command.model_dump(mode="json"),
    )


def _name_of(run: Run, due: datetime) -> str:
    """Return the name of one time of a run."""
    return f"{session_of(run)}-{due:%Y%m%dT%H%M%SZ}"


def _with_values(template: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _told(end: TurnFinished | TurnFailed | None, run: Run) -> str:
    if isinstance(end, TurnFinished):
        return end.reply
    if end is None:
        return text("runs.lost", run.language)
    return message_in(end, run.language)
