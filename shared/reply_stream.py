"""Pieces of a reply, said while it is written: an actor says them, its host sends them to whoever listens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Say = Callable[[str], Awaitable[None]]

_say: ContextVar[Say | None] = ContextVar("say", default=None)


async def say(text: str) -> None:
    """Said to the user whose command is being handled; to nobody where there is no host."""
    if (listener := _say.get()) is not None:
        await listener(text)


@contextmanager
def sending_reply_to(listener: Say) -> Iterator[None]:
    """Within it, what is said goes to `listener`."""
    token = _say.set(listener)
    try:
        yield
    finally:
        _say.reset(token)
