"""Follow the log without a consumer.

A user who may create a consumer can have the server deliver messages to any subject, also to one that the user may
not publish to (nats-server issue 8274). So a follower reads message by message, and a plain subscription tells it when
to read on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime

import nats.errors
import structlog
from nats.js import api
from nats.js.errors import APIError, NotFoundError

from ...errors import RetryableError
from .connection import Connection

log = structlog.get_logger(__name__)

MIN_WAIT_S, MAX_WAIT_S = 0.01, 30.0
"""A follower reads again after the shorter time, then after twice as long, until it finds something."""
MIN_CHECKED_WAIT_S = 1.0
"""After a wait of this length in vain, a follower looks whether the log is still the same."""
NO_LOG = datetime.min.replace(tzinfo=UTC)
"""When a log was created that does not exist."""


class Arrivals:
    """Tells a follower when to read on.

    The server announces a message before it has stored it, in a cluster long before, so one look is not enough.
    """

    def __init__(self) -> None:
        self._announced = asyncio.Event()
        self._wait_s = MIN_WAIT_S

    def announce(self) -> None:
        self._announced.set()

    def found(self) -> None:
        """More may have been announced than was found."""
        self._wait_s = MIN_WAIT_S

    def missed(self) -> None:
        """Reading failed for as long as a call may take: the server is away, or has no log."""
        self._wait_s = max(self._wait_s, 2 * MIN_CHECKED_WAIT_S)

    @property
    def is_late(self) -> bool:
        """Whether nothing has come for some time."""
        return self._wait_s > MIN_CHECKED_WAIT_S

    async def wait(self) -> None:
        try:
            async with asyncio.timeout(self._wait_s):
                await self._announced.wait()
            self._wait_s = MIN_WAIT_S
        except TimeoutError:
            self._wait_s = min(2 * self._wait_s, MAX_WAIT_S)
        self._announced.clear()


class Followers(Connection):
    """The part of ``NatsBus`` that reads the log's messages in order, and waits for the next."""

    async def _log_from(
        self, sequence: int, subject: str, of_one_log: bool = False
    ) -> AsyncGenerator[api.RawStreamMsg]:
        """Yield the log's messages of a subject from a sequence number on, then new ones until the bus is closed.

        With `of_one_log`, raises ``RetryableError`` when the stream is removed or replaced: what is awaited was lost.
        """
        async with self._arrivals_of(subject) as arrivals:
            log_created = await self._log_created() if of_one_log else None
            while not self._closing:
                while (message := await self._next_or_none(sequence, subject, arrivals)) is not None:
                    sequence = (message.seq or 0) + 1
                    arrivals.found()
                    yield message
                await arrivals.wait()
                if of_one_log and arrivals.is_late and (now := await self._log_created()):
                    log_created = log_created or now
                    if now != log_created:
                        raise RetryableError.of("bus.log_lost", code="bus")

    async def _log_created(self) -> datetime | None:
        """Return when the log's stream was created, `NO_LOG` if there is none; None where the server does not say now.

        A cluster says nothing while it elects a leader.
        """
        try:
            return (await self._jetstream.stream_info("EVT")).created
        except NotFoundError:
            return NO_LOG
        except (nats.errors.Error, APIError, TimeoutError):
            return None

    @asynccontextmanager
    async def _arrivals_of(self, subject: str) -> AsyncGenerator[Arrivals]:
        arrivals = Arrivals()
        subscription = await self._call_api(lambda: self._client.subscribe_raw(subject, lambda _: arrivals.announce()))
        self._wake_followers.add(arrivals.announce)
        try:
            yield arrivals
        finally:
            self._wake_followers.discard(arrivals.announce)
            with suppress(nats.errors.Error):
                await subscription.unsubscribe()

    async def _next_or_none(self, sequence: int, subject: str, arrivals: Arrivals) -> api.RawStreamMsg | None:
        """Return the next message; None while there is none, or no server."""
        try:
            return await self._next("EVT", sequence, subject)
        except RetryableError as error:
            log.debug("bus.follower", error=error.code)
            arrivals.missed()
            return None
