"""A client process to be stopped: ``python -m tests.faults.follower <address>`` prints the events of session s1."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.telemetry import log

from .planner import SETTINGS


async def main(url: str) -> None:
    log.configure()
    bus = await NatsBus.connect(url, SETTINGS)

    async def hear() -> None:
        async with aclosing(bus.subscribe_deltas("s1")) as pieces:
            async for _ in pieces:
                pass

    hearing = asyncio.create_task(hear())
    async with aclosing(bus.follow("s1")) as events:
        async for event in events:
            print(event.id, flush=True)
    await hearing


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
