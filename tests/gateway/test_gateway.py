"""The gateway at work on a bus: turns run to their end, and nothing that is lost or comes twice changes that."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress

import pytest

from bandsmith.client import Attachment, Client
from services.gateway.actor import GatewayActor
from services.gateway.state import SessionState
from services.gateway.steps import advance
from shared.bus.base import Bus, Delivery
from shared.bus.memory import Broker, MemoryBus
from shared.errors import TerminalError
from shared.events import (
    ClassifyIntent,
    Envelope,
    ExtractLayout,
    GenerateSkeleton,
    Message,
    TurnFailed,
    TurnQueued,
    ValidateTemplate,
)
from shared.model.document import Document
from shared.settings import BusSettings
from shared.worker import settling

from ..workflow.play import failed, ref, skeleton, starting, validated, wants
from .scripted import scripted, until_the_end

PHOTO = Attachment(name="form.jpg", content=b"photo")


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
async def bus(broker: Broker) -> AsyncIterator[MemoryBus]:
    bus = MemoryBus(broker, BusSettings(retry_delay=0.001))
    yield bus
    await bus.close()


async def test_a_turn_runs_over_the_bus_from_its_start_to_its_files(bus: MemoryBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    seen: list[Message] = [event async for event in Client(bus).turn("s", attachments=[PHOTO])]
    end = seen[-1]

    assert end.status == "done" and end.files["report.jrxml"] == ref("mapped")
    started = [event.node for event in seen if event.kind() == "NodeStarted"]
    finished = [event.node for event in seen if event.kind() == "NodeFinished"]
    assert started == finished and started[0] == "load_session" and started[-1] == "finalize"


async def test_a_stage_that_fails_ends_the_turn_with_its_sentence(bus: MemoryBus):
    await scripted(bus, {ExtractLayout: [failed("ExtractLayout")]})
    await GatewayActor(bus).start()
    with pytest.raises(TerminalError, match="ExtractLayout cannot be done"):
        await Client(bus).say("s", attachments=[PHOTO])


async def test_many_windows_that_answer_at_once_to_several_gateways_are_all_joined(bus: MemoryBus, broker: Broker):
    await scripted(bus, {GenerateSkeleton: [skeleton(windows=30)]})
    for _ in range(3):
        await GatewayActor(MemoryBus(broker)).start()
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

    broker.seen.clear()  # the bus knows ids for half an hour
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

    await scripted(bus, {GenerateSkeleton: [skeleton(windows=8)]})
    bus.publish = counted  # type: ignore[method-assign]
    await GatewayActor(bus).start()
    for text, attachments in (("", [PHOTO]), ("make the title larger", [])):
        await Client(bus).say("s", text, attachments)

    assert published.total() > 50 and set(published.values()) == {1}


async def test_a_gateway_that_stops_waits_for_both_its_queues_at_the_same_time():
    """Each may take as long as what is in hand takes; who stops it gives that time once."""
    both = asyncio.Barrier(2)

    class Slow(MemoryBus):
        async def work(self, *about: object, **more: object) -> Draining:
            return Draining(both)

        listen = work

    gateway = GatewayActor(Slow())
    await gateway.start()
    await asyncio.wait_for(gateway.stop(), 10)


class Draining:
    """A subscription that ends when the other does."""

    def __init__(self, both: asyncio.Barrier) -> None:
        self._both = both

    async def stop(self) -> None:
        await self._both.wait()


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
            done = None
            for part in ([event] for event in arguments) if name == "publish" else [arguments]:
                if self._calls == 0:
                    raise Crash
                self._calls -= 1
                done = await getattr(self._bus, name)(*part)
            return done

        return call


async def replaced_when_it_crashes(bus: Bus, calls: int, crashes: list[int]) -> None:
    """A gateway that crashes after every `calls` changes, each time replaced by another."""
    gateway = GatewayActor(CrashingBus(bus, calls))

    async def settle(delivery: Delivery) -> None:
        nonlocal gateway
        envelope = Envelope.model_validate_json(delivery.data)
        try:
            await (gateway.begin if envelope.kind == "StartTurn" else gateway.go_on)(envelope)
        except Crash:
            crashes.append(1)
            gateway = GatewayActor(CrashingBus(bus, calls))
            await delivery.nak()
        else:
            await delivery.ack()

    await bus.work("gateway", settle)
    await bus.listen("gateway", settle, concurrency=1)


@pytest.mark.parametrize("calls", [8, 9, 10, 11, 13])
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


async def test_an_end_that_a_gateway_did_not_come_to_say_is_said_by_who_begins_the_next_turn_and_once(
    bus: MemoryBus, broker: Broker
):
    """Given a gateway that dies when it has written how a turn ended, and before it says so
    When another begins the next turn before it is handed what the dead one had in hand
    Then the end is said, before the next turn begins, and not again when that comes at last."""
    # Given
    await scripted(bus)
    end: asyncio.Future[Envelope] = asyncio.get_running_loop().create_future()
    dying, other = GatewayActor(WritesLast(bus)), GatewayActor(bus)

    async def go_on(envelope: Envelope) -> None:
        if not end.done():
            with suppress(Crash):
                return await dying.go_on(envelope)
            return end.set_result(envelope)
        await other.go_on(envelope)

    await bus.listen("gateway", settling(go_on))
    await dying.begin(starting())
    last = await asyncio.wait_for(end, 10)

    # When
    await other.begin(starting("make the title larger", (), turn="next"))
    broker.seen.clear()  # it comes so late that the bus knows no ids of that time
    await other.go_on(last)
    await until_the_end(bus, "next")

    # Then
    said = [one for one in map(read, broker.log) if one.kind in ("NodeStarted", "TurnFinished", "TurnFailed")]
    assert [one.kind for one in said if one.turn == "t"][-1] == "TurnFinished"
    assert [one.turn for one in said] == sorted((one.turn for one in said), reverse=True)
    assert max(Counter(one.id for one in said).values()) == 1


def read(entry: tuple[str, bytes]) -> Envelope:
    return Envelope.model_validate_json(entry[1])


class WritesLast:
    """A bus for a gateway whose process ends when it has written that a turn is over."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def __getattr__(self, name: str) -> object:
        return getattr(self._bus, name)

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        revision = await self._bus.write_state(key, value, revision)
        if SessionState.model_validate_json(value).turn.over:
            raise Crash
        return revision


