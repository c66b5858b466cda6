"""Tools of a calendar: they state facts in the user's language, and those that write say first what they would do."""

from __future__ import annotations

from datetime import datetime

import jsonschema
import pytest

from bandsmith.shared.model.schedule import Position, Schedule
from bandsmith.shared.model.task import TaskMemory
from bandsmith.shared.schedule.changes import move, place
from bandsmith.shared.schedule.health import measure
from bandsmith.shared.schedule.past import first_ahead
from bandsmith.shared.schedule.positions import legal_positions
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.wording import difference_lines
from bandsmith.shared.tools import TOOLS
from bandsmith.shared.tools.base import ToolResult
from tests.each_case import each

from .calendars import demanding_day, revision

CALLS: dict[str, dict[str, object]] = {
    "get_overview": {},
    "query_range": {"day": 1},
    "find_free": {"duration": 2},
    "list_tasks": {"status": "pending"},
    "get_task_info": {"task_id": "a1"},
    "analyze_health": {},
    "analyze_rhythm": {},
    "query_available_slots": {"task_id": "m1"},
    "query_target_tasks": {"weekdays": [1, 2], "last_slot": 8, "enqueue": True},
    "queue_pop_head": {},
    "queue_apply_head_move": {"new_day": 1, "new_slot_start": 5},
    "queue_skip_head": {},
    "place": {"task_id": "m1", "day": 1, "slot_start": 5},
    "move": {"task_id": "a1", "new_day": 1, "new_slot_start": 5},
    "swap": {"task_a": "a1", "task_b": "a2"},
    "batch_move": {"moves": [{"task_id": "a1", "new_day": 1, "new_slot_start": 7}]},
    "unplace": {"task_id": "a1"},
    "place_all": {},
    "upsert_task_class": {"title": "French", "items": 2, "excluded_weekdays": [7]},
    "place_work": {"work": [{"name": "French", "items": 2}]},
    "add_event": {"title": "Dentist", "day": 3, "slot_start": 2},
    "change_entry": {"task_id": "a1", "locked": True},
    "split": {"task_id": "a1", "slots": [1, 1]},
    "delete_entries": {"task_ids": ["a1"]},
    "several": {"calls": [{"name": "unplace", "arguments": {"task_id": "a2"}}]},
}


def calendar():
    return place(place(revision(), "a1", 1, 3), "a2", 2, 7)


def test_every_tool_is_tried_here():
    assert set(CALLS) == set(TOOLS)


@each("name", TOOLS)
@each("language", ["en", "zh"])
def test_a_tool_states_facts_and_changes_nothing_unless_it_writes(name: str, language):
    tool, before = TOOLS[name].model_validate(CALLS[name]).with_memory(TaskMemory(queue=["a1"])), calendar()
    if name == "swap":  # an exchange of two items of one class would break their order
        tool = TOOLS[name].model_validate({"task_a": "a1", "task_b": "m1"})
        before = place(before, "m1", 2, 1)
    result = tool.run(before, language)
    assert result.text
    assert (result.schedule != before) == tool.writes
    if tool.writes:
        assert tool.confirmation(before, language)


@each("name", TOOLS)
def test_the_schema_of_the_arguments_accepts_them_and_nothing_unknown(name: str):
    schema = TOOLS[name].parameters()
    jsonschema.validate(CALLS[name], schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(CALLS[name] | {"force": True}, schema)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Move A1 to day 1 (Mon 2026-11-23), slots 5-6 (12:00-14:00)"),
        ("zh", "把“A1”移到第 1 天（2026-11-23 周一）第 5-6 节（12:00–14:00）"),
    ],
)
def test_a_confirmation_says_exactly_what_will_be_done(language, words: str):
    assert TOOLS["move"].model_validate(CALLS["move"]).confirmation(calendar(), language) == words


def called(name: str, memory: TaskMemory, schedule: Schedule, **arguments: object) -> ToolResult:
    return TOOLS[name].model_validate(arguments).with_memory(memory).run(schedule, "en")


def test_early_entries_are_moved_one_by_one():
    before, memory = calendar(), TaskMemory()
    found = called("query_target_tasks", memory, before, last_slot=8, enqueue=True)
    assert found.memory == TaskMemory(queue=["a1", "a2"]) and "2 entries are in the queue." in found.text
    head = called("queue_pop_head", found.memory, before)
    assert head.text.startswith("a1 A1: day 1") and head.memory is None
    moved = called("queue_apply_head_move", found.memory, before, new_day=1, new_slot_start=9)
    assert moved.memory == TaskMemory(queue=["a2"]) and moved.schedule.item("a1").at == Position(day=1, slot=9)
    assert called("queue_skip_head", moved.memory, moved.schedule).memory == memory
    with pytest.raises(ChangeRefused, match="The queue is empty"):
        called("queue_skip_head", memory, before)


