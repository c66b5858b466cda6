"""The time that a handler may go without getting on: whoever never returns is stopped."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar, Token
from types import TracebackType

from .errors import RetryableError


class HandlerTimeout:
    """A block that is cancelled after so many seconds without ``report_progress``, and left by ``RetryableError``.

    What ``asyncio.timeout`` does, at a quarter of its cost: each message comes through here.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._expired = False
        self._task: asyncio.Task[object]
        self._timer: asyncio.TimerHandle
        self._token: Token[HandlerTimeout | None]

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._before = task, task.cancelling()
        self._token = _limited.set(self)
        self._begin()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _limited.reset(self._token)
        self._timer.cancel()
        if self._expired and self._task.uncancel() <= self._before and kind is asyncio.CancelledError:
            raise RetryableError(
                "This took longer than a message may take, and was stopped.",
                message_zh="处理此消息超时，已被中止。",
                code="timeout",
            ) from None

    def again(self) -> None:
        """Begin anew."""
        if not self._expired:
            self._timer.cancel()
            self._begin()

    def _begin(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._expire)

    def _expire(self) -> None:
        self._expired = True
        self._task.cancel()


_limited: ContextVar[HandlerTimeout | None] = ContextVar("limited", default=None)


def report_progress() -> None:
    """Said by long work that is not stuck, as before each call of a slow model: its time begins again."""
    if (limited := _limited.get()) is not None:
        limited.again()
