"""The gateway at work on a bus: turns run to their end, and nothing that is lost or comes twice changes that."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from bandsmith.build import run_turn
from bandsmith.local import WIRING
from services.gateway.actor import GatewayActor
from services.gateway.state import Session
from shared.bus.base import Bus, Delivery
from shared.bus.memory import Broker, MemoryBus
from shared.errors import TerminalError
from shared.events import (
    Command,
    Envelope,
    Event,
    ExtractLayout,
    GenerateSkeleton,
    Message,
    StartTurn,
    TurnFailed,
    ValidateTemplate,
)
from shared.model.document import Document
from shared.settings import BusSettings
from shared.worker import run_actor, settling

from ..workflow.play import ANSWERS, failed, ref, skeleton, validated

DOCUMENT = Document(name="form.jpg", content=ref("photo"))


class ScriptedActor:
    """Answers each command with what the script has for it, the last for ever, else with the usual."""

    def __init__(self, script: dict[type, list[Event]]) -> None:
        self._script = script

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        if queue := self._script.get(type(command)):
            return queue.pop(0) if len(queue) > 1 else queue[0]
        return ANSWERS[type(command)](command.model_dump())[0]


async def scripted(bus: Bus, script: dict[type, list[Event]] | None = None) -> None:
    """All services but the gateway, at work on `bus`."""
    for service in WIRING:
        await run_actor(bus, service, ScriptedActor(script or {}), concurrency=4)


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
async def bus(broker: Broker) -> AsyncIterator[MemoryBus]:
    bus = MemoryBus(broker, BusSettings(retry_delay=0.001))
    yield bus
    await bus.close()


def starting(session: str = "s", turn: str = "t") -> Envelope:
    payload = StartTurn(document=DOCUMENT).model_dump(mode="json")
    return Envelope(id=f"start-{turn}", kind="StartTurn", session=session, turn=turn, payload=payload)


async def until_the_end(bus: Bus, turn: str = "t", session: str = "s") -> list[Envelope]:
    """Everything that was said of a turn, from its beginning to its end."""
    said = []
    async with asyncio.timeout(10), aclosing(bus.follow(session)) as events:
        async for event in events:
            if event.turn == turn:
                said.append(event)
                if event.kind in ("TurnFinished", "TurnFailed"):
                    break
    return said


async def test_a_turn_runs_over_the_bus_from_its_start_to_its_files(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    seen: list[Message] = []

    end = await run_turn(bus, StartTurn(document=DOCUMENT), seen.append)

    assert end.status == "done" and end.files["report.jrxml"] == ref("mapped")
    started = [event.node for event in seen if event.kind() == "NodeStarted"]
    finished = [event.node for event in seen if event.kind() == "NodeFinished"]
    assert started == finished and started[0] == "load_session" and started[-1] == "finalize"


async def test_a_stage_that_fails_ends_the_turn_with_its_sentence(bus: MemoryBus):
    await scripted(bus, {ExtractLayout: [failed("ExtractLayout")]})
    await GatewayActor(bus).start()
    with pytest.raises(TerminalError, match="ExtractLayout cannot be done"):
        await run_turn(bus, StartTurn(document=DOCUMENT), lambda event: None)


async def test_many_windows_that_answer_at_once_to_several_gateways_are_all_joined(bus: MemoryBus, broker: Broker):
    await scripted(bus, {GenerateSkeleton: [skeleton(windows=30)]})
    for _ in range(3):
        await GatewayActor(MemoryBus(broker)).start()
    end = await asyncio.wait_for(run_turn(bus, StartTurn(document=DOCUMENT), lambda event: None), 20)
    assert end.status == "done" and end.notes == []


async def test_several_sessions_go_on_at_the_same_time(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    turns = [run_turn(bus, StartTurn(document=DOCUMENT), lambda event: None) for _ in range(5)]
    assert [end.status for end in await asyncio.gather(*turns)] == ["done"] * 5


# --- delivered twice, or never settled ------------------------------------------------------------------------------


class Crash(Exception):
    pass


class CrashingBus:
    """A bus for a gateway whose process ends after so many calls that change something."""

    def __init__(self, bus: Bus, calls: int) -> None:
        self._bus = bus
        self._calls = calls

    def __getattr__(self, name: str) -> object:
        if name not in ("send", "publish", "write_state"):
            return getattr(self._bus, name)

        async def call(*arguments: object) -> object:
            if self._calls == 0:
                raise Crash
            self._calls -= 1
            return await getattr(self._bus, name)(*arguments)

        return call


async def replaced_when_it_crashes(bus: Bus, calls: int, crashes: list[int]) -> None:
    """A gateway that crashes after every `calls` changes, each time replaced by another."""
    gateway = GatewayActor(CrashingBus(bus, calls))

    async def settle(delivery: Delivery) -> None:
        nonlocal gateway
        try:
            await gateway.apply(Envelope.model_validate_json(delivery.data))
        except Crash:
            crashes.append(1)
            gateway = GatewayActor(CrashingBus(bus, calls))
            await delivery.nak()
        else:
            await delivery.ack()

    await bus.work("gateway", settle)
    await bus.listen("gateway", settle, concurrency=1)


@pytest.mark.parametrize("calls", [6, 7, 8, 9, 11])
async def test_a_gateway_that_crashes_between_any_two_steps_loses_nothing_and_says_nothing_twice(calls: int):
    bus = MemoryBus(settings=BusSettings(deliveries=50))
    script = {ValidateTemplate: [validated(errors=1), validated()]}
    await scripted(bus, script)
    crashes: list[int] = []
    await replaced_when_it_crashes(bus, calls, crashes)

    await bus.send(starting())
    said = await until_the_end(bus)

    assert crashes
    counts = Counter((event.kind, event.node, event.attempt) for event in said if event.kind != "WindowRefined")
    assert set(counts.values()) == {1}
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnFinished"]
    assert counts["NodeFinished", "validate", 2] == 1
    await bus.close()


async def test_a_turn_that_is_started_twice_runs_once(bus: MemoryBus):
    asked: Counter[str] = Counter()
    await scripted(bus)
    gateway = GatewayActor(bus)

    async def count(envelope: Envelope) -> None:
        asked[envelope.kind] += envelope.kind == "LayoutExtracted"
        await gateway.apply(envelope)

    await bus.listen("gateway", settling(count))
    await gateway.apply(starting())
    await gateway.apply(starting())
    await until_the_end(bus)
    await gateway.apply(starting())

    assert asked["LayoutExtracted"] == 1


async def test_an_earlier_turns_start_that_comes_late_starts_nothing(bus: MemoryBus):
    await scripted(bus)
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("one", "two"):
        await bus.send(starting(turn=turn))
        await until_the_end(bus, turn)

    await gateway.apply(starting(turn="one"))

    stored = await bus.read_state("session-s")
    session = Session.model_validate_json(stored[0])
    assert session.turn.id == "two" and session.past == ["one"]


async def test_a_session_at_work_refuses_a_second_turn_and_goes_on_with_the_first(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    await gateway.apply(starting(turn="first"))
    await gateway.apply(starting(turn="second"))

    [refused] = [event.message() for event in await until_the_end(bus, "second")]
    assert isinstance(refused, TurnFailed) and refused.code == "busy"

    await scripted(bus)
    *_, end = await until_the_end(bus, "first")
    assert end.kind == "TurnFinished"


async def test_an_event_that_cannot_be_applied_fails_its_turn_instead_of_leaving_it_waiting(
    bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BANDSMITH_RETRY_DELAY", "0.001")
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.write_state("session-s", b"not a session", None)
    await bus.send(starting())
    [end] = [event.message() for event in await until_the_end(bus)]
    assert isinstance(end, TurnFailed) and end.code == "internal"
