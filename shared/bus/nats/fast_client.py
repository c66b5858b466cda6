"""nats-py's client with a way past it for what there is much of: messages to work on, questions and their answers.

Of every message that comes, nats-py parses the headers, puts it into a queue and wakes a task; of every one that goes,
it checks each header and the subject. That was nearly half of the gateway's work, so these few lines reach into the
client's own parts, and pyproject.toml names the one minor version of nats-py that they were written for. Connecting,
reconnecting, subscribing and writing to the socket stay nats-py's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import nats.errors
from nats.aio.client import Client
from nats.aio.subscription import Subscription

HEAD = "NATS/1.0\r\n"
"""With what headers begin; they end with an empty line."""


class Message(NamedTuple):
    """As it came."""

    subject: str
    reply: str
    data: bytes
    headers: bytes

    @property
    def status(self) -> str:
        """Three digits, where the server itself says something."""
        return self.headers[9:12].decode() if self.headers[8:9] == b" " else ""


class Origin(NamedTuple):
    """What the server says about a message that it hands to a consumer, in the subject that acknowledges it."""

    stream: str
    sequence: int
    deliveries: int

    @classmethod
    def of(cls, reply: str) -> Origin:
        parts = reply.split(".")  # $JS.ACK.<stream>.<consumer>.<count>.<sequence>..., or with two more before these
        at = 2 if len(parts) == 9 else 4
        return cls(parts[at], int(parts[at + 3]), int(parts[at + 2]))


class Wire(Client):
    """A client that can also ``take`` and ``push``."""

    def __init__(self) -> None:
        super().__init__()
        self._takers: dict[int, Callable[[Message], None]] = {}

    async def take(self, subject: str, taker: Callable[[Message], None]) -> Subscription:
        """Call `taker` with each message as it is read, before the next is."""
        calls = await self.subscribe(subject, cb=_nobody)
        self._takers[calls._id] = taker
        return calls

    async def push(self, subject: str, data: bytes = b"", reply: str = "", headers: str = "") -> None:
        """It leaves with what else is to leave now. `subject` and `headers` are trusted to be well formed."""
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

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        taker = self._takers.get(sid)
        if taker is None:
            await super()._process_msg(sid, subject, reply, data, headers)
        elif sid in self._subs:
            taker(Message(subject.decode(), reply.decode(), data, headers or b""))

    def _remove_sub(self, sid: int, max_msgs: int = 0) -> None:
        self._takers.pop(sid, None)
        super()._remove_sub(sid, max_msgs)


async def _nobody(message: object) -> None:
    """What is taken does not come here."""
