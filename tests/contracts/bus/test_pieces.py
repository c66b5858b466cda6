"""Pieces of a reply are heard while it is written, and kept for nobody."""

import asyncio
from contextlib import aclosing, suppress

from bandsmith.shared.bus.base import MAX_PENDING_DELTAS, Bus, Delta
from tests.contracts.bus.desk import quiet, soon
from tests.contracts.conftest import Connect


async def test_pieces_of_a_reply_are_heard_by_who_listens_to_that_session(connect: Connect):
    speaker, listener = await connect(), await connect()
    heard = asyncio.Queue[str]()

    async def listen() -> None:
        async with aclosing(listener.subscribe_deltas("s1")) as pieces:
            async for piece in pieces:
                heard.put_nowait(piece.text)

    ear = asyncio.create_task(listen())
    async with asyncio.timeout(20):
        while heard.empty():  # nobody tells when it listens
            await speaker.publish_delta(Delta(session="s1", turn="t1", text="hello?"))
            await asyncio.sleep(0.01)
    await speaker.publish_delta(Delta(session="s2", turn="t1", text="not for us"))
    for text in ("two ", "words"):
        await speaker.publish_delta(Delta(session="s1", turn="t1", text=text))
    said = [await soon(heard.get())]
    while said[-1] != "words":
        said.append(await soon(heard.get()))
    ear.cancel()
    assert [text for text in said if text != "hello?"] == ["two ", "words"]


async def test_one_who_does_not_read_keeps_a_bounded_number_of_pieces(connect: Connect):
    speaker, listener = await connect(), await connect()
    async with aclosing(listener.subscribe_deltas("s1")) as pieces:
        hearing = asyncio.ensure_future(anext(pieces))
        await quiet()
        await listener.last_sequence()  # asked on the same connection: the server knows that it listens
        for number in range(2 * MAX_PENDING_DELTAS):
            await speaker.publish_delta(Delta(session="s1", turn="t1", text=f"{number}"))
        await speaker.last_sequence()
        await listener.last_sequence()  # asked on the same connection, so all that was said has come
        heard = [(await soon(hearing)).text]
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(0.3):
                    heard.append((await anext(pieces)).text)

    assert heard == [f"{number}" for number in range(len(heard))]
    assert 1 < len(heard) <= MAX_PENDING_DELTAS + 1


async def test_speaking_to_nobody_is_harmless(bus: Bus):
    await bus.publish_delta(Delta(session="s1", turn="t1", text="hello"))
