"""Dead letters: messages that could not be handled are kept and can be replayed."""

import pytest

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Envelope
from tests.contracts.bus.recording import RecordingHandler, command, dead_letters, event, first, quiet, soon
from tests.contracts.conftest import Connect


async def test_term_makes_a_dead_letter_with_its_reason(bus: Bus) -> None:
    handler = RecordingHandler("nak", "term")
    await bus.consume_commands("planner", handler)

    await bus.send(command("c1"))
    await handler.wait_for(2)
    await quiet()

    (letter,) = await bus.dead_letters()
    assert (letter.subject, letter.reason, letter.deliveries) == ("cmd.v1.planner.RecallKnowledge", "cannot be read", 2)
    assert Envelope.model_validate_json(letter.data).id == "c1"
    assert handler.received == ["c1", "c1"]


async def test_too_many_deliveries_make_a_dead_letter(connect: Connect) -> None:
    bus = await connect(max_deliveries=1)
    handler = RecordingHandler(*["nak"] * 9)
    await bus.consume_commands("planner", handler)

    await bus.send(command("c1"))

    (letter,) = await soon(dead_letters(bus))
    assert (letter.subject, letter.reason) == ("cmd.v1.planner.RecallKnowledge", "delivered too often")
    assert Envelope.model_validate_json(letter.data).id == "c1"
    assert letter.deliveries == len(handler.received)


async def test_handled_messages_leave_no_dead_letters(bus: Bus) -> None:
    handler = RecordingHandler("nak")
    await bus.consume_commands("planner", handler)
    await bus.send(command("c1"))
    await handler.wait_for(2)

    assert await bus.dead_letters() == []


async def test_a_replayed_dead_letter_is_handled_as_a_new_message(bus: Bus) -> None:
    handler = RecordingHandler("nak", "term")
    await bus.consume_commands("planner", handler)
    await bus.send(command("c1"))
    (letter,) = await soon(dead_letters(bus))

    assert await bus.dead_letter_counts() == {"planner": 1}

    assert await bus.replay(letter.name) == [letter]

    assert await handler.wait_for(3) == ["c1", "c1", "c1"]
    await quiet()
    assert handler.counts == [1, 2, 1]
    assert (await bus.dead_letters(), await bus.dead_letter_counts()) == ([], {})


async def test_a_replay_that_fails_is_a_dead_letter_again(connect: Connect) -> None:
    bus = await connect(max_deliveries=1)
    handler = RecordingHandler(*["nak"] * 20)
    await bus.consume_commands("planner", handler)
    await bus.send(command("c1"))
    (first_time,) = await soon(dead_letters(bus))
    assert await bus.dead_letter_counts() == {"planner": 1}

    await bus.replay(first_time.name)

    (second_time,) = await soon(dead_letters(bus))
    assert await bus.dead_letter_counts() == {"planner": 1}
    assert second_time.name != first_time.name
    assert (second_time.subject, second_time.data) == (first_time.subject, first_time.data)


async def test_a_replayed_event_is_in_the_log_once(bus: Bus) -> None:
    handler = RecordingHandler("term")
    await bus.consume_answers("gateway", handler)
    await bus.publish(event("e0"))
    await bus.publish(event("e1"))
    (letter,) = await soon(dead_letters(bus))

    await bus.replay(letter.name)

    await handler.wait_for(3)
    assert sorted(handler.received) == ["e0", "e0", "e1"]
    assert await first(2, bus.follow("s1")) == ["e1", "e0"]


async def test_replaying_an_unknown_name_is_an_error(bus: Bus) -> None:
    await bus.consume_commands("planner", RecordingHandler("term"))
    await bus.send(command("c1"))
    (letter,) = await soon(dead_letters(bus))

    for name in ("CMD.99", "99", "", "*"):
        with pytest.raises(BadInput, match="no dead letter"):
            await bus.replay(letter.name, name)
    assert await bus.dead_letters() == [letter]
