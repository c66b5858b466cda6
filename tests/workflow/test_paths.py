"""Turns that build a report from a picture: the usual path, each cap, each failure."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bandsmith.shared.errors import UnknownMessage
from bandsmith.shared.events import (
    ApplyReading,
    Command,
    CorrectTemplate,
    Event,
    ExtractLayout,
    GenerateSkeleton,
    JoinWindows,
    KnowledgeRecalled,
    LayoutExtracted,
    MapFields,
    ReadForm,
    RecallKnowledge,
    RefineLayout,
    RefineWindow,
    StageFailed,
    TemplateValidated,
    TurnFailed,
    TurnFinished,
    ValidateTemplate,
)
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.turns.verdict import Grade

from .play import Script, answer, end_of, nodes, play, start, turn_of
from .service_answers import answers
from .service_events import MODEL, RULES, corrected, failed, ref, refined, validated

USUAL = [
    "load_session",
    "process_input",
    "manage_context",
    "save_state_snapshot",
    "classify_intent",
    "retrieve",
    "generate_skeleton",
    "refine_layout",
    "map_fields",
    "save_session",
    "validate",
    "finalize",
]
USUAL_WITH_A_MODEL = [*USUAL[:6], "read_form", *USUAL[6:]]


def walk(script: Script | None = None, budget: Allowance = RULES) -> tuple[list[str], Event]:
    """The nodes that a turn came to, and what it ended with."""
    sessions = list(play(script, start(budget=budget)))
    return nodes(sessions), end_of(sessions[-1])


def test_a_picture_goes_the_usual_way_to_a_finished_turn():
    way, end = walk()
    assert way == USUAL
    assert isinstance(end, TurnFinished) and end.status == "done" and end.passed
    assert end.files.keys() == {
        "report.jrxml",
        "data.json",
        "report.pdf",
        "page-1.png",
        "compare.png",
        "layout.png",
        "layout.json",
        "verdict.json",
    }


def test_windows_are_sent_at_the_same_time_and_joined_once_all_answered():
    session = start(budget=MODEL)
    while "RefineWindow" not in (asked := [command.kind for command in session.turn.awaiting.values()]):
        command = next(iter(session.turn.awaiting.values()))
        event = refined(unresolved=3) if command.kind == "RefineLayout" else answers(command)[0]
        session = answer(session, command, event)
    assert asked == ["RefineWindow"] * 3

    for command in reversed(list(session.turn.awaiting.values())):
        assert "JoinWindows" not in {waiting.kind for waiting in session.turn.awaiting.values()}
        session = answer(session, command, answers(command)[0])

    [join] = session.turn.awaiting.values()
    assert join.kind == "JoinWindows"
    assert [edits["key"] for edits in join.payload["edits"]] == ["edits-0", "edits-1", "edits-2"]


def test_a_layout_is_refined_twice_at_most():
    way, end = walk({RefineLayout: [refined(changed=3)]})
    assert way.count("refine_layout") == 2
    assert isinstance(end, TurnFinished) and end.status == "done"


def test_a_layout_without_changes_is_printed_once():
    way, _ = walk({RefineLayout: [refined(unresolved=0)]})
    assert way == USUAL


def test_only_unresolved_windows_become_commands_and_only_with_a_model():
    for budget, unresolved in ((RULES, 2), (MODEL, 0)):
        sessions = play({RefineLayout: [refined(unresolved=unresolved)]}, start(budget=budget))
        sent = {command.kind for session in sessions for command in turn_of(session).awaiting.values()}
        assert "RefineLayout" in sent and not sent & {"RefineWindow", "JoinWindows"}


def test_a_model_gets_the_questions_of_the_rules_and_its_edits_follow_theirs():
    for session in play({}, start(budget=MODEL)):
        for command in turn_of(session).awaiting.values():
            if command.kind == "RefineWindow":
                assert command.payload["questions"]["key"] == "questions"
            if command.kind == "JoinWindows":
                assert command.payload["template"]["key"] == "refined"


def test_a_finding_is_explained_and_corrected_and_validated_again():
    way, end = walk({ValidateTemplate: [validated(errors=1), validated()]})
    assert way[-5:] == ["validate", "explain_error", "correct_jrxml", "validate", "finalize"]
    assert isinstance(end, TurnFinished) and end.status == "done" and end.corrections == 1


def test_after_five_corrections_the_turn_ends_unfinished_with_its_findings():
    way, end = walk({ValidateTemplate: [validated(errors=1)]})
    assert way.count("correct_jrxml") == 5 and way.count("validate") == 6
    assert isinstance(end, TurnFinished) and end.status == "unfinished" and not end.passed
    assert end.corrections == 5 and len(end.findings) == 1


def test_corrections_that_change_nothing_count_twice_and_are_not_validated_again():
    way, end = walk({ValidateTemplate: [validated(errors=1)], CorrectTemplate: [corrected(changed=False)]})
    assert way.count("correct_jrxml") == 3 and way.count("validate") == 1
    assert isinstance(end, TurnFinished) and end.status == "unfinished"


@pytest.mark.parametrize(
    ("changes", "corrections"),
    [((True, False, True, True), 4), ((True, False, False), 3), ((False, True, True, True), 4)],
)
def test_both_kinds_of_correction_are_charged_to_one_cap(changes: tuple[bool, ...], corrections: int):
    script = [corrected(changed=change) for change in changes]
    way, _ = walk({ValidateTemplate: [validated(errors=1)], CorrectTemplate: script})
    assert way.count("correct_jrxml") == corrections


@pytest.mark.parametrize(
    ("versions", "best"),
    [
        ([validated(3), validated(1), validated(2)], "first"),
        ([validated(1, 0.5), validated(1, 0.9), validated(1, 0.6)], "first"),
        ([validated(1, 0.9), validated(2, 0.99)], "mapped"),
    ],
)
def test_an_unfinished_turn_gives_the_best_version_not_the_last(versions: list[TemplateValidated], best: str):
    corrections = [corrected("first"), corrected("second")]
    turns = list(play({ValidateTemplate: versions, CorrectTemplate: corrections}))
    end = end_of(turns[-1])
    assert isinstance(end, TurnFinished) and end.status == "unfinished"
    assert end.files["report.jrxml"] == ref(best) == turns[-1].report.template


@pytest.mark.parametrize(("grade", "is_complete"), [("keep", True), ("small_edits", True), ("start_over", False)])
def test_a_build_is_complete_unless_its_template_is_better_started_over(grade: Grade, is_complete: bool):
    _, end = walk({ValidateTemplate: [validated().model_copy(update={"grade": grade})]})
    assert isinstance(end, TurnFinished) and end.status == "done"
    assert end.complete is is_complete


# --- stages that fail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [ExtractLayout, GenerateSkeleton, ValidateTemplate])
def test_an_essential_stage_that_fails_ends_the_turn_with_its_message(command: type[Command]):
    _, end = walk({command: [failed(command.kind())]})
    assert isinstance(end, TurnFailed)
    assert end.message == f"{command.kind()} cannot be done."


@pytest.mark.parametrize(
    "command", [RecallKnowledge, ReadForm, ApplyReading, RefineLayout, RefineWindow, JoinWindows, MapFields]
)
def test_another_stage_that_fails_adds_a_note(command: type[Command]):
    way, end = walk({command: [failed(command.kind())]}, MODEL)
    assert way == USUAL_WITH_A_MODEL
    assert isinstance(end, TurnFinished) and end.status == "done"
    [note] = end.notes
    assert note.endswith(f" failed: {command.kind()} cannot be done.")


def test_a_failed_window_leaves_what_the_rules_made():
    session = start(budget=MODEL)
    while "RefineWindow" not in {command.kind for command in session.turn.awaiting.values()}:
        command = next(iter(session.turn.awaiting.values()))
        session = answer(session, command, answers(command)[0])
    first, second = session.turn.awaiting.values()

    session = answer(session, first, failed("RefineWindow"))

    assert session.turn.node == "map_fields" and session.turn.template == ref("refined")
    assert answer(session, second, answers(second)[0]) is None


def test_a_validator_that_fails_later_on_leaves_the_version_it_validated():
    _, end = walk({ValidateTemplate: [validated(errors=1), failed("ValidateTemplate")]})
    assert isinstance(end, TurnFinished) and end.status == "unfinished"
    assert end.files["report.jrxml"] == ref("mapped")


# --- what no row expects --------------------------------------------------------------------------------------------


def test_an_answer_that_no_row_expects_fails_the_turn_and_says_so():
    session = start()
    [command] = session.turn.awaiting.values()
    session = answer(session, command, KnowledgeRecalled())
    end = end_of(session)
    assert isinstance(end, TurnFailed)
    assert end.message == "The workflow has no route for KnowledgeRecalled at process_input."


@pytest.mark.parametrize("change", [{"kind": "PageFolded"}, {"payload": {"colour": "red"}}])
def test_an_answer_that_cannot_be_understood_is_a_stage_that_failed(change: dict):
    from bandsmith.services.gateway.reducer import advance, unreadable

    session = start()
    [command] = session.turn.awaiting.values()
    said = StageFailed(command=command.kind, code="x", message="x")
    envelope = command.model_copy(
        update={"kind": said.kind(), "payload": said.model_dump(), "causation": command.id, **change}
    )
    with pytest.raises(UnknownMessage):  # a gateway of another version may understand it
        advance(session, envelope)
    session = advance(session, unreadable(session, envelope))
    end = end_of(session)
    assert isinstance(end, TurnFailed) and "ExtractLayout could not be understood" in end.message


# --- ids, duplicates ------------------------------------------------------------------------------------------------


def test_the_same_step_taken_twice_gives_the_same_messages():
    begun = start(budget=MODEL)
    once, again = (list(play({RefineLayout: [refined(3)]}, begun)) for _ in range(2))
    for first, second in zip(once, again, strict=True):
        assert first.turn.awaiting.keys() == second.turn.awaiting.keys()
        assert [event.id for event in first.events] == [event.id for event in second.events]


def test_no_two_messages_of_a_turn_share_an_id():
    turns = list(play({RefineLayout: [refined(3)], ValidateTemplate: [validated(1)]}, start(budget=MODEL)))
    said = [event.id for turn in turns for event in turn.events]
    sent = {key for session in turns for key in session.turn.awaiting}
    assert len(said) == len(set(said)) and not sent & set(said)
    for before, after in pairwise(turns):
        assert before.turn.awaiting != after.turn.awaiting


def test_an_answer_that_comes_twice_changes_nothing():
    session = start()
    [command] = session.turn.awaiting.values()
    event = LayoutExtracted(layout=ref("l"), form=ref("f"), overlay=ref("o"), total_rows=0)
    session = answer(session, command, event)
    assert answer(session, command, event) is None


def test_after_the_end_nothing_is_awaited():
    *_, last = play()
    assert last.turn.over and not last.turn.awaiting
