"""Names that become parts of subjects, and messages that belong nowhere."""

import pytest

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Envelope
from tests.contracts.bus.desk import Desk, event, first


@pytest.mark.parametrize("name", ["", "a.b", "a b", "*", ">", "会话", "a\r\nPUB x", "x" * 129])
async def test_a_name_that_cannot_be_part_of_a_subject_is_refused(bus: Bus, name: str) -> None:
    with pytest.raises(BadInput):
        await bus.publish(event("e0", session=name))
    with pytest.raises(BadInput):
        await first(1, bus.follow(name))
    with pytest.raises(BadInput):
        await bus.write_state(name * 2, b"", None)
    with pytest.raises(BadInput):
        await bus.consume_answers(name, Desk())


async def test_what_is_kept_under_the_longest_name_may_have_a_word_before_it(bus: Bus) -> None:
    key = f"session-{'x' * 128}"
    await bus.write_state(key, b"{}", None)
    assert await bus.state_keys("session-") == [key]


async def test_an_event_is_no_command_and_what_is_neither_goes_nowhere(bus: Bus) -> None:
    with pytest.raises(KeyError):
        await bus.send(event("e0"))
    with pytest.raises(KeyError):
        await bus.publish(Envelope(id="x", kind="Nothing", session="s1", turn="t1", payload={}))
