"""nats-py's client with a fast path for frequent messages: deliveries, requests and their responses.

For every incoming message nats-py parses the headers, fills a queue and wakes a task; for every outgoing one it checks
the subject and each header. That was nearly half of the gateway's CPU time, so this module uses private parts of the
client, and pyproject.toml pins the minor version of nats-py that it was written for. Connecting, reconnecting,
subscribing and writing to the socket are left to nats-py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import nats.errors
from nats.aio.client import Client
from nats.aio.subscription import Subscription

HEADER_LINE = "NATS/1.0\r\n"
"""First line of the headers, which end with an empty line."""
MAX_DELAY_S = 0.005
"""Maximum time that ``publish_later`` holds a message back."""


class RawMessage(NamedTuple):
    """A message as it was received."""

    subject: str
    reply: str
    data: bytes
    headers: bytes

    @property
    def status(self) -> str:
        """Three digits in the server's own messages; empty in all others."""
        return self.headers[9:12].decode() if self.headers[8:9] == b" " else ""


class AckSubject(NamedTuple):
    """What the server encodes in the reply subject of a delivery."""

    stream: str
    sequence: int
    deliveries: int

    @classmethod
    def of(cls, reply: str) -> AckSubject:
        parts = reply.split(".")  # $JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<count>.<sequence>...
        start = 2 if len(parts) == 9 else 4
        return cls(parts[start], int(parts[start + 3]), int(parts[start + 2]))


class FastClient(Client):
    """nats-py's client with ``subscribe_raw`` and ``publish_raw``."""

    def __init__(self) -> None:
        super().__init__()
        self._raw_callbacks: dict[int, Callable[[RawMessage], None]] = {}
        self._delayed: asyncio.TimerHandle | None = None

    async def subscribe_raw(self, subject: str, callback: Callable[[RawMessage], None]) -> Subscription:
        """Call `callback` with each message as soon as it is read from the socket."""
        subscription = await self.subscribe(subject, cb=_never_called)
        self._raw_callbacks[subscription._id] = callback
        return subscription

    async def publish_raw(self, subject: str, data: bytes = b"", reply: str = "", headers: str = "") -> None:
        """Publish with the next flush. `subject` and `headers` must be well formed."""
        if self.is_closed:
            raise nats.errors.ConnectionClosedError
        head = headers.encode()
        size = len(head) + len(data)
        if size > self.max_payload:
            raise nats.errors.MaxPayloadError
        if not self.is_connected and size + self.pending_data_size > self._max_pending_size:
            raise nats.errors.OutboundBufferLimitError
        line = f"HPUB {subject} {reply} {len(head)} {size}\r\n" if head else f"PUB {subject} {reply} {size}\r\n"
        await self._send_command(b"".join((line.encode(), head, data, b"\r\n")))
        if self._flush_queue is not None and self._flush_queue.empty():
            await self._flush_pending()

    def publish_later(self, subject: str, data: bytes) -> None:
        """Publish with the next flush, or after ``MAX_DELAY_S``: for messages without a waiting caller.

        Each saves a write and a wake-up of the server. Two of the five writes of a step were acknowledgements.
        """
        if self.is_closed:
            raise nats.errors.ConnectionClosedError
        command = b"PUB %b  %d\r\n%b\r\n" % (subject.encode(), len(data), data)
        self._pending.append(command)
        self._pending_data_size += len(command)
        if self._delayed is None:
            self._delayed = asyncio.get_running_loop().call_later(MAX_DELAY_S, self._send_delayed)

    def _send_delayed(self) -> None:
        self._delayed = None
        if self._pending and self.is_connected and self._flush_queue is not None and self._flush_queue.empty():
            self._flush_queue.put_nowait(asyncio.get_running_loop().create_future())

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        callback = self._raw_callbacks.get(sid)
        if callback is None:
            await super()._process_msg(sid, subject, reply, data, headers)
        elif sid in self._subs:
            callback(RawMessage(subject.decode(), reply.decode(), data, headers or b""))

    async def _process_pong(self) -> None:
        """Answer the flush that waits for this pong, unless it was cancelled: nats-py would stop reading then."""
        if self._pongs:
            flushed = self._pongs.pop(0)
            if not flushed.done():
                flushed.set_result(True)
            self._pongs_received += 1
            self._pings_outstanding = 0

    def _remove_sub(self, sid: int, max_msgs: int = 0) -> None:
        self._raw_callbacks.pop(sid, None)
        super()._remove_sub(sid, max_msgs)


async def _never_called(message: object) -> None:
    """``_process_msg`` handles raw subscriptions before nats-py would call this."""
