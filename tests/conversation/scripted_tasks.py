"""A task about French in a small calendar, and the replies of the model in it."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.store import CalendarStore

from .conftest import Talk

REQUEST = "plan the revision of French: two sessions, never on Sundays"
FRENCH = {"name": "French", "items": 2, "slots": 2, "excluded_weekdays": [7]}
PLAN = {
    "speak": "I would place two sessions.",
    "action": "plan_done",
    "complexity": "simple",
    "plan_steps": [
        {"content": "Place two sessions of French, never on Sundays.", "done_when": "Nothing is pending."},
        {"content": "Look whether any day is full.", "done_when": "It is said."},
    ],
}
ONE_STEP = PLAN | {"plan_steps": PLAN["plan_steps"][:1]}
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


def stored(calendars: CalendarStore) -> Schedule:
    return calendars.load("main").schedule


def listed(reply: str) -> list[str]:
    return [line for line in reply.splitlines() if line.startswith("- ")]


with_model = pytest.mark.parametrize("host", ["model"], indirect=True)
