"""Random calls of every pack of tools: whatever is called, the calendar stays legal and loses nothing."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.task import TaskMemory
from bandsmith.shared.schedule import placement
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.rules import violations
from bandsmith.shared.tools import TOOLS, Tool

from .calendars import generated

SOLVING = ("place_all", "place_work")
"""Tools that run the solver: one call in so many is theirs."""
LOSING = ("delete_entries", "upsert_task_class")
"""Tools that are asked to delete entries, or for fewer pieces of a class."""
PACKS = sorted({f"{tool.domain}.{tool.pack}" for tool in TOOLS.values()})
GROWING = ("taskclass.core", "schedule.entries")
"""Packs whose tools add and delete entries: then the calendar is begun again."""
CALLS, READING_CALLS = 10_000, 2_000
"""Of a pack, and of one whose tools only read: each of their calls finds the same calendar."""
LEAST = 20
"""Calls of each tool among these that have to be carried out, so that none is tried with wrong arguments only."""


def arguments(tool: type[Tool], schedule: Schedule, chance: random.Random) -> dict[str, object]:
    """Return arguments that may be right, wrong or missing."""
    ids = [entry.id for entry in schedule.entries] + ["unknown"]
    day, slot = chance.randint(-1, schedule.window.days + 2), chance.randint(-1, schedule.window.slots + 2)
    known: dict[str, object] = {
        **{name: chance.choice(ids) for name in ("task_id", "task_a", "task_b")},
        **{name: day for name in ("day", "new_day", "first_day", "last_day")},
        **{name: slot for name in ("slot_start", "new_slot_start", "slot_end", "first_slot", "last_slot")},
        "moves": [
            {"task_id": chance.choice(ids), "new_day": day, "new_slot_start": slot + 2 * number} for number in (0, 1)
        ],
        "work": [{"name": "New", "items": chance.randint(1, 3), "slots": chance.choice((1, 2, 99))}],
        "duration": slot,
        "category": chance.choice(["c0", "Class 1", "nothing"]),
        "status": chance.choice(["pending", "event", "nothing"]),
        "weekdays": chance.sample(range(1, 8), 2),
        "enqueue": True,
        "events": True,
        "id": chance.choice(["c0", "c1", "nothing"]),
        "title": "New",
        "items": chance.randint(0, 12),
        "slots": [1, chance.choice((1, 2))] if tool.name == "split" else chance.choice((1, 2, 99)),
        "max_slots_a_day": chance.choice((1, 4, 0)),
        "classes": [chance.choice(["c0", "Class 1", "nothing"])],
        "task_ids": chance.sample(ids, 2),
        "locked": chance.random() < 0.5,
        "calls": [
            {"name": "unplace", "arguments": {"task_id": (away := chance.choice(ids))}},
            {"name": "place", "arguments": {"task_id": away, "day": day, "slot_start": slot}},
        ],
        "can_embed": chance.random() < 0.5,
        "excluded_weekdays": chance.sample(range(0, 8), 2),
    }
    return {
        name: known[name]
        for name, field in tool.model_fields.items()
        if name in known and chance.random() < (0.97 if field.is_required() else 0.4)
    }


def called(pack: str, seed: int, calls: int) -> Counter[str]:
    """Make random calls, checking the calendar after each; return how many of each tool were read, done and refused."""
    chance = random.Random(seed)
    schedule = first = generated(seed, days=7, events=8, items=12)
    memory, ended = TaskMemory(queue=[item.id for item in schedule.items]), Counter[str]()
    names = [name for name, tool in TOOLS.items() if f"{tool.domain}.{tool.pack}" == pack]
    quick = [name for name in names if name not in SOLVING]
    # The packs that move something begin with a calendar in which something stands.
    schedule = placement.place_all(schedule, time_limit_s=0.2).schedule or schedule
    check(schedule, schedule, "generated")
    before = schedule.model_dump_json()
    for number in range(calls):
        tool = TOOLS[chance.choice(names if number % 1000 == 999 else quick)]
        try:
            call = tool.model_validate(arguments(tool, schedule, chance)).with_memory(memory)
            result = call.run(schedule, chance.choice(("en", "zh")))
        except (ChangeRefused, ValidationError):
            assert schedule.model_dump_json() == before
            ended[f"{tool.name} refused"] += 1
            continue
        assert result.text
        assert tool.writes or result.schedule == schedule
        ended[f"{tool.name} {'done' if tool.writes else 'read'}"] += 1
        memory = result.memory or memory
        if result.schedule != schedule:
            check(schedule, result.schedule, tool.name)
            schedule = result.schedule
            before = schedule.model_dump_json()
        if not memory.queue:
            memory = TaskMemory(queue=[item.id for item in schedule.items])
        if pack in GROWING and (len(schedule.entries) > 80 or len(schedule.items) < 3):
            schedule = first
            before = schedule.model_dump_json()
    assert schedule.model_dump_json() == before
    return ended


def check(before: Schedule, after: Schedule, tool: str) -> None:
    """Nothing overlaps or is out of order, nothing locked has moved, nothing is lost that was not deleted."""
    assert list(violations(after)) == []
    for entry in (entry for entry in before.entries if entry.is_locked):
        kept = next(one for one in after.entries if one.id == entry.id)
        assert kept.at == entry.at
        assert kept.duration == entry.duration or not kept.is_locked
    lost = {entry.id for entry in before.entries} - {entry.id for entry in after.entries}
    assert not lost or tool in LOSING
    Schedule.model_validate(after.model_dump())


@pytest.mark.parametrize(
    "pack", [pytest.param(pack, marks=pytest.mark.slow if pack == "schedule.deep_analyze" else ()) for pack in PACKS]
)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_random_calls_of_a_pack_leave_the_calendar_legal(pack: str, seed: int):
    called(pack, seed, 30)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("pack", PACKS)
def test_thousands_of_random_calls_of_a_pack_leave_the_calendar_legal(pack: str):
    tools = {name: tool for name, tool in TOOLS.items() if f"{tool.domain}.{tool.pack}" == pack}
    calls = CALLS if any(tool.writes for tool in tools.values()) else READING_CALLS
    ended = called(pack, 1, calls)
    assert ended.total() == calls
    for name in (name for name in tools if name not in SOLVING):
        taken = ended[f"{name} read"] + ended[f"{name} done"]
        assert taken >= LEAST, f"{name}: {taken} calls were carried out"
