"""Several changes that are known at one time: shown together, asked about once, made together or not at all."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bandsmith.shared.model.task import Answer
from bandsmith.shared.schedule.store import CalendarStore

from .conftest import Talk
from .scripted_tasks import ADD_TOOLS, DONE, FRENCH, ONE_STEP, REQUEST, listed, says, stored, with_model

pytestmark = [pytest.mark.asyncio(loop_scope="package")]
PLACE = {"name": "place_work", "arguments": {"work": [FRENCH]}}
LOCK = {"name": "change_entry", "arguments": {"task_id": "shift", "locked": True}}
DENTIST = {"name": "add_event", "arguments": {"title": "Dentist", "day": 3, "slot_start": 1}}
OUT = {"name": "delete_entries", "arguments": {"task_ids": ["lecture"]}}
ABORT = {"action": "abort", "reason": "It cannot be done."}


def several(*calls: Mapping[str, object]) -> dict[str, object]:
    return {"action": "confirm", "tool_call": {"name": "several", "arguments": {"calls": list(calls)}}}


def state(calendars: CalendarStore) -> tuple[list[str], list[str]]:
    schedule = stored(calendars)
    return [item.name for item in schedule.items], [event.name for event in schedule.events]


@with_model
async def test_changes_of_several_kinds_are_shown_together_and_asked_about_once(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, several(PLACE, LOCK, DENTIST), DONE, plan=ONE_STEP)
    shown = await talk.say(REQUEST)
    assert shown.asks is not None and state(calendars) == ([], ["Lecture", "Shift"])
    for words in ("French (2)", "Lock Shift", "Add the event Dentist", "- Shift: ", ", locked", "- Dentist: "):
        assert words in shown.reply
    told = await talk.say("yes")
    assert told.complete and told.asks is None
    assert state(calendars) == (["French 1", "French 2"], ["Lecture", "Shift", "Dentist"])
    assert listed(shown.reply) == [line for line in listed(told.reply) if not line.startswith("- done")]


@with_model
async def test_if_one_of_them_is_refused_none_is_made_and_the_model_is_told_which(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, several(PLACE, OUT), several(PLACE, DENTIST), DONE, plan=ONE_STEP)
    shown = await talk.say(REQUEST)
    assert "Dentist" in shown.reply
    assert any("Call 2 (delete_entries) is refused" in request.text for request in talk.mind.asked)
    await talk.say("yes")
    assert state(calendars) == (["French 1", "French 2"], ["Lecture", "Shift", "Dentist"])


@with_model
async def test_a_no_makes_none_of_them(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, several(PLACE, DENTIST), ABORT, plan=ONE_STEP)
    await talk.say(REQUEST)
    told = await talk.say("no")
    assert "You declined: place_work, add_event" in told.reply
    assert state(calendars) == ([], ["Lecture", "Shift"])


@with_model
async def test_what_is_left_after_the_user_takes_one_out_is_shown_again(talk: Talk, calendars: CalendarStore):
    says(talk, ADD_TOOLS, several(PLACE, DENTIST), DONE, plan=ONE_STEP)
    shown = await talk.say(REQUEST)
    assert shown.asks is not None
    again = await talk.say(answer=Answer(question=shown.asks.id, arguments={"calls": [DENTIST]}))
    assert again.asks is not None and "French" not in again.asks.text
    await talk.say("yes")
    assert state(calendars) == ([], ["Lecture", "Shift", "Dentist"])


@with_model
@pytest.mark.parametrize(
    "call",
    [
        {"name": "several", "arguments": {"calls": [PLACE]}},
        {"name": "get_overview", "arguments": {}},
        {"name": "queue_skip_head", "arguments": {}},
        {"name": "place", "arguments": {"day": 1}},
        {"name": "schedule_run", "arguments": {}},
    ],
    ids=lambda call: call["name"],
)
async def test_what_is_no_change_of_the_calendar_cannot_be_among_them(
    talk: Talk, calendars: CalendarStore, call: dict[str, object]
):
    says(talk, ADD_TOOLS, several(call), ABORT, plan=ONE_STEP)
    ended = await talk.say(REQUEST)
    assert ended.asks is None
    assert any("several does not take these arguments" in request.text for request in talk.mind.asked)


@with_model
async def test_a_yes_to_all_does_not_hold_where_one_of_them_takes_something_out(talk: Talk, calendars: CalendarStore):
    unlock = {"name": "change_entry", "arguments": {"task_id": "lecture", "locked": False}}
    says(talk, ADD_TOOLS, several(PLACE), several(DENTIST), several(unlock, OUT), DONE, plan=ONE_STEP)
    await talk.say(REQUEST)
    await talk.say("yes")
    asked = await talk.say("yes to all")
    assert asked.asks is not None and "Delete for good: Lecture" in asked.reply
    assert "Lecture" in state(calendars)[1]
