"""Loads a calendar for a task, and stores the change that the user confirmed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import TypeVar

from bandsmith.shared.actor import Store
from bandsmith.shared.events import (
    AskServer,
    CalendarCommitted,
    CalendarLookedUp,
    CarryOutCall,
    CommitCalendar,
    DeliverWork,
    Event,
    LookUpCalendar,
    PlanWork,
    PrepareErrand,
    TakeStep,
    WorkPlanned,
)
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.schedule import Schedule, Window
from bandsmith.shared.model.task import DEFAULT_CALENDAR, Planning
from bandsmith.shared.replies import text
from bandsmith.shared.schedule import past
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings

from ..language.calendar_sentences import read_calendar_question
from .calendar_answers import answer_words
from .deliver import deliver
from .errands import prepare_errand
from .foreign_calls import ask_server, carry_out
from .plan import plan
from .step import take_step

T = TypeVar("T")
EMPTY_DAYS = 14
TaskCommand = (
    PlanWork | TakeStep | CommitCalendar | DeliverWork | AskServer | CarryOutCall | PrepareErrand | LookUpCalendar
)


async def handle_task(store: Store, command: TaskCommand, model: Model | None) -> Event:
    """Carry out a command of a task. Raises ``BadInput`` if there is no such calendar."""
    match command:
        case PlanWork():
            draft = command.work_draft or await _copy(store, command.planning.calendar)
            return await _answered(command, draft) or await plan(store, command, draft, model)
        case TakeStep():
            return await take_step(store, command, model)
        case DeliverWork():
            return await deliver(command, model)
        case AskServer():
            return await ask_server(store, command)
        case CarryOutCall():
            return await carry_out(store, command)
        case PrepareErrand():
            return await prepare_errand(store, command)
        case CommitCalendar():
            return await _commit(store, command)
        case LookUpCalendar():
            words = await _words_for(command.text, command.planning, command.language)
            return CalendarLookedUp(calendar_words=words or "")


async def _answered(command: PlanWork, draft: Ref) -> WorkPlanned | None:
    """Return the answer to a request that only asks about the calendar in words that rules read; None for another."""
    words = None if command.work_log else await _words_for(command.text, command.planning, command.language)
    return WorkPlanned(work_action="answered", work_draft=draft, work_words=words) if words else None


async def _words_for(said: str, planning: Planning, language: Language) -> str | None:
    """Return the answer to a question about what is stored in the calendar; None for any other message."""
    now = past.local_now()
    question = read_calendar_question(said, now.date())
    if question is None:
        return None
    if planning.calendar not in await asyncio.to_thread(_with_store, CalendarStore.names):
        return text("schedule.answer_of_day.none", language)
    stored = await asyncio.to_thread(_with_store, lambda calendars: calendars.load(planning.calendar))
    return answer_words(stored.schedule, question, now, language)


async def _copy(store: Store, name: str) -> Ref:
    """Return a copy of a calendar; of an empty one where there is no calendar at all, for tasks that need none."""
    stored = await asyncio.to_thread(_with_store, lambda calendars: _loaded(calendars, name))
    return await _put(store, stored)


def _loaded(calendars: CalendarStore, name: str) -> Schedule:
    if name == DEFAULT_CALENDAR and name not in calendars.names():
        return Schedule(window=Window(start=date.today(), days=EMPTY_DAYS))
    return calendars.load(name).schedule


async def _commit(store: Store, command: CommitCalendar) -> CalendarCommitted:
    """Store a change, and return the calendar as it is then, even if the change conflicts with another one."""
    name = command.planning.calendar
    change = Difference.model_validate_json(await store.get(command.work_change))
    try:
        stored = await asyncio.to_thread(
            _with_store, lambda calendars: calendars.commit(name, change, command.work_change_id)
        )
    except ChangeRefused as refused:
        refusal = refused.reason.in_language(command.language)
        return CalendarCommitted(work_draft=await _copy(store, name), work_refusal=refusal)
    return CalendarCommitted(work_draft=await _put(store, stored.schedule))


async def _put(store: Store, schedule: Schedule) -> Ref:
    return await store.put(schedule.model_dump_json().encode(), "application/json")


def _with_store(use: Callable[[CalendarStore], T]) -> T:
    calendars = CalendarStore(CalendarSettings().url)
    try:
        return use(calendars)
    finally:
        calendars.close()