async def test_a_turn_that_is_started_twice_runs_once(bus: MemoryBus):
    asked: Counter[str] = Counter()
    await scripted(bus)
    gateway = GatewayActor(bus)

    async def count(envelope: Envelope) -> None:
        asked[envelope.kind] += envelope.kind == "LayoutExtracted"
        await gateway.go_on(envelope)

    await bus.listen("gateway", settling(count))
    await gateway.begin(starting())
    await gateway.begin(starting())
    await until_the_end(bus)
    await gateway.begin(starting())

    assert asked["LayoutExtracted"] == 1


async def test_an_earlier_turns_start_that_comes_late_starts_nothing(bus: MemoryBus):
    await scripted(bus)
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("one", "two"):
        await bus.send(starting(turn=turn))
        await until_the_end(bus, turn)

    await gateway.begin(starting(turn="one"))

    stored = await bus.read_state("session-s")
    session = SessionState.model_validate_json(stored[0])
    assert session.turn.id == "two" and session.past == ["one"]


# --- turns that wait, and turns that never begin --------------------------------------------------------------------


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
    broker.seen.clear()
    await gateway.begin(starting(text, attachments))  # it comes again, long after
    [refused] = [read(entry).message() for entry in broker.log]
    assert isinstance(refused, TurnFailed) and refused.code == code and refused.message_zh != refused.message
    assert await bus.states("session-") == []


