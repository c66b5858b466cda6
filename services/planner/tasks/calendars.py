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
    CarryOutCall,
    CommitCalendar,
    DeliverWork,
    Event,
    PlanWork,
    PrepareErrand,
    TakeStep,
)
from bandsmith.shared.llm import Model
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.schedule import Schedule, Window
from bandsmith.shared.model.task import DEFAULT_CALENDAR
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings

from .deliver import deliver
from .errands import prepare_errand
from .foreign_calls import ask_server, carry_out
from .plan import plan
from .step import take_step

T = TypeVar("T")
EMPTY_DAYS = 14
TaskCommand = PlanWork | TakeStep | CommitCalendar | DeliverWork | AskServer | CarryOutCall | PrepareErrand


async def handle_task(store: Store, command: TaskCommand, model: Model | None) -> Event:
    """Carry out a command of a task. Raises ``BadInput`` if there is no such calendar."""
    match command:
        case PlanWork():
            draft = command.work_draft or await _copy(store, command.planning.calendar)
            return await plan(store, command, draft, model)
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
