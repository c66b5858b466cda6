"""A worker hangs in a command: another takes over, and what cannot recover exits."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.worker import run_actor
from tests.faults.planner import SETTINGS, Planner, command

pytestmark = pytest.mark.slow

Begin = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def begin(nats_server: NatsServer) -> Iterator[Begin]:
    """Start a worker that hangs in this way, with limits of a second or two."""
    begun: list[subprocess.Popen[str]] = []

    def one(how: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.hanging", nats_server.url, how],
            env=os.environ
            | {
                "BANDSMITH_ACK_WAIT": "1",
                "BANDSMITH_RETRY_DELAY": "0.05",
                "BANDSMITH_MAX_DELIVERIES": "10",
                "BANDSMITH_HANDLING_LIMIT": "1.5",
                "BANDSMITH_WATCHDOG": "2.5",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        begun.append(process)
        return process

    yield one
    for process in begun:
        process.kill()
        process.communicate()


async def answered_elsewhere(bus: NatsBus, victim: "subprocess.Popen[str]", url: str) -> list[str]:
    """What became of a command that `victim` stood still with, and of one after it, when there is another worker."""
    assert victim.stdout is not None
    assert await asyncio.to_thread(victim.stdout.readline) == "ready\n"
    await bus.send(command("c1"))
    assert await asyncio.to_thread(victim.stdout.readline) == "now\n"

    other = await NatsBus.connect(url, SETTINGS)
    working = await run_actor(other, "planner", Planner(0), concurrency=4, settings=SETTINGS)
    said: list[str] = []
    async with asyncio.timeout(60), aclosing(bus.follow("s1")) as events:
        async for event in events:
            said.append(f"{event.causation} {event.kind}")
            break
    await working.stop()
    await other.close()
    return said


async def test_a_hanging_handler_s_message_goes_to_another_worker(
    bus: NatsBus, nats_server: NatsServer, begin: Begin
) -> None:
    victim = begin("wait")

    assert await answered_elsewhere(bus, victim, nats_server.url) == ["c1 KnowledgeRecalled"]

    # It says why it gave the message back, and lives
    def why() -> str:
        assert victim.stderr is not None
        return next(line["code"] for line in map(json.loads, victim.stderr) if line["event"] == "message.failed")

    assert await asyncio.to_thread(why) == "timeout"
    assert victim.poll() is None
    assert await bus.dead_letters() == []


@pytest.mark.parametrize("what", ["loop", "thread"])
async def test_a_stuck_process_loses_its_message_and_exits(
    bus: NatsBus, nats_server: NatsServer, begin: Begin, what: str
) -> None:
    victim = begin(what)

    assert await answered_elsewhere(bus, victim, nats_server.url) == ["c1 KnowledgeRecalled"]

    assert await asyncio.to_thread(victim.wait, 30) == 1
    assert victim.stderr is not None
    *_, last = [json.loads(line) for line in victim.stderr]
    assert (last["event"], last["what"], last["level"]) == ("process.stuck", what, "error")
    assert await bus.dead_letters() == []


async def test_a_process_with_a_held_interpreter_exits(bus: NatsBus, nats_server: NatsServer, begin: Begin) -> None:
    """No line of Python runs in it any more, so it cannot say anything."""
    victim = begin("hold")

    assert await answered_elsewhere(bus, victim, nats_server.url) == ["c1 KnowledgeRecalled"]

    assert await asyncio.to_thread(victim.wait, 30) == 1
