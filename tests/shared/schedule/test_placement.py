"""Rough placement: legal, in order, spread as the class wants, and clear about what does not fit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bandsmith.shared.model.schedule import Position, Schedule, TaskClass, Window
from bandsmith.shared.schedule import placement
from bandsmith.shared.schedule.placement import place_all
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.rules import violations

from .calendars import MONDAY, generated, item, revision


def calendar(strategy: str, count: int, days: int = 10, **more: object) -> Schedule:
    task_class = TaskClass.model_validate({"id": "algebra", "name": "Algebra", "strategy": strategy} | more)
    items = [item(f"A{number}", number, duration=2) for number in range(1, count + 1)]
    return Schedule(window=Window(start=MONDAY, days=days), classes=[task_class], items=items)


def days(schedule: Schedule | None) -> list[int]:
    assert schedule is not None
    return [found.at.day for found in schedule.items if found.at]


def test_every_pending_item_becomes_a_legal_suggestion():
    placed = place_all(revision()).schedule
    assert placed is not None
    assert {entry.status for entry in placed.items} == {"suggested"}
    assert list(violations(placed)) == []


@pytest.mark.parametrize("seed", range(5))
def test_generated_calendars_are_placed_legally(seed: int):
    placed = place_all(generated(seed), time_limit_s=0.3).schedule  # a better placement is no more legal
    assert placed is not None
    assert list(violations(placed)) == []


def test_steady_items_are_spread_over_the_window():
    found = days(place_all(calendar("steady", 5)).schedule)
    assert [after - before for before, after in pairwise(found)] == [2, 2, 2, 2]


def test_rapid_items_come_first():
    assert set(days(place_all(calendar("rapid", 5)).schedule)) == {1}


def test_a_daily_limit_holds():
    assert days(place_all(calendar("rapid", 5, max_slots_a_day=4)).schedule) == [1, 1, 2, 2, 3]


def test_what_stands_already_keeps_its_position_and_the_order():
    wanted = calendar("rapid", 3)
    second = wanted.items[1].model_copy(update={"status": "existing", "at": Position(day=4, slot=1)})
    placed = place_all(wanted.replacing(second)).schedule
    assert days(placed) == [1, 4, 4]


def test_missing_slots_are_counted_where_not_all_fits():
    found = place_all(calendar("steady", 8, days=1))
    assert found.schedule is None
    assert found.missing_slots == 4


def test_a_class_without_any_day_misses_all_of_its_slots():
    assert place_all(calendar("steady", 2, excluded_weekdays=[1, 2, 3, 4, 5, 6, 7])).missing_slots == 4


def test_work_of_one_slot_each_is_placed_as_fast_as_any_other():
    """Among 60 such items in 72 slots, the solver would make thousands of variables."""
    items = [item(f"A{number}", number, duration=1) for number in range(1, 61)]
    wanted = Schedule(window=Window(start=MONDAY, days=6), classes=[TaskClass(id="algebra", name="A")], items=items)
    placed = place_all(wanted, time_limit_s=0.5).schedule
    assert placed is not None
    assert list(violations(placed)) == []


def test_a_search_that_ends_without_an_answer_does_not_claim_that_there_is_no_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(placement, "MAX_TIME_S", 0.0)
    with pytest.raises(ChangeRefused, match="No placement was found in time"):
        place_all(generated(1), time_limit_s=0.0)
