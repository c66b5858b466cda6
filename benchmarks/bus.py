"""Cost of the bus on NATS: a hop, a step of a workflow, storing an event, and objects by size.

A step is one node of a workflow with an empty handler. A worker receives the command, publishes its answer and
acknowledges. A gateway receives the answer, writes its state (2,000 bytes) by compare-and-set, publishes two events and
the next command, and acknowledges. All five messages are stored when the step is done. Here gateway and worker are one
process; ``benchmarks.orchestration`` measures the real gateway in a separate process.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import NamedTuple

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
from bandsmith.shared.worker import delivery_handler, run_actor

from .results import Result

HOPS = 1000
NODES = 10
STATE = b"x" * 2000
MEGABYTE = 1_000_000
OBJECT_SIZES = (MEGABYTE // 10, MEGABYTE, 5 * MEGABYTE, 20 * MEGABYTE)


async def measure_hop(hops: int = HOPS) -> list[Result]:
    async with connected() as (_, bus, _):
        times = statistics.quantiles(await sequential(bus, hops), n=100)
    details = f"median; 99 of 100 within {times[98]:.2f} ms"
    return [Result("a hop on the bus: send, handle, answer", f"{times[49]:.2f} ms", "", details)]


async def measure(
    hops: int = HOPS, rounds: int = 50, at_once: int = 100, sizes: tuple[int, ...] = OBJECT_SIZES
) -> list[Result]:
    async with connected() as (server, bus, worker):
        rate = await concurrent(bus, hops)
        ours, theirs = await cpu_per_event(bus, server, hops)
        results = [
            Result("commands answered a second, all sent at once", f"{rate:.0f}", "", f"{hops} commands"),
            Result("CPU to store an event", f"{ours:.0f} µs", "", f"by nats-py's publish {theirs:.0f} µs"),
            Result("time for the CloudEvents headers of a message", f"{time_of_headers(hops):.1f} µs", "", ""),
        ]
        gateway = Gateway(bus)
        await bus.consume_answers("gateway", delivery_handler(gateway.step), concurrency=32)
        await steps(gateway, "warm-up", 10, 1)
        for count, sessions in ((rounds, 1), (max(1, rounds // 10), at_once)):
            speed = await steps(gateway, f"of-{sessions}", count, sessions)
            what = f"steps a second, {sessions} at once, gateway and worker in one process"
            results.append(Result(what, f"{speed.rate:.0f}", "", f"{speed.cpu_us:.0f} µs of CPU a step"))
        for size in sizes:
            put, get = zip(*[await store_object(bus, worker, size) for _ in range(5)], strict=True)
            figure = f"{statistics.median(put):.1f} ms, {statistics.median(get):.1f} ms"
            results.append(Result(f"an object of {size / MEGABYTE:.1f} MB: put, get", figure, "", ""))
    return results


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[NatsServer, NatsBus, NatsBus]]:
    """A server, a client's bus, and the bus of a worker that answers every command of the planner."""
    with NatsServer() as server:
        client, worker = await NatsBus.connect(server.url), await NatsBus.connect(server.url)
        await run_actor(worker, "planner", Planner(), concurrency=8)
        yield server, client, worker
        await worker.close()
        await client.close()


class Planner:
    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        return KnowledgeRecalled()


def command(session: str, number: int) -> Envelope:
    payload = RecallKnowledge(text="", layout=Ref(key="0" * 64, media="application/json", size=2)).model_dump()
    name = f"{session}-{number}"
    return Envelope(id=name, kind="RecallKnowledge", session=session, turn="t", node=str(number), payload=payload)


def event(session: str, node: int, payload: Event) -> Envelope:
    name, kind = f"{session}-{node}-{payload.kind()}", payload.kind()
    return Envelope(id=name, kind=kind, session=session, turn="t", node=str(node), payload=payload.model_dump())


