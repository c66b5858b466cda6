"""Calls of several kinds that are known together: reports, runs and the calendar are shown and asked about once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bandsmith.shared.model.task import Answer, Planning
from bandsmith.shared.schedule.store import CalendarStore

from .conftest import Talk
from .scripted_tasks import stored
from .test_errands import DONE, adding, calling, delivered, files_in, report_filled_for_each_customer, says

__all__ = ["delivered"]
pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="package")]
with_model = pytest.mark.parametrize("host", ["model"], indirect=True)
ABORT = {"action": "abort", "reason": "It cannot be done."}
REQUEST = "create the October statement for each customer, do it every month, and put the meeting into the calendar"
FILL = {"name": "fill_report", "arguments": {"period": "2026-10", "each": "customer", "folder": "reports"}}
RUN_ARGUMENTS = {
    **{"run_name": "together", "rule": "0 8 1 * *", "period": "last month"},
    **{"each": "customer", "folder": "reports"},
}
RUN: dict[str, object] = {"name": "schedule_run", "arguments": RUN_ARGUMENTS}
MEETING = {"name": "add_event", "arguments": {"title": "Meeting", "day": 3, "slot_start": 1}}
OTHER = {"name": "add_event", "arguments": {"title": "Review", "day": 4, "slot_start": 1}}


def several(*calls: Mapping[str, object]) -> dict[str, object]:
    return calling("several", calls=list(calls))


def events(calendars: CalendarStore) -> list[str]:
    return [event.name for event in stored(calendars).events if event.name in ("Meeting", "Review")]


def asked_of(talk: Talk) -> str:
    assert talk.mind is not None
    return "\n".join(request.text for request in talk.mind.asked if request.prompt == "task_step")


@with_model
async def test_a_filling_with_new_queries_its_run_and_a_meeting_are_one_question(
    talk: Talk, delivered: Path, calendars: CalendarStore
):
    says(talk, adding("reports"), several(FILL, RUN, MEETING, OTHER), DONE)
    await talk.say("create a sales report with customer and amount")
    shown = await talk.say(REQUEST, planning=Planning())
    assert shown.asks is not None, shown.reply
    for words in ("1. Fill the report", "SELECT", "2. ", "- name: together", "3. ", "Meeting", "Review"):
        assert words in shown.reply, shown.reply
    assert (files_in(delivered), events(calendars)) == ([], [])

    told = await talk.say("yes")
    assert told.complete and told.asks is None, told.reply
    assert [name.rpartition(" ")[2] for name in files_in(delivered)] == ["Acme.pdf", "Bolt.pdf"]
    assert events(calendars) == ["Meeting", "Review"]
    assert "Added the run “together”." in told.reply
    again = await talk.say("run together now")
    assert "not reviewed" not in again.reply, "the yes to the question has reviewed the queries of the run"


@with_model
async def test_after_a_part_that_fails_nothing_more_is_tried_and_each_is_told(
    talk: Talk, delivered: Path, calendars: CalendarStore
):
    run = RUN_ARGUMENTS | {"run_name": "taken"}
    weekly = run | {"rule": "0 8 * * 1"}
    says(talk, adding("reports"), calling("schedule_run", **weekly), DONE)
    await report_filled_for_each_customer(talk)
    await talk.say("do that every week", planning=Planning())
    assert "Added the run" in (await talk.say("yes")).reply

    says(talk, adding("reports"), several(FILL, RUN | {"arguments": run}, MEETING), ABORT)
    await talk.say(REQUEST, planning=Planning())
    told = await talk.say("yes")
    assert not told.complete and len(files_in(delivered)) == 2
    assert "2 reports, one for each “customer”" in told.reply
    assert "Refused: " in told.reply and "Not tried, since something before it failed: add_event" in told.reply
    assert events(calendars) == []


@with_model
async def test_a_no_does_none_of_them(talk: Talk, delivered: Path, calendars: CalendarStore):
    says(talk, adding("reports"), several(FILL, MEETING), ABORT)
    await report_filled_for_each_customer(talk)
    await talk.say(REQUEST, planning=Planning())
    told = await talk.say("no")
    assert "You declined: fill_report, add_event" in told.reply
    assert (files_in(delivered), events(calendars)) == ([], [])


@with_model
async def test_a_run_to_be_removed_is_looked_up_before_the_one_question(talk: Talk, calendars: CalendarStore):
    says(talk, adding("reports"), calling("schedule_run", **RUN_ARGUMENTS | {"run_name": "gone"}), DONE)
    await report_filled_for_each_customer(talk)
    await talk.say("do that every month", planning=Planning())
    await talk.say("yes")
    gone, unknown = ({"name": "cancel_run", "arguments": {"run_name": name}} for name in ("gone", "unknown"))
    says(talk, adding("reports"), several(MEETING, unknown), several(MEETING, gone), DONE)
    shown = await talk.say("stop the run and add the meeting", planning=Planning())
    assert "Call 2 (cancel_run) is refused, so nothing has changed: There is no such run." in asked_of(talk)
    assert "2. Remove the scheduled run “gone”." in shown.reply and events(calendars) == []
    told = await talk.say("yes")
    assert told.complete and events(calendars) == ["Meeting"]
    assert "gone" not in (await talk.say("which runs are there?")).reply


@with_model
async def test_what_needs_the_report_that_another_call_makes_is_asked_for_after_it(talk: Talk, delivered: Path):
    build = {"name": "build_report", "arguments": {"description": "a sales report with customer and amount"}}
    change = {"name": "change_report", "arguments": {"request": "make the title blue"}}
    says(talk, adding("reports"), several(build, FILL), several(change, FILL), ABORT)
    await talk.say("create a sales report with customer and amount")
    ended = await talk.say(REQUEST, planning=Planning())
    assert ended.asks is None and files_in(delivered) == []
    assert "Call 2 (fill_report) is refused, so nothing has changed: it works on the report that call 1" in ended.reply


@with_model
@pytest.mark.parametrize(
    "call",
    [
        {"name": "fill_report", "arguments": {"format": 3}},
        {"name": "schedule_run", "arguments": {}},
        {"name": "list_runs", "arguments": {}},
        {"name": "mcp.post.send", "arguments": {}},
    ],
    ids=lambda call: call["name"],
)
async def test_a_part_with_wrong_arguments_is_sent_back_before_anything_is_shown(talk: Talk, call: dict[str, object]):
    says(talk, adding("reports"), several(MEETING, call), ABORT)
    ended = await talk.say(REQUEST, planning=Planning())
    assert ended.asks is None and "That reply cannot be used" in asked_of(talk)


@with_model
async def test_a_part_can_be_taken_out_or_changed_and_the_rest_is_shown_again(
    talk: Talk, delivered: Path, calendars: CalendarStore
):
    says(talk, adding("reports"), several(FILL, RUN, MEETING), DONE)
    await report_filled_for_each_customer(talk)
    shown = await talk.say(REQUEST, planning=Planning())
    assert shown.asks is not None and shown.asks.call is not None
    assert shown.asks.call.arguments == {"calls": [FILL, RUN, MEETING]}
    late = RUN | {"arguments": RUN_ARGUMENTS | {"run_name": "late"}}
    again = await talk.say(answer=Answer(question=shown.asks.id, arguments={"calls": [late, MEETING]}))
    assert again.asks is not None and "- name: late" in again.reply and "Fill the report" not in again.reply
    await talk.say("yes")
    assert files_in(delivered) == [] and events(calendars) == ["Meeting"]
