"""Queues and registered replicas."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

from bandsmith.shared.bus.base import Bus, Queue, Replica
from tests.contracts.bus.recording import REGISTRY_WAIT_S, RecordingHandler, command, event
from tests.contracts.conftest import Connect


def replica(name: str, service: str = "planner", **more: int) -> Replica:
    counts: dict[str, Any] = {"in_flight": 0, "handled": 0, "failed": 0} | more
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return Replica(name=name, service=service, host="here", process="here/1", version="1", began=began, **counts)


async def test_a_queue_counts_waiting_and_in_flight_messages(bus: Bus) -> None:
    handler = RecordingHandler("nak", "hang", "hang")
    await bus.consume_commands("planner", handler, concurrency=2)
    await bus.send(command("c0"))
    await handler.wait_for(2)
    for number in range(1, 5):
        await bus.send(command(f"c{number}"))
    await handler.wait_for(3)

    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=3, in_flight=2, redelivered=1)]


async def test_a_queue_is_empty_after_all_messages_are_handled(bus: Bus) -> None:
    handler = RecordingHandler()
    await bus.consume_answers("gateway", handler)
    await bus.publish(event("e0"))
    await handler.wait_for(1)

    while (await bus.queues())[0].in_flight:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.01)

    assert await bus.queues() == [Queue(service="gateway", holds="answers", waiting=0, in_flight=0, redelivered=0)]


async def test_a_queue_without_consumers_is_listed(bus: Bus) -> None:
    assert await bus.queues() == []

    await bus.send(command("c1"))

    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=1, in_flight=0, redelivered=0)]


async def test_registered_replicas_are_listed(connect: Connect) -> None:
    one, other, client = await connect(), await connect(), await connect()
    handled = 0
    registration = await one.register(lambda: replica("a", handled=handled))
    await one.register(lambda: replica("b", "ocr"))
    await other.register(lambda: replica("c"))

    handled = 7
    assert await client.replicas(REGISTRY_WAIT_S) == [replica("b", "ocr"), replica("a", handled=7), replica("c")]

    await registration.stop()
    await other.close()
    assert await client.replicas(REGISTRY_WAIT_S) == [replica("b", "ocr")]


async def test_a_busy_replica_is_listed(connect: Connect) -> None:
    one, client = await connect(), await connect()

    def describe() -> Replica:
        time.sleep(0.6)  # longer than the pause after which no further answer is awaited
        return replica("a")

    await one.register(describe)

    assert await client.replicas() == [replica("a")]


async def test_without_replicas_the_list_is_empty_at_once(bus: Bus) -> None:
    async with asyncio.timeout(5):
        assert await bus.replicas(60) == []


def test_a_replica_keeps_its_wire_format() -> None:
    """Replicas of different versions list each other during an upgrade."""
    sent = replica("a", in_flight=2).model_dump_json(by_alias=True)
    assert '"in_hand":2' in sent
    assert Replica.model_validate_json(sent).in_flight == 2
