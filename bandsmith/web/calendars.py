"""Handlers of calendars, which are read here; turns and ``bandsmith calendar`` change them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.views import pending
from bandsmith.shared.settings import CalendarSettings

from .problems import NotFound
from .sessions import as_json

if TYPE_CHECKING:
    from bandsmith.shared.schedule.store import CalendarStore

T = TypeVar("T")


class CalendarEntry(Value):
    """A calendar in the list."""

    name: str
    events: int
    """Number of its events."""
    placed: int
    """Number of its task items that have a place."""
    pending: int
    """Number of its other task items."""


async def list_calendars(request: Request) -> Response:
    """Return the calendars of the server, by name."""

    def entries(store: CalendarStore) -> list[CalendarEntry]:
        return [_entry(name, store.load(name).schedule) for name in store.names()]

    return JSONResponse([one.model_dump() for one in await _with_store(entries)])


async def show_calendar(request: Request) -> Response:
    """Return a calendar with its window, its events, and its task items."""
    name = request.path_params["calendar"]

    def load(store: CalendarStore) -> Schedule:
        if name not in store.names():
            raise NotFound.of("web.error.calendar", code="calendar")
        return store.load(name).schedule

    return as_json(await _with_store(load))


def _entry(name: str, schedule: Schedule) -> CalendarEntry:
    waiting = len(pending(schedule))
    placed = len(schedule.items) - waiting
    return CalendarEntry(name=name, events=len(schedule.events), placed=placed, pending=waiting)


async def _with_store(work: Callable[[CalendarStore], T]) -> T:
    """Return what `work` returns. Raises ``BadInput`` if the calendars cannot be opened."""

    def run() -> T:
        from bandsmith.shared.schedule.store import CalendarStore  # noqa: PLC0415 - loads SQLAlchemy

        store = CalendarStore(CalendarSettings().url)
        try:
            return work(store)
        finally:
            store.close()

    return await asyncio.to_thread(run)
