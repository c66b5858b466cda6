"""The part of the table about scheduled runs: list them, read what is wanted, ask, change them.

No run is changed before the user agreed to the change as it was shown.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    ChangeRuns,
    ClassifyIntent,
    IntentClassified,
    ListRuns,
    ReadRunRequest,
    RunRequestRead,
    RunsChanged,
    RunsListed,
    StageFailed,
    TurnFailed,
)

from ..state import Turn
from ..workflow import AtOnce, Cap, Row


def runs_are_meant(turn: Turn) -> bool:
    return turn.intent == "manage_runs"


def the_user_has_to_answer(turn: Turn) -> bool:
    return turn.run_step in ("ask", "confirm")


def something_else_is_wanted(turn: Turn) -> bool:
    """Whether the message, which could have corrected a run that was shown, is another request."""
    return turn.run_step == "other"


def the_change_of_runs_is_accepted(turn: Turn) -> bool:
    return turn.intent == "manage_runs" and turn.run_step == "confirm" and turn.agrees is True


OTHER_REQUESTS = Cap("other_requests", 1)

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "list_runs", ListRuns, runs_are_meant),
    Row("list_runs", RunsListed, "read_run", ReadRunRequest),
    Row("list_runs", StageFailed, TurnFailed),
    Row("read_run", RunRequestRead, "ask_about_run", when=the_user_has_to_answer),
    Row("read_run", RunRequestRead, "forget_run", when=something_else_is_wanted, cap=OTHER_REQUESTS),
    Row("read_run", RunRequestRead, "finalize"),
    Row("read_run", StageFailed, TurnFailed),
    Row("ask_about_run", AtOnce, "finalize"),
    Row("forget_run", AtOnce, "classify_intent", ClassifyIntent),
    Row("resume_turn", AtOnce, "change_runs", ChangeRuns, the_change_of_runs_is_accepted),
    Row("resume_turn", AtOnce, "list_runs", ListRuns, runs_are_meant),
    Row("change_runs", RunsChanged, "finalize"),
    Row("change_runs", StageFailed, TurnFailed),
)
