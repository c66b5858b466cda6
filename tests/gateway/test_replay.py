"""A turn that failed with a command is resumed when that command's dead letter is replayed."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from bandsmith.client import Client
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import RetryableError
from bandsmith.shared.events import Command, Envelope, Event, GenerateReport, TurnFailed, TurnFinished
from bandsmith.shared.settings import BusSettings

from ..workflow.play import starting
from .scripted import ScriptedActor, scripted, until_the_end


class Breaking(ScriptedActor):
    """Cannot generate a report until it is fixed."""

    def __init__(self) -> None:
        super().__init__({})
        self.fixed = False
        self.tried = asyncio.Event()

    async def handle(self, command: Command) -> Event:
        if isinstance(command, GenerateReport) and not self.fixed:
            self.tried.set()
            raise RetryableError("The generator is broken.")
        return await super().handle(command)


@pytest.fixture
async def failed(monkeypatch: pytest.MonkeyPatch) -> tuple[Bus, Breaking]:
    """A bus on which a turn "t" of the session "s" has failed, and who was the reason."""
    monkeypatch.setenv("BANDSMITH_MAX_DELIVERIES", "1")
    bus, services = MemoryBus(settings=BusSettings()), Breaking()
    await scripted(bus, actor=services)
    await GatewayActor(bus).start()
    await bus.send(starting("a sales report", ()))
    *_, end = await until_the_end(bus)
    assert end.kind == "TurnFailed"
    return bus, services


async def replayed(bus: Bus) -> None:
    [letter] = await bus.dead_letters()
    await bus.replay(letter.name)


async def everything_said(bus: Bus, end: type[Event]) -> list[Envelope]:
    """Until that kind of event comes."""
    said = []
    async with asyncio.timeout(10), aclosing(bus.follow("s")) as events:
        async for event in events:
            said.append(event)
            if event.kind == end.kind():
                break
    return said


async def test_a_replayed_command_resumes_its_turn_at_the_node_that_failed(failed):
    bus, services = failed
    services.fixed = True
    await replayed(bus)

    said = await everything_said(bus, TurnFinished)
    end = said[-1].message()
    assert isinstance(end, TurnFinished)
    assert end.status == "done" and end.notes == []
    again = said[[event.kind for event in said].index("TurnFailed") + 1 :]
    assert [(e.node, e.attempt) for e in again if e.kind == "NodeStarted"] == [
        ("generate", 2),
        ("save_session", 1),
        ("validate", 1),
        ("finalize", 1),
    ]


async def test_a_resumed_turn_leaves_no_trace_of_its_failure(failed):
    bus, services = failed
    client = Client(bus)
    before = await client.session("s")
    assert "broken" in before.history[-1].text and before.versions == []
    services.fixed = True
    await replayed(bus)
    end = (await everything_said(bus, TurnFinished))[-1].message()
    assert isinstance(end, TurnFinished)

    session = await client.session("s")
    assert [(said.role, said.number) for said in session.history] == [("user", 1), ("assistant", 2)]
    assert session.history[-1].text == end.reply
    assert [version.number for version in session.versions] == [1] and session.report == session.versions[0]
    assert session.status == "done" and session.pending_failure_context is None and session.requests == []
    assert (await client.say("s", "make the title larger")).status == "done"


async def test_a_command_that_fails_again_changes_nothing(failed):
    bus, services = failed
    before = await bus.read_state("session-s")
    services.tried.clear()
    await replayed(bus)
    await asyncio.wait_for(services.tried.wait(), 10)
    await GatewayActor(bus).begin(starting("a sales report", ()))  # and neither does a late copy of its beginning
    assert await bus.read_state("session-s") == before


async def test_an_answer_that_comes_when_the_session_has_moved_on_is_ignored(failed):
    bus, services = failed
    services.fixed = True
    await bus.send(starting("another report", (), turn="next"))
    await until_the_end(bus, "next")
    before = await bus.read_state("session-s")

    applied = asyncio.Event()
    gateway = GatewayActor(bus)

    async def late(delivery) -> None:
        envelope = Envelope.model_validate_json(delivery.data)
        await gateway.go_on(envelope)
        if (envelope.turn, envelope.kind) == ("t", "ReportGenerated"):
            applied.set()

    await bus.consume_answers("test", late)
    await replayed(bus)
    await asyncio.wait_for(applied.wait(), 10)
    assert await bus.read_state("session-s") == before


async def test_a_resumed_turn_may_fail_at_a_later_node(failed):
    bus, services = failed
    services.fixed = True

    async def broken(command: Command) -> Event:
        if command.kind() == "ValidateTemplate":
            raise RetryableError("The validator is broken.")
        return await Breaking.handle(services, command)

    services.handle = broken
    await replayed(bus)
    ends: list[TurnFailed] = []
    async with asyncio.timeout(10), aclosing(bus.follow("s")) as events:
        async for event in events:
            if event.kind == "TurnFailed":
                ends.append(event.message())
            if len(ends) == 2:
                break
    assert [end.message for end in ends] == ["The generator is broken.", "The validator is broken."]
