"""A stalled follower: it buffers little and resumes where it was, whatever the server did meanwhile."""

import asyncio
from contextlib import aclosing, suppress

import nats
import pytest

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.nats.bus import MAX_PREFETCHED_EVENTS
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, KnowledgeRecalled

EVENTS = 10 * MAX_PREFETCHED_EVENTS


def event(number: int) -> Envelope:
    said = KnowledgeRecalled()
    return Envelope(id=f"e{number}", kind=said.kind(), session="s1", turn="t1", payload=said.model_dump())


@pytest.mark.parametrize(
    "forgotten", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["still known", "forgotten by the server"]
)
async def test_a_stalled_follower_prefetches_few_and_misses_none(bus: NatsBus, forgotten: bool) -> None:
    # Given a long session, and a follower that reads one event of it and stands still
    await bus.publish(*map(event, range(EVENTS)))
    async with asyncio.timeout(60), aclosing(bus.follow("s1")) as events:
        seen = [(await anext(events)).id]
        await asyncio.sleep(0.3)  # long enough for all of them to come

        # Then the server has handed it few of them
        [consumer] = await bus._jetstream.consumers_info("EVT")
        assert consumer.delivered is not None and 1 <= consumer.delivered.consumer_seq <= MAX_PREFETCHED_EVENTS + 1

        # When it reads on, after so long that the server has forgotten it or before
        if forgotten:
            await bus._jetstream.delete_consumer("EVT", consumer.name)
        async for one in events:
            seen.append(one.id)
            if len(seen) == EVENTS:
                break

    # Then it sees each event once, in their order
    assert seen == [f"e{number}" for number in range(EVENTS)]


async def test_messages_that_are_not_events_are_skipped(bus: NatsBus, nats_server: NatsServer) -> None:
    # Given a session in whose log another program wrote something else
    other = await nats.connect(nats_server.url)
    await bus.publish(event(0))
    await other.jetstream().publish("evt.v1.s1.turn.X", b"?")
    await bus.publish(event(1))

    # Then its follower reads on, and so do the subscribers of reply deltas
    async with (
        asyncio.timeout(20),
        aclosing(bus.follow("s1")) as events,
        aclosing(bus.subscribe_deltas("s1")) as pieces,
    ):
        assert [(await anext(events)).id, (await anext(events)).id] == ["e0", "e1"]
        first = asyncio.create_task(anext(pieces))
        await asyncio.sleep(0)
        while not first.done():  # until the subscription is active
            await other.publish("tok.s1", b"?")
            await bus.publish_delta(Delta(session="s1", turn="t1", text="x"))
            await asyncio.sleep(0.05)
        assert first.result().text == "x"
    await other.close()


async def test_a_follower_cancelled_before_it_starts_leaves_nothing(bus: NatsBus) -> None:
    # Given a follower that is cancelled while it requests the log
    events = bus.follow("s1")
    beginning = asyncio.create_task(anext(events))
    await asyncio.sleep(0)
    beginning.cancel()
    await asyncio.wait([beginning])

    # Then all that follow the bus are at work
    assert bus.alive


async def test_a_stopped_follower_leaves_no_consumer(bus: NatsBus) -> None:
    await bus.publish(*map(event, range(EVENTS)))
    for _ in range(3):
        async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
            await anext(events)

    with suppress(TimeoutError):
        async with asyncio.timeout(20):
            while await bus._jetstream.consumers_info("EVT"):  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.02)
    assert await bus._jetstream.consumers_info("EVT") == []
