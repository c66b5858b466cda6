"""Services are upgraded one by one to a version with messages that this one does not know: a hundred turns meanwhile.

The later version is this one with other names for some commands and answers (``later_version.py``).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from bandsmith.local import WIRING
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import ExtractLayout, TurnFailed
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import run_actor

from ..gateway.scripted import ScriptedActor, scripted, until_the_end
from ..workflow.play import starting
from .later_version import LATER, LaterBus
from .turns import hundred_turns

SETTINGS = BusSettings(retry_delay=0.05)
MAX_FAILED = 5
"""Turns that may end with a sentence: chance may give a message to an old part each time that it is tried."""


@pytest.fixture
async def later(bus: NatsBus, nats_server: NatsServer) -> AsyncIterator[list[LaterBus]]:
    """Two connections of the later version: of its services, and of its gateway."""
    buses = [await LaterBus.connect(nats_server.url, SETTINGS) for _ in range(2)]
    yield buses
    await asyncio.gather(*(each.close() for each in buses))


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_an_upgrade_of_services_and_then_gateways_loses_no_turn(
    bus: NatsBus, later: list[LaterBus], capfd: pytest.CaptureFixture[str]
):
    await scripted(bus)
    old, new = GatewayActor(bus), GatewayActor(later[1])
    await old.start()

    async def add_services() -> None:
        await scripted(later[0])

    outcome = await hundred_turns(bus, [add_services, new.start, old.stop])
    await new.stop()
    with capfd.disabled():
        print(f"\n{outcome}")
    assert (outcome.turns, outcome.lost, outcome.doubled) == (100, 0, 0)
    assert outcome.failed <= MAX_FAILED


@pytest.mark.timeout(120)
async def test_a_command_is_left_to_the_service_that_knows_it(bus: NatsBus, later: list[LaterBus]):
    """Services that take one message at a time, as the slow services do: the old ones step aside."""
    for service in WIRING:
        await run_actor(bus, service, ScriptedActor({}))
        await run_actor(later[0], service, ScriptedActor({}))
    gateway = GatewayActor(later[1])
    await gateway.start()
    for number in range(5):
        await bus.send(starting(turn=f"t{number}", session=f"s{number}"))
    ends = await asyncio.gather(*(until_the_end(bus, f"t{number}", f"s{number}", 100) for number in range(5)))
    await gateway.stop()
    assert [end[-1].kind for end in ends] == ["TurnFinished"] * 5
    assert await bus.dead_letters() == []


@pytest.mark.timeout(120)
async def test_a_command_that_no_service_knows_ends_its_turn_with_a_sentence(bus: NatsBus, later: list[LaterBus]):
    """It is not tried for ever, and lies aside until the upgrade is finished."""
    await scripted(bus)
    gateway = GatewayActor(later[1])
    await gateway.start()
    await bus.send(starting())
    end = (await until_the_end(bus, seconds=100))[-1].message()
    assert isinstance(end, TurnFailed)
    assert "different versions" in end.message
    assert [letter.subject for letter in await bus.dead_letters()] == [f"cmd.v1.ocr.{ExtractLayout.kind()}{LATER}"]
    await gateway.stop()


@pytest.mark.timeout(120)
async def test_an_answer_that_no_gateway_knows_ends_its_turn_with_a_sentence(bus: NatsBus, later: list[LaterBus]):
    await scripted(later[0])
    later[0].answers_all = True
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(starting())
    end = (await until_the_end(bus, seconds=100))[-1].message()
    assert isinstance(end, TurnFailed)
    assert "same version" in end.message
    await gateway.stop()


async def test_an_older_gateway_keeps_what_it_does_not_know_of_a_session(bus: NatsBus):
    await scripted(bus)
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(starting())
    await until_the_end(bus)
    await gateway.stop()
    stored = await bus.read_state("session-s")
    assert stored
    state = json.loads(stored[0]) | {"added_later": ["a", "b"]}
    state["events"][-1] |= {"id": "not-published", "kind": f"TurnSummed{LATER}"}
    await bus.write_state("session-s", json.dumps(state).encode(), stored[1])
    older = GatewayActor(bus)
    await older.start()
    await bus.send(starting("make the title larger", (), turn="next"))
    await until_the_end(bus, "next")
    await older.stop()
    after = await bus.read_state("session-s")
    assert after
    assert json.loads(after[0])["added_later"] == ["a", "b"]
