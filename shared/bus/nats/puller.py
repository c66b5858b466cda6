"""Pull messages from a consumer and handle them concurrently."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress

import nats.errors
import orjson
import structlog
from nats.aio.subscription import Subscription as Inbox
from nats.js.errors import APIError

from .fast_client import AckSubject, FastClient, RawMessage

log = structlog.get_logger(__name__)

RETRY_DELAY_S = 0.1
"""Delay before the next attempt while the server is unreachable."""
PULL_EXPIRES_S = 30.0
"""Lifetime of a pull request."""
HEARTBEAT_S = 2.0
"""Interval of the server's heartbeats for an open pull request."""
MAX_MISSED_HEARTBEATS = 2.5


class JetStreamDelivery:
    """See ``base.DeliveredMessage``. If an acknowledgement is lost, the message is delivered again."""

    def __init__(
        self, client: FastClient, message: RawMessage, dead_letter: Callable[[RawMessage, str], Awaitable[None]]
    ) -> None:
        self._client = client
        self._message = message
        self._dead_letter = dead_letter
        self.data = message.data
        self.subject = message.subject
        self.count = AckSubject.of(message.reply).deliveries

    async def ack(self) -> None:
        """Acknowledge with the next flush. If the process dies before, the message is delivered again."""
        with suppress(nats.errors.Error):
            self._client.publish_later(self._message.reply, b"+ACK")

    async def nak(self, delay: float = 0.0) -> None:
        await negative_ack(self._client, self._message, delay)

    async def term(self, reason: str) -> None:
        await self._dead_letter(self._message, reason)  # first: a terminated message leaves the queue at once
        await acknowledge(self._client, self._message, b"+TERM")

    async def in_progress(self) -> None:
        await acknowledge(self._client, self._message, b"+WPI")


async def acknowledge(client: FastClient, message: RawMessage, verb: bytes) -> None:
    with suppress(nats.errors.Error):
        await client.publish_raw(message.reply, verb)


async def negative_ack(client: FastClient, message: RawMessage, delay: float = 0.0) -> None:
    await acknowledge(client, message, b'-NAK {"delay": %d}' % (delay * 1e9))


class Puller:
    """Keeps pull requests open for as many messages as `concurrency` allows.

    nats-py's ``fetch`` leaves requests open when it is cancelled and polls; this does neither. It recovers when the
    connection, the server or the consumer is lost.
    """

    def __init__(
        self,
        client: FastClient,
        stream: str,
        declare: Callable[[], Awaitable[str]],
        handle: Callable[[RawMessage], Awaitable[None]],
        concurrency: int,
        ready: asyncio.Event,
        drain_timeout: float,
        on_stop: Callable[[], None],
    ) -> None:
        self._client = client
        self._stream = stream
        self._declare = declare
        self._handle = handle
        self._concurrency = concurrency
        self._ready = ready
        self._drain_timeout = drain_timeout
        self._on_stop = on_stop
        self._inbox: Inbox | None = None
        self.consumer = ""
        self._requests: OrderedDict[str, int] = OrderedDict()  # oldest first: messages that each may still return
        self._number = 0
        self._requested = 0  # sum of the above
        self._in_flight: set[asyncio.Task[None]] = set()
        self._last_received = 0.0
        self._lost = False
        self._stopping = False
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._renew()
        self._task = asyncio.create_task(self._pull())

    @property
    def alive(self) -> bool:
        """Whether it is still pulling, or waiting for the server to come back."""
        return self._task is not None and not self._task.done()

    def reset(self) -> None:
        """Start over: the server has lost the open pull requests."""
        self._lost = True
        self._wake.set()

    async def stop(self) -> None:
        if self._stopping:
            return
        self._stopping = True
        if self._task is not None:
            self._task.cancel()
        if self._inbox is not None:
            with suppress(nats.errors.Error):
                # Messages already sent still arrive, and `_receive` hands them back.
                if self._client.is_connected:
                    await self._inbox.drain()  # type: ignore[no-untyped-call]
                else:
                    await self._inbox.unsubscribe()
        if self._in_flight:
            _, late = await asyncio.wait(self._in_flight, timeout=self._drain_timeout)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._on_stop()

    async def _renew(self) -> None:
        """Declare the consumer and switch to a new inbox, so that responses to old requests are not counted."""
        self.consumer = await self._declare()
        if self._inbox is not None:
            await self._inbox.unsubscribe()
        self._inbox = await self._client.subscribe_raw(f"{self._client.new_inbox()}.*", self._receive)
        self._requests.clear()
        self._requested = 0
        self._lost = False

    async def _pull(self) -> None:
        while True:
            await self._ready.wait()
            self._wake.clear()
            try:
                if self._lost:
                    await asyncio.sleep(RETRY_DELAY_S)
                if self._lost or self._is_silent():
                    await self._renew()
                if count := self._capacity():
                    await self._request(count)
            except (nats.errors.Error, APIError, TimeoutError) as error:
                log.debug("bus.pull", stream=self._stream, error=type(error).__name__)
                self._lost = True
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_S):
                    await self._wake.wait()

    def _is_silent(self) -> bool:
        silence = time.monotonic() - self._last_received
        return bool(self._requests) and silence > MAX_MISSED_HEARTBEATS * HEARTBEAT_S

    def _capacity(self) -> int:
        """Return how many messages to request now; small requests are avoided while others are open."""
        capacity = self._concurrency - len(self._in_flight) - self._requested
        return capacity if capacity >= max(1, self._concurrency // 2) or not self._requests else 0

    async def _request(self, count: int) -> None:
        assert self._inbox is not None
        self._number += 1
        name = str(self._number)
        self._requests[name] = count
        self._requested += count
        self._last_received = time.monotonic()
        body = {"batch": count, "expires": int(PULL_EXPIRES_S * 1e9), "idle_heartbeat": int(HEARTBEAT_S * 1e9)}
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{self._stream}.{self.consumer}"
        await self._client.publish_raw(subject, orjson.dumps(body), self._inbox.subject[:-1] + name)

    def _receive(self, message: RawMessage) -> None:
        self._last_received = time.monotonic()
        if not message.reply.startswith("$JS.ACK."):
            self._receive_status(message.status, message.subject.rsplit(".", 1)[1])
            return
        if self._requests:  # a message does not name its request; the server serves the oldest first
            oldest = next(iter(self._requests))
            self._requested -= 1
            self._requests[oldest] -= 1
            if self._requests[oldest] == 0:
                del self._requests[oldest]
        work = negative_ack(self._client, message) if self._stopping else self._process(message)
        task = asyncio.create_task(work)
        self._in_flight.add(task)
        task.add_done_callback(self._done)
        if not self._requests and self._capacity():
            self._wake.set()

    def _receive_status(self, status: str, request: str) -> None:
        if status == "100":  # a heartbeat
            return
        self._requested -= self._requests.pop(request, 0)
        if status != "408":  # anything but an expired request means that the consumer or the server is gone
            self._lost = True
        self._wake.set()

    async def _process(self, message: RawMessage) -> None:
        try:
            await self._handle(message)
        except asyncio.CancelledError:
            await negative_ack(self._client, message)
            raise
        except Exception as error:
            log.error("bus.handler_failed", subject=message.subject, error=type(error).__name__)
            await negative_ack(self._client, message, 1.0)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._in_flight.discard(task)
        if self._capacity():
            self._wake.set()
