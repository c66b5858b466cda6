"""Questions about the calendar are answered from it at once: no model, no plan, no consent."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from bandsmith.services.planner.language.calendar_sentences import read_calendar_question
from bandsmith.services.planner.tasks.calendar_answers import answer_words
from bandsmith.services.planner.tasks.calendars import handle_task
from bandsmith.shared.events import PlanWork, WorkPlanned
from bandsmith.shared.language import language_of
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.task import Planning
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings
from tests.shared.schedule.calendars import revision

from .test_tasks import Memory

SUNDAY = datetime(2026, 11, 22, 9)


def answered(text: str, now: datetime = SUNDAY) -> str:
    question = read_calendar_question(text, now.date())
    assert question is not None
    return answer_words(revision(), question, now, language_of(text))


def test_a_day_is_told_with_what_stands_there_and_the_time_that_is_free():
    assert answered("what do I have on Tuesday?").splitlines() == [
        "Tue 2026-11-24: 4 of 12 hours are taken",
        "- 10:00-14:00 Shift",
        "- free: 08:00-10:00 and 14:00-20:00",
    ]
    assert answered("周三我有什么安排？").splitlines() == [
        "2026-11-25（周三）：12 小时中已占用 0 小时",
        "- 没有安排",
        "- 空闲：08:00-20:00",
    ]


def test_a_part_of_a_day_is_told_without_the_rest_of_it():
    assert answered("am I free on Tuesday afternoon?").splitlines() == [
        "Tue 2026-11-24, afternoon: 2 of 6 hours are taken",
        "- free: 14:00-18:00",
    ]


def test_hours_that_are_over_are_not_free():
    noon = datetime(2026, 11, 23, 12, 30)
    assert answered("when am I free today?", noon).splitlines()[1] == "- free: 13:00-20:00"
    assert answered("今天还有空吗？", noon.replace(hour=22)).splitlines()[1] == "- 没有空闲时间"


def test_nothing_is_said_of_days_that_the_calendar_does_not_cover():
    outside = "The calendar covers 2026-11-23 to 2026-11-29; it says nothing of other days."
    assert answered("what do I have on 3 December?") == outside
    assert answered("how full is this week?", datetime(2026, 11, 27, 9)).count("hours are taken") == 7
    assert answered("how full is next week?", datetime(2026, 11, 27, 9)) == outside


def planning(text: str) -> PlanWork:
    return PlanWork(
        text=text, planning=Planning(), work=None, work_log=[], work_draft=None, work_thinks=False,
        language=language_of(text), allowance=Allowance(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "without", "with_one"),
    [
        ("how full is 2026-11-24?", "There is no calendar yet", "Tue 2026-11-24: 4 of 12 hours are taken"),
        ("2026年11月24日有什么安排？", "还没有日历", "- 10:00-14:00 Shift"),
    ],
)
async def test_the_planner_answers_without_a_model_and_says_if_there_is_no_calendar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, without: str, with_one: str
):
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    monkeypatch.setenv("BANDSMITH_CALENDARS", f"sqlite:///{tmp_path / 'calendars.db'}")
    none = await handle_task(Memory(), planning(text), None)
    assert isinstance(none, WorkPlanned) and none.work_action == "answered" and without in none.work_words
    store = CalendarStore(CalendarSettings().url)
    store.put("main", revision())
    store.close()
    told = await handle_task(Memory(), planning(text), None)
    assert isinstance(told, WorkPlanned) and with_one in told.work_words