def test_every_position_that_is_offered_is_allowed():
    before = calendar()
    offered = list(legal_positions(before, before.item("m1"), 1, 7))
    assert offered and not any(slot in (10, 11, 12) for _, slot in (at.order for at in offered))
    assert all(place(before, "m1", *at.order) for at in offered)
    words = called("query_available_slots", TaskMemory(), before, task_id="m1", last_day=1).text
    assert words.splitlines()[0] == "day 1 (Mon 2026-11-23), slots 5-6 (12:00-14:00)"


@pytest.mark.parametrize("entry", ["a1", "shift"])
def test_an_entry_is_offered_places_that_overlap_its_own_and_not_its_own(entry: str):
    before = place(revision(), "a1", 2, 3) if entry == "shift" else place(revision(), "a1", 3, 3)
    at = (before.item(entry) or before.event(entry)).at
    offered = [found.order for found in legal_positions(before, before.item(entry) or before.event(entry), 1, 7)]
    assert (at.day, at.slot + 1) in offered and at.order not in offered
    assert all(move(before, entry, *found) for found in offered)


def test_no_place_is_offered_that_is_over():
    since = Position(day=2, slot=8)
    tool = TOOLS["query_available_slots"].model_validate({"task_id": "m1"}).from_now_on(since)
    assert tool.run(calendar(), "en").text.splitlines()[0].startswith("day 2 (Tue 2026-11-24), slots 9-10")


@pytest.mark.parametrize("strategy", ["steady", "rapid"])
def test_work_is_placed_from_now_on_only(strategy: str):
    since = Position(day=3, slot=6)
    work = {"name": "French", "items": 4, "strategy": strategy}
    placed = TOOLS["place_work"].model_validate({"work": [work]}).from_now_on(since).run(calendar(), "en").schedule
    assert all(item.at.order >= since.order for item in placed.items if item.name.startswith("French"))
    pending = TOOLS["place_all"].model_validate({}).from_now_on(since).run(calendar(), "en").schedule
    assert all(item.at.order >= since.order for item in pending.items if item.name.startswith("M"))


def test_work_for_days_that_are_over_is_refused_and_says_so():
    work = {"name": "French", "items": 1, "not_after": "2026-11-24"}
    tool = TOOLS["place_work"].model_validate({"work": [work]}).from_now_on(Position(day=3, slot=1))
    with pytest.raises(ChangeRefused, match="The days on which French may be placed are over"):
        tool.run(calendar(), "en")


@pytest.mark.parametrize(
    ("now", "first"),
    [
        ("2026-11-20T12:00", (1, 1)),
        ("2026-11-23T07:00", (1, 1)),
        ("2026-11-23T08:00", (1, 1)),
        ("2026-11-23T08:01", (1, 2)),
        ("2026-11-23T19:30", (2, 1)),
        ("2026-11-25T12:30", (3, 6)),
        ("2026-12-25T12:30", (8, 1)),
    ],
)
def test_the_first_slot_ahead_is_one_that_has_not_begun(now: str, first: tuple[int, int]):
    assert first_ahead(revision().window, datetime.fromisoformat(now)).order == first


def test_the_rhythm_of_each_day_is_measured():
    [day] = called("analyze_rhythm", TaskMemory(), demanding_day()).text.splitlines()
    assert "2 items in 4 slots, longest block 4 slots, 1 changes of subject, 1 pairs of demanding" in day


def test_an_analysis_ends_when_two_changes_brought_nothing():
    before = demanding_day()
    strain = measure(before).strain
    assert "At least one change improves" in called("analyze_health", TaskMemory(), before).text
    stuck = called("analyze_health", TaskMemory(strains=[strain, strain]), before)
    assert "stop here" in stuck.text and stuck.memory.strains == [strain] * 3


def test_new_work_leaves_what_was_pending_pending():
    after = called("place_work", TaskMemory(), calendar(), work=[{"name": "French", "items": 2}]).schedule
    assert [item.name for item in after.items if item.at is None] == ["M1", "M2"]
    assert all(item.at for item in after.items if item.name.startswith("French"))


def test_what_is_pending_of_named_classes_is_placed_alone():
    after = called("place_all", TaskMemory(), revision(), classes=["Mechanics"]).schedule
    assert [item.name for item in after.items if item.at] == ["M1", "M2"]
    with pytest.raises(ChangeRefused, match="There is no class of work chemistry"):
        called("place_all", TaskMemory(), revision(), classes=["chemistry"])


@pytest.mark.parametrize("entry", ["a1", "shift"])
def test_what_is_locked_stays_until_it_is_unlocked(entry: str):
    locked = called("change_entry", TaskMemory(), calendar(), task_id=entry, locked=True).schedule
    for name, arguments in (
        ("move", {"task_id": entry, "new_day": 3, "new_slot_start": 1}),
        ("change_entry", {"task_id": entry, "slots": 1}),
        ("delete_entries", {"task_ids": [entry]}),
    ):
        with pytest.raises(ChangeRefused, match="is locked"):
            called(name, TaskMemory(), locked, **arguments)
    free = called("change_entry", TaskMemory(), locked, task_id=entry, locked=False, slots=1).schedule
    assert next(one.duration for one in free.entries if one.id == entry) == 1


