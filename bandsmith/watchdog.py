"""Ends a process that is stuck, so that its supervisor restarts it."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from bandsmith.shared.orphan_threads import oldest_orphan_seconds

log = structlog.get_logger(__name__)

MAX_MISSED_CHECKS = 10
"""Checks that the loop may miss before it counts as stuck. They are counted, not timed: a process that was suspended
is not stuck."""


@contextmanager
def watchdog(limit: float) -> Iterator[None]:
    """Within the block, end a stuck process with one line in the log and exit code 1.

    A process is stuck when its event loop is blocked for `limit` seconds, or a thread goes on for as long with work
    whose result is no longer wanted.

    A process in which the interpreter itself is blocked cannot log; it ends a little later, without that line.
    """
    loop, stopped = asyncio.get_running_loop(), threading.Event()
    missed = 0

    def tick() -> None:
        nonlocal missed
        missed = 0
        faulthandler.dump_traceback_later(1.5 * limit, exit=True, file=null)

    def watch() -> None:
        nonlocal missed
        while not stopped.wait(limit / MAX_MISSED_CHECKS):
            missed += 1
            if missed > MAX_MISSED_CHECKS or oldest_orphan_seconds() > limit:
                log.error("process.stuck", what="loop" if missed > MAX_MISSED_CHECKS else "thread", seconds=limit)
                os._exit(1)
            loop.call_soon_threadsafe(tick)

    with Path(os.devnull).open("w") as null:
        thread = threading.Thread(target=watch, name="watchdog", daemon=True)
        tick()
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()
            faulthandler.cancel_dump_traceback_later()
