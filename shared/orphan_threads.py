"""Run blocking work on a dedicated thread, and track threads that keep running after their caller was cancelled."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

T = TypeVar("T")

_orphans: dict[Future[Any], float] = {}
"""Work whose caller was cancelled, and since when; the thread itself cannot be cancelled."""


async def run_on(executor: Executor, function: Callable[[], T]) -> T:
    """Run `function` on the executor in the current context, so that its log lines name their message."""
    future = executor.submit(contextvars.copy_context().run, function)
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        if future.running():
            _orphans[future] = time.monotonic()
            future.add_done_callback(_finished)
        raise


def oldest_orphan_seconds() -> float:
    """Return how long the oldest orphan has been running, or 0 without orphans.

    A thread that never returns blocks all later work of its executor; only a new process helps.
    """
    now = time.monotonic()
    return max((now - since for since in list(_orphans.values())), default=0.0)


def _finished(future: Future[Any]) -> None:
    _orphans.pop(future, None)
