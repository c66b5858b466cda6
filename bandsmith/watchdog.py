"""Ends a process that stands still, so that whoever supervises it starts it again."""

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

LOOKS = 10
"""In the time after which a process counts as stuck. They are counted, not timed: one that was paused is not stuck."""


@contextmanager
def watchdog(limit: float) -> Iterator[None]:
    """Within it, the process ends when its event loop stands still for `limit` seconds, or a thread goes on for as long
    with what nobody waits for: one line in the log, and exit code 1.

    What holds the interpreter itself lets no line be written; such a process ends a little later, without one.
    """
    loop, over = asyncio.get_running_loop(), threading.Event()
    silent = 0

    def tick() -> None:
        nonlocal silent
        silent = 0
        faulthandler.dump_traceback_later(1.5 * limit, exit=True, file=nowhere)

    def look() -> None:
        nonlocal silent
        while not over.wait(limit / LOOKS):
            silent += 1
            if silent > LOOKS or oldest_orphan_seconds() > limit:
                log.error("process.stuck", what="loop" if silent > LOOKS else "thread", seconds=limit)
                os._exit(1)
            loop.call_soon_threadsafe(tick)

    with Path(os.devnull).open("w") as nowhere:
        looking = threading.Thread(target=look, name="watchdog", daemon=True)
        tick()
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()
            faulthandler.cancel_dump_traceback_later()
