"""The gateway at work: turns run from their beginning to their end, many at once, and each message once."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
    ClassifyIntent,
    Envelope,
    ExtractLayout,
    NodeFinished,
    NodeStarted,
    RefineLayout,
    TurnFinished,
)

from ...workflow.play import MODEL, failed, ref, refined, wants
from ..scripted import scripted

PHOTO = Attachment(name="form.jpg", content=b"photo")


async def test_a_turn_runs_over_the_bus_from_its_start_to_its_files(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    seen = [event async for event in Client(bus).turn("s", attachments=[PHOTO])]
    end = seen[-1]

    assert isinstance(end, TurnFinished)
    assert end.status == "done" and end.files["report.jrxml"] == ref("mapped")
    started = [event.node for event in seen if isinstance(event, NodeStarted)]
    finished = [event.node for event in seen if isinstance(event, NodeFinished)]
    assert started == finished and started[0] == "load_session" and started[-1] == "finalize"


async def test_a_stage_that_fails_ends_the_turn_with_its_sentence(bus: MemoryBus):
    await scripted(bus, {ExtractLayout: [failed("ExtractLayout")]})
    await GatewayActor(bus).start()
    with pytest.raises(TerminalError, match="ExtractLayout cannot be done"):
        await Client(bus).say("s", attachments=[PHOTO])


async def test_many_windows_that_answer_at_once_to_several_gateways_are_all_joined(bus: MemoryBus, broker: Broker):
    await scripted(bus, {RefineLayout: [refined(unresolved=30)]})
    for _ in range(3):
        await GatewayActor(MemoryBus(broker), MODEL).start()
    end = await asyncio.wait_for(Client(bus).say("s", attachments=[PHOTO]), 20)
    assert end.status == "done" and end.notes == []


async def test_several_sessions_go_on_at_the_same_time(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    turns = [Client(bus).say(f"s{number}", attachments=[PHOTO]) for number in range(5)]
    assert [end.status for end in await asyncio.gather(*turns)] == ["done"] * 5


async def test_a_session_that_rested_for_long_does_not_say_again_how_its_last_turn_ended(
    bus: MemoryBus, broker: Broker
):
    await scripted(bus)
    await GatewayActor(bus).start()
    await Client(bus).say("s", attachments=[PHOTO])

    broker.known_ids.clear()  # the bus knows ids for some minutes
    await Client(bus).say("s", "and now?")

    ids = [Envelope.model_validate_json(data).id for _, data in broker.log]
    assert max(Counter(ids).values()) == 1


async def test_every_command_is_published_once_though_answers_come_one_by_one(bus: MemoryBus):
    """Given a turn whose windows are refined at the same time, and a session that goes on with another turn
    When each window's answer moves it
    Then what was asked before is not asked again: the bus would drop it, but not for nothing."""
    published: Counter[str] = Counter()
    publish = bus.publish

    async def counted(*messages: Envelope) -> None:
        published.update(message.id for message in messages)
        await publish(*messages)

    await scripted(bus, {RefineLayout: [refined(unresolved=8)]})
    bus.publish = counted  # type: ignore[method-assign]
    await GatewayActor(bus, MODEL).start()
    for text, attachments in (("", [PHOTO]), ("make the title larger", [])):
        await Client(bus).say("s", text, attachments)

    assert published.total() > 50 and set(published.values()) == {1}


async def test_a_gateway_that_stops_waits_for_both_its_queues_at_the_same_time():
    """Each may take as long as what is in hand takes; who stops it gives that time once."""
    both = asyncio.Barrier(2)

    class Slow(MemoryBus):
        async def consume_commands(self, *about: object, **more: object) -> Draining:
            return Draining(both)

        async def consume_answers(self, *about: object, **more: object) -> Draining:
            return Draining(both)

    gateway = GatewayActor(Slow())
    await gateway.start()
    await asyncio.wait_for(gateway.stop(), 10)


class Draining:
    """A subscription that ends when the other does."""

    def __init__(self, both: asyncio.Barrier) -> None:
        self._both = both

    async def stop(self) -> None:
        await self._both.wait()


async def test_a_question_costs_a_session_no_version_and_a_change_costs_one(bus: MemoryBus):
    script = {ClassifyIntent: [wants("initial_generation"), wants("consult_question"), wants("modify_report")]}
    await scripted(bus, script)
    await GatewayActor(bus).start()
    client = Client(bus)
    for text in ("a sales report", "what is a field?", "make the title larger"):
        await client.say("talk", text)

    session = await client.session("talk")
    assert [version.author for version in session.versions] == ["generate", "modify_jrxml"]
    assert [said.role for said in session.history] == ["user", "assistant"] * 3
