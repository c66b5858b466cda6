"""Replicas on a real Ray: they scale with the queue, drain, and are replaced when they hang."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from ray import serve
from ray.serve.schema import ApplicationStatus

from bandsmith.ray.cluster import ray_running
from bandsmith.shared.actor import Store
from bandsmith.shared.bus.base import Replica
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.serving.deployment import ServeReplica, environment, options
from bandsmith.shared.serving.pools import Pool
from bandsmith.shared.serving.replica import actor_work
from tests.cluster.slow import HANG, SlowPlanner, command
from tests.shared.processes import is_alive, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
DOWNSCALE_DELAY_S = 6.0


@pytest.fixture(scope="module", autouse=True)
def on_ray() -> Iterator[None]:
    with ray_running(cores=4):
        yield


@pytest.fixture
def deployed(bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Within the block, run planners with this pool."""
    monkeypatch.setenv("NATS_URL", nats_server.url)

    @asynccontextmanager
    async def deploy(pool: Pool, *, seconds: float, **more: Any) -> AsyncIterator[Callable[[], Counter[str]]]:
        notes = tmp_path / "notes"
        overrides = options("planner", pool) | more
        overrides["autoscaling_config"]["policy"]["policy_kwargs"] |= {
            "downscale_delay": DOWNSCALE_DELAY_S,
            "settings": {"nats_url": nats_server.url},
        }
        settings = environment() | {"NOTES": str(notes), "SECONDS": str(seconds)}
        application = deployment_of(overrides).bind(actor_work("planner", SlowPlanner), pool.concurrency, settings)
        await asyncio.to_thread(serve.run, application, name="test", route_prefix=None)
        try:
            yield lambda: Counter(line.split()[0] for line in notes.read_text().splitlines())
        finally:
            await asyncio.to_thread(serve.delete, "test")

    return deploy


def deployment_of(overrides: dict[str, Any]) -> serve.Deployment:
    return serve.deployment(**overrides)(ServeReplica)


async def answered(bus: NatsBus, number: int) -> list[str]:
    """Wait for so many answers, and return the commands that they answer."""
    causes = []
    async with aclosing(bus.follow("s1")) as events:
        async for event in events:
            causes.append(str(event.causation))
            if len(causes) == number:
                return causes
    raise AssertionError


async def there(bus: NatsBus, wanted: Callable[[list[Replica]], bool]) -> set[str]:
    """Wait for the wanted replicas, and return the names of all that existed meanwhile."""
    names: set[str] = set()
    async with asyncio.timeout(120):
        while True:
            roll = await bus.replicas(1.0)
            names |= {replica.name for replica in roll}
            if wanted(roll):
                return names


async def the_one(bus: NatsBus) -> int:
    """Return the process of the only replica."""
    async with asyncio.timeout(60):
        while len(roll := await bus.replicas()) != 1:
            pass
    return process(roll[0])


def process(replica: Replica) -> int:
    return int(replica.process.rpartition("-")[2])


async def test_replicas_follow_a_burst_up_and_down_without_loss(bus: NatsBus, deployed):
    # Given one replica, and a maximum of three
    async with deployed(Pool(min=1, max=3, target_lag=4, concurrency=2, cpus=1), seconds=0.2) as notes:
        # When far more messages arrive than one replica is meant for
        texts = [f"{number}" for number in range(400)]
        await asyncio.gather(*(bus.send(command(text)) for text in texts))

        # Then there are three, and after a quiet while one again, without changes in between:
        # a restarted replica would have a new name
        up = await there(bus, lambda roll: len(roll) == 3)
        causes = await asyncio.wait_for(answered(bus, len(texts)), 120)
        down = await there(bus, lambda roll: len(roll) == 1)
        assert len(up | down) == 3

        # ... each message was answered once and none started twice, although two replicas stopped
        assert Counter(causes) == Counter({f"c-{text}": 1 for text in texts})
        assert notes() == Counter(dict.fromkeys(texts, 1))


async def test_stopping_drains_and_leaves_the_rest_waiting(bus: NatsBus, deployed):
    # Given a replica with two commands in flight and more waiting
    texts = [f"{number}" for number in range(100)]
    async with deployed(Pool(concurrency=2), seconds=1.0) as notes:
        for text in texts:
            await bus.send(command(text))
        await there(bus, lambda roll: sum(replica.in_flight for replica in roll) == 2)
        # When it is stopped
    # Then those two are finished, and no other is started
    done = notes()
    assert 2 <= done.total() < len(texts) and set(done.values()) == {1}

    # When another replica starts, then it handles the others
    async with deployed(Pool(concurrency=2), seconds=0) as notes:
        causes = await asyncio.wait_for(answered(bus, len(texts)), 60)
        assert Counter(causes) == Counter({f"c-{text}": 1 for text in texts})
        assert notes() == Counter(dict.fromkeys(texts, 1))


async def test_a_hanging_replica_is_replaced(bus: NatsBus, deployed, monkeypatch: pytest.MonkeyPatch):
    # Given a replica whose event loop is blocked
    monkeypatch.setenv("BANDSMITH_ACK_WAIT", "2")
    quick = {"health_check_period_s": 1, "health_check_timeout_s": 1}
    async with deployed(Pool(), seconds=0, **quick) as notes:
        hung = await the_one(bus)
        await bus.send(command(HANG))

        # Then another replica handles its message, once
        assert await asyncio.wait_for(answered(bus, 1), 120) == [f"c-{HANG}"]
        assert notes() == Counter({HANG: 2}), "begun by the one, and done by the other"
        # ... and has replaced it
        assert await the_one(bus) != hung
        await asyncio.to_thread(until, lambda: not is_alive(hung))


async def test_a_replica_survives_a_lost_message_server(nats_server: NatsServer, bus: NatsBus, deployed):
    quick = {"health_check_period_s": 1, "health_check_timeout_s": 1}
    async with deployed(Pool(), seconds=0, **quick):
        before = await the_one(bus)
        # When the server is unreachable for longer than unhealthy replicas live
        await asyncio.to_thread(nats_server.kill)
        await asyncio.sleep(8)
        status = (await asyncio.to_thread(serve.status)).applications["test"]
        await asyncio.to_thread(nats_server.start)
        # Then the application is healthy, and the same replica continues
        assert status.status == ApplicationStatus.RUNNING
        await bus.send(command("after"))
        assert await asyncio.wait_for(answered(bus, 1), 60) == ["c-after"]
        assert await the_one(bus) == before


async def test_an_unexpected_replica_error_reaches_stderr(
    nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("NATS_URL", nats_server.url)
    application = deployment_of(options("planner", Pool())).bind(actor_work("planner", breaking), 1, environment())
    with pytest.raises(RuntimeError):
        await asyncio.to_thread(serve.run, application, name="test", route_prefix=None)
    await asyncio.to_thread(serve.delete, "test")

    logged, event = "", "replica.not_started"

    def is_logged() -> bool:
        nonlocal logged
        logged += capsys.readouterr().err
        return event in logged

    await asyncio.to_thread(until, is_logged)
    line = next(line for line in map(json.loads, logged.splitlines()) if line["event"] == event)
    assert line["error"] == "ZeroDivisionError"
    assert any(place.startswith(__name__) for place in line["where"])


def breaking(store: Store) -> SlowPlanner:
    raise ZeroDivisionError
