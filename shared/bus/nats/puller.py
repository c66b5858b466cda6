"""Pulling messages: requests of our own for what a consumer has, and what becomes of each message."""

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

from .fast_client import Message, Origin, Wire

log = structlog.get_logger(__name__)

PAUSE = 0.1
"""Seconds before asking a server again that was away."""
EXPIRES = 30.0
"""Seconds until a request for messages ends by itself."""
HEARTBEAT = 2.0
"""Seconds between the server's signs that it still knows a request for messages."""


class JetStreamDelivery:
    """See ``base.Delivery``. A settlement that is lost on the way only means that the message comes again."""

    def __init__(self, client: Wire, message: Message, bury: Callable[[Message, str], Awaitable[None]]) -> None:
        self._client = client
        self._message = message
        self._bury = bury
        self.data = message.data
        self.subject = message.subject
        self.count = Origin.of(message.reply).deliveries

    async def ack(self) -> None:
        await settle(self._client, self._message, b"+ACK")

    async def nak(self, delay: float = 0.0) -> None:
        await hand_back(self._client, self._message, delay)

    async def term(self, reason: str) -> None:
        await self._bury(self._message, reason)  # first: a terminated message leaves the queue at once
        await settle(self._client, self._message, b"+TERM")

    async def in_progress(self) -> None:
        await settle(self._client, self._message, b"+WPI")


async def settle(client: Wire, message: Message, how: bytes) -> None:
    with suppress(nats.errors.Error):
        await client.push(message.reply, how)


async def hand_back(client: Wire, message: Message, delay: float = 0.0) -> None:
    await settle(client, message, b'-NAK {"delay": %d}' % (delay * 1e9))


class Puller:
    """Asks a consumer for as many messages as `concurrency` leaves room for, with requests of its own.

    nats-py's ``fetch`` leaves requests open when it is cancelled and waits in steps; this one has none of both, and
    finds its way back when the connection, the server or the consumer was lost.
    """

    def __init__(
        self,
        client: Wire,
        stream: str,
        declare: Callable[[], Awaitable[str]],
        handle: Callable[[Message], Awaitable[None]],
        concurrency: int,
        ready: asyncio.Event,
        drain: float,
        on_stop: Callable[[], None],
    ) -> None:
        self._client = client
        self._stream = stream
        self._declare = declare
        self._handle = handle
        self._concurrency = concurrency
        self._ready = ready
        self._drain = drain
        self._on_stop = on_stop
        self._inbox: Inbox | None = None
        self.consumer = ""
        self._requests: OrderedDict[str, int] = OrderedDict()  # oldest first: how many messages each may still bring
        self._number = 0
        self._asked = 0  # messages that the requests may still bring
        self._in_hand: set[asyncio.Task[None]] = set()
        self._heard = 0.0
        self._lost = False
        self._stopping = False
        self._wake = asyncio.Event()
        self._pulling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._renew()
        self._pulling = asyncio.create_task(self._pull())

    @property
    def alive(self) -> bool:
        """Whether it still asks for messages, or waits for the server to come back."""
        return self._pulling is not None and not self._pulling.done()

    def forget(self) -> None:
        """The server knows our requests no more."""
        self._lost = True
        self._wake.set()

    async def stop(self) -> None:
        if self._stopping:
            return
        self._stopping = True
        if self._pulling is not None:
            self._pulling.cancel()
        if self._inbox is not None:
            with suppress(nats.errors.Error):
                # What the server has sent until now still arrives, and `_receive` hands it back.
                if self._client.is_connected:
                    await self._inbox.drain()  # type: ignore[no-untyped-call]
                else:
                    await self._inbox.unsubscribe()
        if self._in_hand:
            _, late = await asyncio.wait(self._in_hand, timeout=self._drain)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._on_stop()

    async def _renew(self) -> None:
        """Declare the consumer, and ask from a new inbox: what was asked for before must not come on top."""
        self.consumer = await self._declare()
        if self._inbox is not None:
            await self._inbox.unsubscribe()
        self._inbox = await self._client.take(f"{self._client.new_inbox()}.*", self._receive)
        self._requests.clear()
        self._asked = 0
        self._lost = False

    async def _pull(self) -> None:
        while True:
            await self._ready.wait()
            self._wake.clear()
            try:
                if self._lost:
                    await asyncio.sleep(PAUSE)
                if self._lost or (self._requests and time.monotonic() - self._heard > 2.5 * HEARTBEAT):
                    await self._renew()
                if room := self._room():
                    await self._ask(room)
            except (nats.errors.Error, APIError, TimeoutError) as error:
                log.debug("bus.pull", stream=self._stream, error=type(error).__name__)
                self._lost = True
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT):
                    await self._wake.wait()

    def _room(self) -> int:
        """How many more to ask for; few at a time only where nothing is asked for."""
        room = self._concurrency - len(self._in_hand) - self._asked
        return room if room >= max(1, self._concurrency // 2) or not self._requests else 0

    async def _ask(self, count: int) -> None:
        assert self._inbox is not None
        self._number += 1
        name = str(self._number)
        self._requests[name] = count
        self._asked += count
        self._heard = time.monotonic()
        body = {"batch": count, "expires": int(EXPIRES * 1e9), "idle_heartbeat": int(HEARTBEAT * 1e9)}
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{self._stream}.{self.consumer}"
        await self._client.push(subject, orjson.dumps(body), self._inbox.subject[:-1] + name)

    def _receive(self, message: Message) -> None:
        self._heard = time.monotonic()
        if not message.reply.startswith("$JS.ACK."):
            self._hear(message.status, message.subject.rsplit(".", 1)[1])
            return
        if self._requests:  # a message does not say which request brought it; the server serves the oldest first
            oldest = next(iter(self._requests))
            self._asked -= 1
            self._requests[oldest] -= 1
            if self._requests[oldest] == 0:
                del self._requests[oldest]
        work = hand_back(self._client, message) if self._stopping else self._one(message)
        task = asyncio.create_task(work)
        self._in_hand.add(task)
        task.add_done_callback(self._done)
        if not self._requests and self._room():  # beyond what was asked for
            self._wake.set()

    def _hear(self, status: str, request: str) -> None:
        if status == "100":  # a heartbeat
            return
        self._asked -= self._requests.pop(request, 0)
        if status != "408":  # anything but an expired request: the consumer or the server went away
            self._lost = True
        self._wake.set()

    async def _one(self, message: Message) -> None:
        try:
            await self._handle(message)
        except asyncio.CancelledError:
            await hand_back(self._client, message)
            raise
        except Exception as error:
            log.error("bus.handler_failed", subject=message.subject, error=type(error).__name__)
            await hand_back(self._client, message, 1.0)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._in_hand.discard(task)
        if self._room():
            self._wake.set()
