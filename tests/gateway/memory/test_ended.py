"""Turns that end early: their session is deleted, or a message of theirs cannot be applied."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import cast

import pytest

from bandsmith.client import Client
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.reducer import advance
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.bus.base import DeliveredMessage
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.events import (
    Envelope,
    TurnFailed,
)
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import delivery_handler

from ...workflow.play import starting
from ..scripted import scripted, until_the_end


async def test_deleting_a_session_ends_its_turns(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("one", "two"):
        await gateway.begin(starting(turn=turn))
    client = Client(bus)

    await client.delete("s")
    for turn in ("one", "two"):
        [end] = [event.message() for event in await until_the_end(bus, turn)]
        assert isinstance(end, TurnFailed) and end.code == "deleted"

    answered = asyncio.Event()
    await bus.consume_answers("test", delivery_handler(lambda envelope: told(answered, envelope)))
    await scripted(bus)  # the answer that the turn waited for comes after all
    await asyncio.wait_for(answered.wait(), 10)
    assert await client.sessions() == []
    assert (await client.say("s", "a report")).status == "done"


async def test_deleting_a_session_ends_a_turn_that_begins_meanwhile(bus: MemoryBus, broker: Broker):
    gateway, client = GatewayActor(bus), Client(bus)
    await scripted(bus)
    await gateway.begin(starting("a sales report", (), turn="one"))

    class Slow(MemoryBus):
        """Another turn begins just before the session is removed."""

        async def delete_state(self, key: str) -> bytes | None:
            await gateway.begin(starting("a sales report", (), turn="two"))
            return await super().delete_state(key)

    await Client(Slow(broker)).delete("s")
    for turn in ("one", "two"):
        [end] = [event.message() for event in await until_the_end(bus, turn)]
        assert isinstance(end, TurnFailed) and end.code == "deleted"
    assert await client.sessions() == []


async def told(answered: asyncio.Event, envelope: Envelope) -> None:
    if envelope.kind == "LayoutExtracted":
        answered.set()


async def test_an_event_that_cannot_be_applied_fails_its_turn(bus: MemoryBus, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_RETRY_DELAY", "0.001")
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.write_state("session-s", b"not a session", None)
    await bus.send(starting())
    [end] = [event.message() for event in await until_the_end(bus)]
    assert isinstance(end, TurnFailed) and end.code == "internal"


async def test_the_next_turn_begins_after_one_that_cannot_be_applied(bus: MemoryBus, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_RETRY_DELAY", "0.001")
    monkeypatch.setattr("bandsmith.services.gateway.actor.advance", broken_for("first", advance))
    gateway = GatewayActor(bus)
    await gateway.start()
    await scripted(bus)
    await bus.send(starting(turn="first"))
    await bus.send(starting(turn="second"))

    *_, first = await until_the_end(bus, "first")
    *_, second = await until_the_end(bus, "second")
    end = first.message()
    assert isinstance(end, TurnFailed) and end.code == "internal"
    assert second.kind == "TurnFinished"


async def test_a_running_turn_survives_the_dead_letter_of_its_beginning(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(starting(turn="first"))
    await bus.send(starting(turn="second"))
    async with aclosing(bus.follow("s")) as events:
        while (await anext(events)).kind != "TurnQueued":
            pass

    lost = Delivered(starting(turn="second"), BusSettings().max_deliveries + 1)
    await delivery_handler(gateway.begin, fail=gateway._fail_beginning)(cast(DeliveredMessage, lost))
    await scripted(bus)

    ends = [(await until_the_end(bus, turn))[-1] for turn in ("first", "second")]
    assert lost.terminated and [end.kind for end in ends] == ["TurnFinished", "TurnFinished"]


class Delivered:
    """A delivery of so high a count that those before must have ended with their workers."""

    subject = ""
    terminated = False

    def __init__(self, envelope: Envelope, count: int) -> None:
        self.data, self.count = envelope.model_dump_json().encode(), count

    async def term(self, reason: str) -> None:
        self.terminated = True


def broken_for(turn: str, advance: Callable) -> Callable:
    """A step that has a mistake in it that only one turn comes upon."""

    def step(session: SessionState, envelope: Envelope, *rest: object) -> SessionState | None:
        if envelope.turn == turn:
            raise RuntimeError("a mistake in a step")
        return advance(session, envelope, *rest)

    return step
