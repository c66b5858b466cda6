"""Gateways that crash between two steps, and messages that are delivered twice: nothing is lost or repeated."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import cast

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.bus.base import Bus, DeliveredMessage
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.events import (
    Envelope,
    ValidateTemplate,
)
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import delivery_handler

from ...workflow.play import starting
from ...workflow.service_events import validated
from ..scripted import Script, read, scripted, until_the_end


class Crash(Exception):
    pass


class CrashingBus:
    """A bus for a gateway that crashes after a number of calls that change something."""

    def __init__(self, bus: Bus, calls: int) -> None:
        self._bus = bus
        self._calls = calls

    def __getattr__(self, name: str) -> object:
        if name not in ("send", "publish", "write_state"):
            return getattr(self._bus, name)

        async def call(*arguments: object) -> object:
            done = None
            for part in ([event] for event in arguments) if name == "publish" else [arguments]:
                if self._calls == 0:
                    raise Crash
                self._calls -= 1
                done = await getattr(self._bus, name)(*part)
            return done

        return call


async def replaced_when_it_crashes(bus: Bus, calls: int, crashes: list[int]) -> None:
    """A gateway that crashes after every `calls` changes, each time replaced by another."""
    gateway = GatewayActor(cast(Bus, CrashingBus(bus, calls)))

    async def settle(delivery: DeliveredMessage) -> None:
        nonlocal gateway
        envelope = Envelope.model_validate_json(delivery.data)
        try:
            await (gateway.begin if envelope.kind == "StartTurn" else gateway.go_on)(envelope)
        except Crash:
            crashes.append(1)
            gateway = GatewayActor(cast(Bus, CrashingBus(bus, calls)))
            await delivery.nak()
        else:
            await delivery.ack()

    await bus.consume_commands("gateway", settle)
    await bus.consume_answers("gateway", settle, concurrency=1)


@pytest.mark.parametrize("calls", [8, 9, 10, 11, 13])
async def test_crashes_lose_no_message_and_repeat_none(calls: int):
    bus = MemoryBus(settings=BusSettings(max_deliveries=50))
    script: Script = {ValidateTemplate: [validated(errors=1), validated()]}
    await scripted(bus, script)
    crashes: list[int] = []
    await replaced_when_it_crashes(bus, calls, crashes)

    await bus.send(starting())
    said = await until_the_end(bus)

    assert crashes
    counts = Counter((event.kind, event.node, event.attempt) for event in said if event.kind != "WindowRefined")
    assert set(counts.values()) == {1}
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    assert counts["NodeFinished", "validate", 2] == 1
    await bus.close()


async def test_next_turn_publishes_a_missing_turn_end_exactly_once(bus: MemoryBus, broker: Broker):
    """Given a gateway that crashes after writing the end of a turn and before publishing it
    When another gateway begins the next turn before the lost message is redelivered
    Then the end is published before the next turn begins, and not again after the redelivery."""
    # Given
    await scripted(bus)
    end: asyncio.Future[Envelope] = asyncio.get_running_loop().create_future()
    dying, other = GatewayActor(cast(Bus, WritesLast(bus))), GatewayActor(bus)

    async def go_on(envelope: Envelope) -> None:
        if not end.done():
            with suppress(Crash):
                return await dying.go_on(envelope)
            return end.set_result(envelope)
        await other.go_on(envelope)

    await bus.consume_answers("gateway", delivery_handler(go_on))
    await dying.begin(starting())
    last = await asyncio.wait_for(end, 10)

    # When
    await other.begin(starting("make the title larger", (), turn="next"))
    broker.known_ids.clear()  # the bus has forgotten the ids by then
    await other.go_on(last)
    await until_the_end(bus, "next")

    # Then
    said = [one for one in map(read, broker.log) if one.kind in ("NodeStarted", "TurnFinished", "TurnFailed")]
    assert [one.kind for one in said if one.turn == "t"][-1] == "TurnFinished"
    assert [one.turn for one in said] == sorted((one.turn for one in said), reverse=True)
    assert max(Counter(one.id for one in said).values()) == 1


class WritesLast:
    """A bus for a gateway that crashes after writing the end of a turn."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def __getattr__(self, name: str) -> object:
        return getattr(self._bus, name)

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        revision = await self._bus.write_state(key, value, revision)
        if SessionState.model_validate_json(value).turn.over:
            raise Crash
        return revision


async def test_a_turn_that_is_started_twice_runs_once(bus: MemoryBus):
    asked: Counter[str] = Counter()
    await scripted(bus)
    gateway = GatewayActor(bus)

    async def count(envelope: Envelope) -> None:
        asked[envelope.kind] += envelope.kind == "LayoutExtracted"
        await gateway.go_on(envelope)

    await bus.consume_answers("gateway", delivery_handler(count))
    await gateway.begin(starting())
    await gateway.begin(starting())
    await until_the_end(bus)
    await gateway.begin(starting())

    assert asked["LayoutExtracted"] == 1


async def test_a_late_start_of_an_earlier_turn_is_ignored(bus: MemoryBus):
    await scripted(bus)
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("one", "two"):
        await bus.send(starting(turn=turn))
        await until_the_end(bus, turn)

    await gateway.begin(starting(turn="one"))

    stored = await bus.read_state("session-s")
    session = SessionState.model_validate_json(stored[0])
    assert session.turn.id == "two" and session.past == ["one"]
