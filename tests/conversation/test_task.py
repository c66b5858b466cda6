"""Tasks in a conversation: planned, confirmed, carried out call by call, told; nothing is stored without a yes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bandsmith.shared.events import TurnFinished
from bandsmith.shared.llm.scripted import ScriptedRequest
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.task import Answer, Planning
from bandsmith.shared.schedule.store import CalendarStore
from tests.shared.schedule.calendars import event

from .conftest import Talk
from .scripted_tasks import (
    ADD_TOOLS,
    DONE,
    FRENCH,
    ONE_STEP,
    PLAN,
    REQUEST,
    listed,
    placing,
    says,
    stored,
    with_model,
)

pytestmark = [pytest.mark.asyncio(loop_scope="package")]


@with_model
async def test_a_task_is_planned_confirmed_carried_out_and_told(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), DONE)
    planned = await talk.say(REQUEST)
    assert planned.asks is not None and "1. Place two sessions of French" in planned.reply
    shown = await talk.say("yes")
    assert shown.asks is not None and shown.asks.call is not None and "Store it?" in shown.reply
    assert [line.partition(":")[0] for line in listed(shown.reply)] == ["- French 1", "- French 2"]
    assert stored(calendars).items == []
    told = await talk.say("yes")
    assert told.complete and told.reply.endswith("French is planned.")
    assert [item.name for item in stored(calendars).items if item.at] == ["French 1", "French 2"]
    assert (await talk.session()).work.phase == "done"


@with_model
async def test_one_step_is_not_asked_about_but_each_of_its_changes_is(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), placing(excluded_weekdays=[1, 7]), DONE, plan=ONE_STEP)
    shown = await talk.say(REQUEST)
    assert shown.asks is not None and shown.asks.call is not None and "Store it?" in shown.reply
    assert stored(calendars).items == []
    again = await talk.say("not on Mondays")
    assert again.asks is not None and listed(again.reply) != listed(shown.reply) and stored(calendars).items == []
    told = await talk.say("yes")
    assert told.complete and "- done: Place two sessions of French" in told.reply
    assert [line.partition(": ")[2] for line in listed(told.reply) if "French " in line] == [
        line.partition(": ")[2] for line in listed(again.reply)
    ]


@with_model
async def test_a_question_that_only_reads_is_answered_without_a_plan_and_without_a_yes(
    talk: Talk, calendars: CalendarStore
):
    look = {"action": "continue", "tool_call": {"name": "get_overview", "arguments": {}}}
    plan = PLAN | {"plan_steps": [{"content": "Find the fullest day.", "done_when": "It is known."}]}
    says(talk, ADD_TOOLS, look, {"action": "done", "goal_check": "The overview says so."}, plan=plan)
    talk.mind.says["task_summary"] = {"summary": "Tuesday is the fullest day."}
    told = await talk.say("which is the fullest day of my calendar?", planning=Planning())
    assert told.asks is None and told.complete and told.reply == "Tuesday is the fullest day."


async def test_what_stands_on_a_day_is_answered_by_the_program_itself(talk: Talk, calendars: CalendarStore):
    told = await talk.say("what do I have on 2026-11-24?")
    assert told.complete and told.asks is None
    assert told.reply.splitlines()[:2] == ["Tue 2026-11-24: 4 of 12 hours are taken", "- 10:00-14:00 Shift"]
    assert talk.mind is None or talk.mind.calls == []


@with_model
async def test_a_no_to_a_plan_leads_to_another_plan_that_knows_why(talk: Talk, calendars: CalendarStore):
    says(talk, DONE)
    await talk.say("安排法语复习两次", planning=Planning())
    asked: list[str] = []
    steps = [{"content": "只在周末安排法语。", "done_when": "没有待安排的任务。"}, {"content": "检查是否太满。"}]

    def another(request: ScriptedRequest) -> object:
        asked.extend(request.fenced)
        return PLAN | {"plan_steps": steps}

    talk.mind.says["task_plan"] = another
    changed = await talk.say("平时没空，只排周末")
    assert changed.asks is not None and "只在周末" in changed.reply
    assert "平时没空，只排周末" in asked
    assert stored(calendars).items == []


@with_model
async def test_a_declined_call_is_told_to_the_model_which_finds_another_way(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), placing(excluded_weekdays=[1, 7]), DONE)
    await talk.say(REQUEST)
    first = await talk.say("yes")
    second = await talk.say("not on Mondays either")
    assert "Mon " not in second.reply and listed(second.reply) != listed(first.reply)
    assert any("The user declined this call" in request.text for request in talk.mind.asked)
    told = await talk.say("yes")
    assert [item.at for item in stored(calendars).items if item.at.day == 1] == []
    assert "but as you said: “not on Mondays either”" in told.reply and "You declined" not in told.reply


@with_model
async def test_stop_ends_a_task_and_says_what_was_done(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing())
    await talk.say(REQUEST)
    await talk.say("yes")
    ended = await talk.say("cancel")
    assert ended.asks is None and not ended.complete
    assert "- not done: Place two sessions of French, never on Sundays." in ended.reply
    assert "Nothing was stored." in ended.reply and stored(calendars).items == []


@with_model
async def test_an_answer_counts_once_and_only_for_the_question_that_waits(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), DONE)
    plan = (await talk.say(REQUEST)).asks
    call = (await talk.say(answer=Answer(question=plan.id, decision="accept"))).asks
    late = await talk.say(answer=Answer(question=plan.id, decision="accept"))
    assert late.reply.startswith("That question was answered already") and late.asks == call
    assert not late.complete
    assert stored(calendars).items == []
    await talk.say(answer=Answer(question=call.id, decision="accept"))
    again = await talk.say(answer=Answer(question=call.id, decision="accept"))
    assert again.reply.startswith("That question was answered already") and again.asks is None
    assert not again.complete
    assert len(stored(calendars).items) == 2


@with_model
async def test_edited_arguments_are_shown_before_they_are_carried_out(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), DONE)
    await talk.say(REQUEST)
    call = (await talk.say("yes")).asks
    edited = {"work": [FRENCH | {"name": "Italian", "items": 1}]}
    shown = await talk.say(answer=Answer(question=call.id, arguments=edited))
    assert shown.asks.call.arguments == edited and listed(shown.reply)[0].startswith("- Italian: day")
    assert stored(calendars).items == []
    await talk.say("yes")
    assert [item.name for item in stored(calendars).items] == ["Italian"]


@with_model
async def test_a_change_that_collides_with_a_later_one_is_refused(talk: Talk, calendars: CalendarStore):
    abort = {"action": "abort", "reason": "The week is full now."}
    says(talk, ADD_TOOLS, placing(), abort)
    await talk.say(REQUEST)
    await talk.say("yes")
    before = stored(calendars)
    full = [event(f"Lecture{day}", day, 1, 12) for day in range(1, 8)]
    calendars.put("main", before.model_copy(update={"events": full}))
    refused = await talk.say("yes")
    assert not refused.complete and "Refused: French 1 would overlap Lecture" in refused.reply
    assert stored(calendars).items == []


@with_model
async def test_a_question_of_the_model_is_answered_and_the_task_goes_on(talk: Talk, calendars: CalendarStore):
    ask = {"action": "ask_user", "speak": "In the morning or in the evening?"}
    says(talk, ADD_TOOLS, ask, placing(excluded_slots=[1, 2, 3, 4]), DONE)
    await talk.say(REQUEST)
    asked = await talk.say("yes")
    assert asked.asks.kind == "question" and asked.reply == "In the morning or in the evening?"
    shown = await talk.say("yes, in the evening")
    assert shown.asks.call is not None and "08:00" not in shown.reply


@with_model
async def test_three_replies_that_cannot_be_used_end_a_task(talk: Talk, calendars: CalendarStore):
    write_at_once = placing() | {"action": "continue"}
    says(
        talk, ADD_TOOLS, write_at_once, "I have stored everything.", {"action": "confirm", "tool_call": {"name": "rm"}}
    )
    await talk.say(REQUEST)
    ended = await talk.say("yes")
    assert not ended.complete and "French is planned." in ended.reply and "Nothing was stored." in ended.reply
    corrections = [request.text for request in talk.mind.asked if request.prompt == "task_step"]
    assert "place_work writes: use the action confirm" in corrections[-1]
    assert "the reply holds no JSON object" in corrections[-1] and len(corrections) == 4
    assert stored(calendars).items == []


@with_model
async def test_a_task_ends_after_thirty_rounds(talk: Talk, calendars: CalendarStore):
    says(talk, {"action": "continue", "speak": "Let me think."})
    talk.mind.says["task_summary"] = "no JSON"
    await talk.say(REQUEST)
    ended = await talk.say("yes")
    assert "The task ended before it was done: the task took more rounds than are allowed." in ended.reply
    assert [request.prompt for request in talk.mind.asked].count("task_step") == 31
    assert (await talk.session()).work.phase == "exhausted"


def moving(slot: int) -> dict[str, object]:
    arguments = {"task_id": "french-2", "new_day": 6, "new_slot_start": slot}
    return {"speak": "", "action": "confirm", "tool_call": {"name": "move", "arguments": arguments}}


@with_model
@pytest.mark.parametrize("yes", ["yes to all", "全部同意"])
async def test_a_yes_to_all_holds_for_the_changes_that_follow(talk: Talk, calendars: CalendarStore, yes: str):
    says(talk, ADD_TOOLS, placing(), moving(5), moving(7), moving(9), DONE)
    await talk.say(REQUEST)
    first = await talk.say("yes")
    assert "Yes to all" not in first.reply
    second = await talk.say("yes")
    assert "“Yes to all” also stores" in second.reply
    told = await talk.say(yes)
    assert told.complete and stored(calendars).item("french-2").at.slot == 9
    assert told.reply.count("- French 2:") == 4, "each change is listed at the end"


@with_model
async def test_what_is_taken_out_is_asked_after_a_yes_to_all(talk: Talk, calendars: CalendarStore):
    out = {"action": "confirm", "tool_call": {"name": "unplace", "arguments": {"task_id": "french-2"}}}
    says(talk, ADD_TOOLS, placing(), out, DONE)
    await talk.say(REQUEST)
    await talk.say("yes")
    asked = await talk.say("yes to all")
    assert asked.asks is not None and "Remove French 2 from the calendar" in asked.reply
    assert stored(calendars).item("french-2").at is not None


@with_model
async def test_work_that_does_not_fit_is_refused_before_the_user_is_asked(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(items=100), {"action": "abort", "reason": "It does not fit."})
    await talk.say(REQUEST)
    ended = await talk.say("yes")
    assert ended.asks is None and "more slots are needed" in ended.reply


@with_model
async def test_a_complex_task_is_thought_through_before_the_plan_is_shown(talk: Talk, calendars: CalendarStore):
    says(talk, DONE, plan=PLAN | {"complexity": "complex"})
    planned = await talk.say(REQUEST)
    assert planned.asks is not None
    tokens = [request.body["max_tokens"] for request in talk.mind.asked if request.prompt == "task_plan"]
    assert tokens == [1600, 3200]


@pytest.mark.parametrize("host", ["rules"], indirect=True)
async def test_without_a_model_it_is_said_what_works(talk: Talk, calendars: CalendarStore):
    with pytest.raises(Exception, match="needs a language model") as refused:
        await talk.say(REQUEST)
    assert "bandsmith calendar" in str(refused.value)


async def test_an_unknown_calendar_is_named(talk: Talk):
    with pytest.raises(Exception, match="There is no calendar “work”"):
        await talk.say(REQUEST, planning=Planning(calendar="work"))


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another program that sends messages: the file that it has sent."""
    sent, servers = tmp_path / "sent", tmp_path / "tool_servers.toml"
    command = json.dumps([sys.executable, "-m", "tests.planner.tool_server", str(sent)])
    root = json.dumps(str(Path(__file__).parents[2]))
    servers.write_text(f"[post]\ncommand = {command}\nenv = {{ PYTHONPATH = {root} }}\n")
    monkeypatch.setenv("BANDSMITH_TOOL_SERVERS", str(servers))
    return sent


