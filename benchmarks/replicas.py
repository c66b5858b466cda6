"""How much more 2 and 3 replicas get done than one: ``python -m benchmarks.replicas``.

Each replica is a process of its own that works on one command at a time, for 20 ms; the bus is a real nats-server.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

from bandsmith.shared.actor import Store
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Command, Envelope, Event, KnowledgeRecalled, RecallKnowledge
from bandsmith.shared.serving.replica import ServiceReplica, actor_work

from .table import Row, markdown

SECONDS = 0.02
COMMANDS = 400
BEFORE = 50
"""Answers before the clock runs."""
REPLICAS = (1, 2, 3)
WANTED = {2: 1.9, 3: 2.7}
MODULE, REPLICA = "benchmarks.replicas", "replica"
"""This file, and the argument that makes it a replica."""


class Waiting:
    """An actor that waits, as one does that has its work done by a machine of its own."""

    def __init__(self, store: Store) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        await asyncio.sleep(SECONDS)
        return KnowledgeRecalled()


async def rows() -> list[Row]:
    with NatsServer() as server:
        bus = await NatsBus.connect(server.url)
        rates = {number: await _rate(bus, server.url, number) for number in REPLICAS}
        await bus.close()
    return [
        Row(
            f"{number} replicas against 1, handlers of {SECONDS * 1000:.0f} ms",
            f"{rates[number] / rates[1]:.2f} times",
            f"at least {wanted:g} times",
            f"{COMMANDS} commands, {rates[number]:.0f} and {rates[1]:.0f} in a second",
        )
        for number, wanted in WANTED.items()
    ]


async def _rate(bus: NatsBus, url: str, number: int) -> float:
    """Commands answered in a second by so many replicas, once all of them wait to be taken."""
    session = f"with-{number}"
    async with AsyncExitStack() as replicas, aclosing(bus.follow(session)) as events:
        await asyncio.gather(*(replicas.enter_async_context(_replica(url)) for _ in range(number)))
        await asyncio.gather(*(bus.send(_command(session, one)) for one in range(COMMANDS)))
        for _ in range(BEFORE):
            await anext(events)
        begun = time.perf_counter()
        for _ in range(COMMANDS - BEFORE):
            await anext(events)
        return (COMMANDS - BEFORE) / (time.perf_counter() - begun)


@asynccontextmanager
async def _replica(url: str) -> AsyncIterator[None]:
    """One more, at work until the block is left."""
    environment = os.environ | {"NATS_URL": url}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", MODULE, REPLICA, env=environment, stdout=-1)
    assert process.stdout
    await process.stdout.readline()
    try:
        yield
    finally:
        process.kill()
        await process.wait()


async def _work() -> None:
    """What a replica's process does."""
    await ServiceReplica(actor_work("planner", Waiting), 1, {}).start()
    print("ready", flush=True)
    await asyncio.Event().wait()


def _command(session: str, number: int) -> Envelope:
    payload = RecallKnowledge(text="", layout=None).model_dump(mode="json")
    return Envelope(id=f"{session}-{number}", kind="RecallKnowledge", session=session, turn="t", payload=payload)


if __name__ == "__main__":
    if sys.argv[1:] == [REPLICA]:
        asyncio.run(_work())
    else:
        print(markdown(asyncio.run(rows())))
