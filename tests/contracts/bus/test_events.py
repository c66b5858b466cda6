"""Events: they are kept in order in their session's log, for followers and consumers."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

from bandsmith.shared.bus.base import Bus
from tests.contracts.bus.recording import LONG_S, RecordingHandler, command, event, first, progress, quiet, soon
from tests.contracts.conftest import Connect


async def test_following_yields_past_events_then_new_ones(connect: Connect) -> None:
    bus, reader = await connect(), await connect()
    for number in range(5):
        await bus.publish(event(f"e{number}"))
        await bus.publish(event(f"other{number}", session="s2"))

    following = asyncio.create_task(first(8, reader.follow("s1")))
    await asyncio.sleep(0.1)
    for number in range(5, 8):
        await bus.publish(event(f"e{number}"))

    assert await following == [f"e{number}" for number in range(8)]


async def test_following_resumes_at_a_start_number(bus: Bus) -> None:
    for number in range(5):
        await bus.publish(event(f"e{number}"))

    assert await first(2, bus.follow("s1")) == ["e0", "e1"]
    assert await first(3, bus.follow("s1", start=3)) == ["e2", "e3", "e4"]


async def test_a_follower_may_stop_early(connect: Connect) -> None:
    bus = await connect(drain_timeout=LONG_S)
    for number in range(200):
        await bus.publish(event(f"e{number}"))

    async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
        assert (await anext(events)).id == "e0"
        await asyncio.sleep(0.1)  # more events arrive than it reads

    assert await first(1, bus.follow("s1", start=200)) == ["e199"]


async def test_following_ends_when_the_bus_closes(bus: Bus) -> None:
    await bus.publish(event("e0"))

    seen = asyncio.Queue[str]()

    async def follow() -> None:
        async for envelope in bus.follow("s1"):
            seen.put_nowait(envelope.id)

    following = asyncio.create_task(follow())
    assert await soon(seen.get()) == "e0"
    await bus.close()

    await soon(following)
    assert seen.empty()


async def test_the_bus_closes_despite_an_idle_follower(connect: Connect) -> None:
    bus = await connect(drain_timeout=LONG_S)
    await bus.publish(*(event(f"e{number}") for number in range(200)))
    async with aclosing(bus.follow("s1")) as events:
        assert (await soon(anext(events))).id == "e0"

        await soon(bus.close())

        async def read_remaining() -> list[str]:
            return [envelope.id async for envelope in events]

        read = await soon(read_remaining())
        assert read == [f"e{number}" for number in range(1, 1 + len(read))]


async def test_events_published_together_keep_their_order(connect: Connect) -> None:
    one, other = await connect(), await connect()
    names = [f"e{number}" for number in range(200)]
    await one.publish(*map(event, names))
    assert await first(200, other.follow("s1")) == names


async def test_publish_sends_events_and_commands_where_they_belong(bus: Bus) -> None:
    handler = RecordingHandler()
    await bus.consume_commands("planner", handler)
    await bus.publish(event("e0"), event("e1"), command("c0"))

    assert await handler.wait_for(1) == ["c0"]
    assert await first(2, bus.follow("s1")) == ["e0", "e1"]


async def test_is_newest_holds_until_a_newer_event_of_the_kind(bus: Bus) -> None:
    assert not await bus.is_newest(event("e0"))
    await bus.publish(event("e0"), event("e1", session="s2"))
    assert await bus.is_newest(event("e0"))
    await bus.publish(event("e2"))
    assert not await bus.is_newest(event("e0"))


async def test_an_event_older_than_the_retention_counts_as_newest(bus: Bus) -> None:
    """With a retention of 30 days, nothing is known about an event that is 31 days old."""
    newest = {}
    for days in (31, 29):
        time = datetime.now(UTC) - timedelta(days=days)
        newest[days] = await bus.is_newest(event("e0").model_copy(update={"time": time}))
    assert newest == {31: True, 29: False}


async def test_an_event_published_twice_is_in_the_log_once(bus: Bus) -> None:
    for name in ("e0", "e0", "e1", "e0", "e2"):
        await bus.publish(event(name))

    assert await first(3, bus.follow("s1")) == ["e0", "e1", "e2"]


async def test_every_durable_gets_each_event_once(connect: Connect) -> None:
    one, other = await connect(), await connect()
    await one.publish(event("e0"))
    gateway, audit = RecordingHandler(), RecordingHandler()
    await one.consume_answers("gateway", gateway)
    await other.consume_answers("gateway", gateway)
    await other.consume_answers("audit", audit)

    await one.publish(event("e1"))
    await one.publish(event("e2", session="s2"))

    await gateway.wait_for(3)
    await audit.wait_for(3)
    await quiet()
    assert sorted(gateway.received) == sorted(audit.received) == ["e0", "e1", "e2"]


async def test_a_nak_redelivers_an_event(bus: Bus) -> None:
    handler = RecordingHandler("nak")
    await bus.consume_answers("gateway", handler)

    await bus.publish(event("e0"))

    assert await handler.wait_for(2) == ["e0", "e0"]


async def test_following_can_begin_after_a_sequence_number(bus: Bus):
    await bus.publish(event("old"))
    sequence = await bus.last_sequence()
    await bus.publish(event("other", session="s2"))
    await bus.publish(event("new"))
    async with aclosing(bus.follow("s1", after=sequence)) as events:
        assert (await soon(anext(events))).id == "new"


async def test_publishing_advances_the_last_sequence(bus: Bus):
    sequence = await bus.last_sequence()
    await bus.publish(event("one"))
    assert await bus.last_sequence() == sequence + 1


async def test_deleting_events_affects_only_their_session(bus: Bus):
    await bus.publish(event("mine"))
    await bus.publish(event("theirs", session="s2"))
    await bus.delete_events("s1")
    await bus.publish(event("later"))
    async with aclosing(bus.follow("s1")) as events:
        assert (await soon(anext(events))).id == "later"
    async with aclosing(bus.follow("s2")) as events:
        assert (await soon(anext(events))).id == "theirs"


async def test_turn_events_of_every_session_come_in_order_with_their_numbers(connect: Connect) -> None:
    """Given events of two sessions in the log, answers of services among them
    When a reader asks for the turn events after the second
    Then it gets the following ones, then new ones, each with its number in the log
    """
    bus, reader = await connect(), await connect()
    for number in range(3):
        await bus.publish(
            progress(f"a{number}", "a"), event(f"answer{number}", session="a"), progress(f"b{number}", "b")
        )

    async with asyncio.timeout(20), aclosing(reader.turn_events(3)) as events:
        stored = [await anext(events) for _ in range(4)]
        await bus.publish(progress("a3", "a"))
        new = await anext(events)

    assert [(one.sequence, one.event.id) for one in [*stored, new]] == [
        (4, "a1"), (6, "b1"), (7, "a2"), (9, "b2"), (10, "a3"),
    ]  # fmt: skip


async def test_stored_turn_events_of_one_session_can_be_read_in_parts(bus: Bus) -> None:
    for number in range(3):
        await bus.publish(
            progress(f"a{number}", "a"), event(f"answer{number}", session="a"), progress(f"b{number}", "b")
        )

    part = await bus.read_turn_events("a", after=0, limit=2)
    rest = await bus.read_turn_events("a", after=part[-1].sequence, limit=10)

    assert [(one.sequence, one.event.id) for one in [*part, *rest]] == [(1, "a0"), (4, "a1"), (7, "a2")]
    assert await bus.read_turn_events("empty", after=0, limit=10) == []


async def test_a_log_keeps_its_name(connect: Connect) -> None:
    bus, reader = await connect(), await connect()
    assert await bus.log_name() == await reader.log_name() != ""
