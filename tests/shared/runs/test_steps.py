"""What follows for a run from the time, and from how its turn ended."""

from __future__ import annotations

import pytest

from bandsmith.shared.events import StartTurn, TurnFailed, TurnFinished
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import RunState
from bandsmith.shared.runs.steps import begun, ended, start_command, started_now

from .made import HOUR, START, scheduled

DONE = TurnFinished(status="done", intent="fill_report", reply="Filled.")
FAILED = TurnFailed(code="retryable", message="The mail server cannot be reached.", retryable=True)


def due(state: RunState, at=START + HOUR) -> RunState:
    return begun(state, at, 7)


def test_before_its_time_nothing_happens():
    state = scheduled()
    assert begun(state, START, 7) is state


def test_at_its_time_a_turn_is_started_and_the_next_time_is_known():
    state = due(scheduled())
    assert state.current is not None and state.current.turn == "run-statement-20261123T080000Z-1"
    assert state.next_due == START + 25 * HOUR


def test_a_run_that_is_under_way_starts_no_other():
    state = due(scheduled())
    assert begun(state, START + 30 * HOUR, 9) is state


def test_a_paused_run_does_not_start():
    state = scheduled().model_copy(update={"paused": True})
    assert due(state) is state


@pytest.mark.parametrize(
    ("missed", "started", "skipped"),
    [("latest", "25T08", 2), ("all", "23T08", 0), ("skip", None, 3)],
)
def test_times_at_which_nothing_was_running(missed: str, started: str | None, skipped: int):
    # Given that nothing ran for three times of the run
    state = begun(scheduled(missed=missed), START + 50 * HOUR, 7)

    # Then the last, each or none of them is made up for
    assert (f"{state.current.due:%dT%H}" if state.current else None) == started
    assert [one.outcome for one in state.results] == ["skipped"] * skipped


def test_after_years_the_last_time_is_made_up_for():
    # Given a run for every hour, and nothing that ran for two years
    state = begun(scheduled(rule="0 * * * *"), START + 2 * 365 * 24 * HOUR, 7)
    assert state.current is not None and state.current.due == START + 2 * 365 * 24 * HOUR
    assert state.next_due == START + (2 * 365 * 24 + 1) * HOUR


def test_a_turn_that_is_done_ends_the_attempt():
    state = ended(due(scheduled()), DONE, START + HOUR, 9)
    assert state.current is None and state.results[-1].outcome == "done" and state.results[-1].told == "Filled."


def test_a_turn_that_failed_is_tried_again_after_a_pause_and_then_told():
    state = due(scheduled(retries=1, tell=["ann@example.com"]))
    again = ended(state, FAILED, START + HOUR, 9)
    assert again.current is not None and again.current.turn.endswith("-2")
    assert again.current.not_before > START + HOUR and not again.owes_notice

    given_up = ended(again, FAILED, START + 2 * HOUR, 9)
    assert given_up.current is None and given_up.owes_notice
    assert (given_up.results[-1].outcome, given_up.results[-1].attempts) == ("failed", 2)
    assert given_up.results[-1].told == FAILED.message


def test_a_report_that_lacks_values_is_not_tried_again():
    incomplete = DONE.model_copy(update={"complete": False})
    state = ended(due(scheduled()), incomplete, START + HOUR, 9)
    assert state.current is None and state.results[-1].outcome == "failed"


def test_a_report_that_could_not_be_delivered_now_is_tried_again():
    undelivered = DONE.model_copy(update={"complete": False, "retryable": True})
    state = ended(due(scheduled()), undelivered, START + HOUR, 9)
    assert state.current is not None and state.current.number == 2


def test_a_turn_that_would_fail_again_is_not_repeated():
    refused = TurnFailed(code="input", message="The file is no template.")
    state = ended(due(scheduled(retries=5)), refused, START + HOUR, 9)
    assert state.current is None and state.results[-1].attempts == 1


def test_a_delivery_has_the_same_key_however_often_it_is_tried():
    state = due(scheduled())
    again = ended(state, FAILED, START + HOUR, 9)
    keys = [
        start.delivery.key
        for one in (state, again)
        if isinstance(start := start_command(one).message(), StartTurn) and start.delivery
    ]
    assert keys == ["run-statement-20261123T080000Z"] * 2


def test_the_parameters_of_a_turn_are_those_of_its_time():
    state = due(scheduled(filling=Filling(parameters={"month": "{last_month}", "title": "Sales {year}"})))
    start = start_command(state).message()
    assert isinstance(start, StartTurn) and start.filling is not None and start.delivery is not None
    assert start.filling.parameters == {"month": "2026-10", "title": "Sales 2026"}
    assert start.delivery.title == "statement 2026-11-23"


def test_only_the_last_results_are_kept():
    state = begun(scheduled(rule="0 * * * *"), START + 100 * HOUR, 7)
    assert len(state.results) == 20


def test_a_user_may_run_it_at_any_time():
    state = started_now(scheduled(), START, 7)
    assert state.current is not None and state.next_due == START + HOUR
