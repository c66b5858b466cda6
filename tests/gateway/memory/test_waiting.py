"""Turns that wait for another, and turns that never begin."""

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

from ...workflow.play import ref, starting
from ..scripted import read, scripted, until_the_end


async def test_a_turn_that_is_sent_while_another_runs_waits_and_is_told_so(bus: MemoryBus):
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


async def test_a_session_in_which_too_many_turns_wait_takes_no_more(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    for number in range(10):
        await gateway.begin(starting(turn=f"turn-{number}"))
    [refused] = [event.message() for event in await until_the_end(bus, "turn-9")]
    assert isinstance(refused, TurnFailed) and refused.code == "busy"


async def test_a_turn_that_was_refused_stays_so_when_its_beginning_comes_again(bus: MemoryBus, broker: Broker):
    """Given a turn that is refused, for too many wait, by a gateway that dies before it acknowledges that
    When its beginning is delivered again and there is room
    Then the turn does not begin: it has ended."""
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
async def test_a_turn_that_cannot_be_taken_is_refused_with_a_sentence_and_leaves_no_session(
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


async def test_a_request_of_another_program_that_makes_no_sense_fails_at_once_with_a_sentence(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(Envelope(id="x", kind="StartTurn", session="s", turn="t", payload={"text": ["not", "text"]}))
    async with aclosing(bus.follow("s")) as events:
        end = (await anext(events)).message()
    assert isinstance(end, TurnFailed) and end.code == "message" and "does not know this command" in end.message
    assert await bus.read_state("session-s") is None and await bus.dead_letters() == []
