"""External programs begin turns on a real server, and learn how they ended."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import nats

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import ClassifyIntent, Command, Envelope, Event, TurnFinished

from ..workflow.play import starting
from ..workflow.service_events import wants
from .scripted import ScriptedActor, scripted, until_the_end


async def end_of(bus: NatsBus, beginning: Envelope) -> str:
    """How the turn that begins so ends."""
    await bus.send(beginning)
    return (await until_the_end(bus, beginning.turn, beginning.session))[-1].kind


async def test_two_sessions_may_have_turns_of_the_same_id(bus: NatsBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    orders = [
        starting("a sales report", (), turn="order-1", session=session).model_copy(update={"id": f"{session}-order-1"})
        for session in ("north", "south")
    ]
    assert [await end_of(bus, order) for order in orders] == ["TurnFinished", "TurnFinished"]


async def test_a_time_without_a_zone_is_one_in_utc(bus: NatsBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    beginning = starting("a sales report", ()).model_copy(update={"time": datetime(2026, 11, 21, 8, 30)})
    assert await end_of(bus, beginning) == "TurnFinished"
    assert await bus.dead_letters() == []


async def test_a_session_key_may_have_128_characters(bus: NatsBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    assert await end_of(bus, starting("a sales report", (), session="s" * 128)) == "TurnFinished"


class Thinking(ScriptedActor):
    """Does not say what is wanted before it is told to."""

    def __init__(self) -> None:
        super().__init__({})
        self.asked = asyncio.get_running_loop().create_future()
        self.go = asyncio.Event()

    async def handle(self, command: Command) -> Event:
        if isinstance(command, ClassifyIntent):
            self.asked.set_result(None)
            await self.go.wait()
        return await super().handle(command)


def answers(victim: Envelope, command: Envelope) -> list[Envelope]:
    """What may be tried on the one queue that others may write to, to speak for a service or to end a turn."""
    forged = wants("reset_session")
    about: dict[str, Any] = {"session": victim.session, "turn": victim.turn}
    return [
        Envelope(id="1", kind=forged.kind(), causation=command.id, payload=forged.model_dump(mode="json"), **about),
        Envelope(id="2", kind="StageFailed", causation=command.id, payload={"command": command.kind}, **about),
        Envelope(id="3", kind="NoSuchThing", causation=command.id, payload={}, **about),
        Envelope(id="4", kind="StartTurn", payload={"text": ["no", "text"]}, **about),
        Envelope(id="5", kind="StartTurn", payload={"text": "hello"}, session="no.name", turn=victim.turn),
    ]


async def test_the_start_queue_accepts_no_answers_of_services(bus: NatsBus, nats_server: NatsServer):
    # Given a turn that waits for an answer
    services, gateway = Thinking(), GatewayActor(bus)
    await scripted(bus, actor=services)
    await gateway.start()
    victim = starting("a sales report", ())
    await bus.send(victim)
    await asyncio.wait_for(services.asked, 10)
    stored = await bus.read_state("session-s")
    [command] = SessionState.model_validate_json(stored[0]).turn.awaiting.values()

    # When a program of others sends what is no beginning of a turn, where it may send that alone
    other = await nats.connect(nats_server.url)
    for envelope in answers(victim, command):
        await other.jetstream().publish("cmd.v1.gateway.StartTurn", envelope.model_dump_json().encode())
    await other.close()
    while any(queue.waiting or queue.in_flight for queue in await bus.queues() if queue.service == "gateway"):
        pass

    # Then it changes nothing of the turn, which goes on with the service's own answer
    assert await bus.read_state("session-s") == stored
    services.go.set()
    said = await until_the_end(bus)
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    end = said[-1].message()
    assert isinstance(end, TurnFinished) and end.intent == "initial_generation"
    # And what its subject does not name is a dead letter
    assert {letter.reason for letter in await bus.dead_letters()} == {"sent to another subject"}
