"""Dead letters: what could not be handled lies aside, and can be put back."""

import pytest

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Envelope
from tests.contracts.bus.desk import Desk, buried, command, event, first, quiet, soon
from tests.contracts.conftest import Connect


async def test_what_is_given_up_is_a_dead_letter_with_its_reason_and_comes_no_more(bus: Bus) -> None:
    desk = Desk("nak", "term")
    await bus.consume_commands("planner", desk)

    await bus.send(command("c1"))
    await desk.has(2)
    await quiet()

    (letter,) = await bus.dead_letters()
    assert (letter.subject, letter.reason, letter.deliveries) == ("cmd.v1.planner.RecallKnowledge", "cannot be read", 2)
    assert Envelope.model_validate_json(letter.data).id == "c1"
    assert desk.got == ["c1", "c1"]


async def test_what_is_delivered_too_often_is_a_dead_letter(connect: Connect) -> None:
    bus = await connect(max_deliveries=1)
    desk = Desk(*["nak"] * 9)
    await bus.consume_commands("planner", desk)

    await bus.send(command("c1"))

    (letter,) = await soon(buried(bus))
    assert (letter.subject, letter.reason) == ("cmd.v1.planner.RecallKnowledge", "delivered too often")
    assert Envelope.model_validate_json(letter.data).id == "c1"
    assert letter.deliveries == len(desk.got)


async def test_there_are_no_dead_letters_where_all_went_well(bus: Bus) -> None:
    desk = Desk("nak")
    await bus.consume_commands("planner", desk)
    await bus.send(command("c1"))
    await desk.has(2)

    assert await bus.dead_letters() == []


async def test_a_dead_letter_that_is_replayed_is_worked_on_like_a_new_message(bus: Bus) -> None:
    desk = Desk("nak", "term")
    await bus.consume_commands("planner", desk)
    await bus.send(command("c1"))
    (letter,) = await soon(buried(bus))

    assert await bus.dead_letter_counts() == {"planner": 1}

    assert await bus.replay(letter.name) == [letter]

    assert await desk.has(3) == ["c1", "c1", "c1"]
    await quiet()
    assert desk.counts == [1, 2, 1]
    assert (await bus.dead_letters(), await bus.dead_letter_counts()) == ([], {})


async def test_a_dead_letter_that_fails_again_after_its_replay_is_a_dead_letter_again(connect: Connect) -> None:
    bus = await connect(max_deliveries=1)
    desk = Desk(*["nak"] * 20)
    await bus.consume_commands("planner", desk)
    await bus.send(command("c1"))
    (first_time,) = await soon(buried(bus))
    assert await bus.dead_letter_counts() == {"planner": 1}

    await bus.replay(first_time.name)

    (second_time,) = await soon(buried(bus))
    assert await bus.dead_letter_counts() == {"planner": 1}
    assert second_time.name != first_time.name
    assert (second_time.subject, second_time.data) == (first_time.subject, first_time.data)


async def test_an_event_that_is_replayed_stands_in_the_log_once(bus: Bus) -> None:
    desk = Desk("term")
    await bus.consume_answers("gateway", desk)
    await bus.publish(event("e0"))
    await bus.publish(event("e1"))
    (letter,) = await soon(buried(bus))

    await bus.replay(letter.name)

    await desk.has(3)
    assert sorted(desk.got) == ["e0", "e0", "e1"]
    assert await first(2, bus.follow("s1")) == ["e1", "e0"]


async def test_only_a_dead_letter_can_be_replayed(bus: Bus) -> None:
    await bus.consume_commands("planner", Desk("term"))
    await bus.send(command("c1"))
    (letter,) = await soon(buried(bus))

    for name in ("CMD.99", "99", "", "*"):
        with pytest.raises(BadInput, match="no dead letter"):
            await bus.replay(letter.name, name)
    assert await bus.dead_letters() == [letter]
