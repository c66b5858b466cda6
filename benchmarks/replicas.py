"""Throughput of 2 and 3 replicas against one.

Each replica is a separate process that handles one command at a time, for 20 ms. The bus is a real nats-server.
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

from .results import Result, markdown

SECONDS = 0.02
REPLICAS = (1, 2, 3)
TARGETS = {2: 1.9, 3: 2.7}
MODULE, REPLICA = "benchmarks.replicas", "replica"
"""This file, and the argument that makes it a replica."""


class Waiting:
    """An actor that waits, as one does whose work is done on another machine."""

    def __init__(self, store: Store) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        await asyncio.sleep(SECONDS)
        return KnowledgeRecalled()


async def measure(commands: int = 400, warm_up: int = 50) -> list[Result]:
    with NatsServer() as server:
        bus = await NatsBus.connect(server.url)
        rates = {number: await _rate(bus, server.url, number, commands, warm_up) for number in REPLICAS}
        await bus.close()
    return [
        Result(
            f"{number} replicas against 1, handlers of {SECONDS * 1000:.0f} ms",
            f"{rates[number] / rates[1]:.2f} times",
            f"at least {target:g} times",
            f"{commands} commands, {rates[number]:.0f} and {rates[1]:.0f} a second",
        )
        for number, target in TARGETS.items()
    ]


async def _rate(bus: NatsBus, url: str, replicas: int, commands: int, warm_up: int) -> float:
    """Return the commands that replicas answer in a second, all of them sent before; `warm_up` are not timed."""
    session = f"with-{replicas}"
    async with AsyncExitStack() as stack, aclosing(bus.follow(session)) as answers:
        await asyncio.gather(*(stack.enter_async_context(_replica(url)) for _ in range(replicas)))
        await asyncio.gather(*(bus.send(_command(session, number)) for number in range(commands)))
        for _ in range(warm_up):
            await anext(answers)
        began = time.perf_counter()
        for _ in range(commands - warm_up):
            await anext(answers)
        return (commands - warm_up) / (time.perf_counter() - began)


@asynccontextmanager
async def _replica(url: str) -> AsyncIterator[None]:
    """Run one more replica until the block ends."""
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
    """Run a replica in this process."""
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
        print(markdown(asyncio.run(measure())))
