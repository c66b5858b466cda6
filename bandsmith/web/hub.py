"""The events of turns, from one consumer of the log to any number of readers.

Theory of operation
===================

One consumer per process reads the turn events of every session. Those of a session that has readers go into its window:
its last events, and a floor, below which the window may lack some. A reader is a cursor, the number of the last event
that it got. While the cursor is at the floor or above, the reader is served from the window. Below, what it missed is
read from the log. A reader that has missed more than a window holds is told to start over (``Reset``), since
loading the session again costs less than what it missed.

A reader that does not read costs nothing: nothing is queued for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import NamedTuple

import structlog

from bandsmith.shared.bus.base import Bus, LoggedEvent
from bandsmith.shared.errors import BandsmithError

log = structlog.get_logger(__name__)

WINDOW = 256
"""Events of a session that are kept for its readers."""
RETRY_S = 1.0


class Cursor(NamedTuple):
    """A place in a log; written as ``<log>.<sequence>``."""

    log: str
    sequence: int

    @classmethod
    def parse(cls, text: str) -> Cursor | None:
        log, _, sequence = text.partition(".")
        return cls(log, int(sequence)) if sequence.isdecimal() and len(sequence) < 20 else None

    def __str__(self) -> str:
        return f"{self.log}.{self.sequence}"


class Reset:
    """Tells a reader that it missed too much."""


class _Window:
    def __init__(self, floor: int) -> None:
        self.events: deque[LoggedEvent] = deque()
        self.floor = floor
        """Events up to this sequence number may be missing here."""
        self.readers = 0
        self.changed = asyncio.Event()

    def add(self, entry: LoggedEvent) -> None:
        self.events.append(entry)
        if len(self.events) > WINDOW:
            self.floor = self.events.popleft().sequence
        self.wake()

    def wake(self) -> None:
        """Wake the waiting readers; later ones wait for the next change."""
        self.changed.set()
        self.changed = asyncio.Event()


class Hub:
    """Follows the log while it is entered as a context."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._windows: dict[str, _Window] = {}
        self._tail = 0
        """Number of the last event that was read."""
        self._log = ""
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.is_following = False
        """Whether the log is being read; false while the server is unreachable."""

    async def __aenter__(self) -> Hub:
        self._log = await self._bus.log_name()
        self._tail = await self._bus.last_sequence()
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def close(self) -> None:
        """End every reader."""
        self._closed = True
        for window in self._windows.values():
            window.wake()

    async def follow(
        self, session: str, after: Cursor | None = None, *, heartbeat: float = 15.0
    ) -> AsyncGenerator[tuple[Cursor, LoggedEvent | Reset | None]]:
        """Yield a session's events after a cursor, or from now on, each with the cursor behind it.

        None at the beginning, and whenever nothing happened for `heartbeat` seconds. Ends when the hub is closed.
        """
        window = self._windows.setdefault(session, _Window(self._tail))
        window.readers += 1
        try:
            at = after.sequence if after and after.log == self._log else self._tail
            if after and after.log != self._log:
                yield Cursor(self._log, at), Reset()
            yield Cursor(self._log, at), None
            while not self._closed:
                changed = window.changed
                entries, at = await self._next(session, window, at)
                if entries is None:
                    yield Cursor(self._log, at), Reset()
                    continue
                for entry in entries:
                    yield Cursor(self._log, entry.sequence), entry
                if not entries and not await _happens(changed, heartbeat):
                    yield Cursor(self._log, at), None
        finally:
            window.readers -= 1
            if not window.readers and self._windows.get(session) is window:
                del self._windows[session]

    async def _next(self, session: str, window: _Window, at: int) -> tuple[list[LoggedEvent] | None, int]:
        """Return what comes after a sequence number, None for too much, and the number that the reader is at then."""
        found: list[LoggedEvent] = []
        if at < window.floor:
            floor = window.floor
            found = await self._bus.read_turn_events(session, after=at, limit=WINDOW + 1)
            if len(found) > WINDOW:
                return None, floor
            at = max([floor, *(entry.sequence for entry in found)])
            if at < window.floor:  # it moved on meanwhile: what follows has to be read from the log again
                return found, at
        found += [entry for entry in window.events if entry.sequence > at]
        return found, found[-1].sequence if found else at

    async def _read(self) -> None:
        """Put every event into the window of its session."""
        while True:
            self.is_following = True
            with suppress(BandsmithError):  # the server is unreachable
                async with aclosing(self._bus.turn_events(self._tail)) as events:
                    async for entry in events:
                        self._tail = entry.sequence
                        if window := self._windows.get(entry.event.session):
                            window.add(entry)
                self.close()  # the bus is closed
                return
            self.is_following = False
            log.warning("web.tail_lost")
            await asyncio.sleep(RETRY_S)


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False