async def sequential(bus: NatsBus, hops: int) -> list[float]:
    """Return the milliseconds from each command to its answer, one after the other."""
    times = []
    async with aclosing(bus.follow("sequential")) as answers:
        for number in range(hops):
            began = time.perf_counter()
            await bus.send(command("sequential", number))
            await anext(answers)
            times.append((time.perf_counter() - began) * 1000)
    return times


async def concurrent(bus: NatsBus, hops: int) -> float:
    """Return the commands answered in a second, sent as fast as they are stored."""
    began = time.perf_counter()
    sending = asyncio.gather(*(bus.send(command("concurrent", number)) for number in range(hops)))
    async with aclosing(bus.follow("concurrent")) as answers:
        for _ in range(hops):
            await anext(answers)
    await sending
    return hops / (time.perf_counter() - began)


class Gateway:
    """Takes sessions through ten nodes."""

    def __init__(self, bus: NatsBus) -> None:
        self._bus = bus
        self._revisions: dict[str, int] = {}
        self._ends: dict[str, asyncio.Future[None]] = {}

    async def run(self, session: str) -> None:
        end = self._ends[session] = asyncio.get_running_loop().create_future()
        await self._bus.send(command(session, 0))
        await end

    async def step(self, answer: Envelope) -> None:
        session, node = answer.session, int(answer.node or NODES)
        if session not in self._ends:
            return
        revision = self._revisions.get(session)
        self._revisions[session] = await self._bus.write_state(session, STATE, revision)
        finished = event(session, node, NodeFinished(node=str(node), seconds=0.0))
        started = event(session, node + 1, NodeStarted(node=str(node + 1)))
        messages = [finished, started, *([command(session, node + 1)] if node + 1 < NODES else [])]
        await self._bus.publish(*messages)
        if node + 1 == NODES:
            self._ends[session].set_result(None)


class Speed(NamedTuple):
    rate: float
    """Steps a second."""
    cpu_us: float
    """Microseconds of this process's CPU for a step."""


async def steps(gateway: Gateway, name: str, rounds: int, at_once: int) -> Speed:
    began, cpu = time.perf_counter(), time.process_time()
    for turn in range(rounds):
        await asyncio.gather(*(gateway.run(f"{name}-{turn}-{number}") for number in range(at_once)))
    count = rounds * at_once * NODES
    return Speed(count / (time.perf_counter() - began), (time.process_time() - cpu) / count * 1e6)


async def cpu_per_event(bus: NatsBus, server: NatsServer, count: int) -> tuple[float, float]:
    """Return the microseconds of CPU to store an event: by the bus, and by nats-py's own ``publish``."""
    client = await nats.connect(server.url)
    jetstream = client.jetstream()

    async def with_nats_py(message: Envelope) -> None:
        subject, data = event_subject(message), message.model_dump_json().encode()
        await jetstream.publish(subject, data, headers={"Nats-Msg-Id": message.id})

    async def cost(publish: Callable[[Envelope], Awaitable[None]], name: str) -> float:
        began = time.process_time()
        for batch in range(count // 10):
            messages = [event(name, 10 * batch + number, KnowledgeRecalled()) for number in range(10)]
            await asyncio.gather(*map(publish, messages))
        return (time.process_time() - began) / count * 1e6

    ours, theirs = await cost(bus.publish, "ours"), await cost(with_nats_py, "theirs")
    await client.close()
    return ours, theirs


def time_of_headers(count: int) -> float:
    """Return the microseconds to format the headers of one message."""
    message = event("s", 0, KnowledgeRecalled())
    began = time.perf_counter()
    for _ in range(count):
        headers(message, message.id)
    return (time.perf_counter() - began) / count * 1e6


async def store_object(writer: NatsBus, reader: NatsBus, size: int) -> tuple[float, float]:
    """Return the milliseconds to put an object, and to get it on a bus that has it not cached."""
    data = os.urandom(size)
    began = time.perf_counter()
    ref = await writer.put(data, "application/octet-stream")
    put = time.perf_counter()
    await reader.get(ref)
    return (put - began) * 1000, (time.perf_counter() - put) * 1000
