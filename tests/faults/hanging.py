"""A planner that hangs: ``python -m tests.faults.hanging <server's address> <mode>``.

It prints ``ready`` when it accepts commands, and ``now`` when it hangs in one: its handler waits forever (``wait``), or
it blocks the event loop (``loop``), a thread (``thread``) or the interpreter (``hold``).
"""

import asyncio
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from bandsmith.shared import orphan_threads
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.events import Command, Event, KnowledgeRecalled
from bandsmith.shared.settings import BusSettings, LogSettings, MonitoringSettings
from bandsmith.shared.telemetry import log
from bandsmith.shared.worker import run_actor
from bandsmith.watchdog import watchdog

FOREVER = 600.0


def backtrack() -> None:
    re.match(r"(a+)+$", "a" * 60 + "b")


class Planner:
    def __init__(self, how: str) -> None:
        self._how = how
        self._thread = ThreadPoolExecutor(1)

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        print("now", flush=True)
        match self._how:
            case "wait":
                await asyncio.Event().wait()
            case "loop":
                time.sleep(FOREVER)  # noqa: ASYNC251
            case "thread":
                await orphan_threads.run_on(self._thread, lambda: time.sleep(FOREVER))
            case "hold":
                backtrack()
        return KnowledgeRecalled()


async def main(url: str, how: str) -> None:
    log.configure(LogSettings(log_level="info"))
    settings = BusSettings()
    with watchdog(MonitoringSettings().watchdog):
        bus = await NatsBus.connect(url, settings)
        await run_actor(bus, "planner", Planner(how), settings=settings)
        print("ready", flush=True)
        await asyncio.sleep(FOREVER)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
