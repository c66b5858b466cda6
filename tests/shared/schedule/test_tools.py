"""Tools of a calendar: they state facts in the user's language, and those that write say first what they would do."""

from __future__ import annotations

import jsonschema
import pytest

from bandsmith.shared.schedule.changes import place
from bandsmith.shared.tools import TOOLS

from .calendars import revision

CALLS: dict[str, dict[str, object]] = {
    "get_overview": {},
    "query_range": {"day": 1},
    "find_free": {"duration": 2},
    "list_tasks": {"status": "pending"},
    "get_task_info": {"task_id": "a1"},
    "analyze_health": {},
    "place": {"task_id": "m1", "day": 1, "slot_start": 5},
    "move": {"task_id": "a1", "new_day": 1, "new_slot_start": 5},
    "swap": {"task_a": "a1", "task_b": "a2"},
    "batch_move": {"moves": [{"task_id": "a1", "new_day": 1, "new_slot_start": 7}]},
    "unplace": {"task_id": "a1"},
    "place_all": {},
    "place_work": {"work": [{"name": "French", "items": 2}]},
}


def calendar():
    return place(place(revision(), "a1", 1, 3), "a2", 2, 7)


def test_every_tool_is_tried_here():
    assert set(CALLS) == set(TOOLS)


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_tool_states_facts_and_changes_nothing_unless_it_writes(name: str, language):
    tool, before = TOOLS[name].model_validate(CALLS[name]), calendar()
    if name == "swap":  # an exchange of two items of one class would break their order
        tool = TOOLS[name].model_validate({"task_a": "a1", "task_b": "m1"})
        before = place(before, "m1", 2, 1)
    result = tool.run(before, language)
    assert result.text
    assert (result.schedule != before) == tool.writes
    if tool.writes:
        assert tool.confirmation(before, language)


@pytest.mark.parametrize("name", TOOLS)
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