def sent(post: Path) -> str:
    return post.read_text() if post.exists() else ""


@pytest.mark.slow
@with_model
async def test_another_program_is_called_exactly_as_it_was_shown(talk: Talk, calendars: CalendarStore, post: Path):
    add = {"action": "continue", "tool_call": {"name": "context_tools_add", "arguments": {"domain": "mcp.post"}}}
    send = {"action": "confirm", "tool_call": {"name": "mcp.post.send", "arguments": {"to": "ann"}}}
    says(talk, add, send | {"action": "continue"}, send, {"action": "done", "goal_check": "It is sent."})
    await talk.say("tell ann that the plan is ready", planning=Planning())
    shown = await talk.say("yes")
    assert shown.asks is not None and 'mcp.post.send with these arguments:\n- to: "ann"' in shown.reply
    assert "Call it? Answer yes or no" in shown.reply and sent(post) == ""
    assert any("mcp.post.send writes: use the action confirm" in request.text for request in talk.mind.asked)
    edited = await talk.say(answer=Answer(question=shown.asks.id, arguments={"to": "bob"}))
    assert '- to: "bob"' in edited.reply and sent(post) == ""
    late = await talk.say(answer=Answer(question=shown.asks.id, decision="accept"))
    assert late.asks == edited.asks and sent(post) == ""
    done = await talk.say(answer=Answer(question=edited.asks.id, decision="accept"))
    assert sent(post) == "to bob\n"
    assert done.complete and "Carried out by other programs:" in done.reply and "Nothing was stored" not in done.reply


