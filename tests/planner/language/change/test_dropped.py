""" "Never mind" drops what was asked last; it takes back a change only if that was made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

from bandsmith.services.planner.language.change.conversation import has_last_turn_changed
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session import HistoryEntry, Version

REF = Ref(key="0" * 64, media="application/xml", size=1)
START = datetime(2026, 1, 1, tzinfo=UTC)


def history(turns: int) -> list[HistoryEntry]:
    """What was said in turns that end a minute apart."""
    roles: tuple[Literal["user", "assistant"], ...] = ("user", "assistant")
    return [
        HistoryEntry(number=2 * turn + n, role=role, text="x", time=START + timedelta(minutes=turn))
        for turn in range(turns)
        for n, role in enumerate(roles, 1)
    ]


def made_in(turn: int) -> list[Version]:
    """A version that a turn made, a second before its end."""
    time = START + timedelta(minutes=turn) - timedelta(seconds=1)
    return [Version(number=1, template=REF, data=REF, author="x", time=time)]


def test_a_refused_message_changed_nothing_whatever_was_changed_before():
    assert not has_last_turn_changed(history(3), made_in(1))


def test_a_message_that_made_a_version_changed_something():
    assert has_last_turn_changed(history(3), made_in(2))
    assert has_last_turn_changed(history(1), made_in(0))


def test_without_a_version_nothing_was_changed():
    assert not has_last_turn_changed(history(2), [])
