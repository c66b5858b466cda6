"""States, with optimistic locking, and objects."""

import asyncio
import os

import pytest

from bandsmith.shared.bus.base import Bus, Conflict, storing_for
from bandsmith.shared.model.base import Ref
from tests.contracts.conftest import Connect


async def test_a_state_is_read_as_it_was_written(connect: Connect) -> None:
    one, other = await connect(), await connect()
    assert await one.read_state("s1") is None

    created = await one.write_state("s1", b"first", None)
    assert await other.read_state("s1") == (b"first", created)

    changed = await other.write_state("s1", b"second", created)
    assert await one.read_state("s1") == (b"second", changed)


async def test_a_concurrent_change_is_a_conflict(connect: Connect) -> None:
    one, other = await connect(), await connect()
    revision = await one.write_state("s1", b"first", None)
    await other.write_state("s1", b"second", revision)

    with pytest.raises(Conflict):
        await one.write_state("s1", b"mine", revision)
    with pytest.raises(Conflict):
        await one.write_state("s1", b"mine", None)

    newest = await one.read_state("s1")
    assert newest is not None and newest[0] == b"second"


async def test_of_several_concurrent_writers_one_wins(connect: Connect) -> None:
    clients = [await connect() for _ in range(4)]
    revision = await clients[0].write_state("s1", b"", None)

    results = await asyncio.gather(
        *(client.write_state("s1", b"%d" % number, revision) for number, client in enumerate(clients)),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Conflict", "Conflict", "int"]


async def test_state_keys_are_listed_by_prefix(bus: Bus):
    for key in ("session-b", "session-a", "other"):
        await bus.write_state(key, b"{}", None)
    assert await bus.state_keys("session-") == ["session-a", "session-b"]


async def stored(bus: Bus, content: bytes, session: str = "") -> Ref:
    with storing_for(session):
        return await bus.put(content, "image/png")


async def test_a_deleted_object_is_gone_and_can_be_stored_again(bus: Bus):
    content = os.urandom(1_200_000)
    ref, other = await stored(bus, content, "march"), await stored(bus, b"other", "march")
    await bus.delete_objects("march", [ref.key, "0" * 64])
    with pytest.raises(KeyError):
        await bus.get(ref)
    assert await bus.get(other) == b"other"
    assert await bus.get(await stored(bus, content, "march")) == content


async def test_an_object_of_two_sessions_is_gone_with_the_second(connect: Connect) -> None:
    """Given two sessions that stored the same content, each more than once
    When one of them is deleted, then the other
    Then the object is there until the second is deleted
    """
    bus, content = await connect(), os.urandom(700_000)
    refs = [await stored(bus, content, session) for session in ("march", "april", "march", "april")]
    for session in ("march", "april"):
        assert await (await connect()).get(refs[0]) == content
        await bus.delete_objects(session, [refs[0].key])
    with pytest.raises(KeyError):
        await (await connect()).get(refs[0])


async def test_an_object_that_is_stored_again_after_its_session_stays(connect: Connect) -> None:
    bus, content = await connect(), os.urandom(700_000)
    ref = await stored(bus, content, "march")
    await stored(bus, content, "april")
    await bus.delete_objects("march", [ref.key])
    await stored(bus, content, "march")
    await bus.delete_objects("april", [ref.key])
    assert await (await connect()).get(ref) == content


@pytest.mark.parametrize("session", ["", "april"], ids=["for later", "for another session"])
async def test_an_object_that_was_not_stored_for_the_session_alone_stays(bus: Bus, session: str):
    content = os.urandom(1000)
    ref = await stored(bus, content, session)
    await stored(bus, content, "march")
    await bus.delete_objects("march", [ref.key])
    assert await bus.get(ref) == content


async def test_an_object_stays_if_it_is_stored_while_it_is_deleted(connect: Connect) -> None:
    one, other = await connect(), await connect()
    for _ in range(10):
        content = os.urandom(1_200_000)
        ref = await stored(one, content, "march")
        await asyncio.gather(one.delete_objects("march", [ref.key]), stored(other, content, "april"))
        assert await (await connect()).get(ref) == content


async def test_a_deleted_state_is_gone_and_can_be_created_again(bus: Bus):
    await bus.write_state("session-a", b"old", None)
    assert await bus.delete_state("session-a") == b"old"
    assert await bus.delete_state("session-a") is None
    assert await bus.read_state("session-a") is None
    assert await bus.state_keys("session-") == []
    await bus.write_state("session-a", b"new", None)
    assert (await bus.read_state("session-a"))[0] == b"new"


@pytest.mark.parametrize("size", [0, 1, 512 * 1024, 5_000_000], ids=["nothing", "a byte", "a chunk", "5 MB"])
async def test_an_object_is_returned_unchanged(connect: Connect, size: int) -> None:
    data = os.urandom(size)
    one, other = await connect(), await connect()

    ref = await one.put(data, "image/png")

    assert (ref.media, ref.size) == ("image/png", size)
    assert await other.get(ref) == data
    assert await one.get(ref) == data


async def test_equal_bytes_have_equal_keys(connect: Connect) -> None:
    one, other = await connect(), await connect()

    assert await one.put(b"a form", "text/plain") == await other.put(b"a form", "text/plain")
    assert (await one.put(b"a form", "text/plain")).key != (await one.put(b"another", "text/plain")).key


@pytest.mark.parametrize("key", ["0" * 64, "*", ">", "", "a.b", "../../x"])
async def test_an_unknown_object_is_a_key_error(bus: Bus, key: str) -> None:
    await bus.put(b"something else", "text/plain")

    with pytest.raises(KeyError):
        await bus.get(Ref(key=key, media="text/plain", size=14))
