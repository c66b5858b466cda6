"""Many conversations at once in one local host, by rules alone: turns a second, and what the gateway costs.

python -m benchmarks.conversation [SESSIONS [AT_ONCE]]
"""

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
from bandsmith.shared.telemetry.log import configure

from .table import Row

TURNS = (
    "generate a sales report with customer, product and amount, total at the bottom",
    "make the title larger",
    "what is the difference between $F and $P?",
    "delete the second column",
    "undo",
)


@dataclass
class Load:
    """What came of it."""

    turns: int = 0
    seconds: float = 0.0
    nodes: int = 0
    faults: list[str] = field(default_factory=list)
    """Turns that were lost, doubled or came out of their order."""
    megabytes: list[float] = field(default_factory=list)
    """What the host had in memory at the end of each session."""


async def load(client: Client, sessions: int, at_once: int) -> Load:
    found, slots = Load(), asyncio.Semaphore(at_once)

    async def talk(number: int) -> None:
        async with slots:
            name = f"load-{number}"
            for text in TURNS:
                ends = [event async for event in client.turn(name, text)]
                found.nodes += sum(isinstance(event, NodeFinished) for event in ends)
                last = ends[-1]
                if not isinstance(last, TurnFinished):
                    code = last.code if isinstance(last, TurnFailed) else "lost"
                    found.faults.append(f"{name}: {text}: {code}")
                found.turns += 1
            found.faults += await disorder(client, name)
            found.megabytes.append(memory())

    began = time.perf_counter()
    await asyncio.gather(*(talk(number) for number in range(sessions)))
    found.seconds = time.perf_counter() - began
    return found


async def disorder(client: Client, name: str) -> list[str]:
    """What is wrong with the order of a session's turns, as its history and its log have them."""
    session = await client.session(name)
    said = [entry.text for entry in session.history if entry.role == "user"]
    # Undo takes the last change out of the history, with what was said after the snapshot.
    faults = [] if said == [*TURNS[:3], TURNS[4]] else [f"{name}: the history is {said}"]
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
    """Megabytes that this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def rows(sessions: int = 200, at_once: int = 20) -> list[Row]:
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, BANDSMITH_HOME=folder),
        timed_gateway() as took,  # before it is started
    ):
        async with local(store=Path(folder) / "bus") as bus:
            done = await load(Client(bus), sessions, at_once)
    for fault in done.faults[:20]:
        print(fault, file=sys.stderr)
    half, end = done.megabytes[len(done.megabytes) // 2], done.megabytes[-1]
    per_node = 1000 * sum(took) / max(done.nodes, 1)
    return [
        Row(
            f"{sessions} sessions of {len(TURNS)} turns, {at_once} at a time: turns lost, doubled or out of order",
            str(len(done.faults)),
            "0",
            f"{done.turns} turns, {done.nodes} nodes in {done.seconds:.0f} s; "
            f"the host has {half:.0f} MB at half time, {end:.0f} MB at the end",
        ),
        Row("turns a second, rules alone", f"{done.turns / done.seconds:.1f}", "", ""),
        Row(
            "the gateway's time for a node, under that load",
            f"{per_node:.2f} ms",
            "",
            f"median of a message {1000 * statistics.median(took):.2f} ms, its waiting for the bus included",
        ),
    ]


if __name__ == "__main__":
    configure()
    for row in asyncio.run(rows(*map(int, sys.argv[1:3]))):
        print(*vars(row).values(), sep="  ")
