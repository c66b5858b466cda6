"""Commands: each reaches one worker of its service, until it is settled."""

import asyncio

import pytest

from bandsmith.shared.bus.base import Bus, Delivery
from bandsmith.shared.events import Envelope, GenerateSkeleton
from tests.contracts.bus.desk import LONG, NOTHING, Desk, command, quiet, soon
from tests.contracts.conftest import Connect


async def test_a_command_reaches_exactly_one_of_the_workers(connect: Connect) -> None:
    one, other = await connect(), await connect()
    desk = Desk()
    await one.consume_commands("planner", desk, concurrency=3)
    await other.consume_commands("planner", desk, concurrency=3)

    for number in range(20):
        await one.send(command(f"c{number}"))

    await desk.has(20)
    await quiet()
    assert sorted(desk.got) == sorted(f"c{number}" for number in range(20))


async def test_a_command_waits_until_there_is_a_worker_for_it(connect: Connect) -> None:
    bus = await connect()
    await bus.send(command("c1"))
    await bus.close()

    desk = Desk()
    await (await connect()).consume_commands("planner", desk)

    assert await desk.has(1) == ["c1"]


async def test_a_worker_gets_only_the_commands_of_its_service(bus: Bus) -> None:
    planner, generator = Desk(), Desk()
    await bus.consume_commands("planner", planner)
    await bus.consume_commands("generator", generator)
    skeleton = GenerateSkeleton(layout=NOTHING, form=NOTHING, name="x").model_dump()

    await bus.send(command("c1"))
    await bus.send(Envelope(id="c2", kind="GenerateSkeleton", session="s1", turn="t1", payload=skeleton))

    assert (await planner.has(1), await generator.has(1)) == (["c1"], ["c2"])


async def test_sending_a_command_twice_is_sending_it_once(bus: Bus) -> None:
    desk = Desk()
    await bus.consume_commands("planner", desk, concurrency=4)

    for name in ("c1", "c1", "c2", "c1"):
        await bus.send(command(name))

    await desk.has(2)
    await quiet()
    assert desk.got == ["c1", "c2"]


async def test_a_command_handed_back_comes_again_and_says_how_often(bus: Bus) -> None:
    desk = Desk("nak", "nak", "ack")
    await bus.consume_commands("planner", desk)

    await bus.send(command("c1"))

    assert await desk.has(3) == ["c1", "c1", "c1"]
    assert desk.counts == [1, 2, 3]


async def test_a_command_whose_handler_fails_comes_again(bus: Bus) -> None:
    desk = Desk("raise")
    await bus.consume_commands("planner", desk)

    await bus.send(command("c1"))

    assert await desk.has(2) == ["c1", "c1"]


async def test_a_command_that_nobody_settles_comes_again(connect: Connect) -> None:
    bus = await connect(ack_wait=0.3)
    desk = Desk("leave")
    await bus.consume_commands("planner", desk)

    await bus.send(command("c1"))

    assert await desk.has(2) == ["c1", "c1"]


async def test_a_sign_of_life_keeps_a_command_with_its_worker(connect: Connect) -> None:
    bus = await connect(ack_wait=1.0)
    desk = Desk()

    async def slow(delivery: Delivery) -> None:
        for _ in range(15):
            await asyncio.sleep(0.1)
            await delivery.in_progress()
        await desk(delivery)

    await bus.consume_commands("planner", slow, concurrency=2)
    await bus.send(command("c1"))

    await desk.has(1)
    await quiet()
    assert desk.counts == [1]


@pytest.mark.parametrize("leave", ["stop", "close"])
async def test_a_worker_that_leaves_hands_back_what_it_could_not_finish(connect: Connect, leave: str) -> None:
    one, other = await connect(ack_wait=LONG), await connect(ack_wait=LONG)
    leaving, staying = Desk("hang", "hang"), Desk()
    subscription = await one.consume_commands("planner", leaving, concurrency=2)
    await one.send(command("c1"))
    await one.send(command("c2"))
    await leaving.has(2)

    await soon(subscription.stop() if leave == "stop" else one.close())
    await other.consume_commands("planner", staying)

    assert sorted(await staying.has(2)) == ["c1", "c2"]


async def test_a_worker_that_leaves_finishes_what_it_can(connect: Connect) -> None:
    bus = await connect(drain_timeout=LONG)
    desk, begun = Desk(), asyncio.Event()

    async def slow(delivery: Delivery) -> None:
        begun.set()
        await asyncio.sleep(0.2)
        await desk(delivery)

    subscription = await bus.consume_commands("planner", slow)
    await bus.send(command("c1"))
    await soon(begun.wait())

    await subscription.stop()

    assert desk.got == ["c1"]


async def test_a_worker_has_no_more_in_hand_than_it_asked_for(bus: Bus) -> None:
    now, most = 0, 0
    desk = Desk()

    async def handle(delivery: Delivery) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.02)
        now -= 1
        await desk(delivery)

    await bus.consume_commands("planner", handle, concurrency=3)
    for number in range(12):
        await bus.send(command(f"c{number}"))

    await desk.has(12)
    assert most == 3


@pytest.mark.parametrize("before", range(4))
async def test_a_worker_has_as_much_in_hand_as_it_asked_for_whatever_came_before(bus: Bus, before: int) -> None:
    desk = Desk(*["ack"] * before, *["hang"] * 4)
    await bus.consume_commands("planner", desk, concurrency=4)
    for number in range(before):
        await bus.send(command(f"b{number}"))
    await desk.has(before)
    await quiet()

    for number in range(4):
        await bus.send(command(f"c{number}"))

    async with asyncio.timeout(3):  # a worker that missed it looks again after some seconds
        await desk.has(before + 4)
