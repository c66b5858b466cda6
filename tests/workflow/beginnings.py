"""Sessions at the start of a turn, for the walk of the whole table."""

from __future__ import annotations

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.events import (
    AskServer,
    ClassifyIntent,
    PlanWork,
    ReadRunRequest,
    RunErrand,
    RunTool,
    StepTaken,
    TakeStep,
)
from bandsmith.shared.model.action import Action
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import Delivery
from bandsmith.shared.model.run_request import RunRequest
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning, ToolCall

from .play import PICTURE, ROWS_FILE, TEMPLATE, WORKBOOK, Script, play, played, start, turn_of, with_report
from .service_answers import successes
from .service_events import MODEL, RULES, SEVERAL_CALLS, TURNED_CALLS, wants

SPENT: tuple[dict[str, int], ...] = ({}, {"rounds": 30}, {"parts": 100})
DECISIONS = ({"decision": "accept"}, {"decision": "reject"}, {"arguments": {"day": 2}})


def beginnings() -> list[SessionState]:
    """Sessions at the start of a turn: with and without a report, with files of each kind, after a long talk."""
    report = with_report(2)
    long = [said.model_copy(update={"text": "x" * 3000}) for said in report.history]
    undone = played("undo", {ClassifyIntent: [wants("undo_modification")]}, report, turn="undone")
    sessions_asked = [
        played("words", {ClassifyIntent: [wants(intent)]}, report, turn="asked")
        for intent in ("initial_generation", "reset_session")
    ]
    sessions = [None, report, undone, report.model_copy(update={"history": long}), *sessions_asked]
    files: list[tuple[Document, ...]] = [
        *((), (PICTURE,), (TEMPLATE,), (PICTURE, TEMPLATE)),
        *((ROWS_FILE,), (WORKBOOK,), (TEMPLATE, WORKBOOK)),
    ]
    filled = [start("", some, report, "walked", filling=Filling()) for some in ((ROWS_FILE,), (TEMPLATE, WORKBOOK))]
    delivery = Delivery(folder="reports")
    filled.append(start("", (TEMPLATE, ROWS_FILE), report, "walked", filling=Filling(), delivery=delivery))
    without_report = start("", (ROWS_FILE,), None, "walked", filling=Filling())
    ways = (Asking(), Asking(only_query=True), Asking(analyse=True), Asking(analyse=True, review=True))
    asked = [start("words", (), None, "walked", budget, asking=way) for way in ways for budget in (RULES, MODEL)]
    *_, shown = play(session=start("words", (), None, "shown", MODEL, asking=ways[-1]))
    *_, answered = play(session=start("words", (), None, "answered", MODEL, asking=ways[0]))
    asked += [start("words", (), before, "walked", MODEL) for before in (shown, answered)]
    asked += [start("words", (), answered, "walked", MODEL, asking=ways[0])]
    asked += [*of_tasks(), *of_runs()]
    reset = sessions_asked[1]
    asked += [start("", (), reset, "walked", reply=Answer(question=reset.pending.id, decision="reject"))]
    asked += [start("words", (), None, "walked", MODEL, planning=Planning())]
    of_source = (Filling(source="shop"), Filling(source="shop", review=True))
    filled += [start("", (), report, "walked", budget, way) for way in of_source for budget in (RULES, MODEL)]
    *_, reviewed = play(session=start("", (), report, "shown", MODEL, of_source[1]))
    filled += [start("words", (), reviewed, "walked", MODEL)]
    edited = [start("", (), some, "walked", edits=(Delete(element="line"),)) for some in (report, None)]
    actions = (Action(do="undo"), Action(do="restore", version=1), Action(do="export", format="java"))
    edited += [start("", (), some, "walked", action=action) for some in (report, None) for action in actions]
    return (
        [*filled, *asked, *edited, without_report]
        + [start("words", some, session, "walked") for session in sessions for some in files]
        + [start("", some, report, "walked", budget) for some in files[1:] for budget in (RULES, MODEL)]
    )


