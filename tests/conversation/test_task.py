"""Tasks in a conversation: planned, confirmed, carried out call by call, told; nothing is stored without a yes."""

from __future__ import annotations

import json

import pytest

from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.task import Planning
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings
from tests.shared.schedule.calendars import event, revision

from .conftest import Talk

pytestmark = [pytest.mark.asyncio(loop_scope="package")]
REQUEST = "plan the revision of French: two sessions, never on Sundays"
FRENCH = {"name": "French", "items": 2, "slots": 2, "excluded_weekdays": [7]}
PLAN = {
    "speak": "I would place two sessions.",
    "action": "plan_done",
    "complexity": "simple",
    "plan_steps": [{"content": "Place two sessions of French, never on Sundays.", "done_when": "Nothing is pending."}],
}
ADD_TOOLS = {
    "action": "continue",
    "tool_call": {"name": "context_tools_add", "arguments": {"domain": "schedule", "packs": ["mutation"]}},
}


def placing(**work: object) -> dict[str, object]:
    arguments = {"work": [FRENCH | work]}
    return {"speak": "", "action": "confirm", "tool_call": {"name": "place_work", "arguments": arguments}}


DONE = {"action": "done", "goal_check": "Both sessions stand in the calendar."}
SUMMARY = {"summary": "French is planned."}


def says(talk: Talk, *steps: object, plan: object = PLAN) -> None:
    """Let the model give these replies, one after another, the last for ever."""
    left = list(steps)
    assert talk.mind is not None
    talk.mind.says["task_plan"] = plan
    talk.mind.says["task_step"] = lambda _: left.pop(0) if len(left) > 1 else left[0]
    talk.mind.says["task_summary"] = SUMMARY


@pytest.fixture
def calendars(talk: Talk):
    """A week with two events."""
    store = CalendarStore(CalendarSettings().url)
    store.put("main", revision().model_copy(update={"classes": [], "items": []}))
    yield store
    store.close()


def stored(calendars: CalendarStore) -> Schedule:
    return calendars.load("main").schedule


def listed(reply: str) -> list[str]:
    return [line for line in reply.splitlines() if line.startswith("- ")]


with_model = pytest.mark.parametrize("host", ["model"], indirect=True)


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
    assert told.complete and told.reply.startswith("French is planned.")
    assert [item.name for item in stored(calendars).items if item.at] == ["French 1", "French 2"]
    assert (await talk.session()).work.phase == "done"
