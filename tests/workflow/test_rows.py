"""What a row can say, by small tables: how many commands it sends, which caps it renews, what it sees of a question."""

from __future__ import annotations

import pytest

from bandsmith.services.gateway.reducer import abandon, advance, begin
from bandsmith.services.gateway.routes import head, report
from bandsmith.services.gateway.state import SessionState, Turn
from bandsmith.services.gateway.workflow import ANYTHING, ANYWHERE, AtOnce, Cap, Row, Workflow
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import (
    ClassifyIntent,
    Envelope,
    Event,
    ExplainFailure,
    FailureExplained,
    FixesRecalled,
    IntentClassified,
    KnowledgeRecalled,
    RecallFixes,
    RecallKnowledge,
    SkeletonGenerated,
    StartTurn,
    TurnFailed,
    TurnFinished,
)
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.session_parts import Pending

from .play import end_of, play, played, start, starting, turn_of
from .service_answers import least, successes
from .service_events import NOW, RULES, ref, wants

LAST = Row(ANYWHERE, ANYTHING, TurnFailed)


def begun(workflow: Workflow, budget: Allowance = RULES, session: SessionState | None = None) -> SessionState:
    session = begin(session or SessionState(id="s"), starting("words", (), "own"), budget, workflow)
    assert session is not None
    return session


def answered(session: SessionState, command: Envelope, event: Event, workflow: Workflow) -> SessionState:
    update = {"id": f"answer-to-{command.id}", "kind": event.kind(), "causation": command.id, "time": NOW}
    envelope = command.model_copy(update={**update, "payload": event.model_dump(mode="json")})
    after = advance(session, envelope, workflow=workflow)
    assert after is not None
    return after


# --- each -------------------------------------------------------------------------------------------------------------


def three(turn: Turn) -> list[str]:
    return ["one", "two", "three"]


def none_is_missing(turn: Turn) -> bool:
    return not turn.awaiting


THREE = Workflow(
    (
        Row("begin", StartTurn, "ask", ExplainFailure, each=three),
        Row("ask", FailureExplained, TurnFinished, when=none_is_missing),
        Row("ask", FailureExplained, "ask"),
        LAST,
    )
)


def test_a_row_sends_as_many_commands_as_it_says_and_awaits_all_answers():
    session = begun(THREE)
    commands = list(session.turn.awaiting.values())
    assert [command.kind for command in commands] == ["ExplainFailure"] * 3
    assert len({command.id for command in commands}) == 3
    for command in commands:
        assert not session.turn.over
        session = answered(session, command, FailureExplained(explanation="Because."), THREE)
    assert session.turn.over


def test_commands_that_are_sent_at_once_share_what_may_be_spent():
    session = begun(THREE, Allowance(calls=4, tokens=900))
    shares = [command.payload["allowance"] for command in session.turn.awaiting.values()]
    assert [share["calls"] for share in shares] == [2, 1, 1]
    assert [share["tokens"] for share in shares] == [300, 300, 300]


def test_progress_says_how_many_parts_a_node_has():
    started = [event.payload for event in begun(THREE).events if event.kind == "NodeStarted"]
    assert [(event["node"], event["windows"]) for event in started] == [("begin", 1), ("ask", 3)]


# --- renewed caps -----------------------------------------------------------------------------------------------------

STEP = Cap("steps", 3)
TRY = Cap("tries", 2)


STEPS = Workflow(
    (
        Row("step", StartTurn, "try", RecallFixes, cap=TRY),
        Row("try", FixesRecalled, "try", RecallFixes, cap=TRY),
        Row("try", FixesRecalled, "step", ExplainFailure, cap=STEP, renews=("tries",)),
        Row("try", FixesRecalled, TurnFinished),
        Row("step", FailureExplained, "try", RecallFixes, cap=TRY),
        LAST,
    )
)


def test_a_renewed_cap_counts_again_for_each_step():
    session, sent = begun(STEPS), list[str]()
    while session.turn.awaiting:
        [command] = session.turn.awaiting.values()
        sent.append(command.kind)
        event = FixesRecalled(fixes=[]) if command.kind == "RecallFixes" else FailureExplained(explanation="")
        session = answered(session, command, event, STEPS)
    assert sent == (["RecallFixes"] * 2 + ["ExplainFailure"]) * 3 + ["RecallFixes"] * 2


# --- a pending question -----------------------------------------------------------------------------------------------


class Asked(Event):
    """An answer that ends the turn with a question."""

    asks: Pending


QUESTION = Pending(kind="question", text="Which year?")


def asking() -> SessionState:
    """A session whose last turn ended with a question."""
    session = start("sales by customer")
    turn = turn_of(session).learn(Asked(asks=QUESTION))
    *_, last = play(session=session.model_copy(update={"turn": turn}))
    return last


def a_question_is_pending(turn: Turn) -> bool:
    return turn.pending is not None


RESUMING = Workflow(
    (
        head.BEGINNING[0],
        Row("save_state_snapshot", AtOnce, "finalize", when=a_question_is_pending),
        *head.BEGINNING[1:],
        *report.ROWS,
        *head.ENDING,
    )
)


def test_a_turn_may_end_with_a_question_which_the_session_keeps():
    session = asking()
    end = end_of(session)
    assert isinstance(end, TurnFinished) and end.asks == session.pending == QUESTION


def test_the_next_turn_knows_the_question_and_ends_it():
    session = asking()
    assert turn_of(start("2025", (), session, "next")).pending == QUESTION
    after = played("2025", {ClassifyIntent: [wants("consult_question")]}, session, turn="next")
    end = end_of(after)
    assert isinstance(end, TurnFinished) and end.asks is None and after.pending is None


def test_a_turn_that_fails_leaves_the_question_open():
    session = start("2025", (), asking(), "next")
    [command] = turn_of(session).awaiting.values()
    after = abandon(session, command, BandsmithError("It broke."))
    assert after is not None and turn_of(after).over and after.pending == QUESTION


def test_a_row_above_the_intent_can_look_at_the_question_first():
    assert turn_of(begun(RESUMING, session=asking())).over
    assert turn_of(begun(RESUMING)).node == "classify_intent"


# --- answers that are made up ----------------------------------------------------------------------------------------


def test_a_command_without_scripted_answers_is_answered_with_the_least():
    assert successes(RecallKnowledge, {}) == [KnowledgeRecalled()]
    assert least(SkeletonGenerated) == SkeletonGenerated(template=ref("template"), data=ref("data"))


def test_an_event_that_cannot_be_made_up_names_its_field():
    with pytest.raises(AssertionError, match=r"IntentClassified.\['intent'\]"):
        least(IntentClassified)
