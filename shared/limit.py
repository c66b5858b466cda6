"""The time that a handler may go without getting on: whoever never returns is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

from .errors import RetryableError

_again: ContextVar[Callable[[], None] | None] = ContextVar("again", default=None)


@asynccontextmanager
async def limited(seconds: float) -> AsyncIterator[None]:
    """The block is cancelled after so many seconds without ``getting_on``, and left by ``RetryableError``."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds) as clock:
            token = _again.set(lambda: clock.reschedule(loop.time() + seconds))
            try:
                yield
            finally:
                _again.reset(token)
    except TimeoutError:
        if not clock.expired():
            raise
        raise RetryableError(
            "This took longer than a message may take, and was stopped.",
            message_zh="处理此消息超时，已被中止。",
            code="timeout",
        ) from None


def getting_on() -> None:
    """Said by long work that is not stuck, as before each call of a slow model: its time begins again."""
    if (again := _again.get()) is not None:
        again()
