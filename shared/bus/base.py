"""What a bus does, whichever it is: commands to work on, events to follow, objects and state kept.

Subjects: ``cmd.<service>.<kind>`` is a work queue, each message for one consumer; ``evt.<session>.<kind>`` is a log
that anyone may follow. Both keep their messages until they are acknowledged (commands) or their limits are reached
(events). Publishing an envelope whose id was published before changes nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from ..events import Envelope
from ..model.base import Ref


class Delivery(Protocol):
    """One message handed to one consumer, to be settled exactly once."""

    data: bytes
    """The envelope as it travelled; it may be anything."""
    subject: str
    count: int
    """1 the first time, more when the bus delivers again."""

    async def ack(self) -> None: ...
    async def nak(self, delay: float = 0.0) -> None:
        """Hand it back, to be delivered again after `delay` seconds."""

    async def term(self, reason: str) -> None:
        """Never deliver it again; it goes to the dead letters with its reason."""

    async def in_progress(self) -> None:
        """Say that it is still being worked on, so that it is not delivered to another."""


class Subscription(Protocol):
    async def stop(self) -> None:
        """Take no more, let what is in flight finish, hand back the rest."""


class Conflict(Exception):
    """A state was changed by someone else since it was read."""


class Bus(Protocol):
    async def send(self, command: Envelope) -> None:
        """Put a command into its service's queue; returns when it is stored."""

    async def publish(self, event: Envelope) -> None:
        """Append an event to the log; returns when it is stored."""

    async def work(
        self, service: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 1
    ) -> Subscription:
        """Compete for the commands of `service`, `concurrency` at a time."""

    async def listen(
        self, durable: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 16
    ) -> Subscription:
        """Compete with others of the name `durable` for every event of every session (the gateway's side)."""

    def follow(self, session: str, *, start: int = 1) -> AsyncIterator[Envelope]:
        """The events of one session from the log's beginning, in order, then as they come (a client's side)."""

    async def put(self, data: bytes, media: str) -> Ref:
        """Store bytes; the same bytes give the same key."""

    async def get(self, ref: Ref) -> bytes:
        """Raises ``KeyError`` when there are none."""

    async def read_state(self, key: str) -> tuple[bytes, int] | None:
        """The state and its revision."""

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        """Change it if `revision` is still the newest (None: it must not exist yet); the new revision, or Conflict."""

    async def close(self) -> None: ...
