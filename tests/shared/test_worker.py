"""The worker's message loop: the outcome of a message for every behaviour of its handler."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

import pytest
import structlog

from bandsmith.shared.bus.base import DeliveredMessage
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import BadInput, BandsmithError, MissingPart, RetryableError
from bandsmith.shared.events import (
    Command,
    Envelope,
    Event,
    GenerateSkeleton,
    KnowledgeRecalled,
    RecallKnowledge,
    StageFailed,
)
from bandsmith.shared.handler_timeout import report_progress
from bandsmith.shared.model.base import Ref
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.telemetry.log import add_message_context
from bandsmith.shared.worker import delivery_handler, run_actor

SETTINGS = BusSettings(ack_wait=0.3, max_deliveries=3, retry_delay=0.01, drain_timeout=0.05)
PATIENT = SETTINGS.model_copy(update={"ack_wait": 1.0})
"""Where nothing is to come again, and a busy machine may stand still for a moment."""
NOTHING = Ref(key="0" * 64, media="application/json", size=2)
SECRET = "张三 6222 0000"

Behaviour = Callable[[int], Awaitable[None]]


def command(message: Command, **changes: object) -> Envelope:
    envelope = Envelope(
        id="c1",
        kind=message.kind(),
        session="s1",
        turn="t1",
        node="retrieve",
        attempt=2,
        traceparent="00-1-2-01",
        payload=message.model_dump(),
    )
    return envelope.model_copy(update=changes)


RECALL = command(RecallKnowledge(text="", layout=NOTHING))


class Planner:
    """An actor that answers after `behave` was called with the number of the call."""

    def __init__(self, behave: Behaviour | None = None) -> None:
        self._behave = behave
        self.calls = 0
        self.started = False

    async def start(self) -> None:
        self.started = True

    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        assert self.started
        self.calls += 1
        if self._behave is not None:
            await self._behave(self.calls)
        return KnowledgeRecalled(passages=["known"])


def raising(*errors: Exception) -> Behaviour:
    """Each call raises the next of them; calls after the last one succeed."""

    async def behave(call: int) -> None:
        if call <= len(errors):
            raise errors[call - 1]

    return behave


@pytest.fixture
async def bus() -> AsyncIterator[MemoryBus]:
    bus = MemoryBus(settings=SETTINGS)
    yield bus
    await bus.close()


async def answers(
    bus: MemoryBus, planner: Planner, sent: Envelope = RECALL, *, settings: BusSettings = SETTINGS
) -> list[Envelope]:
    """Send it to the planner; every event there is once all has become quiet."""
    await run_actor(bus, "planner", planner, settings=settings)
    await bus.send(sent)
    found: list[Envelope] = []

    async def gather() -> None:
        async with aclosing(bus.follow("s1")) as events:
            async for event in events:
                found.append(event)

    gathering = asyncio.create_task(gather())
    async with asyncio.timeout(20):
        while not found:  # noqa: ASYNC110 - there is no event for "there are events"
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.4)
    gathering.cancel()
    return found


async def test_the_answer_belongs_to_its_command(bus: MemoryBus) -> None:
    (event,) = await answers(bus, Planner())

    assert event.message() == KnowledgeRecalled(passages=["known"])
    assert event.causation == "c1"
    assert (event.session, event.turn, event.node, event.attempt) == ("s1", "t1", "retrieve", 2)
    assert event.traceparent == "00-1-2-01"
    assert await bus.dead_letters() == []


async def test_a_command_handled_twice_has_one_answer(bus: MemoryBus) -> None:
    async def block_so_that_the_bus_takes_the_worker_for_dead(call: int) -> None:
        if call == 1:
            time.sleep(2 * SETTINGS.ack_wait)  # noqa: ASYNC251
            await asyncio.sleep(0.05)

    planner = Planner(block_so_that_the_bus_takes_the_worker_for_dead)

    assert len(await answers(bus, planner)) == 1
    assert planner.calls == 2


async def test_a_long_command_is_not_redelivered() -> None:
    async def take_long(call: int) -> None:
        await asyncio.sleep(1.5)

    planner, bus = Planner(take_long), MemoryBus(settings=PATIENT)

    assert len(await answers(bus, planner, settings=PATIENT)) == 1
    assert planner.calls == 1
    await bus.close()


@pytest.mark.parametrize("error", [RetryableError("a server was down"), ValueError("unexpected")])
async def test_a_retryable_failure_is_retried(bus: MemoryBus, error: Exception) -> None:
    planner = Planner(raising(error))

    (event,) = await answers(bus, planner)

    assert event.kind == "KnowledgeRecalled"
    assert planner.calls == 2
    assert await bus.dead_letters() == []


@pytest.mark.parametrize("error", [BadInput("The file is empty.", message_zh="文件为空。"), MissingPart("No Java.")])
async def test_a_terminal_failure_is_not_retried(bus: MemoryBus, error: BandsmithError) -> None:
    planner = Planner(raising(error))

    (event,) = await answers(bus, planner)

    assert event.message() == StageFailed(
        command="RecallKnowledge", code=error.code, message=error.message, message_zh=error.message_zh
    )
    assert planner.calls == 1
    assert await bus.dead_letters() == []


@pytest.mark.parametrize(
    ("error", "code"), [(RetryableError("The engine was killed.", code="killed"), "killed"), (ValueError(), "internal")]
)
async def test_repeated_failure_ends_the_turn_and_is_dead_lettered(bus: MemoryBus, error: Exception, code: str) -> None:
    planner = Planner(raising(*[error] * 9))

    (event,) = await answers(bus, planner)

    failed = event.message()
    assert isinstance(failed, StageFailed) and (failed.command, failed.code) == ("RecallKnowledge", code)
    assert planner.calls == SETTINGS.max_deliveries
    (letter,) = await bus.dead_letters()
    assert letter.reason == f"{code}: given up after 3 deliveries"


async def test_a_command_that_kills_its_workers_ends_the_turn_too(bus: MemoryBus) -> None:
    killed = 0

    async def die(delivery: DeliveredMessage) -> None:
        nonlocal killed
        killed += 1

    dying = await bus.consume_commands("planner", die)
    await bus.send(RECALL)
    async with asyncio.timeout(20):
        while killed < SETTINGS.max_deliveries:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await dying.stop()

    planner = Planner()
    (event,) = await answers(bus, planner)

    failed = event.message()
    assert isinstance(failed, StageFailed) and failed.code == "worker_lost"
    assert planner.calls == 0
    (letter,) = await bus.dead_letters()
    assert letter.reason.startswith("worker_lost")


@pytest.mark.parametrize(
    "sent",
    [
        RECALL.model_copy(update={"payload": {"layout": SECRET}}),
        RECALL.model_copy(update={"payload": {}}),
    ],
    ids=["wrong payload", "no payload"],
)
async def test_a_command_of_another_version_is_answered(bus: MemoryBus, sent: Envelope) -> None:
    planner = Planner()

    (event,) = await answers(bus, planner, sent)

    failed = event.message()
    assert isinstance(failed, StageFailed) and failed.code == "message"
    assert SECRET not in event.model_dump_json()
    assert planner.calls == 0


class Letter:
    """A delivery of any bytes."""

    subject = "cmd.v1.planner.RecallKnowledge"

    def __init__(self, data: bytes, count: int = 1) -> None:
        self.data = data
        self.count = count
        self.settled: list[str] = []

    async def ack(self) -> None:
        self.settled.append("ack")

    async def nak(self, delay: float = 0.0) -> None:
        self.settled.append("nak")

    async def term(self, reason: str) -> None:
        self.settled.append(reason)

    async def in_progress(self) -> None: ...


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[]", b'{"id": "x"}', SECRET.encode()])
async def test_bytes_that_are_not_an_envelope_are_dead_lettered(data: bytes) -> None:
    letter = Letter(data)

    async def handle(envelope: Envelope) -> None:
        raise AssertionError("nothing to handle")

    await delivery_handler(handle)(letter)

    assert letter.settled == ["not an envelope"]


async def test_a_failure_that_cannot_be_published_is_retried() -> None:
    said: list[str] = []

    async def handle(envelope: Envelope) -> None:
        raise BadInput("The file is empty.")

    async def fail(envelope: Envelope, error: BandsmithError) -> None:
        said.append(error.code)
        if len(said) == 1:
            raise RetryableError("the bus is away")

    first, second = (Letter(RECALL.model_dump_json().encode(), count) for count in (1, 2))
    settle = delivery_handler(handle, fail=fail, settings=SETTINGS)
    await settle(first)
    await settle(second)

    assert (first.settled, second.settled) == (["nak"], ["ack"])
    assert said == ["input", "input"]


async def test_without_a_fail_callback_a_failure_is_just_acked() -> None:
    """The gateway's side: `delivery_handler` serves events as well as commands."""

    async def handle(envelope: Envelope) -> None:
        raise RetryableError("again")

    letters = [Letter(RECALL.model_dump_json().encode(), count) for count in (1, 2, 3)]
    for letter in letters:
        await delivery_handler(handle, settings=SETTINGS)(letter)

    assert [letter.settled for letter in letters] == [["nak"], ["nak"], ["retryable: given up after 3 deliveries"]]


