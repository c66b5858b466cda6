"""Commands: each is delivered to one consumer of its service until it is acknowledged."""

import asyncio

import pytest

from bandsmith.shared.bus.base import Bus, DeliveredMessage
from bandsmith.shared.events import Envelope, GenerateSkeleton
from tests.contracts.bus.recording import LONG_S, NOTHING, RecordingHandler, command, quiet, soon
from tests.contracts.conftest import Connect


async def test_a_command_reaches_exactly_one_consumer(connect: Connect) -> None:
    one, other = await connect(), await connect()
    handler = RecordingHandler()
    await one.consume_commands("planner", handler, concurrency=3)
    await other.consume_commands("planner", handler, concurrency=3)

    for number in range(20):
        await one.send(command(f"c{number}"))

    await handler.wait_for(20)
    await quiet()
    assert sorted(handler.received) == sorted(f"c{number}" for number in range(20))


async def test_a_command_waits_for_a_consumer(connect: Connect) -> None:
    bus = await connect()
    await bus.send(command("c1"))
    await bus.close()

    handler = RecordingHandler()
    await (await connect()).consume_commands("planner", handler)

    assert await handler.wait_for(1) == ["c1"]


async def test_a_consumer_gets_only_its_service_s_commands(bus: Bus) -> None:
    planner, generator = RecordingHandler(), RecordingHandler()
    await bus.consume_commands("planner", planner)
    await bus.consume_commands("generator", generator)
    skeleton = GenerateSkeleton(layout=NOTHING, form=NOTHING, name="x").model_dump()

    await bus.send(command("c1"))
    await bus.send(Envelope(id="c2", kind="GenerateSkeleton", session="s1", turn="t1", payload=skeleton))

    assert (await planner.wait_for(1), await generator.wait_for(1)) == (["c1"], ["c2"])


async def test_a_command_sent_twice_is_delivered_once(bus: Bus) -> None:
    handler = RecordingHandler()
    await bus.consume_commands("planner", handler, concurrency=4)

    for name in ("c1", "c1", "c2", "c1"):
        await bus.send(command(name))

    await handler.wait_for(2)
    await quiet()
    assert handler.received == ["c1", "c2"]


async def test_a_nak_redelivers_with_an_increased_count(bus: Bus) -> None:
    handler = RecordingHandler("nak", "nak", "ack")
    await bus.consume_commands("planner", handler)

    await bus.send(command("c1"))

    assert await handler.wait_for(3) == ["c1", "c1", "c1"]
    assert handler.counts == [1, 2, 3]


async def test_a_failed_handler_causes_redelivery(bus: Bus) -> None:
    handler = RecordingHandler("raise")
    await bus.consume_commands("planner", handler)

    await bus.send(command("c1"))

    assert await handler.wait_for(2) == ["c1", "c1"]


async def test_an_unacknowledged_command_is_redelivered(connect: Connect) -> None:
    bus = await connect(ack_wait=0.3)
    handler = RecordingHandler("leave")
    await bus.consume_commands("planner", handler)

    await bus.send(command("c1"))

    assert await handler.wait_for(2) == ["c1", "c1"]


async def test_in_progress_prevents_redelivery(connect: Connect) -> None:
    bus = await connect(ack_wait=1.0)
    handler = RecordingHandler()

    async def slow(delivery: DeliveredMessage) -> None:
        for _ in range(15):
            await asyncio.sleep(0.1)
            await delivery.in_progress()
        await handler(delivery)

    await bus.consume_commands("planner", slow, concurrency=2)
    await bus.send(command("c1"))

    await handler.wait_for(1)
    await quiet()
    assert handler.counts == [1]


@pytest.mark.parametrize("leave", ["stop", "close"])
async def test_stopping_hands_back_unfinished_commands(connect: Connect, leave: str) -> None:
    one, other = await connect(ack_wait=LONG_S), await connect(ack_wait=LONG_S)
    leaving, staying = RecordingHandler("hang", "hang"), RecordingHandler()
    subscription = await one.consume_commands("planner", leaving, concurrency=2)
    await one.send(command("c1"))
    await one.send(command("c2"))
    await leaving.wait_for(2)

    await soon(subscription.stop() if leave == "stop" else one.close())
    await other.consume_commands("planner", staying)

    assert sorted(await staying.wait_for(2)) == ["c1", "c2"]


async def test_stopping_lets_commands_in_flight_finish(connect: Connect) -> None:
    bus = await connect(drain_timeout=LONG_S)
    handler, started = RecordingHandler(), asyncio.Event()

    async def slow(delivery: DeliveredMessage) -> None:
        started.set()
        await asyncio.sleep(0.2)
        await handler(delivery)

    subscription = await bus.consume_commands("planner", slow)
    await bus.send(command("c1"))
    await soon(started.wait())

    await subscription.stop()

    assert handler.received == ["c1"]


async def test_concurrency_is_never_exceeded(bus: Bus) -> None:
    current, highest = 0, 0
    handler = RecordingHandler()

    async def handle(delivery: DeliveredMessage) -> None:
        nonlocal current, highest
        current += 1
        highest = max(highest, current)
        await asyncio.sleep(0.02)
        current -= 1
        await handler(delivery)

    await bus.consume_commands("planner", handle, concurrency=3)
    for number in range(12):
        await bus.send(command(f"c{number}"))

    await handler.wait_for(12)
    assert highest == 3


@pytest.mark.parametrize("before", range(4))
async def test_concurrency_is_used_fully_at_any_offset(bus: Bus, before: int) -> None:
    handler = RecordingHandler(*["ack"] * before, *["hang"] * 4)
    await bus.consume_commands("planner", handler, concurrency=4)
    for number in range(before):
        await bus.send(command(f"b{number}"))
    await handler.wait_for(before)
    await quiet()

    for number in range(4):
        await bus.send(command(f"c{number}"))

    async with asyncio.timeout(3):  # a consumer that misses it polls again only after some seconds
        assert len(await handler.wait_for(before + 4)) == before + 4
