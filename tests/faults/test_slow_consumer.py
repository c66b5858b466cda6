"""Slow consumers: a stalled client, and a worker slower than its senders."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from bandsmith.shared.bus.base import Delta, Queue
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, KnowledgeRecalled
from bandsmith.shared.worker import run_actor

from .planner import SETTINGS, Planner, Waiting, command

ROOT = Path(__file__).parents[2]
PIECE = "x" * 500_000
PIECES = 200
"""100 MB: more than a server keeps for a client that does not read."""
EVENTS = 300
COMMANDS = 300


@pytest.fixture
def follower(nats_server: NatsServer, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Its standard error goes to a file, so that it never blocks."""
    with (
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.follower", nats_server.url],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        yield process
        process.kill()


def event(number: int) -> Envelope:
    said = KnowledgeRecalled(passages=["y" * 1_000])
    return Envelope(id=f"e{number}", kind=said.kind(), session="s1", turn="t1", payload=said.model_dump(mode="json"))


async def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    def read() -> list[str]:
        assert process.stdout is not None
        return [process.stdout.readline().strip() for _ in range(count)]

    return await asyncio.to_thread(read)


@pytest.mark.slow
async def test_a_stalled_client_is_dropped_and_misses_no_event(
    bus: NatsBus, follower: subprocess.Popen[str], tmp_path: Path
) -> None:
    # Given a client that follows a session, and hears what is said in it
    await bus.publish(event(0))
    assert await lines(follower, 1) == ["e0"]

    # When it stands still while more is said than the server keeps for it
    os.kill(follower.pid, signal.SIGSTOP)
    for _ in range(PIECES):
        await bus.publish_delta(Delta(session="s1", turn="t1", text=PIECE))
    for number in range(1, EVENTS):
        await bus.publish(event(number))
    os.kill(follower.pid, signal.SIGCONT)

    # Then the server let it go, and it finds its way back and misses no event
    assert await lines(follower, EVENTS - 1) == [f"e{number}" for number in range(1, EVENTS)]
    said = (tmp_path / "errors").read_text()
    assert "Traceback" not in said
    assert "bus.reconnected" in said


async def test_a_slow_worker_never_exceeds_its_concurrency(bus: NatsBus, nats_server: NatsServer) -> None:
    # Given a worker that does two things at a time, and takes long
    slow = Waiting()
    await run_actor(bus, "planner", slow, concurrency=2, settings=SETTINGS)

    # When more is sent than it can do
    await asyncio.gather(*(bus.send(command(f"c{number}")) for number in range(COMMANDS)))
    async with asyncio.timeout(60):
        while (await bus.queues())[0].in_flight < 2:
            pass

    # Then the rest waits on the server for a free worker
    quick, other = Planner(0), await NatsBus.connect(nats_server.url)
    await run_actor(other, "planner", quick, concurrency=2, settings=SETTINGS)
    async with asyncio.timeout(60):
        while quick.handled < COMMANDS - 2:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)
        while (await bus.queues())[0].in_flight > 2:
            pass
    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=0, in_flight=2, redelivered=0)]

    # ... and everything is done, once
    slow.may.set()
    answered: list[str] = []
    async with asyncio.timeout(60), aclosing(bus.follow("s1")) as events:
        async for said in events:
            answered.append(said.causation)
            if len(answered) == COMMANDS:
                break
    assert sorted(answered) == sorted(f"c{number}" for number in range(COMMANDS))
    assert (slow.handled, quick.handled) == (2, COMMANDS - 2) and await bus.dead_letters() == []
    await other.close()
