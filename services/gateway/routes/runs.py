"""The part of the table about scheduled runs: list them, read what is wanted, ask, change them.

No run is changed before the user agreed to the change as it was shown.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    ChangeRuns,
    ClassifyIntent,
    ErrandEnded,
    IntentClassified,
    ListRuns,
    ReadRunRequest,
    RunErrand,
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


def the_report_is_filled_first(turn: Turn) -> bool:
    """Whether the user has agreed that the report is filled once, so that the run knows how."""
    return turn.run_step == "fill" and turn.work_errand is not None


def the_report_was_filled(turn: Turn) -> bool:
    return turn.work_outcome == "carried_out"


def its_queries_are_answered(turn: Turn) -> bool:
    """Whether the user says yes to the queries of that filling, or what is to be different in them."""
    return turn.intent == "manage_runs" and the_report_is_filled_first(turn)


def something_else_is_wanted(turn: Turn) -> bool:
    """Whether the message, which could have corrected a run that was shown, is another request."""
    return turn.run_step == "other"


def the_change_of_runs_is_accepted(turn: Turn) -> bool:
    return turn.intent == "manage_runs" and turn.run_step == "confirm" and turn.agrees is True


OTHER_REQUESTS = Cap("other_requests", 1)
FIRST_FILLINGS = Cap("first_fillings", 1)

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "list_runs", ListRuns, runs_are_meant),
    Row("list_runs", RunsListed, "read_run", ReadRunRequest),
    Row("list_runs", StageFailed, TurnFailed),
    Row("read_run", RunRequestRead, "ask_about_run", when=the_user_has_to_answer),
    Row("read_run", RunRequestRead, "fill_for_run", RunErrand, the_report_is_filled_first, FIRST_FILLINGS),
    Row("read_run", RunRequestRead, "forget_run", when=something_else_is_wanted, cap=OTHER_REQUESTS),
    Row("read_run", RunRequestRead, "finalize"),
    Row("read_run", StageFailed, TurnFailed),
    Row("fill_for_run", ErrandEnded, "list_runs", ListRuns, the_report_was_filled),
    Row("fill_for_run", ErrandEnded, "ask_about_run"),
    Row("fill_for_run", StageFailed, TurnFailed),
    Row("ask_about_run", AtOnce, "finalize"),
    Row("forget_run", AtOnce, "classify_intent", ClassifyIntent),
    Row("resume_turn", AtOnce, "change_runs", ChangeRuns, the_change_of_runs_is_accepted),
    Row("resume_turn", AtOnce, "fill_for_run", RunErrand, its_queries_are_answered),
    Row("resume_turn", AtOnce, "list_runs", ListRuns, runs_are_meant),
    Row("change_runs", RunsChanged, "finalize"),
    Row("change_runs", StageFailed, TurnFailed),
)
