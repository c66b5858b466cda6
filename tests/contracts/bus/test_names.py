"""Names in subjects, and messages without a subject."""

import pytest

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Envelope
from tests.contracts.bus.recording import RecordingHandler, event, first


@pytest.mark.parametrize("name", ["", "a.b", "a b", "*", ">", "会话", "a\r\nPUB x", "x" * 129])
async def test_an_invalid_subject_name_is_rejected(bus: Bus, name: str) -> None:
    with pytest.raises(BadInput):
        await bus.publish(event("e0", session=name))
    with pytest.raises(BadInput):
        await first(1, bus.follow(name))
    with pytest.raises(BadInput):
        await bus.write_state(name * 2, b"", None)
    with pytest.raises(BadInput):
        await bus.consume_answers(name, RecordingHandler())


async def test_a_state_key_may_prefix_the_longest_name(bus: Bus) -> None:
    key = f"session-{'x' * 128}"
    await bus.write_state(key, b"{}", None)
    assert await bus.state_keys("session-") == [key]


async def test_events_cannot_be_sent_nor_unknown_kinds_published(bus: Bus) -> None:
    with pytest.raises(KeyError):
        await bus.send(event("e0"))
    with pytest.raises(KeyError):
        await bus.publish(Envelope(id="x", kind="Nothing", session="s1", turn="t1", payload={}))