@with_model
async def test_another_program_and_the_calendar_are_one_question(talk: Talk, calendars: CalendarStore, post: Path):
    add = {"action": "continue", "tool_call": {"name": "context_tools_add", "arguments": {"domain": "mcp.post"}}}
    wrong, send = ({"name": "mcp.post.send", "arguments": to} for to in ({"to": 7}, {"to": "ann"}))
    event = {"name": "add_event", "arguments": {"title": "Dentist", "day": 3, "slot_start": 1}}
    both = [
        {"action": "confirm", "tool_call": {"name": "several", "arguments": {"calls": [call, event]}}}
        for call in (wrong, send)
    ]
    says(talk, add, *both, {"action": "done", "goal_check": "It is sent."})
    await talk.say("tell ann about the dentist, and note it", planning=Planning())
    shown = await talk.say("yes")
    assert any("mcp.post.send does not take these arguments" in request.text for request in talk.mind.asked)
    assert '1. mcp.post.send with these arguments:\n- to: "ann"' in shown.reply and "2. Add the event" in shown.reply
    assert sent(post) == "" and "Dentist" not in [event.name for event in stored(calendars).events]
    done = await talk.say("yes")
    assert done.complete and done.asks is None and sent(post) == "to ann\n"
    assert "Dentist" in [event.name for event in stored(calendars).events]


