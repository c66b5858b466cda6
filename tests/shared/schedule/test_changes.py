"""Changes of a calendar: what is carried out, what is refused, and that nothing illegal ever comes of them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import EntryMove, batch_move, move, place, swap, unplace
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.rules import violations

from .calendars import event, generated, revision


def where(schedule: Schedule, entry: str) -> tuple[int, int] | None:
    found = schedule.item(entry) or schedule.event(entry)
    assert found is not None
    return found.at.order if found.at else None


def test_a_pending_item_is_placed_as_a_suggestion():
    placed = place(revision(), "a1", 1, 3)
    assert where(placed, "a1") == (1, 3)
    assert placed.item("a1").status == "suggested"  # type: ignore[union-attr]


def test_an_item_inside_of_an_event_belongs_to_it_and_moves_with_it():
    inside = place(revision(), "a1", 2, 4)
    assert inside.item("a1").host == "shift"  # type: ignore[union-attr]
    moved = move(inside, "shift", 3, 7)
    assert where(moved, "a1") == (3, 8)


def test_an_item_inside_of_a_locked_event_stays():
    calendar = revision().model_copy(update={"events": [event("Shift", 2, 3, 4, can_embed=True, is_locked=True)]})
    inside = place(calendar, "a1", 2, 3)
    for change in (lambda: move(inside, "a1", 3, 1), lambda: unplace(inside, "a1")):
        with pytest.raises(ChangeRefused, match="Shift is locked"):
            change()


def test_moves_that_exchange_positions_are_carried_out_together():
    both = place(place(revision(), "a1", 1, 3), "m1", 1, 5)
    swapped = batch_move(both, [EntryMove("a1", 1, 5), EntryMove("m1", 1, 3)])
    assert (where(swapped, "a1"), where(swapped, "m1")) == ((1, 5), (1, 3))
    assert swapped == swap(both, "a1", "m1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda s: place(s, "a1", 1, 2), "would overlap"),
        (lambda s: place(s, "m1", 2, 3), "may not be placed inside"),
        (lambda s: place(s, "a1", 7, 1), "excludes that weekday"),
        (lambda s: place(s, "m1", 1, 10), "excludes that slot"),
        (lambda s: place(s, "a1", 9, 1), "has days 1 to 7"),
        (lambda s: place(s, "a1", 1, 12), "cannot begin in slot 12"),
        (lambda s: place(place(s, "a2", 1, 3), "a1", 1, 5), "A2 comes after A1"),
        (lambda s: place(place(s, "a1", 2, 3), "a2", 2, 5), "A1 is already inside Shift"),
        (lambda s: place(place(s, "a1", 1, 3), "a1", 1, 5), "is already on day 1 from slot 3"),
        (lambda s: place(s, "shift", 1, 3), "is an event"),
        (lambda s: move(s, "a1", 1, 3), "can only be placed"),
        (lambda s: move(s, "lecture", 1, 3), "is locked"),
        (lambda s: unplace(s, "shift"), "is an event"),
        (lambda s: unplace(s, "nothing"), "no event or task item with the id nothing"),
        (lambda s: swap(place(s, "a1", 1, 3), "a1", "shift"), "of different lengths"),
        (lambda s: swap(place(s, "a1", 1, 3), "a1", "a1"), "with itself"),
        (lambda s: batch_move(s, [EntryMove("shift", 3, 1), EntryMove("shift", 3, 2)]), "moved twice"),
    ],
)
def test_what_a_rule_forbids_is_refused_with_its_reason(change: Callable[[Schedule], Schedule], reason: str):
    with pytest.raises(ChangeRefused, match=reason) as refused:
        change(revision())
    assert refused.value.reason.zh != refused.value.reason.en


def test_one_refused_move_undoes_the_whole_batch():
    calendar = place(revision(), "a1", 1, 3)
    with pytest.raises(ChangeRefused):
        batch_move(calendar, [EntryMove("a1", 1, 5), EntryMove("lecture", 3, 1)])
    assert where(calendar, "a1") == (1, 3)


def test_a_collision_that_came_with_the_calendar_stops_no_other_change():
    calendar = revision()
    calendar = calendar.model_copy(update={"events": [*calendar.events, event("Meeting", 1, 2)]})
    assert where(place(calendar, "a1", 1, 5), "a1") == (1, 5)


def random_change(schedule: Schedule, chance: random.Random) -> Schedule:
    """Try one change with arguments that may be right or wrong."""
    ids = [entry.id for entry in schedule.entries] + ["unknown"]
    day, slot = chance.randint(0, schedule.window.days + 1), chance.randint(0, schedule.window.slots + 1)
    match chance.randrange(5):
        case 0:
            return place(schedule, chance.choice(ids), day, slot)
        case 1:
            return move(schedule, chance.choice(ids), day, slot)
        case 2:
            return swap(schedule, chance.choice(ids), chance.choice(ids))
        case 3:
            return unplace(schedule, chance.choice(ids))
    return batch_move(
        schedule, [EntryMove(chance.choice(ids), day, slot), EntryMove(chance.choice(ids), day, slot + 2)]
    )


def changed(seed: int, calls: int) -> tuple[int, int]:
    """Make random calls, checking the calendar after each; return how many were carried out and how many refused."""
    chance, schedule = random.Random(seed), generated(seed)
    first, done, refused = schedule, 0, 0
    for _ in range(calls):
        before = schedule.model_dump_json()
        try:
            after = random_change(schedule, chance)
        except ChangeRefused:
            assert schedule.model_dump_json() == before
            refused += 1
            continue
        assert list(violations(after)) == []
        assert {entry.id for entry in after.items} == {entry.id for entry in first.items}
        locked = [entry for entry in first.events if entry.is_locked]
        assert [after.event(entry.id) for entry in locked] == locked
        Schedule.model_validate(after.model_dump())
        schedule, done = after, done + 1
    return done, refused


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_random_calls_never_make_a_calendar_illegal(seed: int):
    changed(seed, 60)


@pytest.mark.slow
def test_ten_thousand_random_calls_never_make_a_calendar_illegal():
    done, refused = changed(1, 10_000)
    assert done > 500
    assert refused > 500
