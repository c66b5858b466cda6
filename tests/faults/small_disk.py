"""Fill a message server's disk and free it again: ``python -m tests.faults.small_disk <folder on a separate disk>``.

The folder is a small tmpfs that only the calling test can see. The exit code is 0 if everything acknowledged was
answered exactly once.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from contextlib import aclosing, suppress
from itertools import count
from pathlib import Path

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import RetryableError
from bandsmith.shared.worker import run_actor

from .planner import SETTINGS, Planner, command, given_up

IMPATIENT = SETTINGS.model_copy(update={"bus_timeout": 2.0})


async def main(disk: Path) -> None:
    with NatsServer(disk / "store") as server:
        bus = await NatsBus.connect(server.url, IMPATIENT)
        await run_actor(bus, "planner", Planner(0.02), concurrency=3, settings=SETTINGS)
        for number in range(20):
            await bus.put(bytes([number]) * 50_000, "text/plain")
        sent = await send(bus, "before", 20)
        assert len(sent) == 20

        another = fill(disk)
        refused = await failure(bus)
        print(refused.code, refused, flush=True)
        sent += await send(bus, "meanwhile", 2)
        await asyncio.sleep(1)
        another.unlink()

        async with asyncio.timeout(60):
            while not (after := await send(bus, "after", 1)):
                pass
            answered = await answers(bus, sent + after)
        assert sorted(answered) == sorted(sent + after), answered
        assert await given_up(bus) == []
        await bus.close()


async def send(bus: NatsBus, name: str, count: int) -> list[str]:
    """Return the ids of the acknowledged commands."""
    sent = []
    for number in range(count):
        with suppress(RetryableError):
            await bus.send(command(f"{name}-{number}"))
            sent.append(f"{name}-{number}")
    return sent


async def failure(bus: NatsBus) -> RetryableError:
    """Return the first error of storing; the server may accept some messages before it."""
    for number in count(100):
        try:
            await bus.put(number.to_bytes() * 50_000, "text/plain")
        except RetryableError as error:
            return error
    raise AssertionError


async def answers(bus: NatsBus, commands: list[str]) -> list[str]:
    """The commands that were answered, until all these are."""
    answered: list[str] = []
    async with aclosing(bus.follow("s1")) as events:
        async for event in events:
            answered.append(event.causation)
            if set(answered) >= set(commands):
                break
    return answered


def fill(disk: Path) -> Path:
    """Another program's file takes all that is left."""
    path = disk / "another"
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(b"\0" * 4096):
            pass
    assert shutil.disk_usage(disk).free == 0
    return path


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
