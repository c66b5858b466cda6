"""A virtual clock for tests without input and output: an idle event loop skips to its next timer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def virtual_clock() -> Iterator[None]:
    """Make the running loop's timers due as soon as it has nothing else to do.

    Sleeping then takes no time, and whatever is due earlier still happens first. Only for code that waits for nothing
    outside the loop, such as ``MemoryBus``: a socket or a thread has no chance to finish before the clock advances.
    """
    loop: Any = asyncio.get_running_loop()
    selector, real_select, real_time = loop._selector, loop._selector.select, loop.time
    skipped = 0.0

    def select(timeout: float | None = None) -> Any:
        nonlocal skipped
        if timeout is None:  # no timers
            return real_select(None)
        skipped += max(timeout, 0.0)
        return real_select(0)

    selector.select, loop.time = select, lambda: real_time() + skipped
    try:
        yield
    finally:
        del selector.select, loop.time
