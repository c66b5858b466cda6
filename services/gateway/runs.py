"""The gateway's clock: it looks after the scheduled runs, starts what is due, and stores how it ended.

What follows from the time and the log is worked out in ``shared/runs/steps.py``, which also says why a time is run
exactly once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import structlog

from bandsmith.shared.bus.base import Bus, Conflict, LoggedEvent
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import Envelope, SendNotice, TurnFailed, TurnFinished, command_id
from bandsmith.shared.model.run import Attempt, RunState
from bandsmith.shared.runs.steps import MAX_AGE, begun, ended, session_of, start_command
from bandsmith.shared.runs.store import Runs, StoredRun

log = structlog.get_logger(__name__)

INTERVAL_S = 2.0
"""How often the runs are looked at."""
MAX_READ_EVENTS = 1000


def _utc_now() -> datetime:
    return datetime.now(UTC)


class RunScheduler:
    """Looks after all runs. Any number of them may do so at the same time."""

    def __init__(self, bus: Bus, now: Callable[[], datetime] = _utc_now, interval: float = INTERVAL_S) -> None:
        self._bus = bus
        self._runs = Runs(bus)
        self._now = now
        self._interval = interval
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._look_after())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def tick(self) -> None:
        """Look at every run once."""
        for name in await self._runs.names():
            stored = await self._runs.read(name)
            if stored is not None:
                await self._advance(stored)

    async def _look_after(self) -> None:
        while True:
            try:
                await self.tick()
            except BandsmithError as error:  # the server is away; what is due then is due still when it is back
                log.warning("runs.not_seen", code=error.code)
            await asyncio.sleep(self._interval)

    async def _advance(self, stored: StoredRun) -> None:
        state, now = stored.state, self._now()
        if state.owes_notice:
            await self._bus.send(_notice(state))
            changed = state.model_copy(update={"owes_notice": False})
        elif state.current is not None:
            changed = await self._after_attempt(state, state.current, now)
        else:
            changed = begun(state, now, await self._bus.last_sequence() if _is_due(state, now) else 0)
        if changed is not state:
            try:
                await self._runs.replace(changed, stored.revision)
            except Conflict:  # another gateway was first, and does what follows
                return
        if changed.current is not None and changed.current.not_before <= now:
            await self._send(changed)

    async def _after_attempt(self, state: RunState, attempt: Attempt, now: datetime) -> RunState:
        """Return the state after the attempt, or the same one while it has not ended."""
        events = await self._events(state, attempt)
        end = next((one.event for one in events if one.event.kind in _ENDS), None)
        if end is not None:
            return ended(state, _ENDS[end.kind].model_validate(end.payload), now, await self._bus.last_sequence())
        if now - attempt.not_before > MAX_AGE:
            return ended(state, None, now, await self._bus.last_sequence())
        return state

    async def _send(self, state: RunState) -> None:
        """Send the command that starts the attempt's turn, unless the log has it already."""
        assert state.current is not None
        if not await self._events(state, state.current):
            await self._bus.send(start_command(state))

    async def _events(self, state: RunState, attempt: Attempt) -> list[LoggedEvent]:
        """Return the events of the attempt's turn."""
        events = await self._bus.read_turn_events(session_of(state.run), after=attempt.after, limit=MAX_READ_EVENTS)
        return [one for one in events if one.event.turn == attempt.turn]


_ENDS: dict[str, type[TurnFinished | TurnFailed]] = {kind.kind(): kind for kind in (TurnFinished, TurnFailed)}


def _is_due(state: RunState, now: datetime) -> bool:
    return state.next_due is not None and state.next_due <= now and not state.paused


def _notice(state: RunState) -> Envelope:
    """Return the command that tells of the last failure; its id is the same however often it is sent."""
    run, result = state.run, state.results[-1]
    notice = SendNotice(to=run.tell, run=run.name, due=result.due, reason=result.told, language=run.language)
    session, turn = session_of(run), f"{session_of(run)}-{result.due:%Y%m%dT%H%M%SZ}"
    return Envelope(
        id=command_id(session, turn, notice.kind(), 1),
        kind=notice.kind(),
        session=session,
        turn=turn,
        payload=notice.model_dump(mode="json"),
    )
