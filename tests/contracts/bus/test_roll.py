"""Who works, and what waits for them."""

import asyncio
from datetime import UTC, datetime

from bandsmith.shared.bus.base import Bus, Queue, Replica
from tests.contracts.bus.desk import PATIENT, Desk, command, event
from tests.contracts.conftest import Connect


def replica(name: str, service: str = "planner", **more: int) -> Replica:
    counts = {"in_flight": 0, "handled": 0, "failed": 0} | more
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return Replica(name=name, service=service, host="here", process="here/1", version="1", began=began, **counts)


async def test_a_queue_tells_what_waits_and_what_is_in_hand(bus: Bus) -> None:
    desk = Desk("nak", "hang", "hang")
    await bus.consume_commands("planner", desk, concurrency=2)
    await bus.send(command("c0"))
    await desk.has(2)
    for number in range(1, 5):
        await bus.send(command(f"c{number}"))
    await desk.has(3)

    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=3, in_flight=2, redelivered=1)]


async def test_a_queue_that_was_worked_off_is_empty(bus: Bus) -> None:
    desk = Desk()
    await bus.consume_answers("gateway", desk)
    await bus.publish(event("e0"))
    await desk.has(1)

    while (await bus.queues())[0].in_flight:  # noqa: ASYNC110 - nothing tells when the server knows
        await asyncio.sleep(0.01)

    assert await bus.queues() == [Queue(service="gateway", holds="answers", waiting=0, in_flight=0, redelivered=0)]


async def test_what_waits_is_told_though_nobody_ever_worked_there(bus: Bus) -> None:
    assert await bus.queues() == []

    await bus.send(command("c1"))

    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=1, in_flight=0, redelivered=0)]


async def test_whoever_attends_answers_when_the_roll_is_called(connect: Connect) -> None:
    one, other, caller = await connect(), await connect(), await connect()
    handled = 0
    attending = await one.register(lambda: replica("a", handled=handled))
    await one.register(lambda: replica("b", "ocr"))
    await other.register(lambda: replica("c"))

    handled = 7
    assert await caller.replicas(PATIENT) == [replica("b", "ocr"), replica("a", handled=7), replica("c")]

    await attending.stop()
    await other.close()
    assert await caller.replicas(PATIENT) == [replica("b", "ocr")]


async def test_where_nobody_attends_the_roll_is_empty(bus: Bus) -> None:
    async with asyncio.timeout(5):
        assert await bus.replicas(60) == []
