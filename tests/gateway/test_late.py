"""Messages that come after a real server has forgotten their ids, or the events: nothing is repeated."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import nats
import pytest
from nats.aio.client import Client

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.bus.nats import NatsBus, streams
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import RetryableError
from bandsmith.shared.events import Command, Envelope, Event, FieldsMapped, MapFields
from bandsmith.shared.settings import BusSettings

from ..conftest import delete_all_streams
from ..workflow.play import starting
from .scripted import ScriptedActor, scripted, until_the_end


@pytest.fixture
async def bus(nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[NatsBus]:
    """On a server that knows ids for a moment only; a message that fails once is given up."""
    monkeypatch.setattr(streams, "DUPLICATE_WINDOW_S", 0.1)
    monkeypatch.setenv("BANDSMITH_MAX_DELIVERIES", "1")
    bus = await NatsBus.connect(nats_server.url, BusSettings())
    yield bus
    await bus.close()
    await delete_all_streams(nats_server.url)


@pytest.fixture
async def other(nats_server: NatsServer) -> AsyncIterator[Client]:
    client = await nats.connect(nats_server.url)
    yield client
    await client.close()


class Breaking(ScriptedActor):
    """Cannot map fields until it is fixed."""

    fixed = False

    async def handle(self, command: Command) -> Event:
        if isinstance(command, MapFields) and not self.fixed:
            raise RetryableError("The generator is broken.")
        return await super().handle(command)


class Watched(GatewayActor):
    """Says what it has applied."""

    def __init__(self, bus: NatsBus) -> None:
        super().__init__(bus)
        self.applied: dict[str, asyncio.Event] = {}

    async def go_on(self, envelope: Envelope) -> None:
        await super().go_on(envelope)
        self.applied.setdefault(envelope.kind, asyncio.Event()).set()


async def ids_forgotten(client: Client) -> None:
    """The server takes a message of an id that it knew: it forgot those before."""
    subject, headers = "evt.v1.else.work.KnowledgeRecalled", {"Nats-Msg-Id": "probe"}
    await client.jetstream().publish(subject, b"{}", headers=headers)
    while (await client.jetstream().publish(subject, b"{}", headers=headers)).duplicate:
        pass


async def log(client: Client, session: str = "s") -> list[Envelope]:
    """All that the stream holds of a session."""
    jetstream = client.jetstream()
    state = (await jetstream.stream_info("EVT", subjects_filter=f"evt.v1.{session}.>")).state
    found, number = [], 1
    for _ in range(sum((state.subjects or {}).values())):
        message = await jetstream.get_msg("EVT", number, subject=f"evt.v1.{session}.>", direct=True, next=True)
        found.append(Envelope.model_validate_json(message.data))
        number = message.seq + 1
    return found


async def test_a_late_answer_repeats_no_event(bus: NatsBus, other: Client):
    # Given a turn that finished though one of its commands was given up
    services, gateway = Breaking({}), Watched(bus)
    await scripted(bus, actor=services)
    await gateway.start()
    await bus.send(starting())
    assert (await until_the_end(bus))[-1].kind == "TurnFinished"
    [letter] = await bus.dead_letters()
    await ids_forgotten(other)
    before = [event for event in await log(other) if event.kind.startswith(("Turn", "Node"))]

    # When the command is replayed, and answered after all
    services.fixed = True
    gateway.applied[FieldsMapped.kind()] = asyncio.Event()
    await bus.replay(letter.name)
    await asyncio.wait_for(gateway.applied[FieldsMapped.kind()].wait(), 10)

    # Then no event is published again
    assert [event for event in await log(other) if event.kind.startswith(("Turn", "Node"))] == before


async def test_an_end_older_than_the_log_is_not_published_again(bus: NatsBus, other: Client):
    # Given a session whose last turn ended so long ago that its events are gone
    await scripted(bus)
    await GatewayActor(bus).start()
    await bus.send(starting("a sales report", ()))
    await until_the_end(bus)
    await grown_old(bus, days=31)
    await other.jetstream().purge_stream("EVT")
    await ids_forgotten(other)

    # When its next turn runs
    await bus.send(starting("make the title larger", (), turn="next"))
    await until_the_end(bus, "next")

    # Then that is all that is said
    assert Counter(event.turn for event in await log(other)).keys() == {"next"}


async def grown_old(bus: NatsBus, days: float) -> None:
    """The session's last events are of so many days ago."""
    stored, revision = await bus.read_state("session-s") or (b"", 0)
    session = SessionState.model_validate_json(stored)
    then = datetime.now(UTC) - timedelta(days=days)
    said = [event.model_copy(update={"time": then}) for event in session.events]
    await bus.write_state("session-s", session.model_copy(update={"events": said}).model_dump_json().encode(), revision)


async def test_the_server_decides_how_long_events_are_kept(nats_server: NatsServer, bus: NatsBus):
    """Given a server that others told to keep events for sixty days
    When a process that says nothing of it asks for one of forty days ago that is not there
    Then it was never said, and is to be."""
    await (await NatsBus.connect(nats_server.url, BusSettings(keep_days=60))).close()
    then = datetime.now(UTC) - timedelta(days=40)
    assert not await bus.is_newest(starting().model_copy(update={"kind": "FixesRemembered", "time": then}))