def test_a_piece_that_is_split_takes_the_same_time_and_keeps_the_order():
    after = called("split", TaskMemory(), calendar(), task_id="a1", slots=[1, 1]).schedule
    algebra = [(item.name, item.number, item.at) for item in after.items if item.task_class == "algebra"]
    assert algebra == [
        ("A1 (1/2)", 1, Position(day=1, slot=3)),
        ("A2", 3, Position(day=2, slot=7)),
        ("A1 (2/2)", 2, Position(day=1, slot=4)),
    ]
    with pytest.raises(ChangeRefused, match="have to take 2 slots together"):
        called("split", TaskMemory(), calendar(), task_id="a1", slots=[1, 2])


def test_an_event_is_added_only_where_there_is_room():
    after = called("add_event", TaskMemory(), calendar(), title="Dentist", day=3, slot_start=2, locked=True).schedule
    assert after.event("event:dentist").is_locked
    with pytest.raises(ChangeRefused, match=r"(Lecture|Dentist) would overlap"):
        called("add_event", TaskMemory(), calendar(), title="Dentist", day=1, slot_start=1)


@pytest.mark.parametrize(("language", "words"), [("en", "Deleted: A1 and Shift."), ("zh", "已删除：A1和Shift。")])
def test_what_was_deleted_is_named(language, words: str):
    tool = TOOLS["delete_entries"].model_validate({"task_ids": ["a1", "shift", "a1"]})
    assert tool.run(calendar(), language).text.splitlines()[0] == words


def test_what_is_inside_a_deleted_event_is_pending_again():
    before = place(revision(), "a1", 2, 4)
    assert before.item("a1").host == "shift"
    after = called("delete_entries", TaskMemory(), before, task_ids=["shift"]).schedule
    assert after.event("shift") is None and after.item("a1").status == "pending"


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("change_entry", {"task_id": "a1", "locked": True}, "- A1: {where}, locked"),
        ("change_entry", {"task_id": "a1", "title": "Essay"}, "- A1, renamed Essay: {where}"),
        ("delete_entries", {"task_ids": ["a1"]}, "- A1: deleted, was {where}"),
    ],
)
def test_every_change_of_an_entry_is_shown(name: str, arguments: dict, line: str):
    after = called(name, TaskMemory(), calendar(), **arguments).schedule
    where = "day 1 (Mon 2026-11-23), slots 3-4 (10:00-12:00)"
    assert difference_lines(calendar(), after, "en") == [line.format(where=where)]


@pytest.mark.parametrize(("language", "words"), [("en", ", no longer locked"), ("zh", "，不再锁定")])
def test_an_entry_that_is_unlocked_is_shown_as_unlocked(language, words: str):
    locked = called("change_entry", TaskMemory(), calendar(), task_id="a1", locked=True).schedule
    free = called("change_entry", TaskMemory(), locked, task_id="a1", locked=False).schedule
    [line] = difference_lines(locked, free, language)
    assert line.endswith(words)
    renamed = called("change_entry", TaskMemory(), calendar(), task_id="a1", title="Essay").schedule
    assert not difference_lines(calendar(), renamed, language)[0].endswith(words)


@pytest.mark.parametrize(
    ("language", "words"), [("en", ", can no longer hold a task item"), ("zh", "，不再可嵌入任务")]
)
def test_an_event_that_holds_nothing_any_more_is_shown_so(language, words: str):
    closed = called("change_entry", TaskMemory(), calendar(), task_id="shift", can_embed=False).schedule
    assert difference_lines(calendar(), closed, language)[0].endswith(words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            [
                "- A1: deleted, was day 1 (Mon 2026-11-23), slot 3 (10:00-11:00)",
                "- A2: deleted, was pending, one slot long",
            ],
        ),
        ("zh", ["- A1：删除，原为第 1 天（2026-11-23 周一）第 3 节（10:00–11:00）", "- A2：删除，原为待安排，需 1 节"]),
    ],
)
def test_what_is_deleted_is_shown_with_its_time(language, words: list[str]):
    short = called("change_entry", TaskMemory(), calendar(), task_id="a1", slots=1).schedule
    short = called("change_entry", TaskMemory(), short, task_id="a2", slots=1).schedule
    before = called("unplace", TaskMemory(), short, task_id="a2").schedule
    after = called("delete_entries", TaskMemory(), before, task_ids=["a1", "a2"]).schedule
    assert difference_lines(before, after, language) == words


@pytest.mark.parametrize(("language", "line"), [("en", "day 3: slot 1 is free"), ("zh", "第 3 天：第 1 节空闲")])
def test_one_free_slot_is_called_a_slot(language, line: str):
    busy = called("add_event", TaskMemory(), calendar(), title="Dentist", day=3, slot_start=2).schedule
    tool = TOOLS["find_free"].model_validate({"duration": 1, "day": 3})
    assert tool.run(busy, language).text.splitlines()[0] == line
