"""A follower: it stalls without a cost, misses nothing, and leaves nothing at the server."""

import asyncio
from contextlib import aclosing

import nats

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, KnowledgeRecalled

EVENTS = 640


def event(number: int) -> Envelope:
    said = KnowledgeRecalled()
    return Envelope(id=f"e{number}", kind=said.kind(), session="s1", turn="t1", payload=said.model_dump())


async def test_a_stalled_follower_prefetches_none_and_misses_none(bus: NatsBus) -> None:
    # Given a long session, and a follower that reads one event of it and stands still
    await bus.publish(*map(event, range(EVENTS)))
    async with asyncio.timeout(60), aclosing(bus.follow("s1")) as events:
        seen = [(await anext(events)).id]

        # Then the server keeps nothing for it
        assert await bus._jetstream.consumers_info("EVT") == []

        # When more is published, and it reads on
        await bus.publish(event(EVENTS))
        async for one in events:
            seen.append(one.id)
            if len(seen) == EVENTS + 1:
                break

    # Then it sees each event once, in their order
    assert seen == [f"e{number}" for number in range(EVENTS + 1)]


async def test_a_follower_reads_what_was_announced_before_it_was_stored(bus: NatsBus) -> None:
    """A cluster stores a message after it has shown it to those who subscribe."""
    async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
        following = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        for _ in range(3):
            await bus._client.publish("evt.v1.s1.turn.X", b"", headers={"Nats-Expected-Stream": "OTHER"})
        await bus.publish(event(0))
        assert (await following).id == "e0"


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


async def test_a_stopped_follower_leaves_no_subscription(bus: NatsBus) -> None:
    await bus.publish(*map(event, range(EVENTS)))
    before = len(bus._client._subs)
    for _ in range(3):
        async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
            await anext(events)
    assert len(bus._client._subs) == before
    assert await bus._jetstream.consumers_info("EVT") == []