async def test_a_request_of_another_program_that_makes_no_sense_fails_at_once_with_a_sentence(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(Envelope(id="x", kind="StartTurn", session="s", turn="t", payload={"text": ["not", "text"]}))
    async with aclosing(bus.follow("s")) as events:
        end = (await anext(events)).message()
    assert isinstance(end, TurnFailed) and end.code == "message" and "no command that the service knows" in end.message
    assert await bus.read_state("session-s") is None and await bus.dead() == []


async def test_a_session_deleted_in_the_middle_of_a_turn_stays_deleted_and_whoever_waits_is_told(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    for turn in ("one", "two"):
        await gateway.begin(starting(turn=turn))
    client = Client(bus)

    await client.delete("s")
    for turn in ("one", "two"):
        [end] = [event.message() for event in await until_the_end(bus, turn)]
        assert isinstance(end, TurnFailed) and end.code == "deleted"

    answered = asyncio.Event()
    await bus.listen("test", settling(lambda envelope: told(answered, envelope)))
    await scripted(bus)  # the answer that the turn waited for comes after all
    await asyncio.wait_for(answered.wait(), 10)
    assert await client.sessions() == []
    assert (await client.say("s", "a report")).status == "done"


async def test_a_turn_that_begins_while_its_session_is_deleted_is_told_so_too(bus: MemoryBus, broker: Broker):
    gateway, client = GatewayActor(bus), Client(bus)
    await scripted(bus)
    await gateway.begin(starting("a sales report", (), turn="one"))

    class Slow(MemoryBus):
        """Another turn begins just before the session is removed."""

        async def delete_state(self, key: str) -> bytes | None:
            await gateway.begin(starting("a sales report", (), turn="two"))
            return await super().delete_state(key)

    await Client(Slow(broker)).delete("s")
    for turn in ("one", "two"):
        assert [event.message().code for event in await until_the_end(bus, turn)] == ["deleted"]
    assert await client.sessions() == []


async def told(answered: asyncio.Event, envelope: Envelope) -> None:
    if envelope.kind == "LayoutExtracted":
        answered.set()


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


async def test_a_turn_that_the_gateway_gives_up_on_ends_and_the_one_that_waits_begins(
    bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BANDSMITH_RETRY_DELAY", "0.001")
    monkeypatch.setattr("services.gateway.actor.advance", broken_for("first", advance))
    gateway = GatewayActor(bus)
    await gateway.start()
    await scripted(bus)
    await bus.send(starting(turn="first"))
    await bus.send(starting(turn="second"))

    *_, first = await until_the_end(bus, "first")
    *_, second = await until_the_end(bus, "second")
    assert first.kind == "TurnFailed" and first.message().code == "internal"
    assert second.kind == "TurnFinished"


async def test_a_turn_under_way_whose_beginning_comes_again_until_it_is_given_up_goes_on(bus: MemoryBus):
    gateway = GatewayActor(bus)
    await gateway.start()
    await bus.send(starting(turn="first"))
    await bus.send(starting(turn="second"))
    async with aclosing(bus.follow("s")) as events:
        while (await anext(events)).kind != "TurnQueued":
            pass

    lost = Delivered(starting(turn="second"), BusSettings().deliveries + 1)
    await settling(gateway.begin, fail=gateway._not_begun)(lost)
    await scripted(bus)

    ends = [(await until_the_end(bus, turn))[-1] for turn in ("first", "second")]
    assert lost.terminated and [end.kind for end in ends] == ["TurnFinished", "TurnFinished"]


class Delivered:
    """A delivery of so high a count that those before must have ended with their workers."""

    subject = ""
    terminated = False

    def __init__(self, envelope: Envelope, count: int) -> None:
        self.data, self.count = envelope.model_dump_json().encode(), count

    async def term(self, reason: str) -> None:
        self.terminated = True


def broken_for(turn: str, advance: Callable) -> Callable:
    """A step that has a mistake in it that only one turn comes upon."""

    def step(session: SessionState, envelope: Envelope, *rest: object) -> SessionState | None:
        if envelope.turn == turn:
            raise RuntimeError("a mistake in a step")
        return advance(session, envelope, *rest)

    return step


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
