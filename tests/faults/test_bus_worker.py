"""A worker's process is killed (SIGKILL) with a command in flight."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.worker import run_actor
from tests.faults.planner import SETTINGS, Planner, command

ROOT = Path(__file__).parents[2]


@pytest.fixture
def victim(request: pytest.FixtureRequest, nats_server: NatsServer) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.planner", nats_server.url, request.param],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["hang", "unacknowledged"], indirect=True)
async def test_a_killed_worker_s_command_is_answered_once(
    bus: NatsBus, victim: subprocess.Popen[str], nats_server: NatsServer
) -> None:
    # Given a worker with a command in flight
    assert victim.stdout is not None
    assert await asyncio.to_thread(victim.stdout.readline) == "ready\n"
    await bus.send(command("c1"))
    assert await asyncio.to_thread(victim.stdout.readline) == "now\n"

    # When it is killed, and there is another worker
    victim.kill()
    survivor = Planner(0)
    client = await NatsBus.connect(nats_server.url, SETTINGS)
    await run_actor(client, "planner", survivor, settings=SETTINGS)
    await bus.send(command("c2"))

    # Then both commands are handled by the other, and each has one answer
    async with asyncio.timeout(30):
        while survivor.handled < 2:  # noqa: ASYNC110 - nothing announces that an answer was not published again
            await asyncio.sleep(0.01)
        await bus.send(command("c3"))
        answered: list[str] = []
        async with aclosing(bus.follow("s1")) as events:
            async for event in events:
                answered.append(event.causation)
                if event.causation == "c3":
                    break
    assert sorted(answered) == ["c1", "c2", "c3"]
    assert await bus.dead_letters() == []
    await client.close()
