"""Events: they stand in the log of their session, in their order, for whoever follows or listens."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

from bandsmith.shared.bus.base import Bus
from tests.contracts.bus.desk import LONG, Desk, command, event, first, quiet, soon
from tests.contracts.conftest import Connect


async def test_a_session_is_followed_from_its_beginning_and_then_live(connect: Connect) -> None:
    bus, reader = await connect(), await connect()
    for number in range(5):
        await bus.publish(event(f"e{number}"))
        await bus.publish(event(f"other{number}", session="s2"))

    following = asyncio.create_task(first(8, reader.follow("s1")))
    await asyncio.sleep(0.1)
    for number in range(5, 8):
        await bus.publish(event(f"e{number}"))

    assert await following == [f"e{number}" for number in range(8)]


async def test_following_goes_on_where_it_was_left(bus: Bus) -> None:
    for number in range(5):
        await bus.publish(event(f"e{number}"))

    assert await first(2, bus.follow("s1")) == ["e0", "e1"]
    assert await first(3, bus.follow("s1", start=3)) == ["e2", "e3", "e4"]


async def test_a_reader_may_leave_in_the_middle(connect: Connect) -> None:
    bus = await connect(drain_timeout=LONG)
    for number in range(200):
        await bus.publish(event(f"e{number}"))

    async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
        await anext(events)
        await asyncio.sleep(0.1)  # meanwhile more arrives than it will ever read


async def test_following_ends_with_the_bus(bus: Bus) -> None:
    await bus.publish(event("e0"))

    seen = asyncio.Queue[str]()

    async def follow() -> None:
        async for one in bus.follow("s1"):
            seen.put_nowait(one.id)

    following = asyncio.create_task(follow())
    assert await soon(seen.get()) == "e0"
    await bus.close()

    await soon(following)
    assert seen.empty()


async def test_the_bus_ends_though_a_follower_stands_still(connect: Connect) -> None:
    bus = await connect(drain_timeout=LONG)
    await bus.publish(*(event(f"e{number}") for number in range(200)))
    async with aclosing(bus.follow("s1")) as events:
        assert (await soon(anext(events))).id == "e0"

        await soon(bus.close())

        async def rest() -> list[str]:
            return [one.id async for one in events]

        read = await soon(rest())
        assert read == [f"e{number}" for number in range(1, 1 + len(read))]


async def test_events_that_are_published_together_stand_in_their_order(connect: Connect) -> None:
    one, other = await connect(), await connect()
    names = [f"e{number}" for number in range(200)]
    await one.publish(*map(event, names))
    assert await first(200, other.follow("s1")) == names


async def test_events_and_commands_that_are_published_together_go_where_each_belongs(bus: Bus) -> None:
    desk = Desk()
    await bus.consume_commands("planner", desk)
    await bus.publish(event("e0"), event("e1"), command("c0"))

    assert await desk.has(1) == ["c0"]
    assert await first(2, bus.follow("s1")) == ["e0", "e1"]


async def test_the_newest_event_of_its_kind_is_known_to_be_there(bus: Bus) -> None:
    assert not await bus.is_newest(event("e0"))
    await bus.publish(event("e0"), event("e1", session="s2"))
    assert await bus.is_newest(event("e0"))
    await bus.publish(event("e2"))
    assert not await bus.is_newest(event("e0"))


async def test_an_event_that_is_older_than_the_log_keeps_them_counts_as_said(bus: Bus) -> None:
    """Given events that may have been there, some 31 days ago and some 29, of the 30 that they are kept
    Then only of the younger ones is it known that they are not."""
    of_days = {days: datetime.now(UTC) - timedelta(days=days) for days in (31, 29)}
    said = {days: await bus.is_newest(event("e0").model_copy(update={"time": of_days[days]})) for days in of_days}
    assert said == {31: True, 29: False}


async def test_publishing_an_event_twice_is_publishing_it_once(bus: Bus) -> None:
    for name in ("e0", "e0", "e1", "e0", "e2"):
        await bus.publish(event(name))

    assert await first(3, bus.follow("s1")) == ["e0", "e1", "e2"]


async def test_every_name_that_listens_gets_every_event_of_every_session_once(connect: Connect) -> None:
    one, other = await connect(), await connect()
    await one.publish(event("e0"))
    gateway, audit = Desk(), Desk()
    await one.consume_answers("gateway", gateway)
    await other.consume_answers("gateway", gateway)
    await other.consume_answers("audit", audit)

    await one.publish(event("e1"))
    await one.publish(event("e2", session="s2"))

    await gateway.has(3)
    await audit.has(3)
    await quiet()
    assert sorted(gateway.got) == sorted(audit.got) == ["e0", "e1", "e2"]


async def test_an_event_that_was_handed_back_comes_again(bus: Bus) -> None:
    desk = Desk("nak")
    await bus.consume_answers("gateway", desk)

    await bus.publish(event("e0"))

    assert await desk.has(2) == ["e0", "e0"]


async def test_a_follower_may_begin_behind_what_is_already_there(bus: Bus):
    await bus.publish(event("old"))
    place = await bus.last_sequence()
    await bus.publish(event("other", session="s2"))
    await bus.publish(event("new"))
    async with aclosing(bus.follow("s1", after=place)) as events:
        assert (await soon(anext(events))).id == "new"


async def test_a_log_without_events_has_the_place_zero_or_stands_where_it_stood(bus: Bus):
    place = await bus.last_sequence()
    await bus.publish(event("one"))
    assert await bus.last_sequence() == place + 1


async def test_a_session_that_is_forgotten_has_no_events_and_the_others_keep_theirs(bus: Bus):
    await bus.publish(event("mine"))
    await bus.publish(event("theirs", session="s2"))
    await bus.delete_events("s1")
    await bus.publish(event("later"))
    async with aclosing(bus.follow("s1")) as events:
        assert (await soon(anext(events))).id == "later"
    async with aclosing(bus.follow("s2")) as events:
        assert (await soon(anext(events))).id == "theirs"
