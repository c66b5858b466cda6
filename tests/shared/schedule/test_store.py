"""The store of calendars on SQLite and PostgreSQL: every commit once, nobody's change lost, collisions refused."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import place
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.store import CalendarStore
from tests.postgres import postgres_server

from .calendars import generated, revision


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CalendarStore]:
    if request.param == "sqlite":
        opened = CalendarStore(f"sqlite:///{tmp_path / 'new folder' / 'calendars.db'}")
        opened.put("main", revision())
        yield opened
        opened.close()
        return
    with postgres_server() as url:
        opened = CalendarStore(url)
        opened.put("main", revision())
        yield opened
        opened.close()


def placing(item: str, day: int, slot: int, before: Schedule | None = None) -> Difference:
    before = before or revision()
    return Difference.between(before, place(before, item, day, slot))


def position(store: CalendarStore, item: str) -> tuple[int, int] | None:
    found = store.load("main").schedule.item(item)
    assert found is not None
    return found.at.order if found.at else None


def test_a_commit_changes_only_what_it_says(store: CalendarStore):
    stored = store.commit("main", placing("a1", 1, 3), "first")
    assert stored.revision == 2
    assert store.load("main") == stored
    assert position(store, "a1") == (1, 3)
    assert position(store, "m1") is None


def test_the_same_commit_is_stored_once(store: CalendarStore):
    for _ in range(2):
        stored = store.commit("main", placing("a1", 1, 3), "first")
    assert stored.revision == 2


def test_changes_of_others_are_kept(store: CalendarStore):
    store.commit("main", placing("m1", 1, 5), "another's")
    store.commit("main", placing("a1", 1, 3), "mine")
    assert (position(store, "m1"), position(store, "a1")) == ((1, 5), (1, 3))


@pytest.mark.parametrize(
    ("item", "reason"), [("m1", "would overlap"), ("a1", "Another user has changed A1")], ids=["slot", "item"]
)
def test_a_change_that_collides_with_anothers_is_refused(store: CalendarStore, item: str, reason: str):
    store.commit("main", placing(item, 1, 4), "another's")
    with pytest.raises(ChangeRefused, match=reason):
        store.commit("main", placing("a1", 1, 3), "mine")
    assert store.load("main").revision == 2


def test_two_writers_at_once_lose_nothing(store: CalendarStore):
    """Ten items, placed side by side, from the same revision each."""
    calendar = generated(3, items=10).model_copy(update={"events": []})
    calendar = calendar.model_copy(
        update={"classes": [c.model_copy(update={"excluded_slots": []}) for c in calendar.classes]}
    )
    calendar = calendar.model_copy(
        update={"classes": [c.model_copy(update={"excluded_weekdays": []}) for c in calendar.classes]}
    )
    store.put("main", calendar)
    days = {item.id: number + 1 for number, item in enumerate(sorted(calendar.items, key=lambda item: item.number))}
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: store.commit("main", placing(i, days[i], 3, calendar), i), days))
    assert {item.id: item.at.day for item in store.load("main").schedule.items if item.at} == days


def test_an_unknown_calendar_is_named(store: CalendarStore):
    with pytest.raises(BadInput, match="There is no calendar “work”"):
        store.load("work")


def test_a_database_that_cannot_be_opened_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BadInput, match="cannot be opened"):
        CalendarStore(f"sqlite:///{tmp_path / 'file' / 'calendars.db'}")
