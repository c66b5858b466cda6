"""Answers to what a task asked: each question is answered once, and exactly what was shown is carried out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.events import RunTool
from bandsmith.shared.model.task import Answer, Planning

from .play import finished, play, start, turn_of
from .service_answers import successes
from .service_events import MODEL

ODD: dict[str, Any] = {
    "title": "Café “é” – 会议\u200b\U0001f3bb ",
    "day": 2,
    "big": 12345678901234567890,
    "half": 0.1,
    "none": None,
    "list": [1, [], {}, "", {"z": 1, "a": 2}],
}
"""Arguments that anything which reads and writes them again would change."""


def shown() -> SessionState:
    """A task that shows what a call would change, and asks."""
    *_, planned = play(session=start("words", (), None, "planned", MODEL, planning=Planning()))
    *_, asked = play({RunTool: successes(RunTool, {})[2:]}, start("yes", (), planned, "shown", MODEL))
    assert asked.pending is not None
    assert asked.pending.call is not None
    return asked


def answered(session: SessionState, turn: str, **how: Any) -> SessionState:
    question = how.pop("question", session.pending.id if session.pending else "gone")
    return start("", (), session, turn, MODEL, reply=Answer(question=question, **how))


def commands(session: SessionState) -> dict[str, dict[str, Any]]:
    return {one.kind: one.payload for one in turn_of(session).awaiting.values()}


def test_edited_arguments_are_what_is_run_byte_for_byte_and_what_is_asked_next():
    edited = answered(shown(), "edited", arguments=ODD)
    [(kind, command)] = commands(edited).items()
    assert kind == "RunTool"
    assert json.dumps(command["work_call"]["arguments"]) == json.dumps(ODD)
    *_, again = play({RunTool: successes(RunTool, {})[2:]}, edited)
    assert again.pending is not None and again.pending.call is not None
    assert json.dumps(again.pending.call.arguments) == json.dumps(ODD)


def test_what_is_stored_is_the_change_that_was_shown_whatever_was_shown_before():
    first = shown()
    other = successes(RunTool, {})[2].model_copy(update={"work_change_id": "of-the-edited-call"})
    *_, second = play({RunTool: [other]}, answered(first, "edited", arguments={"day": 3}))
    accepted = commands(answered(second, "accepted", decision="accept"))
    assert list(accepted) == ["CommitCalendar"]
    assert accepted["CommitCalendar"]["work_change_id"] == "of-the-edited-call"


@pytest.mark.parametrize("how", [{"decision": "accept"}, {"decision": "reject"}, {"arguments": {"day": 3}}], ids=str)
def test_an_answer_to_the_question_before_the_edit_changes_nothing(how: dict[str, Any]):
    first = shown()
    assert first.pending is not None
    *_, second = play({RunTool: successes(RunTool, {})[2:]}, answered(first, "edited", arguments={"day": 3}))
    *_, late = play(session=answered(second, "late", question=first.pending.id, **how))
    assert finished(late).reply.startswith("That question was answered already")
    assert (late.pending, late.suspended) == (second.pending, second.suspended)


@pytest.mark.parametrize("how", [{"decision": "accept"}, {"decision": "reject"}, {"arguments": {"day": 3}}], ids=str)
def test_a_second_answer_stores_nothing_again(how: dict[str, Any]):
    first = shown()
    assert first.pending is not None
    steps = list(play(session=answered(first, "first", decision="accept")))
    assert sum("CommitCalendar" in commands(step) for step in steps) == 1
    again = list(play(session=answered(steps[-1], "second", question=first.pending.id, **how)))
    assert not any(commands(step) for step in again)
    assert finished(again[-1]).reply.startswith("That question was answered already")
    assert again[-1].pending == steps[-1].pending
