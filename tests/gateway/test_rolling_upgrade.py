"""Services are upgraded one by one: for a while, old and new versions take from the same queues of one server."""

from __future__ import annotations

import json

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import Bus, DeliveredMessage
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Command, Envelope, Service
from bandsmith.shared.worker import answer, command_of

from ..workflow.play import starting
from ..workflow.service_answers import successes
from .scripted import scripted, until_the_end

LATER = {"added_later": {"in": ["a", "newer", "version"]}}
"""A field that no version up to this one has."""
SERVICES: list[Service] = ["ocr", "planner", "generator", "validator"]


class LaterEnvelope(Envelope):
    """An envelope of a version that has one more field."""

    region: str = "north"


def of_a_later_version(message: Envelope) -> Envelope:
    """Return a message as a later version would write it: with new fields around, in and below its payload."""
    payload = {name: {**value, **LATER} if is_reference(value) else value for name, value in message.payload.items()}
    return LaterEnvelope(**message.model_dump() | {"payload": {**payload, **LATER}})


def is_reference(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"key", "media", "size"}


async def newer_service(bus: Bus, service: Service) -> None:
    """Answer the commands of a service as a later version does."""

    async def work(delivery: DeliveredMessage) -> None:
        envelope = Envelope.model_validate_json(delivery.data)
        command = command_of(envelope, service)
        event = successes(type(command), command.model_dump())[0]
        await bus.publish(of_a_later_version(answer(envelope, event)))
        await delivery.ack()

    await bus.consume_commands(service, work, concurrency=4)


class NewerGatewayBus(NatsBus):
    """A connection that sends commands as a later version does."""

    async def publish(self, *messages: Envelope) -> None:
        later = [of_a_later_version(message) if is_command(message) else message for message in messages]
        await super().publish(*later)


def is_command(message: Envelope) -> bool:
    return isinstance(message.message(), Command)


async def finishes(
    bus: NatsBus, turn: str, session: str = "s", text: str = "a report with customer and amount"
) -> bool:
    await bus.send(starting(text, (), turn=turn, session=session))
    return (await until_the_end(bus, turn, session))[-1].kind == "TurnFinished"


@pytest.mark.parametrize("newer", SERVICES)
async def test_a_gateway_follows_answers_of_a_newer_service(bus: NatsBus, newer: Service):
    await scripted(bus, only=[service for service in SERVICES if service != newer])
    await newer_service(bus, newer)
    await GatewayActor(bus).start()
    assert await finishes(bus, "t")
    assert await bus.dead_letters() == []


async def test_services_take_commands_of_a_newer_gateway(bus: NatsBus, nats_server: NatsServer):
    await scripted(bus)
    gateway = await NewerGatewayBus.connect(nats_server.url)
    actor = GatewayActor(gateway)
    await actor.start()
    assert await finishes(bus, "t")
    assert await bus.dead_letters() == []
    await actor.stop()
    await gateway.close()


async def test_old_and_new_replicas_share_their_queues(bus: NatsBus, nats_server: NatsServer):
    await scripted(bus)
    for service in SERVICES:
        await newer_service(bus, service)
    gateway = await NewerGatewayBus.connect(nats_server.url)
    actors = [GatewayActor(bus), GatewayActor(gateway)]
    for actor in actors:
        await actor.start()
    assert all([await finishes(bus, f"t{number}", f"s{number}") for number in range(10)])
    assert await bus.dead_letters() == []
    for actor in actors:
        await actor.stop()
    await gateway.close()


async def test_a_session_that_a_newer_gateway_wrote_goes_on(bus: NatsBus):
    await scripted(bus)
    gateway = GatewayActor(bus)
    await gateway.start()
    assert await finishes(bus, "t")
    await gateway.stop()
    stored = await bus.read_state("session-s")
    assert stored
    state = json.loads(stored[0])
    versions = [{**version, **LATER} for version in state["versions"]]
    later = {**state, **LATER, "turn": {**state["turn"], **LATER}, "versions": versions}
    await bus.write_state("session-s", json.dumps(later).encode(), stored[1])
    await GatewayActor(bus).start()
    assert await finishes(bus, "next", text="make the title larger")


async def test_a_misspelt_field_of_another_program_is_refused(bus: NatsBus):
    """Ignoring it would do something else than was asked, without a word."""
    await scripted(bus)
    await GatewayActor(bus).start()
    beginning = starting("a sales report", ())
    await bus.send(beginning.model_copy(update={"payload": {**beginning.payload, "attachements": []}}))
    assert (await until_the_end(bus))[-1].kind == "TurnFailed"
