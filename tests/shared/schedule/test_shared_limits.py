"""A limit of slots a day for several subjects together: held where work is placed, moved, refined and stored."""

from __future__ import annotations

from collections import Counter

import pytest

from bandsmith.shared.model.schedule import Schedule, Window
from bandsmith.shared.schedule.changes import move
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.health import analyse
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.tools import TOOLS

from .calendars import MONDAY, revision

SUBJECTS = ["Algebra", "Mechanics", "French"]


def empty(days: int = 7) -> Schedule:
    return Schedule(window=Window(start=MONDAY, days=days))


def placed(limit: int, days: int = 7, items: int = 3, **more: object) -> Schedule:
    """Three subjects of so many blocks each, with at most so many slots a day over all of them."""
    work = [{"name": name, "items": items, "slots": 2} | more for name in SUBJECTS]
    return called(empty(days), "place_work", work=work, max_slots_a_day_together=limit)


def called(schedule: Schedule, tool: str, **arguments: object) -> Schedule:
    return TOOLS[tool].model_validate(arguments).run(schedule, "en").schedule


def slots_by_day(schedule: Schedule) -> Counter[int]:
    taken: Counter[int] = Counter()
    for item in schedule.items:
        if item.at is not None:
            taken[item.at.day] += item.duration
    return taken


@pytest.mark.parametrize("strategy", ["steady", "rapid"])
def test_two_blocks_a_day_over_all_subjects_are_held_when_they_are_placed(strategy: str):
    calendar = placed(4, strategy=strategy)
    assert sum(slots_by_day(calendar).values()) == 18
    assert max(slots_by_day(calendar).values()) == 4


def test_what_does_not_fit_under_the_limit_is_refused_with_what_is_missing():
    with pytest.raises(ChangeRefused, match="6 more slots are needed"):
        placed(4, days=3)


def test_a_later_move_keeps_the_limit():
    limited = called(
        revision(), "upsert_task_class", id="algebra", max_slots_a_day_together=2, together_with=["mechanics"]
    )
    standing = called(limited, "place", task_id="a1", day=3, slot_start=1)
    standing = called(standing, "place", task_id="m1", day=4, slot_start=1)
    with pytest.raises(ChangeRefused, match="Mechanics, Algebra would take more than 2 slots on day 3"):
        move(standing, "m1", 3, 5)


def test_an_analysis_offers_no_change_beyond_the_limit():
    calendar = placed(4, is_demanding=True)
    for candidate in analyse(calendar).candidates:
        after = called(calendar, "batch_move", moves=[
            {"task_id": one.entry, "new_day": one.day, "new_slot_start": one.slot} for one in candidate.moves
        ])  # fmt: skip
        assert max(slots_by_day(after).values()) <= 4


def test_the_limit_is_stored_and_shown():
    calendar = placed(4)
    assert Difference.between(empty(), calendar).applied_to(empty()) == calendar
    work = [{"name": name} for name in SUBJECTS]
    tool = TOOLS["place_work"].model_validate({"work": work, "max_slots_a_day_together": 4})
    assert "Together at most 4 slots a day" in tool.confirmation(empty(), "en")
    assert "合计每天最多 4 节" in tool.confirmation(empty(), "zh")


def test_a_limit_is_set_for_classes_that_exist_and_changed_for_all_that_share_it():
    limited = called(
        revision(), "upsert_task_class", id="algebra", max_slots_a_day_together=2, together_with=["mechanics"]
    )
    assert max(slots_by_day(called(limited, "place_all")).values()) == 2
    wider = called(limited, "upsert_task_class", id="mechanics", max_slots_a_day_together=6)
    assert {one.shared_limit.slots_a_day for one in wider.classes if one.shared_limit} == {6}
    assert len({one.shared_limit for one in wider.classes}) == 1


def test_a_limit_that_is_exceeded_already_is_refused_and_an_unknown_class_is_named():
    standing = called(revision(), "place", task_id="a1", day=3, slot_start=1)
    standing = called(standing, "place", task_id="m1", day=3, slot_start=5)
    limit = {"id": "algebra", "max_slots_a_day_together": 2}
    with pytest.raises(ChangeRefused, match="would take more than 2 slots on day 3"):
        called(standing, "upsert_task_class", **limit, together_with=["mechanics"])
    with pytest.raises(ChangeRefused, match="There is no task class with the id cooking"):
        called(standing, "upsert_task_class", **limit, together_with=["cooking"])