@with_model
async def test_a_no_calls_no_other_program(talk: Talk, calendars: CalendarStore, post: Path):
    add = {"action": "continue", "tool_call": {"name": "context_tools_add", "arguments": {"domain": "mcp.post"}}}
    send = {"action": "confirm", "tool_call": {"name": "mcp.post.send", "arguments": {"to": "ann"}}}
    says(talk, add, send, {"action": "abort", "reason": "You declined it."})
    await talk.say("tell ann that the plan is ready", planning=Planning())
    await talk.say("yes")
    ended = await talk.say("no")
    assert sent(post) == "" and "You declined: mcp.post.send" in ended.reply


@with_model
async def test_a_task_reads_what_was_said_before_it(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), DONE)
    await talk.say(REQUEST)
    await talk.say("yes")
    await talk.say("yes")
    await talk.say("do the same for Italian", planning=Planning())
    plan = [request.text for request in talk.mind.asked if request.prompt == "task_plan"][-1]
    assert f"user: {REQUEST}" in plan and "Stored in the calendar" in plan
    await talk.say("yes")
    step = [request.text for request in talk.mind.asked if request.prompt == "task_step"][-1]
    assert f"user: {REQUEST}" in step


@with_model
async def test_a_step_whose_only_change_was_declined_is_not_told_as_done(talk: Talk, calendars: CalendarStore):
    steps = [{"content": "Place French.", "done_when": ""}, {"content": "Place Italian.", "done_when": ""}]
    skipped = {"action": "next_plan", "goal_check": "French stands in the calendar."}
    says(talk, ADD_TOOLS, placing(), skipped, placing(name="Italian"), DONE, plan=PLAN | {"plan_steps": steps})
    await talk.say(REQUEST)
    await talk.say("yes")
    await talk.say("no")
    told = await talk.say("yes")
    assert not told.complete
    assert "- not done: Place French." in told.reply and "- done: Place Italian." in told.reply
    assert told.reply.index("- Italian 1:") < told.reply.index("French is planned."), "the list leads"


@with_model
async def test_a_task_goes_on_waiting_while_something_else_is_done(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, placing(), DONE)
    await talk.say(REQUEST)
    shown = await talk.say("yes")
    between = [event async for event in talk.client.turn(talk.name, "fill it", filling=Filling(source=""))][-1]
    assert isinstance(between, TurnFinished)
    assert between.asks == shown.asks
    assert "The task still waits for your answer to its question." in between.notes
    assert stored(calendars).items == []
    told = await talk.say("yes")
    assert told.complete and len(stored(calendars).items) == 2
