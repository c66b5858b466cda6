"""How many replicas a service wants, second by second; one is there for each two messages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
import structlog

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, RecallKnowledge
from bandsmith.shared.serving import scaling
from bandsmith.shared.serving.scaling import POLL, History, LagPolicy, replicas, without_secrets
from bandsmith.shared.settings import BusSettings


def over(seconds: float, waiting: int) -> list[int]:
    """What waits, at each look for so long."""
    return [waiting] * round(seconds / POLL)


BURST, CALM = 8, 0


@pytest.mark.parametrize(
    ("waits", "present", "wanted"),
    [
        # Nothing to do: it stays as it is; and comes down when that was so for a minute, not before.
        (over(300, 0), 0, [0]),
        (over(59, 0), 4, [4]),
        (over(62, 0), 4, [4, 0]),
        # As much as the replicas are there for: as it is.
        (over(300, 8), 4, [4]),
        # Too much: more within seconds, as many as are needed, at once.
        (over(3, 8), 1, [1, 4]),
        # A blip that is over before a replica would have started: nothing.
        ([*over(10, 0), 8, *over(50, 0)], 1, [1]),
        ([*over(20, 2), 9, 2, 9, 2, 9, *over(20, 2)], 1, [1]),
        # Growing: step by step, and in the end as many as are needed.
        ([*over(3, 4), *over(3, 8)], 1, [1, 2, 4]),
        # Less, but not nothing: after a calm minute as many as the worst moment of that minute needed.
        ([*over(30, 4), *over(1, 6), *over(90, 4)], 4, [4, 3, 2]),
        # A burst, over and over, with less than a minute between: up once, and no down before all is over.
        ([*over(5, 20), *over(30, 0), *over(5, 20), *over(30, 0), *over(5, 20), *over(65, 0)], 1, [1, 10, 0]),
    ],
)
def test_the_number_follows_what_waits_and_does_not_flap(waits: list[int], present: int, wanted: list[int]):
    history: History = ()
    seen = [present]
    for number, waiting in enumerate(waits):
        present, history = replicas(
            waiting - waiting // 2, waiting // 2, number * POLL, history, present=present, target_lag=2
        )
        if present != seen[-1]:
            seen.append(present)
    assert seen == wanted
    assert len(history) <= 60 / POLL + 2, "only what is still needed is remembered"


# --- the policy around it ---------------------------------------------------------------------------------------------


@dataclass
class Situation:
    target_num_replicas: int


def command(number: int) -> Envelope:
    payload = RecallKnowledge(text="", layout=None).model_dump(mode="json")
    return Envelope(id=f"c{number}", kind="RecallKnowledge", session="s", turn="t", payload=payload)


async def until_it_wants(policy: LagPolicy, number: int, present: int) -> None:
    async with asyncio.timeout(20):
        while policy(Situation(present))[0] != number:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_the_policy_looks_at_its_service_s_queue_and_keeps_the_number_while_the_server_is_away(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scaling, "POLL", 0.02)
    monkeypatch.setattr(scaling, "RISE", 0.1)

    # Given a queue that holds more than a replica is there for
    done = asyncio.Event()

    async def later(_: object) -> None:
        await done.wait()

    await bus.consume_commands("planner", later)
    for number in range(6):
        await bus.send(command(number))

    # Then more are wanted of that service, and none of one that has nothing to do
    monkeypatch.setenv("NATS_URL", nats_server.url)
    told = without_secrets(BusSettings(bus_timeout=0.5))
    planner, validator = (LagPolicy(service, 2, told, calm=0.1) for service in ("planner", "validator"))
    await until_it_wants(planner, 3, present=1)
    await until_it_wants(validator, 0, present=2)

    # When the server is gone, and that is noticed
    await asyncio.to_thread(nats_server.kill)
    with structlog.testing.capture_logs() as lines:
        async with asyncio.timeout(20):
            while not any(line["event"] == "scaling.blind" and line["service"] == "planner" for line in lines):
                planner(Situation(1))
                await asyncio.sleep(0.01)

    # Then the number stays as it is
    for _ in range(20):
        assert planner(Situation(1))[0] == 1
        await asyncio.sleep(0.05)
    await asyncio.to_thread(nats_server.start)
    done.set()


def test_what_serve_s_configuration_shows_holds_no_password():
    assert "nats_url" not in without_secrets(BusSettings(nats_url="nats://token@bus:4222"))
    assert without_secrets(BusSettings(nats_url="nats://bus:4222"))["nats_url"] == "nats://bus:4222"
