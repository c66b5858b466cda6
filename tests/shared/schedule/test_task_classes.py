"""Classes of work: created and changed as a whole, or refused with everything that is wrong."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import place
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.tools import TOOLS

from .calendars import revision


def upserted(schedule: Schedule, **arguments: object) -> Schedule:
    return TOOLS["upsert_task_class"].model_validate(arguments).run(schedule, "en").schedule


def refusal(schedule: Schedule, **arguments: object) -> str:
    with pytest.raises(ChangeRefused) as refused:
        upserted(schedule, **arguments)
    return refused.value.reason.en


def test_a_new_class_has_pending_pieces():
    after = upserted(revision(), title="French", items=3, slots=1, intensity="high", not_after="2026-11-27")
    [french] = [one for one in after.classes if one.name == "French"]
    assert (french.intensity, french.last_day) == ("high", 5)
    assert [(item.duration, item.status) for item in after.items_of(french)] == [(1, "pending")] * 3


def test_a_change_leaves_what_it_does_not_name():
    after = upserted(revision(), id="algebra", items=4, max_slots_a_day=2)
    [algebra] = [one for one in after.classes if one.id == "algebra"]
    assert (algebra.name, algebra.excluded_weekdays, algebra.max_slots_a_day) == ("Algebra", [7], 2)
    assert [item.number for item in after.items_of(algebra)] == [1, 2, 3, 4]


def test_pieces_that_stand_are_not_taken_out_by_a_smaller_number():
    standing = place(place(revision(), "a1", 1, 3), "a2", 2, 7)
    assert "remove them first" in refusal(standing, id="algebra", items=1)
    assert len(upserted(revision(), id="algebra", items=1).items) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"items": 2}, "needs a title"),
        ({"id": "cooking", "items": 2}, "The ids are: algebra, mechanics"),
        ({"title": "French", "excluded_weekdays": [1, 2, 3, 4, 5, 6, 7]}, "No day is left"),
        ({"title": "French", "not_before": "2027-01-01"}, "No day is left"),
        ({"title": "French", "slots": 4, "max_slots_a_day": 2}, "A piece of 4 slots does not fit into any day"),
        ({"title": "French", "items": 100, "slots": 2}, "need 200 slots, and at most 84"),
    ],
)
def test_a_class_that_is_impossible_says_what_is_wrong(arguments: dict[str, object], words: str):
    assert words in refusal(revision(), **arguments)


def test_a_change_that_would_break_the_rules_for_what_stands_is_refused():
    standing = place(revision(), "a1", 1, 3)
    assert "excludes that weekday" in refusal(standing, id="algebra", excluded_weekdays=[1])


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ["placed: as early as possible", "on: Sat and Sun", "never at: 08:00-10:00", "how demanding: high"],
        ),
        ("zh", ["安排方式：尽早安排", "不排在：周六和周日", "避开的时段：08:00-10:00", "强度：高"]),
    ],
)
def test_a_confirmation_states_settings_in_words(language, words: list[str]):
    settings = {"strategy": "rapid", "excluded_weekdays": [6, 7], "excluded_slots": [2, 1], "intensity": "high"}
    call = TOOLS["upsert_task_class"].model_validate({"title": "French", "items": 3} | settings)
    shown = call.confirmation(revision(), language)
    assert all(one in shown for one in words)


def test_the_id_of_a_class_is_stated_so_that_it_can_be_changed():
    stated = TOOLS["upsert_task_class"].model_validate({"title": "French"}).run(revision(), "en").text
    assert "French has the class id french." in stated
    assert "(class algebra)" in TOOLS["get_task_info"].model_validate({"task_id": "a1"}).run(revision(), "en").text