async def test_the_log_has_location_and_message_but_no_content(bus: MemoryBus) -> None:
    with structlog.testing.capture_logs(processors=[add_message_context]) as lines:
        await answers(bus, Planner(raising(ValueError(SECRET))))

    (line,) = [line for line in lines if line["event"] == "message.failed"]
    assert (line["session"], line["turn"], line["node"], line["message"]) == ("s1", "t1", "retrieve", "c1")
    assert line["error"] == "ValueError"
    assert any("test_worker" in place for place in line["where"])
    assert SECRET not in str(lines)


async def test_a_command_for_another_service_is_rejected(bus: MemoryBus) -> None:
    """It can only be there when someone put it into the wrong queue."""
    skeleton = command(GenerateSkeleton(layout=NOTHING, form=NOTHING, name="x"))
    planner = Planner()
    bus._broker.command_queues["planner"] = bus._broker.command_queues["generator"]

    (event,) = await answers(bus, planner, skeleton)

    assert event.kind == "StageFailed"
    assert planner.calls == 0


async def test_a_replayed_command_can_be_answered(bus: MemoryBus) -> None:
    """After the fault is fixed, the replayed command is answered, although its failure was published before."""
    planner = Planner(raising(*[RetryableError("The disk is full.")] * SETTINGS.max_deliveries))

    (failure,) = await answers(bus, planner)
    (letter,) = await bus.dead_letters()
    await bus.replay(letter.name)
    async with asyncio.timeout(20), aclosing(bus.follow("s1", start=2)) as events:
        answer = await anext(aiter(events))

    assert (failure.kind, answer.kind) == ("StageFailed", "KnowledgeRecalled")
    assert failure.causation == answer.causation == "c1"


