"""How long a hop and a step take: ``python -m benchmarks.bus`` prints what the bus on NATS costs on this machine.

A step is what a node of a workflow costs whose handler is empty: a worker receives the command, publishes its answer
and acknowledges; a gateway receives the answer, writes its state (2,000 bytes) by compare-and-set, publishes two events
and the next command, and acknowledges. All five are stored when the step is done. Gateway and worker are one process.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import nats

from bandsmith.shared.bus.base import event_subject
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.nats.headers import headers
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import (
    Command,
    Envelope,
    Event,
    KnowledgeRecalled,
    NodeFinished,
    NodeStarted,
    RecallKnowledge,
)
from bandsmith.shared.model.base import Ref
from bandsmith.shared.telemetry.log import configure
from bandsmith.shared.worker import delivery_handler, run_actor

HOPS = 1000
NODES = 10
STATE = b"x" * 2000
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


def note(session: str, node: int, event: Event) -> Envelope:
    name, kind = f"{session}-{node}-{event.kind()}", event.kind()
    return Envelope(id=name, kind=kind, session=session, turn="t", node=str(node), payload=event.model_dump())


class Gateway:
    """Leads sessions through ten nodes."""

    def __init__(self, bus: NatsBus) -> None:
        self._bus = bus
        self._revisions: dict[str, int] = {}
        self._ends: dict[str, asyncio.Future[None]] = {}

    async def run(self, session: str) -> None:
        end = self._ends[session] = asyncio.get_running_loop().create_future()
        await self._bus.send(command(0, session).model_copy(update={"node": "0"}))
        await end

    async def step(self, answer: Envelope) -> None:
        session, node = answer.session, int(answer.node or NODES)
        if session not in self._ends:
            return
        revision = self._revisions.get(session)
        self._revisions[session] = await self._bus.write_state(session, STATE, revision)
        finished = note(session, node, NodeFinished(node=str(node), seconds=0.0))
        following = note(session, node + 1, NodeStarted(node=str(node + 1)))
        saying = [self._bus.publish(finished, following)]
        if node + 1 < NODES:
            saying.append(self._bus.send(command(node + 1, session).model_copy(update={"node": str(node + 1)})))
        await asyncio.gather(*saying)
        if node + 1 == NODES:
            self._ends[session].set_result(None)


async def steps(gateway: Gateway, name: str, rounds: int, at_once: int) -> tuple[float, float]:
    """Steps in a second, and microseconds of this process's CPU for each."""
    begun, cpu = time.perf_counter(), time.process_time()
    for turn in range(rounds):
        await asyncio.gather(*(gateway.run(f"{name}-{turn}-{number}") for number in range(at_once)))
    count = rounds * at_once * NODES
    return count / (time.perf_counter() - begun), (time.process_time() - cpu) / count * 1e6


async def stored(bus: NatsBus, server: NatsServer) -> tuple[float, float]:
    """Microseconds of this process's CPU to store an event: by the bus, and by nats-py's own ``publish``."""
    client = await nats.connect(server.url)
    jetstream = client.jetstream()

    async def by_nats_py(event: Envelope) -> None:
        subject, data = event_subject(event), event.model_dump_json().encode()
        await jetstream.publish(subject, data, headers={"Nats-Msg-Id": event.id})

    async def cost(publish: Callable[[Envelope], Awaitable[None]], name: str) -> float:
        begun = time.process_time()
        for number in range(HOPS // 10):
            await asyncio.gather(*(publish(note(name, 10 * number + one, KnowledgeRecalled())) for one in range(10)))
        return (time.process_time() - begun) / HOPS * 1e6

    ours, theirs = await cost(bus.publish, "ours"), await cost(by_nats_py, "theirs")
    await client.close()
    return ours, theirs


def cost_of_headers() -> float:
    """Microseconds for one message."""
    event = note("s", 0, KnowledgeRecalled())
    begun = time.perf_counter()
    for _ in range(HOPS):
        headers(event)
    return (time.perf_counter() - begun) / HOPS * 1e6


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
    with NatsServer() as server:
        bus, worker = await NatsBus.connect(server.url), await NatsBus.connect(server.url)
        await run_actor(worker, "planner", Planner(), concurrency=8)
        took = statistics.quantiles(await one_by_one(bus), n=100)
        print(f"send, handle, answer   p50 {took[49]:.2f} ms   p99 {took[98]:.2f} ms   ({HOPS} hops)")
        print(f"all at once            {await all_at_once(bus):.0f} commands/s")
        ours, theirs = await stored(bus, server)
        print(f"to store an event      {ours:.0f} us of CPU   by nats-py's publish {theirs:.0f} us")
        print(f"CloudEvents' headers   {cost_of_headers():.1f} us a message")
        gateway = Gateway(bus)
        await bus.consume_answers("gateway", delivery_handler(gateway.step), concurrency=32)
        await steps(gateway, "warm", 10, 1)
        for rounds, at_once in ((50, 1), (5, 100)):
            speed, cpu = await steps(gateway, f"of{at_once}", rounds, at_once)
            print(f"{at_once:3} sessions at once   {speed:.0f} steps/s   {cpu:.0f} us of CPU a step")
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
