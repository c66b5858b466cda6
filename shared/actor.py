"""The interface of an actor: a plain class that handles commands, independent of the bus and of its host."""

from __future__ import annotations

from typing import Protocol

from .events import Command, Event
from .model.base import Ref


class Store(Protocol):
    """The part of a bus that actors may use: objects by reference."""

    async def put(self, data: bytes, media: str) -> Ref: ...
    async def get(self, ref: Ref) -> bytes: ...


class Actor(Protocol):
    """An actor runs blocking work (images, OCR, the report engine) on its own threads or processes."""

    async def handle(self, command: Command) -> Event:
        """Execute a command. Must be idempotent, because commands may be delivered more than once.

        Raises ``RetryableError`` to have it delivered again, ``TerminalError`` if it can never succeed.
        """

    async def start(self) -> None:
        """Prepare (load models, start the JVM); called once, before the first command."""

    async def stop(self) -> None: ...
