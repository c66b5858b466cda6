"""How a turn learns: each fact changes as it declares, and has the type of the field that it is learned from."""

from __future__ import annotations

import json
from pathlib import Path
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

import pytest

from bandsmith.services.gateway.facts.learning import INTERNAL, Merged, NodeOf, Of, On, add, append, changes
from bandsmith.services.gateway.state import SessionState, Turn
from bandsmith.shared.events import EVENTS, ClassifyIntent, Event, StageFailed, TemplateValidated
from bandsmith.shared.model.base import Value
from tests.each_case import each

from .play import answer, played
from .service_answers import answers
from .service_events import ref, wants


class Counted(Event):
    count: int
    lines: list[str] = []
    shelf: str = ""


class Other(Event):
    lines: list[str]


class Facts(Value):
    node: str = "counting"
    count: Annotated[int, Merged(add)] = 1
    lines: Annotated[list[str], Merged(append)] = ["first"]
    latest: Annotated[list[str], Of(Counted, "lines")] = []
    shelves: Annotated[dict[str, int], Of(Counted, "count", key="shelf")] = {"a": 1, "b": 2}
    twice: Annotated[int, On(Counted, lambda turn, event: 2 * event.count)] = 0
    counter: Annotated[str, NodeOf("count")] = ""
    shelf: Annotated[str, INTERNAL] = "of the facts"


def learned(event: Event) -> dict[str, object]:
    facts = Facts()
    return {name: change(facts, event) for name, change in changes(Facts, type(event)).items()}


def test_each_declaration_does_what_it_says():
    assert learned(Counted(count=4, lines=["second"], shelf="b")) == {
        "count": 5,
        "lines": ["first", "second"],
        "latest": ["second"],
        "shelves": {"a": 1, "b": 4},
        "twice": 8,
        "counter": "counting",
    }


def test_a_declaration_about_one_event_leaves_other_events_alone():
    assert learned(Other(lines=["second"])) == {"lines": ["first", "second"]}


# --- the facts of a turn ----------------------------------------------------------------------------------------------


def holds(fact: object, field: object) -> bool:
    """Whether every value of the field's type is one of the fact's."""
    parts = [set(get_args(one)) if get_origin(one) in (Union, UnionType) else {one} for one in (fact, field)]
    values = [{value for one in side if get_origin(one) is Literal for value in get_args(one)} for side in parts]
    literal = get_origin(field) is Literal and (fact is str or values[1] <= values[0])
    return parts[1] <= parts[0] or literal


@each("kind", EVENTS)
def test_a_fact_that_is_replaced_can_hold_what_the_event_brings(kind: str):
    event = EVENTS[kind]
    for name in changes(Turn, event).keys() & event.model_fields.keys():
        if not Turn.model_fields[name].metadata:
            fact, field = (cls.model_fields[name].annotation for cls in (Turn, event))
            assert holds(fact, field), f"the fact {name} is {fact}, and {kind} brings {field}"


def test_a_failed_stage_adds_a_note_and_changes_no_other_fact_but_the_mishap():
    assert changes(Turn, StageFailed).keys() == {"notes", "mishap"}


def test_a_verdict_changes_what_is_known_of_versions_and_no_count_of_pages():
    assert changes(Turn, TemplateValidated).keys() == {"latest", "best", "correction", "learned", "tried", "versions"}


# --- sessions stored by an earlier version of the program -------------------------------------------------------------

STORED: dict[str, dict] = json.loads(Path(__file__).with_name("stored_sessions.json").read_text())


@pytest.mark.parametrize("name", STORED)
def test_a_session_of_the_version_before_still_loads(name: str):
    stored = STORED[name]
    session = SessionState.model_validate_json(json.dumps(stored))
    assert (session.report.model_dump(mode="json") if session.report else None) == with_kind(stored["saved"])
    assert [snapshot.last_entry for snapshot in session.undo] == [snapshot["said"] for snapshot in stored["undo"]]
    assert SessionState.model_validate_json(session.model_dump_json()) == session


def with_kind(version: dict | None) -> dict | None:
    added = {"kind": "report", "upload": None, "edits": None, "edited": None, "verdict": None, "look": "", "seen": None}
    added |= {"pages": [], "compare": None, "elements": None, "pdf": None, "page_count": 0}
    return added | version if version else None


def test_a_turn_that_an_earlier_version_began_goes_on():
    session = SessionState.model_validate(STORED["waiting for the validator"])
    [command] = session.turn.awaiting.values()
    assert answer(session, command, answers(command)[0]).turn.over


def test_a_failed_turn_of_an_earlier_version_can_be_taken_up_again():
    session = SessionState.model_validate(STORED["failed, with a command that may yet be answered"])
    command = session.turn.lost
    assert answer(session, command, answers(command)[0]).turn.node == "refine_layout"


def test_what_an_earlier_version_kept_can_be_undone_and_redone():
    session = SessionState.model_validate(STORED["at rest, with changes to undo and to redo"])
    undone = played("undo", {ClassifyIntent: [wants("undo_modification")]}, session, turn="u")
    assert undone.report.template == ref("generated")
    redone = played("redo", {ClassifyIntent: [wants("redo_modification")]}, undone, turn="r")
    assert redone.report.template == ref("modified-1")
