"""Turns that wait for another, and turns that are refused."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.events import (
    Envelope,
    TurnFailed,
    TurnQueued,
)
from bandsmith.shared.model.document import Document

from ...workflow.play import starting
from ...workflow.service_events import ref
from ..scripted import read, scripted, until_the_end


async def test_a_turn_sent_while_another_runs_is_queued(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("first", "second", "third"):
        await gateway.begin(starting(turn=turn))

    await scripted(bus)
    ends = [await until_the_end(bus, turn) for turn in ("first", "second", "third")]

    assert [said[-1].kind for said in ends] == ["TurnFinished"] * 3
    assert [said[0].message() for said in ends[1:]] == [TurnQueued(before=1), TurnQueued(before=2)]
    finished = [said[-1].time for said in ends]
    assert finished == sorted(finished)


async def test_a_full_queue_of_turns_refuses_the_next(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    for number in range(10):
        await gateway.begin(starting(turn=f"turn-{number}"))
    [refused] = [event.message() for event in await until_the_end(bus, "turn-9")]
    assert isinstance(refused, TurnFailed) and refused.code == "busy"


async def test_a_refused_turn_stays_refused_when_redelivered(bus: MemoryBus, broker: Broker):
    """Given a turn that was refused because too many wait, by a gateway that crashed before the acknowledgement
    When its beginning is redelivered and the queue has room
    Then the turn does not begin, since it has ended."""
    gateway = GatewayActor(bus)
    await gateway.start()
    for number in range(10):
        await gateway.begin(starting(turn=f"turn-{number}"))
    await scripted(bus)
    await until_the_end(bus, "turn-8")

    await gateway.begin(starting(turn="turn-9"))
    await bus.send(starting(turn="after"))
    await until_the_end(bus, "after")

    said = [one.kind for one in map(read, broker.log) if one.turn == "turn-9"]
    assert said == ["TurnFailed"]


@pytest.mark.parametrize(
    ("text", "attachments", "code"),
    [
        ("", (), "empty"),
        ("  \n", (), "empty"),
        ("x" * 1_000_000, (), "long"),
        ("build this", (Document(name="tune.mp3", content=ref("tune")),), "suffix"),
        (
            "build these",
            (Document(name="a.png", content=ref("a")), Document(name="b.png", content=ref("b"))),
            "attachments",
        ),
    ],
)
async def test_a_refused_turn_creates_no_session(
    bus: MemoryBus, broker: Broker, text: str, attachments: tuple[Document, ...], code: str
):
    gateway = GatewayActor(bus)
    await gateway.start()
    await gateway.begin(starting(text, attachments))
    broker.known_ids.clear()
    await gateway.begin(starting(text, attachments))  # it comes again, long after
    [refused] = [read(entry).message() for entry in broker.log]
    assert isinstance(refused, TurnFailed) and refused.code == code and refused.message_zh != refused.message
    assert await bus.state_keys("session-") == []


async def test_an_invalid_request_fails_at_once(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(Envelope(id="x", kind="StartTurn", session="s", turn="t", payload={"text": ["not", "text"]}))
    async with aclosing(bus.follow("s")) as events:
        end = (await anext(events)).message()
    assert isinstance(end, TurnFailed) and end.code == "message" and "does not know this command" in end.message
    assert await bus.read_state("session-s") is None and await bus.dead_letters() == []
