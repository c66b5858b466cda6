"""Work on a thread of its own: its log lines belong to their message, and it is known when it was left to itself."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

T = TypeVar("T")

_left: dict[Future[Any], float] = {}
"""Work that still runs though nobody waits for it any more, and since when: a thread cannot be cancelled."""


async def on(thread: Executor, work: Callable[[], T]) -> T:
    """What `work` returns, done on `thread`."""
    future = thread.submit(contextvars.copy_context().run, work)
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        if future.running():
            _left[future] = time.monotonic()
            future.add_done_callback(_ended)
        raise


def oldest_orphan_seconds() -> float:
    """Seconds for which the oldest work runs that nobody waits for; 0 when there is none.

    A thread that never returns keeps all that comes after it waiting: only a new process helps.
    """
    now = time.monotonic()
    return max((now - since for since in list(_left.values())), default=0.0)


def _ended(future: Future[Any]) -> None:
    _left.pop(future, None)
