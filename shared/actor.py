"""An actor: a plain class that handles commands, and knows neither the bus nor its host."""

from __future__ import annotations

from typing import Protocol

from .events import Command, Event
from .model.base import Ref


class Store(Protocol):
    """The part of a bus that an actor may use: bytes by reference."""

    async def put(self, data: bytes, media: str) -> Ref: ...
    async def get(self, ref: Ref) -> bytes: ...


class Actor(Protocol):
    """Work that blocks (pictures, OCR, the engine) is the actor's to put on threads or processes of its own."""

    async def handle(self, command: Command) -> Event:
        """Carry out one command. Handling it twice must be harmless.

        Raises ``RetryableError`` to be given it again, ``TerminalError`` to say that it can never be done.
        """

    async def start(self) -> None:
        """Get ready (load models, start the JVM); called once, before the first command."""

    async def stop(self) -> None: ...
