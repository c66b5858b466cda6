"""The gateway's clock: it looks after the scheduled runs, starts what is due, and stores how it ended.

What follows from the time and the log is worked out in ``shared/runs/steps.py``, which also says why a time is run
exactly once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import structlog

from bandsmith.shared.bus.base import Bus, Conflict, LoggedEvent
from bandsmith.shared.errors import BandsmithError, RetryableError
from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.model.run import RunAttempt, RunState
from bandsmith.shared.runs.steps import MAX_AGE, begun, ended, may_start, notice_command, session_of, start_command
from bandsmith.shared.runs.store import Runs, StoredRun

log = structlog.get_logger(__name__)

INTERVAL_S = 2.0
"""How often the runs are looked at."""
MAX_READ_EVENTS = 1000
MIN_WATCHED_S = 600.0
"""How long a gateway has to have watched an attempt before it gives it up: the time of day may have jumped ahead."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class RunScheduler:
    """Looks after all runs. Any number of them may do so at the same time."""

    def __init__(
        self,
        bus: Bus,
        now: Callable[[], datetime] = _utc_now,
        interval: float = INTERVAL_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bus = bus
        self._runs = Runs(bus)
        self._now = now
        self._monotonic = monotonic
        self._interval = interval
        self._watched: dict[str, float] = {}
        """Since when this gateway has watched the attempts under way, by their turns."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._look_after())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def tick(self) -> None:
        """Look at every run once. Raises ``RetryableError`` while the server is away."""
        under_way = set()
        for name in await self._runs.names():
            try:
                stored = await self._runs.read(name)
                if stored is not None:
                    await self._advance(stored)
                    under_way.add(stored.state.current.turn if stored.state.current else "")
            except RetryableError:
                raise
            except Exception as error:
                log.warning("run.not_advanced", run=name, error=type(error).__name__)
        self._watched = {turn: since for turn, since in self._watched.items() if turn in under_way}

    async def _look_after(self) -> None:
        while True:
            try:
                await self.tick()
            except BandsmithError as error:  # the server is away; what is due then is due still when it is back
                log.warning("runs.not_seen", code=error.code)
            await asyncio.sleep(self._interval)

    async def _advance(self, stored: StoredRun) -> None:
        state, now = stored.state, self._now()
        events = await self._events(state, state.current) if state.current else []
        changed = await self._changed(state, events, now)
        if changed is not state:
            try:
                await self._runs.replace(changed, stored.revision)
            except Conflict:  # another gateway was first, and does what follows
                return
        attempt = changed.current
        is_started = attempt is state.current and bool(events)
        if attempt is not None and may_start(attempt, now) and not is_started:
            await self._bus.send(start_command(changed))

    async def _changed(self, state: RunState, events: Sequence[LoggedEvent], now: datetime) -> RunState:
        """Return what follows from the time and from the events of the attempt; the same state if nothing does."""
        if state.owes_notice:
            await self._bus.send(notice_command(state))
            return state.model_copy(update={"owes_notice": False})
        if state.current is None:
            if not _is_due(state, now):
                return state
            # Years of missed times are read in a thread of their own.
            return await asyncio.to_thread(begun, state, now, await self._bus.last_sequence())
        end = next((one.event for one in events if one.event.kind in _ENDS), None)
        if end is not None:
            return ended(state, _ENDS[end.kind].model_validate(end.payload), now, await self._bus.last_sequence())
        turn = state.current.turn
        watched = self._monotonic() - self._watched.setdefault(turn, self._monotonic())
        if now - state.current.not_before > MAX_AGE and watched > MIN_WATCHED_S:
            return ended(state, None, now, await self._bus.last_sequence())
        return state

    async def _events(self, state: RunState, attempt: RunAttempt) -> list[LoggedEvent]:
        """Return the events of the attempt's turn."""
        events = await self._bus.read_turn_events(session_of(state.run), after=attempt.after, limit=MAX_READ_EVENTS)
        return [one for one in events if one.event.turn == attempt.turn]


_ENDS: dict[str, type[TurnFinished | TurnFailed]] = {kind.kind(): kind for kind in (TurnFinished, TurnFailed)}


def _is_due(state: RunState, now: datetime) -> bool:
    return state.next_due is not None and state.next_due <= now and not state.paused
