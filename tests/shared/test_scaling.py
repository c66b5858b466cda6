"""The autoscaling policy, second by second, with a target of two messages per replica."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
import structlog

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, RecallKnowledge
from bandsmith.shared.serving import scaling
from bandsmith.shared.serving.scaling import POLL_INTERVAL_S, History, LagPolicy, wanted_replicas, without_secrets
from bandsmith.shared.settings import BusSettings


def over(seconds: float, waiting: int) -> list[int]:
    """A constant queue length, once per poll."""
    return [waiting] * round(seconds / POLL_INTERVAL_S)


@pytest.mark.parametrize(
    ("waits", "current", "wanted"),
    [
        # An empty queue: no change at first, scaled down after a minute.
        (over(300, 0), 0, [0]),
        (over(59, 0), 4, [4]),
        (over(62, 0), 4, [4, 0]),
        # Exactly the target: no change.
        (over(300, 8), 4, [4]),
        # Above the target: scaled up within seconds, in one step.
        (over(3, 8), 1, [1, 4]),
        # A peak shorter than a replica's start: no change.
        ([*over(10, 0), 8, *over(50, 0)], 1, [1]),
        ([*over(20, 2), 9, 2, 9, 2, 9, *over(20, 2)], 1, [1]),
        # A growing queue: scaled up step by step.
        ([*over(3, 4), *over(3, 8)], 1, [1, 2, 4]),
        # A shorter queue: after a minute, the number that its peak needed.
        ([*over(30, 4), *over(1, 6), *over(90, 4)], 4, [4, 3, 2]),
        # Repeated bursts less than a minute apart: scaled up once, and down after the last.
        ([*over(5, 20), *over(30, 0), *over(5, 20), *over(30, 0), *over(5, 20), *over(65, 0)], 1, [1, 10, 0]),
    ],
)
def test_replicas_follow_the_queue_without_flapping(waits: list[int], current: int, wanted: list[int]):
    history: History = ()
    seen = [current]
    for number, waiting in enumerate(waits):
        current, history = wanted_replicas(
            waiting - waiting // 2, waiting // 2, number * POLL_INTERVAL_S, history, current=current, target_lag=2
        )
        if current != seen[-1]:
            seen.append(current)
    assert seen == wanted
    assert len(history) <= 60 / POLL_INTERVAL_S + 2, "older samples are dropped"


# --- the policy around it ---------------------------------------------------------------------------------------------


@dataclass
class Context:
    target_num_replicas: int


def command(number: int) -> Envelope:
    payload = RecallKnowledge(text="", layout=None).model_dump(mode="json")
    return Envelope(id=f"c{number}", kind="RecallKnowledge", session="s", turn="t", payload=payload)


async def until_it_wants(policy: LagPolicy, number: int, current: int) -> None:
    async with asyncio.timeout(20):
        while policy(Context(current))[0] != number:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)


async def test_policy_follows_its_queue_and_holds_while_server_is_down(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scaling, "POLL_INTERVAL_S", 0.02)
    monkeypatch.setattr(scaling, "UPSCALE_DELAY_S", 0.1)

    # Given a queue with more messages than one replica's target
    done = asyncio.Event()

    async def later(_: object) -> None:
        await done.wait()

    await bus.consume_commands("planner", later)
    for number in range(6):
        await bus.send(command(number))

    # Then more replicas of that service are wanted, and none of an idle one
    monkeypatch.setenv("NATS_URL", nats_server.url)
    settings = without_secrets(BusSettings(bus_timeout=0.5))
    planner, validator = (LagPolicy(service, 2, settings, downscale_delay=0.1) for service in ("planner", "validator"))
    await until_it_wants(planner, 3, current=1)
    await until_it_wants(validator, 0, current=2)

    # When the server is killed and the policy notices
    await asyncio.to_thread(nats_server.kill)
    with structlog.testing.capture_logs() as lines:
        async with asyncio.timeout(20):
            while not any(line["event"] == "scaling.blind" and line["service"] == "planner" for line in lines):
                planner(Context(1))
                await asyncio.sleep(0.01)

    # Then the number does not change
    for _ in range(20):
        assert planner(Context(1))[0] == 1
        await asyncio.sleep(0.05)
    await asyncio.to_thread(nats_server.start)
    done.set()


def test_serve_configuration_contains_no_password():
    assert "nats_url" not in without_secrets(BusSettings(nats_url="nats://token@bus:4222"))
    assert without_secrets(BusSettings(nats_url="nats://bus:4222"))["nats_url"] == "nats://bus:4222"
