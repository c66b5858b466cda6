"""Many conversations at once on one local host, by rules alone: turns a second, and the gateway's share."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.events import Envelope, NodeFinished, TurnFailed, TurnFinished

from .results import Result

TURNS = (
    "generate a sales report with customer, product and amount, total at the bottom",
    "make the title larger",
    "what is the difference between $F and $P?",
    "delete the second column",
    "undo",
)


@dataclass
class Load:
    """The results of a load of conversations."""

    turns: int = 0
    seconds: float = 0.0
    nodes: int = 0
    faults: list[str] = field(default_factory=list)
    """Turns that were lost, doubled or out of order."""
    megabytes: list[float] = field(default_factory=list)
    """Memory of the host at the end of each session."""


async def load(client: Client, sessions: int, at_once: int) -> Load:
    result, slots = Load(), asyncio.Semaphore(at_once)

    async def talk(number: int) -> None:
        async with slots:
            name = f"load-{number}"
            for text in TURNS:
                events = [event async for event in client.turn(name, text)]
                result.nodes += sum(isinstance(event, NodeFinished) for event in events)
                last = events[-1]
                if not isinstance(last, TurnFinished):
                    code = last.code if isinstance(last, TurnFailed) else "lost"
                    result.faults.append(f"{name}: {text}: {code}")
                result.turns += 1
            result.faults += await disorder(client, name)
            result.megabytes.append(memory())

    began = time.perf_counter()
    await asyncio.gather(*(talk(number) for number in range(sessions)))
    result.seconds = time.perf_counter() - began
    return result


async def disorder(client: Client, name: str) -> list[str]:
    """Return what is wrong with the order of a session's turns, by its history and its versions."""
    session = await client.session(name)
    requests = [entry.text for entry in session.history if entry.role == "user"]
    # Undo removes the last change from the history, with all that followed the snapshot.
    faults = [] if requests == [*TURNS[:3], TURNS[4]] else [f"{name}: the history is {requests}"]
    numbers = [version.number for version in session.versions]
    if numbers != [1, 2, 3, 4]:
        faults.append(f"{name}: the versions are {numbers}")
    return faults


@contextmanager
def timed_gateway() -> Iterator[list[float]]:
    """Record the seconds that each message spends in gateways started within the block."""
    seconds: list[float] = []

    def timed(method: Callable[[GatewayActor, Envelope], Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def run(self: GatewayActor, envelope: Envelope) -> None:
            started = time.perf_counter()
            await method(self, envelope)
            seconds.append(time.perf_counter() - started)

        return run

    begin, go_on = timed(GatewayActor.begin), timed(GatewayActor.go_on)
    with mock.patch.multiple(GatewayActor, begin=begin, go_on=go_on):
        yield seconds


def memory() -> float:
    """Return the megabytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def measure(sessions: int = 200, at_once: int = 20) -> list[Result]:
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, BANDSMITH_HOME=folder),
        timed_gateway() as seconds,
    ):
        async with local(store=Path(folder) / "bus") as bus:
            done = await load(Client(bus), sessions, at_once)
    for fault in done.faults[:20]:
        print(fault, file=sys.stderr)
    half, end = done.megabytes[len(done.megabytes) // 2], done.megabytes[-1]
    per_node = 1000 * sum(seconds) / max(done.nodes, 1)
    return [
        Result(
            f"{sessions} sessions of {len(TURNS)} turns, {at_once} at a time: turns lost, doubled or out of order",
            str(len(done.faults)),
            "0",
            f"{done.turns} turns, {done.nodes} nodes in {done.seconds:.0f} s; "
            f"memory of the host {half:.0f} MB half-way, {end:.0f} MB at the end",
        ),
        Result("turns a second, rules alone", f"{done.turns / done.seconds:.1f}", "", ""),
        Result(
            "the gateway's time for a node under that load",
            f"{per_node:.2f} ms",
            "",
            f"median of a message {1000 * statistics.median(seconds):.2f} ms, including its waits for the bus",
        ),
    ]