async def test_a_handler_without_progress_is_cancelled_and_retried(bus: MemoryBus) -> None:
    async def hang_first(call: int) -> None:
        if call == 1:
            await asyncio.Event().wait()

    planner = Planner(hang_first)
    limited = SETTINGS.model_copy(update={"handling_limit": 0.2})

    (event,) = await answers(bus, planner, settings=limited)

    assert event.kind == "KnowledgeRecalled"
    assert planner.calls == 2


async def test_a_handler_that_reports_progress_may_take_long() -> None:
    async def call_a_slow_model_again_and_again(call: int) -> None:
        for _ in range(15):
            await asyncio.sleep(0.1)
            report_progress()

    planner, bus = Planner(call_a_slow_model_again_and_again), MemoryBus(settings=PATIENT)

    (event,) = await answers(bus, planner, settings=PATIENT.model_copy(update={"handling_limit": 1.0}))

    assert event.kind == "KnowledgeRecalled"
    assert planner.calls == 1
    await bus.close()


async def test_a_replica_is_registered_until_it_stops(bus: MemoryBus) -> None:
    busy, done = asyncio.Event(), asyncio.Event()

    async def wait(call: int) -> None:
        busy.set()
        await done.wait()
        raise BadInput("The file is empty.")

    working = await run_actor(bus, "planner", Planner(wait), settings=SETTINGS)
    await bus.send(RECALL)
    await busy.wait()
    (during,) = await bus.replicas()
    done.set()
    async with aclosing(bus.follow("s1")) as events:
        await anext(aiter(events))
    await working.stop()

    assert (during.service, during.in_flight, during.handled) == ("planner", 1, 0)
    assert during.process.endswith(f"-{os.getpid()}") and during.version
    assert "bandsmith_deliveries_total" in during.metrics
    assert await bus.replicas() == []


async def test_a_replica_that_cannot_register_takes_no_work(monkeypatch: pytest.MonkeyPatch):
    # Given a bus that is lost while a worker starts
    bus, planner = MemoryBus(), Planner()

    async def lost(say: object) -> None:
        raise RetryableError("away")

    monkeypatch.setattr(bus, "register", lost)
    with pytest.raises(RetryableError):
        await run_actor(bus, "planner", planner, settings=SETTINGS)

    # When a command comes, then another worker has it
    await bus.send(RECALL)
    monkeypatch.undo()
    other = Planner()
    await run_actor(bus, "planner", other, settings=SETTINGS)
    async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
        assert (await anext(aiter(events))).kind == "KnowledgeRecalled"
    assert (planner.calls, other.calls) == (0, 1)
    await bus.close()
