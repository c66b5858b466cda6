"""The single steps of a placeholder: which action comes next, what an error leads to, and when it is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bandsmith.services.gateway.binding import leaving_reason, next_action
from bandsmith.shared.model.binding import MAX_MEMORY_BYTES, LightMemory

WRITTEN = LightMemory(has_sql=True)
CHECKED = LightMemory(has_sql=True, is_checked=True)


@pytest.mark.parametrize(
    ("memory", "action"),
    [
        (LightMemory(schema_available=False), "get_columns"),
        (LightMemory(), "generate"),
        (WRITTEN, "validate"),
        (CHECKED, "execute"),
        (LightMemory(has_sql=True, is_checked=True, database_validated=True), "done"),
    ],
)
def test_a_query_is_written_checked_and_run(memory: LightMemory, action: str):
    assert next_action(memory) == action


@pytest.mark.parametrize(
    ("error_class", "columns_known", "action"),
    [
        ("unknown_name", True, "generate"),
        ("unknown_name", False, "get_columns"),
        ("syntax", True, "refine"),
        ("time_column", True, "generate"),
        ("shape", True, "refine"),
        ("refused", True, "refine"),
        ("connection", True, "execute"),
    ],
)
def test_the_class_of_an_error_decides_what_is_tried_next(error_class, columns_known: bool, action: str):
    memory = WRITTEN.model_copy(update={"error_class": error_class, "schema_available": columns_known})
    assert next_action(memory) == action


@pytest.mark.parametrize(
    ("news", "reason"),
    [
        ({"failures": {"validate": 3}}, "failed"),
        ({"failures": {"execute": 3}, "error_class": "connection"}, "connection"),
        ({"schema_available": False, "rounds": 3, "attempts": {"get_columns": 2}}, "no_schema"),
        ({"has_sql": False, "rounds": 5}, "no_sql"),
        ({"rounds": 12}, "rounds"),
        ({"error_class": "syntax", "repairs": 3}, "repairs"),
        ({"error_class": "permission"}, "permission"),
        ({"needs_period": True, "time_range": "2026-10-01 to 2026-11-01"}, "no_dates"),
    ],
)
def test_a_placeholder_is_left(news: dict, reason: str):
    memory = WRITTEN.model_copy(update=news)
    assert leaving_reason(memory, next_action(memory)) == reason


def test_nothing_is_left_before_a_limit():
    memory = WRITTEN.model_copy(
        update={"failures": {"validate": 2}, "rounds": 11, "repairs": 2, "error_class": "syntax"}
    )
    assert leaving_reason(memory, next_action(memory)) == ""


COUNTS = st.dictionaries(
    st.sampled_from(["get_columns", "time_window", "generate", "refine", "validate", "execute"]), st.integers(0, 12)
)


@given(st.lists(st.text(max_size=60), max_size=300), st.text(max_size=3_000), st.text(max_size=500), COUNTS, COUNTS)
def test_the_memory_stays_under_two_kilobytes(tables, error, column, attempts, failures):
    memory = LightMemory(
        tables=tables, last_error=error, time_column=column, time_range=column, attempts=attempts, failures=failures
    ).bounded()
    assert len(memory.model_dump_json().encode()) <= MAX_MEMORY_BYTES
    assert "\n" not in memory.last_error