def of_tasks() -> list[SessionState]:
    """Turns that answer what a task asked: its plan, a call, a question, in words, by a decision, edited, too late."""
    begun = start("words", (), None, "planned", MODEL, planning=Planning())
    *_, planned = play(session=begun)
    *_, asked = play({PlanWork: [successes(PlanWork, {})[2]]}, begun)
    *_, shown = play({RunTool: successes(RunTool, {})[2:]}, start("yes", (), planned, "shown", MODEL))
    foreign: Script = {TakeStep: [successes(TakeStep, {})[1]], AskServer: successes(AskServer, {})[2:]}
    *_, called = play(foreign, start("yes", (), planned, "called", MODEL))
    *_, errand = play({TakeStep: [successes(TakeStep, {})[2]]}, start("yes", (), planned, "errand", MODEL))
    accepts = Answer(question=errand.pending.id if errand.pending else "", decision="accept")
    found: Script = {RunErrand: [successes(RunErrand, {})[1]]}
    *_, reviewed = play(found, start("", (), errand, "reviewed", MODEL, reply=accepts))
    assert turn_of(reviewed).work_waits == "call"
    together = [*of_several(planned, SEVERAL_CALLS), *of_several(planned, TURNED_CALLS)]
    waiting = [turn_of(one).work_waits for one in (planned, asked, shown, called, errand)]
    assert waiting == ["plan", "question", "call", "call", "call"]
    assert errand.pending is not None
    assert called.pending is not None
    assert shown.pending is not None
    assert shown.suspended is not None
    assert called.suspended is not None
    assert errand.suspended is not None
    tired = [
        one.model_copy(update={"suspended": one.suspended | {"spent": {"rounds": 30}}})
        for one in (shown, called, errand)
        if one.suspended
    ]
    replies = [Answer(question="another"), *(Answer(question=shown.pending.id, **how) for how in DECISIONS)]
    return [
        *together,
        *(start("words", (), before, "walked", MODEL) for before in (planned, asked, shown, reviewed)),
        *(start("", (), shown, "walked", MODEL, reply=reply) for reply in replies),
        *(
            start("", (), one, "walked", MODEL, reply=Answer(question=one.pending.id, decision="accept"))
            for one in tired
            if one.pending
        ),
        *(
            start("", (), called, "walked", MODEL, reply=Answer(question=called.pending.id, **how))
            for how in (DECISIONS[0], DECISIONS[2])
        ),
        *(
            start("", (), errand, "walked", MODEL, reply=Answer(question=errand.pending.id, **how))
            for how in (DECISIONS[0], DECISIONS[2])
        ),
        start("", (), shown, "walked", MODEL, reply=Answer(question=shown.pending.id, decision="accept", to_all=True)),
    ]


def of_several(planned: SessionState, calls: ToolCall) -> list[SessionState]:
    """Turns that answer a call of several kinds: agreed to, edited, and agreed to with rounds or parts used up."""
    called: Script = {
        TakeStep: [StepTaken(work_action="call", work_reply="{}", work_call=calls)],
        AskServer: successes(AskServer, {})[2:],
        RunTool: successes(RunTool, {})[2:],
    }
    *_, asked = play(called, start("yes", (), planned, "several", MODEL))
    assert asked.pending is not None
    assert asked.suspended is not None
    accepts, edits = (
        Answer(question=asked.pending.id, decision="accept"),
        Answer(question=asked.pending.id, arguments=calls.arguments),
    )
    waiting = [asked.model_copy(update={"suspended": asked.suspended | {"spent": spent}}) for spent in SPENT]
    return [start("", (), one, "walked", MODEL, reply=how) for one in waiting for how in (accepts, edits)]


def of_runs() -> list[SessionState]:
    """Turns that answer what was asked about scheduled runs: for what is missing, and for consent, in words or not."""
    about_runs: Script = {ClassifyIntent: [wants("manage_runs")]}
    begun = start("every Monday", (), None, "asked", MODEL)
    reads = successes(ReadRunRequest, {})
    ends = [list(play({**about_runs, ReadRunRequest: [read]}, begun))[-1] for read in reads[1:4]]
    found: Script = {RunErrand: [successes(RunErrand, {})[1]]}
    ends.append(list(play({**about_runs, ReadRunRequest: [reads[-1]], **found}, begun))[-1])
    assert [one.suspended["run_step"] for one in ends if one.suspended] == ["ask", "confirm", "confirm", "fill"]
    lacks = reads[1].model_copy(update={"run_request": RunRequest(do="add", gap="fill")})
    *_, waits_for_rows = play({**about_runs, ReadRunRequest: [lacks]}, begun)
    pending, queries = ends[1].pending, ends[3].pending
    assert pending is not None and queries is not None
    decisions = [Answer(question=pending.id, decision=decision) for decision in ("accept", "reject")]
    return [
        *(start("words", (), one, "walked") for one in ends[:3]),
        start("", (), ends[3], "walked", MODEL, reply=Answer(question=queries.id, decision="accept")),
        start("", (ROWS_FILE,), waits_for_rows, "walked"),
        *(start("", (), ends[1], "walked", MODEL, reply=decision) for decision in decisions),
    ]
