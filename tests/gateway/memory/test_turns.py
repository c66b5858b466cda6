"""The gateway on a bus in memory: whole turns, many at the same time, each message once."""

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

from ...workflow.service_events import MODEL, failed, ref, refined, wants
from ..scripted import Script, scripted

PHOTO = Attachment(name="form.jpg", content=b"photo")


async def test_a_turn_runs_from_its_start_to_its_files(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    seen = [event async for event in Client(bus).turn("s", attachments=[PHOTO])]
    end = seen[-1]

    assert isinstance(end, TurnFinished)
    assert end.status == "done" and end.files["report.jrxml"] == ref("mapped")
    started = [event.node for event in seen if isinstance(event, NodeStarted)]
    finished = [event.node for event in seen if isinstance(event, NodeFinished)]
    assert started == finished and started[0] == "load_session" and started[-1] == "finalize"


async def test_a_failed_stage_ends_the_turn_with_its_message(bus: MemoryBus):
    await scripted(bus, {ExtractLayout: [failed("ExtractLayout")]})
    await GatewayActor(bus).start()
    with pytest.raises(TerminalError, match="ExtractLayout cannot be done"):
        await Client(bus).say("s", attachments=[PHOTO])


async def test_several_gateways_join_windows_that_answer_at_the_same_time(bus: MemoryBus, broker: Broker):
    await scripted(bus, {RefineLayout: [refined(unresolved=30)]})
    for _ in range(3):
        await GatewayActor(MemoryBus(broker), MODEL).start()
    end = await asyncio.wait_for(Client(bus).say("s", attachments=[PHOTO]), 20)
    assert end.status == "done" and end.notes == []


async def test_sessions_run_at_the_same_time(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    turns = [Client(bus).say(f"s{number}", attachments=[PHOTO]) for number in range(5)]
    assert [end.status for end in await asyncio.gather(*turns)] == ["done"] * 5


async def test_next_turn_does_not_publish_the_last_end_again(bus: MemoryBus, broker: Broker):
    await scripted(bus)
    await GatewayActor(bus).start()
    await Client(bus).say("s", attachments=[PHOTO])

    broker.known_ids.clear()  # the bus knows ids for some minutes
    await Client(bus).say("s", "and now?")

    ids = [Envelope.model_validate_json(data).id for _, data in broker.log]
    assert max(Counter(ids).values()) == 1


async def test_each_command_is_published_once(bus: MemoryBus):
    """Given a turn that sends several commands at the same time, and a next turn of its session
    When the answers come one by one
    Then no command is published again: the bus would drop it, but at a cost."""
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


async def test_stopping_waits_for_both_queues_at_the_same_time():
    """Each may take as long as the messages in flight; the time to stop is granted once, not twice."""
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


async def test_a_question_adds_no_version_and_a_change_adds_one(bus: MemoryBus):
    script: Script = {ClassifyIntent: [wants("initial_generation"), wants("consult_question"), wants("modify_report")]}
    await scripted(bus, script)
    await GatewayActor(bus).start()
    client = Client(bus)
    for text in ("a sales report", "what is a field?", "make the title larger"):
        await client.say("talk", text)

    session = await client.session("talk")
    assert [version.author for version in session.versions] == ["generate", "modify_jrxml"]
    assert [said.role for said in session.history] == ["user", "assistant"] * 3
