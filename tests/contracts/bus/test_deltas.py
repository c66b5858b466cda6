"""Reply deltas reach current subscribers and are not stored."""

import asyncio
from contextlib import aclosing, suppress

import pytest

from bandsmith.shared.bus.base import MAX_PENDING_DELTAS, Bus, Delta
from tests.contracts.bus.recording import quiet, soon
from tests.contracts.conftest import Connect


async def test_deltas_reach_subscribers_of_their_session(connect: Connect):
    publisher, subscriber = await connect(), await connect()
    received = asyncio.Queue[str]()

    async def subscribe() -> None:
        async with aclosing(subscriber.subscribe_deltas("s1")) as deltas:
            async for delta in deltas:
                received.put_nowait(delta.text)

    subscription = asyncio.create_task(subscribe())
    async with asyncio.timeout(20):
        while received.empty():  # there is no event for an active subscription
            await publisher.publish_delta(Delta(session="s1", turn="t1", text="hello?"))
            await asyncio.sleep(0.01)
    await publisher.publish_delta(Delta(session="s2", turn="t1", text="not for us"))
    for text in ("two ", "words"):
        await publisher.publish_delta(Delta(session="s1", turn="t1", text=text))
    texts = [await soon(received.get())]
    while texts[-1] != "words":
        texts.append(await soon(received.get()))
    subscription.cancel()
    assert [text for text in texts if text != "hello?"] == ["two ", "words"]


async def test_a_slow_subscriber_buffers_a_bounded_number(connect: Connect):
    publisher, subscriber = await connect(), await connect()
    async with aclosing(subscriber.subscribe_deltas("s1")) as deltas:
        first = asyncio.ensure_future(anext(deltas))
        await quiet()
        await subscriber.last_sequence()  # on the same connection, so the subscription is active
        for number in range(2 * MAX_PENDING_DELTAS):
            await publisher.publish_delta(Delta(session="s1", turn="t1", text=f"{number}"))
        await publisher.last_sequence()
        await subscriber.last_sequence()  # on the same connection, so all deltas have arrived
        received = [(await soon(first)).text]
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(0.3):
                    received.append((await anext(deltas)).text)

    assert received == [f"{number}" for number in range(len(received))]
    assert 1 < len(received) <= MAX_PENDING_DELTAS + 1


async def test_a_delta_without_subscribers_is_dropped(bus: Bus):
    await bus.publish_delta(Delta(session="s1", turn="t1", text="hello"))
    await bus.last_sequence()  # on the same connection, so the delta has been processed

    async with aclosing(bus.subscribe_deltas("s1")) as deltas:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await anext(deltas)
