"""Stream a reply while it is generated: actors emit text, their host decides where it goes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Sink = Callable[[str], Awaitable[None]]

_sink: ContextVar[Sink | None] = ContextVar("sink", default=None)


async def emit(text: str) -> None:
    """Send a fragment of the reply to the user whose command is being handled; discarded without a host."""
    if (sink := _sink.get()) is not None:
        await sink(text)


@contextmanager
def sending_reply_to(sink: Sink) -> Iterator[None]:
    """Send what is emitted in the block to `sink`."""
    token = _sink.set(sink)
    try:
        yield
    finally:
        _sink.reset(token)
