"""What any bus promises: one suite, for the real one and for the double."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing, suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from shared.bus.base import UNHEARD, Bus, Conflict, DeadLetter, Delivery, Delta, Queue, Replica
from shared.errors import BadInput
from shared.events import Envelope, GenerateSkeleton, KnowledgeRecalled, RecallKnowledge
from shared.model.base import Ref
from tests.contracts.conftest import Connect

T = TypeVar("T")
NOTHING = Ref(key="0" * 64, media="application/json", size=2)
LONG = 60.0
"""Seconds that no test waits for: with such an ``ack_wait``, only an early hand-over delivers again."""
PATIENT = 1.0
"""Seconds in which everybody has answered the roll, on a busy machine too."""


def command(name: str, *, session: str = "s1") -> Envelope:
    """One for the planner."""
    payload = RecallKnowledge(text="", layout=NOTHING).model_dump()
    return Envelope(id=name, kind="RecallKnowledge", session=session, turn="t1", payload=payload)


def event(name: str, *, session: str = "s1") -> Envelope:
    payload = KnowledgeRecalled().model_dump()
    return Envelope(id=name, kind="KnowledgeRecalled", session=session, turn="t1", payload=payload)


class Desk:
    """A worker that notes what it was given and does to it what it was told to."""

    def __init__(self, *settlements: str) -> None:
        self._settlements = list(settlements)
        self.got: list[str] = []
        self.counts: list[int] = []
        self.arrived = asyncio.Condition()

    async def __call__(self, delivery: Delivery) -> None:
        async with self.arrived:
            self.got.append(Envelope.model_validate_json(delivery.data).id)
            self.counts.append(delivery.count)
            self.arrived.notify_all()
        match self._settlements.pop(0) if self._settlements else "ack":
            case "ack":
                await delivery.ack()
            case "nak":
                await delivery.nak()
            case "term":
                await delivery.term("cannot be read")
            case "leave":
                pass
            case "hang":
                await asyncio.sleep(LONG)
            case "raise":
                raise RuntimeError("a mistake in a handler")

    async def has(self, count: int) -> list[str]:
        async def enough() -> None:
            async with self.arrived:
                await self.arrived.wait_for(lambda: len(self.got) >= count)

        await soon(enough())
        return self.got


async def soon(thing: Awaitable[T]) -> T:
    async with asyncio.timeout(20):
        return await thing


async def quiet() -> None:
    """Long enough for a message that should not come to come."""
    await asyncio.sleep(0.3)


async def buried(bus: Bus) -> list[DeadLetter]:
    while not (letters := await bus.dead()):  # noqa: ASYNC110 - a bus does not announce them
        await asyncio.sleep(0.01)
    return letters


async def first(count: int, events: AsyncGenerator[Envelope]) -> list[str]:
    names: list[str] = []
    async with asyncio.timeout(20), aclosing(events):
        async for one in events:
            names.append(one.id)
            if len(names) == count:
                break
    return names


# --- commands --------------------------------------------------------------------------------------------------------


async def test_a_command_reaches_exactly_one_of_the_workers(connect: Connect) -> None:
    one, other = await connect(), await connect()
    desk = Desk()
    await one.work("planner", desk, concurrency=3)
    await other.work("planner", desk, concurrency=3)

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
    await (await connect()).work("planner", desk)

    assert await desk.has(1) == ["c1"]


async def test_a_worker_gets_only_the_commands_of_its_service(bus: Bus) -> None:
    planner, generator = Desk(), Desk()
    await bus.work("planner", planner)
    await bus.work("generator", generator)
    skeleton = GenerateSkeleton(layout=NOTHING, form=NOTHING, name="x").model_dump()

    await bus.send(command("c1"))
    await bus.send(Envelope(id="c2", kind="GenerateSkeleton", session="s1", turn="t1", payload=skeleton))

    assert (await planner.has(1), await generator.has(1)) == (["c1"], ["c2"])


async def test_sending_a_command_twice_is_sending_it_once(bus: Bus) -> None:
    desk = Desk()
    await bus.work("planner", desk, concurrency=4)

    for name in ("c1", "c1", "c2", "c1"):
        await bus.send(command(name))

    await desk.has(2)
    await quiet()
    assert desk.got == ["c1", "c2"]


async def test_a_command_handed_back_comes_again_and_says_how_often(bus: Bus) -> None:
    desk = Desk("nak", "nak", "ack")
    await bus.work("planner", desk)

    await bus.send(command("c1"))

    assert await desk.has(3) == ["c1", "c1", "c1"]
    assert desk.counts == [1, 2, 3]


async def test_a_command_whose_handler_fails_comes_again(bus: Bus) -> None:
    desk = Desk("raise")
    await bus.work("planner", desk)

    await bus.send(command("c1"))

    assert await desk.has(2) == ["c1", "c1"]


async def test_a_command_that_nobody_settles_comes_again(connect: Connect) -> None:
    bus = await connect(ack_wait=0.3)
    desk = Desk("leave")
    await bus.work("planner", desk)

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

    await bus.work("planner", slow, concurrency=2)
    await bus.send(command("c1"))

    await desk.has(1)
    await quiet()
    assert desk.counts == [1]


@pytest.mark.parametrize("leave", ["stop", "close"])
async def test_a_worker_that_leaves_hands_back_what_it_could_not_finish(connect: Connect, leave: str) -> None:
    one, other = await connect(ack_wait=LONG), await connect(ack_wait=LONG)
    leaving, staying = Desk("hang", "hang"), Desk()
    subscription = await one.work("planner", leaving, concurrency=2)
    await one.send(command("c1"))
    await one.send(command("c2"))
    await leaving.has(2)

    await soon(subscription.stop() if leave == "stop" else one.close())
    await other.work("planner", staying)

    assert sorted(await staying.has(2)) == ["c1", "c2"]


async def test_a_worker_that_leaves_finishes_what_it_can(connect: Connect) -> None:
    bus = await connect(drain=LONG)
    desk, begun = Desk(), asyncio.Event()

    async def slow(delivery: Delivery) -> None:
        begun.set()
        await asyncio.sleep(0.2)
        await desk(delivery)

    subscription = await bus.work("planner", slow)
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

    await bus.work("planner", handle, concurrency=3)
    for number in range(12):
        await bus.send(command(f"c{number}"))

    await desk.has(12)
    assert most == 3


@pytest.mark.parametrize("before", range(4))
async def test_a_worker_has_as_much_in_hand_as_it_asked_for_whatever_came_before(bus: Bus, before: int) -> None:
    desk = Desk(*["ack"] * before, *["hang"] * 4)
    await bus.work("planner", desk, concurrency=4)
    for number in range(before):
        await bus.send(command(f"b{number}"))
    await desk.has(before)
    await quiet()

    for number in range(4):
        await bus.send(command(f"c{number}"))

    async with asyncio.timeout(3):  # a worker that missed it looks again after some seconds
        await desk.has(before + 4)


# --- dead letters ----------------------------------------------------------------------------------------------------


async def test_what_is_given_up_is_a_dead_letter_with_its_reason_and_comes_no_more(bus: Bus) -> None:
    desk = Desk("nak", "term")
    await bus.work("planner", desk)

    await bus.send(command("c1"))
    await desk.has(2)
    await quiet()

    (letter,) = await bus.dead()
    assert (letter.subject, letter.reason, letter.deliveries) == ("cmd.v1.planner.RecallKnowledge", "cannot be read", 2)
    assert Envelope.model_validate_json(letter.data).id == "c1"
    assert desk.got == ["c1", "c1"]


async def test_what_is_delivered_too_often_is_a_dead_letter(connect: Connect) -> None:
    bus = await connect(deliveries=1)
    desk = Desk(*["nak"] * 9)
    await bus.work("planner", desk)

    await bus.send(command("c1"))

    (letter,) = await soon(buried(bus))
    assert (letter.subject, letter.reason) == ("cmd.v1.planner.RecallKnowledge", "delivered too often")
    assert Envelope.model_validate_json(letter.data).id == "c1"
    assert letter.deliveries == len(desk.got)


async def test_there_are_no_dead_letters_where_all_went_well(bus: Bus) -> None:
    desk = Desk("nak")
    await bus.work("planner", desk)
    await bus.send(command("c1"))
    await desk.has(2)

    assert await bus.dead() == []


async def test_a_dead_letter_that_is_replayed_is_worked_on_like_a_new_message(bus: Bus) -> None:
    desk = Desk("nak", "term")
    await bus.work("planner", desk)
    await bus.send(command("c1"))
    (letter,) = await soon(buried(bus))

    assert await bus.dead_counts() == {"planner": 1}

    assert await bus.replay(letter.name) == [letter]

    assert await desk.has(3) == ["c1", "c1", "c1"]
    await quiet()
    assert desk.counts == [1, 2, 1]
    assert (await bus.dead(), await bus.dead_counts()) == ([], {})


async def test_a_dead_letter_that_fails_again_after_its_replay_is_a_dead_letter_again(connect: Connect) -> None:
    bus = await connect(deliveries=1)
    desk = Desk(*["nak"] * 20)
    await bus.work("planner", desk)
    await bus.send(command("c1"))
    (first_time,) = await soon(buried(bus))
    assert await bus.dead_counts() == {"planner": 1}

    await bus.replay(first_time.name)

    (second_time,) = await soon(buried(bus))
    assert await bus.dead_counts() == {"planner": 1}
    assert second_time.name != first_time.name
    assert (second_time.subject, second_time.data) == (first_time.subject, first_time.data)


async def test_an_event_that_is_replayed_stands_in_the_log_once(bus: Bus) -> None:
    desk = Desk("term")
    await bus.listen("gateway", desk)
    await bus.publish(event("e0"))
    await bus.publish(event("e1"))
    (letter,) = await soon(buried(bus))

    await bus.replay(letter.name)

    await desk.has(3)
    assert sorted(desk.got) == ["e0", "e0", "e1"]
    assert await first(2, bus.follow("s1")) == ["e1", "e0"]


async def test_only_a_dead_letter_can_be_replayed(bus: Bus) -> None:
    await bus.work("planner", Desk("term"))
    await bus.send(command("c1"))
    (letter,) = await soon(buried(bus))

    for name in ("CMD.99", "99", "", "*"):
        with pytest.raises(BadInput, match="no dead letter"):
            await bus.replay(letter.name, name)
    assert await bus.dead() == [letter]


# --- who works, and what waits ---------------------------------------------------------------------------------------


def replica(name: str, service: str = "planner", **more: int) -> Replica:
    counts = {"in_hand": 0, "handled": 0, "failed": 0} | more
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return Replica(name=name, service=service, host="here", process="here/1", version="1", began=began, **counts)


async def test_a_queue_tells_what_waits_and_what_is_in_hand(bus: Bus) -> None:
    desk = Desk("nak", "hang", "hang")
    await bus.work("planner", desk, concurrency=2)
    await bus.send(command("c0"))
    await desk.has(2)
    for number in range(1, 5):
        await bus.send(command(f"c{number}"))
    await desk.has(3)

    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=3, in_hand=2, redelivered=1)]


async def test_a_queue_that_was_worked_off_is_empty(bus: Bus) -> None:
    desk = Desk()
    await bus.listen("gateway", desk)
    await bus.publish(event("e0"))
    await desk.has(1)

    while (await bus.queues())[0].in_hand:  # noqa: ASYNC110 - nothing tells when the server knows
        await asyncio.sleep(0.01)

    assert await bus.queues() == [Queue(service="gateway", holds="answers", waiting=0, in_hand=0, redelivered=0)]


async def test_what_waits_is_told_though_nobody_ever_worked_there(bus: Bus) -> None:
    assert await bus.queues() == []

    await bus.send(command("c1"))

    assert await bus.queues() == [Queue(service="planner", holds="commands", waiting=1, in_hand=0, redelivered=0)]


async def test_whoever_attends_answers_when_the_roll_is_called(connect: Connect) -> None:
    one, other, caller = await connect(), await connect(), await connect()
    handled = 0
    attending = await one.attend(lambda: replica("a", handled=handled))
    await one.attend(lambda: replica("b", "ocr"))
    await other.attend(lambda: replica("c"))

    handled = 7
    assert await caller.roll(PATIENT) == [replica("b", "ocr"), replica("a", handled=7), replica("c")]

    await attending.stop()
    await other.close()
    assert await caller.roll(PATIENT) == [replica("b", "ocr")]


async def test_where_nobody_attends_the_roll_is_empty(bus: Bus) -> None:
    async with asyncio.timeout(5):
        assert await bus.roll(60) == []


# --- events ----------------------------------------------------------------------------------------------------------


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
    bus = await connect(drain=LONG)
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
    bus = await connect(drain=LONG)
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
    await bus.work("planner", desk)
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
    await one.listen("gateway", gateway)
    await other.listen("gateway", gateway)
    await other.listen("audit", audit)

    await one.publish(event("e1"))
    await one.publish(event("e2", session="s2"))

    await gateway.has(3)
    await audit.has(3)
    await quiet()
    assert sorted(gateway.got) == sorted(audit.got) == ["e0", "e1", "e2"]


async def test_an_event_that_was_handed_back_comes_again(bus: Bus) -> None:
    desk = Desk("nak")
    await bus.listen("gateway", desk)

    await bus.publish(event("e0"))

    assert await desk.has(2) == ["e0", "e0"]


# --- states ----------------------------------------------------------------------------------------------------------


async def test_a_state_is_read_as_it_was_written(connect: Connect) -> None:
    one, other = await connect(), await connect()
    assert await one.read_state("s1") is None

    created = await one.write_state("s1", b"first", None)
    assert await other.read_state("s1") == (b"first", created)

    changed = await other.write_state("s1", b"second", created)
    assert await one.read_state("s1") == (b"second", changed)


async def test_a_state_that_someone_else_changed_is_a_conflict(connect: Connect) -> None:
    one, other = await connect(), await connect()
    revision = await one.write_state("s1", b"first", None)
    await other.write_state("s1", b"second", revision)

    with pytest.raises(Conflict):
        await one.write_state("s1", b"mine", revision)
    with pytest.raises(Conflict):
        await one.write_state("s1", b"mine", None)

    newest = await one.read_state("s1")
    assert newest is not None and newest[0] == b"second"


async def test_of_many_that_write_at_once_one_wins(connect: Connect) -> None:
    clients = [await connect() for _ in range(4)]
    revision = await clients[0].write_state("s1", b"", None)

    results = await asyncio.gather(
        *(client.write_state("s1", b"%d" % number, revision) for number, client in enumerate(clients)),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Conflict", "Conflict", "int"]


# --- objects ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 512 * 1024, 5_000_000], ids=["nothing", "a byte", "a chunk", "5 MB"])
async def test_an_object_comes_back_as_it_was_put(connect: Connect, size: int) -> None:
    data = os.urandom(size)
    one, other = await connect(), await connect()

    ref = await one.put(data, "image/png")

    assert (ref.media, ref.size) == ("image/png", size)
    assert await other.get(ref) == data
    assert await one.get(ref) == data


async def test_the_same_bytes_have_the_same_key(connect: Connect) -> None:
    one, other = await connect(), await connect()

    assert await one.put(b"a form", "text/plain") == await other.put(b"a form", "text/plain")
    assert (await one.put(b"a form", "text/plain")).key != (await one.put(b"another", "text/plain")).key


@pytest.mark.parametrize("key", ["0" * 64, "*", ">", "", "a.b", "../../x"])
async def test_an_object_that_was_never_put_is_missing(bus: Bus, key: str) -> None:
    await bus.put(b"something else", "text/plain")

    with pytest.raises(KeyError):
        await bus.get(Ref(key=key, media="text/plain", size=14))


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "a.b", "a b", "*", ">", "会话", "a\r\nPUB x", "x" * 129])
async def test_a_name_that_cannot_be_part_of_a_subject_is_refused(bus: Bus, name: str) -> None:
    with pytest.raises(BadInput):
        await bus.publish(event("e0", session=name))
    with pytest.raises(BadInput):
        await first(1, bus.follow(name))
    with pytest.raises(BadInput):
        await bus.write_state(name * 2, b"", None)
    with pytest.raises(BadInput):
        await bus.listen(name, Desk())


async def test_what_is_kept_under_the_longest_name_may_have_a_word_before_it(bus: Bus) -> None:
    key = f"session-{'x' * 128}"
    await bus.write_state(key, b"{}", None)
    assert await bus.states("session-") == [key]


async def test_an_event_is_no_command_and_what_is_neither_goes_nowhere(bus: Bus) -> None:
    with pytest.raises(KeyError):
        await bus.send(event("e0"))
    with pytest.raises(KeyError):
        await bus.publish(Envelope(id="x", kind="Nothing", session="s1", turn="t1", payload={}))


# --- what a conversation needs ---------------------------------------------------------------------------------------


async def test_a_follower_may_begin_behind_what_is_already_there(bus: Bus):
    await bus.publish(event("old"))
    place = await bus.place()
    await bus.publish(event("other", session="s2"))
    await bus.publish(event("new"))
    async with aclosing(bus.follow("s1", after=place)) as events:
        assert (await soon(anext(events))).id == "new"


async def test_a_log_without_events_has_the_place_zero_or_stands_where_it_stood(bus: Bus):
    place = await bus.place()
    await bus.publish(event("one"))
    assert await bus.place() == place + 1


async def test_pieces_of_a_reply_are_heard_by_who_listens_to_that_session(connect: Connect):
    speaker, listener = await connect(), await connect()
    heard = asyncio.Queue[str]()

    async def listen() -> None:
        async with aclosing(listener.hear("s1")) as pieces:
            async for piece in pieces:
                heard.put_nowait(piece.text)

    ear = asyncio.create_task(listen())
    async with asyncio.timeout(20):
        while heard.empty():  # nobody tells when it listens
            await speaker.speak(Delta(session="s1", turn="t1", text="hello?"))
            await asyncio.sleep(0.01)
    await speaker.speak(Delta(session="s2", turn="t1", text="not for us"))
    for text in ("two ", "words"):
        await speaker.speak(Delta(session="s1", turn="t1", text=text))
    said = [await soon(heard.get())]
    while said[-1] != "words":
        said.append(await soon(heard.get()))
    ear.cancel()
    assert [text for text in said if text != "hello?"] == ["two ", "words"]


async def test_one_who_does_not_read_keeps_a_bounded_number_of_pieces(connect: Connect):
    speaker, listener = await connect(), await connect()
    async with aclosing(listener.hear("s1")) as pieces:
        hearing = asyncio.ensure_future(anext(pieces))
        await quiet()
        await listener.place()  # asked on the same connection: the server knows that it listens
        for number in range(2 * UNHEARD):
            await speaker.speak(Delta(session="s1", turn="t1", text=f"{number}"))
        await speaker.place()
        await listener.place()  # asked on the same connection, so all that was said has come
        heard = [(await soon(hearing)).text]
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(0.3):
                    heard.append((await anext(pieces)).text)

    assert heard == [f"{number}" for number in range(len(heard))]
    assert 1 < len(heard) <= UNHEARD + 1


async def test_speaking_to_nobody_is_harmless(bus: Bus):
    await bus.speak(Delta(session="s1", turn="t1", text="hello"))


async def test_states_are_listed_by_the_beginning_of_their_keys(bus: Bus):
    for key in ("session-b", "session-a", "other"):
        await bus.write_state(key, b"{}", None)
    assert await bus.states("session-") == ["session-a", "session-b"]


async def test_a_state_that_was_deleted_is_gone_and_may_be_made_anew(bus: Bus):
    await bus.write_state("session-a", b"old", None)
    assert await bus.delete_state("session-a") == b"old"
    assert await bus.delete_state("session-a") is None
    assert await bus.read_state("session-a") is None
    assert await bus.states("session-") == []
    await bus.write_state("session-a", b"new", None)
    assert (await bus.read_state("session-a"))[0] == b"new"


async def test_a_session_that_is_forgotten_has_no_events_and_the_others_keep_theirs(bus: Bus):
    await bus.publish(event("mine"))
    await bus.publish(event("theirs", session="s2"))
    await bus.forget("s1")
    await bus.publish(event("later"))
    async with aclosing(bus.follow("s1")) as events:
        assert (await soon(anext(events))).id == "later"
    async with aclosing(bus.follow("s2")) as events:
        assert (await soon(anext(events))).id == "theirs"
