"""How long a hop takes: ``python benchmarks/bus.py`` prints what the bus on NATS costs on this machine."""

import asyncio
import os
import statistics
import time
from contextlib import aclosing

from shared.bus.nats import NatsBus
from shared.bus.server import Server
from shared.events import Command, Envelope, Event, KnowledgeRecalled, RecallKnowledge
from shared.log import configure
from shared.model.base import Ref
from shared.worker import run_actor

HOPS = 1000
MEGABYTE = 1_000_000


class Planner:
    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        return KnowledgeRecalled()


def command(number: int, session: str) -> Envelope:
    payload = RecallKnowledge(text="", layout=Ref(key="0" * 64, media="application/json", size=2)).model_dump()
    return Envelope(id=f"{session}-{number}", kind="RecallKnowledge", session=session, turn="t", payload=payload)


async def one_by_one(bus: NatsBus) -> list[float]:
    """Milliseconds from sending a command to seeing its answer, with nothing else going on."""
    took = []
    async with aclosing(bus.follow("one")) as events:
        for number in range(HOPS):
            begun = time.perf_counter()
            await bus.send(command(number, "one"))
            await anext(events)
            took.append((time.perf_counter() - begun) * 1000)
    return took


async def all_at_once(bus: NatsBus) -> float:
    """Commands answered in a second, sent as fast as they are stored."""
    begun = time.perf_counter()
    sending = asyncio.gather(*(bus.send(command(number, "all")) for number in range(HOPS)))
    async with aclosing(bus.follow("all")) as events:
        for _ in range(HOPS):
            await anext(events)
    await sending
    return HOPS / (time.perf_counter() - begun)


async def objects(writer: NatsBus, reader: NatsBus, size: int) -> tuple[float, float]:
    """Milliseconds to put, and to get where it is not known yet."""
    data = os.urandom(size)
    begun = time.perf_counter()
    ref = await writer.put(data, "application/octet-stream")
    put = time.perf_counter()
    await reader.get(ref)
    return (put - begun) * 1000, (time.perf_counter() - put) * 1000


async def main() -> None:
    configure()
    with Server() as server:
        bus, worker = await NatsBus.connect(server.url), await NatsBus.connect(server.url)
        await run_actor(worker, "planner", Planner(), concurrency=8)
        took = statistics.quantiles(await one_by_one(bus), n=100)
        print(f"send, handle, answer   p50 {took[49]:.2f} ms   p99 {took[98]:.2f} ms   ({HOPS} hops)")
        print(f"all at once            {await all_at_once(bus):.0f} commands/s")
        for size in (MEGABYTE // 10, MEGABYTE, 5 * MEGABYTE, 20 * MEGABYTE):
            put, get = zip(*[await objects(bus, worker, size) for _ in range(5)], strict=True)
            print(
                f"object of {size / MEGABYTE:4.1f} MB      "
                f"put {statistics.median(put):.1f} ms   get {statistics.median(get):.1f} ms"
            )
        await worker.close()
        await bus.close()


if __name__ == "__main__":
    asyncio.run(main())
