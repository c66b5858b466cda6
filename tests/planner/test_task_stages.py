"""The stages of a task: how each asks the model, when a plan is thought through, and when a calendar is refined."""

from __future__ import annotations

import json

import pytest

from bandsmith.services.gateway.reply.task import reply as task_reply
from bandsmith.services.planner.tasks.deliver import deliver
from bandsmith.services.planner.tasks.plan import plan
from bandsmith.services.planner.tasks.step import take_step
from bandsmith.shared.events import CalendarCommitted, DeliverWork, PlanWork, TakeStep, WorkPlanned
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.task import Answer, Planning, PlanStep, Refining, TaskEntry, ToolCall
from bandsmith.shared.replies import text
from bandsmith.shared.tools.context import REFINING
from tests.shared.schedule.calendars import revision
from tests.workflow.play import play, start, turn_of
from tests.workflow.service_events import MODEL, ref

from .test_tasks import PACKS, PROGRESS, Memory, Says, called, taken

# --- the stages -----------------------------------------------------------------------------------------------------

ALLOWED = Allowance(calls=9, tokens=50_000)
STEPS = {"action": "plan_done", "plan_steps": [{"content": "Place it."}]}


async def planned(reply: object, *, thinks: bool = False) -> tuple[Says, WorkPlanned]:
    store, model = Memory(), Says(json.dumps(reply))
    draft = await store.put(revision().model_dump_json().encode(), "application/json")
    command = PlanWork(
        text="revise", planning=Planning(), work=None, work_log=[], work_draft=draft, work_thinks=thinks,
        language="en", allowance=ALLOWED,
    )  # fmt: skip
    return model, await plan(store, command, draft, model)


async def test_each_stage_asks_the_model_in_its_own_manner():
    quick, _ = await planned(STEPS)
    thorough, _ = await planned(STEPS, thinks=True)
    assert quick.asked == {"max_tokens": 1_600, "temperature": 0.2, "reasons": False}
    assert thorough.asked == {"max_tokens": 3_200, "temperature": 0.2, "reasons": True}

    model = Says(json.dumps({"action": "abort", "reason": "no"}))
    store = Memory()
    draft = await store.put(revision().model_dump_json().encode(), "application/json")
    step = TakeStep(
        text="revise", work=PROGRESS, work_log=[], work_draft=draft, work_packs=PACKS, language="en", allowance=ALLOWED
    )
    await take_step(store, step, model)
    assert model.asked == {"max_tokens": 1_200, "temperature": 0.3, "reasons": True}

    model = Says(json.dumps({"summary": "Done."}))
    await deliver(DeliverWork(text="revise", work=PROGRESS, work_log=[], language="en", allowance=ALLOWED), model)
    assert model.asked == {"max_tokens": 800, "temperature": 0.5, "reasons": False}


async def test_a_summary_is_asked_for_with_what_was_said_before_and_what_was_changed_since():
    model = Says(json.dumps({"summary": "Done."}))
    log = [TaskEntry(kind="user", text="not on Mondays either")]
    command = DeliverWork(
        text="the last one later", work_before="user: plan four sessions", work=PROGRESS, work_log=log, language="en",
        allowance=ALLOWED,
    )  # fmt: skip
    await deliver(command, model)
    for words in ("user: plan four sessions", "the last one later", "The user said: not on Mondays either"):
        assert words in model.prompt


async def test_only_a_complex_plan_is_thought_through_and_once():
    for hard in ({"complexity": "complex"}, {"need_thinking": True}):
        assert (await planned(STEPS | hard))[1].work_action == "think"
        assert (await planned(STEPS | hard, thinks=True))[1].work_action == "plan"
    for easy in ("simple", "moderate"):
        assert (await planned(STEPS | {"complexity": easy}))[1].work_action == "plan"


def test_three_rounds_of_planning_without_a_result_ask_the_user():
    goes_on = WorkPlanned(work_action="continue", work_draft=ref("draft"), work_reply="{}")
    *before, asked = play({PlanWork: [goes_on] * 9}, start("words", (), None, "t", MODEL, planning=Planning()))
    assert asked.pending is not None and asked.pending.kind == "question"
    assert asked.pending.text == text("schedule.task.say_more", "en")
    assert sum(bool(one.turn and one.turn.awaiting and one.turn.node == "plan_work") for one in before) == 4


def test_without_a_summary_of_the_model_the_program_writes_one():
    log = [called("place", outcome="stored"), called("move", number=2, outcome="refused", result="It is locked.")]
    begun = turn_of(start("words", (), None, "t", MODEL, planning=Planning()))
    work = PROGRESS.model_copy(update={"phase": "done", "at": 1})
    said = task_reply(begun.model_copy(update={"work": work, "work_log": log, "work_summary": ""})) or ""
    assert text("schedule.task.finished", "en") in said and "- done: Place it." in said and "It is locked." in said


# --- refining a calendar ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["place_work", "place_all"])
def test_after_the_first_placing_the_calendar_is_refined_at_once_if_the_plan_says_so(name: str):
    """first_full: what refines is offered once the placing is stored, not before and not after another change."""
    for refining, call, offered in [("first_full", name, True), ("first_full", "move", False), ("", name, False)]:
        begun = turn_of(start("words", (), None, "planned", planning=Planning()))
        work = PROGRESS.model_copy(update={"refining": refining})
        turn = begun.model_copy(update={"work": work, "work_call": ToolCall(id="c1", name=call), "work_packs": PACKS})
        stored = turn.learn(CalendarCommitted(work_draft=ref("stored")))
        assert (REFINING in stored.work_packs) == offered
        refused = turn.learn(CalendarCommitted(work_draft=ref("stored"), work_refusal="It collides."))
        assert refused.work_packs == PACKS


@pytest.mark.parametrize("refining", ["", "global_reopt", "local_adjust"])
def test_a_whole_calendar_is_refined_from_the_beginning(refining: Refining):
    """global_reopt: what refines is offered as soon as the plan is confirmed."""
    steps = [PlanStep(content="Make it better."), PlanStep(content="Look at it again.")]
    plan = WorkPlanned(work_action="plan", work_draft=ref("draft"), work_steps=steps, work_refining=refining)
    *_, planned = play({PlanWork: [plan]}, start("words", (), None, "planned", MODEL, planning=Planning()))
    assert planned.pending is not None
    accepted = start("", (), planned, "go", MODEL, reply=Answer(question=planned.pending.id, decision="accept"))
    assert (REFINING in turn_of(accepted).work_packs) == (refining == "global_reopt")


async def test_single_changes_need_no_analysis_and_a_refined_calendar_needs_one():
    adding = {"name": "context_tools_add", "arguments": {"domain": "schedule", "packs": ["deep_analyze"]}}
    adds = json.dumps({"action": "continue", "tool_call": adding})
    placed = called("place_work", number=1, outcome="stored")
    analysed = called("analyze_health", number=2)
    done = json.dumps({"action": "done", "goal_check": "it stands"})
    cases = [
        ("local_adjust", adds, [], "local adjustment"),
        ("first_full", adds, [], ""),
        ("first_full", done, [placed], "call analyze_health"),
        ("first_full", done, [placed, analysed], ""),
        ("global_reopt", done, [called("get_overview", number=1)], "call analyze_health"),
        ("local_adjust", done, [placed], ""),
    ]
    for refining, reply, log, problem in cases:
        progress = PROGRESS.model_copy(update={"refining": refining})
        step = await taken(reply, log=log, progress=progress)
        assert (problem in step.work_problem) and bool(step.work_problem) == bool(problem), (refining, reply)
