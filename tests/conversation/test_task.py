"""Work planned in a conversation: proposed, shown, changed by what the user says, and stored only after a yes."""

from __future__ import annotations

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


@pytest.fixture
def calendars(talk: Talk):
    """A week with two events, and a model that knows what is wanted."""
    store = CalendarStore(CalendarSettings().url)
    store.put("main", revision().model_copy(update={"classes": [], "items": []}))
    if talk.mind is not None:
        talk.mind.says["plan_work"] = {"work": [FRENCH], "reply": ""}
    yield store
    store.close()


def stored(calendars: CalendarStore) -> Schedule:
    return calendars.load("main").schedule


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_nothing_is_stored_before_a_yes_and_then_exactly_what_was_shown(talk: Talk, calendars: CalendarStore):
    asked = await talk.say(REQUEST)
    assert asked.intent == "plan_work" and asked.asks is not None and not asked.complete
    assert "French 1: day" in asked.reply and "Store it?" in asked.reply
    assert stored(calendars).items == []
    done = await talk.say("yes")
    assert done.complete and done.reply.startswith("Stored in the calendar:")
    shown = [line for line in asked.reply.splitlines() if line.startswith("- ")]
    assert [line for line in done.reply.splitlines() if line.startswith("- ")] == shown
    assert [item.name for item in stored(calendars).items if item.at] == ["French 1", "French 2"]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_no_stores_nothing_and_an_objection_leads_to_another_proposal(talk: Talk, calendars: CalendarStore):
    await talk.say("安排法语复习两次", planning=Planning())
    seen: list[str] = []

    def another(asked):
        seen.extend(asked.fenced)
        return {"work": [FRENCH | {"excluded_weekdays": [1, 7]}], "reply": ""}

    talk.mind.says["plan_work"] = another
    changed = await talk.say("周一也不要")
    assert changed.asks is not None and "周一" not in changed.reply
    assert any("周一也不要" in part for part in seen)
    assert (await talk.say("不")).asks is None
    assert stored(calendars).items == []


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_proposal_that_collides_with_a_later_change_is_refused(talk: Talk, calendars: CalendarStore):
    await talk.say(REQUEST)
    before = stored(calendars)
    full = [event(f"Lecture{day}", day, 1, 12) for day in range(1, 8)]
    calendars.put("main", before.model_copy(update={"events": full}))
    refused = await talk.say("yes")
    assert not refused.complete
    assert refused.reply.startswith("Nothing was stored. French 1 would overlap Lecture")
    assert stored(calendars).items == []


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_work_that_does_not_fit_is_not_proposed(talk: Talk, calendars: CalendarStore):
    talk.mind.says["plan_work"] = {"work": [FRENCH | {"items": 100}], "reply": ""}
    said = await talk.say(REQUEST)
    assert said.asks is None and not said.complete
    assert "slots are missing" in said.reply


@pytest.mark.parametrize("host", ["rules"], indirect=True)
async def test_without_a_model_it_is_said_what_works(talk: Talk, calendars: CalendarStore):
    with pytest.raises(Exception, match="needs a language model") as refused:
        await talk.say(REQUEST)
    assert "bandsmith calendar" in str(refused.value)


async def test_an_unknown_calendar_is_named(talk: Talk):
    with pytest.raises(Exception, match="There is no calendar “work”"):
        await talk.say(REQUEST, planning=Planning(calendar="work"))
