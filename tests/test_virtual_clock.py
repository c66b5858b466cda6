"""The virtual clock that tests of the in-memory bus run on."""

import asyncio
import time

from .virtual_clock import virtual_clock


async def test_sleeping_takes_no_time_and_timers_fire_in_order():
    fired: list[int] = []
    loop = asyncio.get_running_loop()
    before, real = loop.time(), time.monotonic()

    with virtual_clock():
        for delay in (30, 10, 20):
            loop.call_later(delay, fired.append, delay)
        await asyncio.sleep(3600)
        assert loop.time() - before >= 3600

    assert fired == [10, 20, 30]
    assert time.monotonic() - real < 60
