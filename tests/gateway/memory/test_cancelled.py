"""A turn that is cancelled: while it runs, while it waits, and when it is over."""

from __future__ import annotations

import asyncio

from bandsmith.client import Client
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.events import (
    ClassifyIntent,
    Command,
    Envelope,
    Event,
    ModifyTemplate,
    NodeStarted,
    TurnFailed,
    TurnFinished,
)

from ...workflow.play import starting
from ...workflow.service_events import modified, ref, wants
from ..scripted import ScriptedActor, read, scripted, until_the_end


class Slow(ScriptedActor):
    """Takes its time for a change: until the test lets it go on."""

    def __init__(self) -> None:
        intents = [wants("initial_generation"), wants("modify_report"), wants("consult_question")]
        super().__init__({ClassifyIntent: list(intents)})
        self.reached, self.released = asyncio.Event(), asyncio.Event()

    async def handle(self, command: Command) -> Event:
        if isinstance(command, ModifyTemplate):
            self.reached.set()
            await self.released.wait()
            return modified("late")
        return await super().handle(command)


async def test_a_running_turn_ends_at_once_and_its_late_answer_changes_nothing(bus: MemoryBus, broker: Broker):
    slow = Slow()
    await scripted(bus, actor=slow)
    await GatewayActor(bus).start()
    client = Client(bus)
    before = (await client.say("s", "a sales report")).files["report.jrxml"]

    running = asyncio.create_task(_events(client, "make the title larger", "long"))
    await slow.reached.wait()
    await client.cancel("s", "long")
    end = (await asyncio.wait_for(running, 20))[-1]
    slow.released.set()
    after = await client.say("s", "what is a field?")

    assert isinstance(end, TurnFailed) and end.code == "cancelled" and "was cancelled" in end.message
    assert isinstance(after, TurnFinished)
    session = await client.session("s")
    assert session.report.template == before and ref("late") not in [one.template for one in session.versions]
    assert [one.kind for one in map(read, broker.log) if one.turn == "long" and one.kind.startswith("Turn")] == [
        "TurnStarted",
        "TurnFailed",
    ]


async def test_a_waiting_turn_never_begins(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("first", "second", "third"):
        await gateway.begin(starting(turn=turn))
    await Client(bus).cancel("s", "second")
    [_, end] = await until_the_end(bus, "second")
    await scripted(bus)
    await until_the_end(bus, "third")

    cancelled = end.message()
    assert isinstance(cancelled, TurnFailed) and cancelled.code == "cancelled"
    await gateway.begin(starting(turn="second"))  # it comes again
    assert [said.kind for said in await until_the_end(bus, "second")] == ["TurnQueued", "TurnFailed"]


async def test_a_turn_that_is_over_stays_as_it_ended(bus: MemoryBus):
    await scripted(bus)
    gateway = GatewayActor(bus)
    await gateway.start()
    await gateway.begin(starting(turn="done"))
    ended = await until_the_end(bus, "done")
    for turn in ("done", "unknown"):
        await gateway.begin(Envelope(id=f"cancel-{turn}", kind="CancelTurn", session="s", turn=turn, payload={}))
    assert await until_the_end(bus, "done") == ended


async def test_a_request_that_is_sent_again_with_its_id_stays_one_turn(bus: MemoryBus, broker: Broker):
    await scripted(bus)
    await GatewayActor(bus).start()
    client = Client(bus)
    first = await _events(client, "a sales report", "mine")
    broker.known_ids.clear()  # the bus has forgotten the first one
    again = await asyncio.wait_for(_events(client, "a sales report", "mine"), 20)

    assert again == first and isinstance(again[-1], TurnFinished)
    assert len((await client.session("s")).versions) == 1
    assert sum(isinstance(event, NodeStarted) and event.node == "load_session" for event in again) == 1


async def _events(client: Client, text: str, turn: str) -> list[object]:
    return [event async for event in client.turn("s", text, turn=turn)]
