"""What is asked about the calendar while a task waits: it is answered, and the task goes on waiting."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.task import Planning
from bandsmith.shared.schedule.store import CalendarStore

from .conftest import Talk
from .scripted_tasks import ADD_TOOLS, DONE, REQUEST, placing, says, stored, with_model

pytestmark = [pytest.mark.asyncio(loop_scope="package")]
ASK = {"action": "ask_user", "speak": "In the morning or in the evening?"}


@with_model
@pytest.mark.parametrize("question", ["what is on 2026-11-24?", "what do I have on 2026-11-24?"])
async def test_a_question_about_the_calendar_is_no_answer_to_a_task(
    talk: Talk, calendars: CalendarStore, question: str
):
    says(talk, ADD_TOOLS, ASK, placing(), DONE)
    for said in (REQUEST, "yes", "in the evening"):
        waits = await talk.say(said)
        told = await talk.say(question)
        assert "Tue 2026-11-24: 4 of 12 hours are taken\n- 10:00-14:00 Shift" in told.reply
        assert told.asks == waits.asks is not None
        assert "The task still waits for your answer to its question." in told.notes
        assert stored(calendars).items == []
        assert (await talk.session()).pending == waits.asks
    await talk.say("yes")
    assert len(stored(calendars).items) == 2


@with_model
async def test_a_question_that_says_it_is_about_the_calendar_leaves_a_task_waiting_too(
    talk: Talk, calendars: CalendarStore
):
    says(talk, DONE)
    planned = await talk.say(REQUEST)
    told = await talk.say("what do I have on 2026-11-24?", planning=Planning())
    assert "10:00-14:00 Shift" in told.reply and told.asks == planned.asks is not None
