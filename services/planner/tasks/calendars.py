"""The planner's door to stored calendars: a proposal is made from one, and a confirmed one is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from bandsmith.shared.actor import Store
from bandsmith.shared.events import CalendarCommitted, CommitCalendar, PlanWork, WorkPlanned
from bandsmith.shared.llm import Model
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings

from .plan_work import plan_work

T = TypeVar("T")


async def handle_task(
    store: Store, command: PlanWork | CommitCalendar, model: Model | None
) -> WorkPlanned | CalendarCommitted:
    """Propose a change of a stored calendar, or store one. Raises ``BadInput`` if there is no such calendar."""
    name = command.planning.calendar
    if isinstance(command, PlanWork):
        stored = await asyncio.to_thread(_with_store, lambda calendars: calendars.load(name))
        return await plan_work(store, command, stored.schedule, model)
    change = Difference.model_validate_json(await store.get(command.work_change))
    try:
        await asyncio.to_thread(_with_store, lambda calendars: calendars.commit(name, change, command.work_change_id))
    except ChangeRefused as refused:
        return CalendarCommitted(work_refusal=refused.reason.in_language(command.language))
    return CalendarCommitted()


def _with_store(use: Callable[[CalendarStore], T]) -> T:
    calendars = CalendarStore(CalendarSettings().url)
    try:
        return use(calendars)
    finally:
        calendars.close()
