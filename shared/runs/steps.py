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

from datetime import datetime, timedelta

from ..events import Envelope, StartTurn, TurnFailed, TurnFinished, command_id
from ..model.filling import Filling
from ..model.run import MAX_RESULTS, Attempt, Run, RunResult, RunState
from ..replies import text
from .times import due_between, next_due, values_on

SESSION_PREFIX = "run-"
PUNCTUAL = timedelta(minutes=5)
"""A time is missed when nothing started its run for so long."""
MAX_MISSED = 1000
FIRST_PAUSE = timedelta(minutes=1)
"""Before the first retry; the pause doubles each time."""
MAX_AGE = timedelta(days=1)
"""An attempt whose end is not in the log for so long has failed."""


def session_of(run: Run) -> str:
    """Return the session that the run's turns belong to."""
    return SESSION_PREFIX + run.name


def begun(state: RunState, now: datetime, log_end: int) -> RunState:
    """Return the state with an attempt, if a time has come and no attempt is under way."""
    if state.current or state.paused or state.next_due is None or state.next_due > now:
        return state
    times = state.run.times
    waiting = [state.next_due, *due_between(times, state.next_due, now, MAX_MISSED)]
    chosen, skipped = _chosen(state.run, waiting, now)
    last = chosen or waiting[-1]
    results = [
        RunResult(due=due, ended=now, outcome="skipped", attempts=0, told=text("runs.missed", state.run.language))
        for due in skipped
    ]
    return state.model_copy(
        update={
            "next_due": next_due(times, last),
            "current": _attempt(state.run, chosen, 1, log_end, now) if chosen else None,
            "results": [*state.results, *results][-MAX_RESULTS:],
        }
    )


def started_now(state: RunState, now: datetime, log_end: int) -> RunState:
    """Return the state with an attempt that a user asked for outside of the run's times."""
    return state.model_copy(update={"current": _attempt(state.run, now.replace(microsecond=0), 1, log_end, now)})


def ended(state: RunState, end: TurnFinished | TurnFailed | None, now: datetime, log_end: int) -> RunState:
    """Return the state after the turn of its attempt ended; None: its end is lost."""
    attempt = state.current
    assert attempt is not None
    is_done = isinstance(end, TurnFinished) and end.complete and end.status == "done"
    # A turn that finished without doing everything would do the same again.
    if not isinstance(end, TurnFinished) and attempt.number <= state.run.retries:
        pause = FIRST_PAUSE * 2 ** (attempt.number - 1)
        again = _attempt(state.run, attempt.due, attempt.number + 1, log_end, now + pause)
        return state.model_copy(update={"current": again})
    result = RunResult(
        due=attempt.due,
        ended=now,
        outcome="done" if is_done else "failed",
        attempts=attempt.number,
        told=_told(end, state.run),
    )
    return state.model_copy(
        update={
            "current": None,
            "owes_notice": not is_done and bool(state.run.tell),
            "results": [*state.results, result][-MAX_RESULTS:],
        }
    )


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
        delivery=run.delivery.model_copy(update={"title": title}),
    )
    session = session_of(run)
    return Envelope(
        id=command_id(session, attempt.turn, start.kind(), 1),
        kind=start.kind(),
        session=session,
        turn=attempt.turn,
        payload=start.model_dump(mode="json"),
    )


def _chosen(run: Run, waiting: list[datetime], now: datetime) -> tuple[datetime | None, list[datetime]]:
    """Return the time that is run now, and those that are left out."""
    match run.missed:
        case "all":
            return waiting[0], []
        case "latest":
            return waiting[-1], waiting[:-1]
        case "skip":
            punctual = waiting[-1] >= now - PUNCTUAL
            return (waiting[-1], waiting[:-1]) if punctual else (None, waiting)


def _attempt(run: Run, due: datetime, number: int, log_end: int, not_before: datetime) -> Attempt:
    turn = f"{session_of(run)}-{due:%Y%m%dT%H%M%SZ}-{number}"
    return Attempt(due=due, turn=turn, number=number, after=log_end, not_before=not_before)


def _with_values(template: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _told(end: TurnFinished | TurnFailed | None, run: Run) -> str:
    if isinstance(end, TurnFinished):
        return end.reply
    if end is None:
        return text("runs.lost", run.language)
    return end.message_zh if run.language == "zh" and end.message_zh else end.message
