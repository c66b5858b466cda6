"""The binding file: what is kept of the queries, what is put together, and how a changed source is noticed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from bandsmith.services.planner.binding.binding_file import changed_columns, read_binding_file, write_binding_file
from bandsmith.services.planner.binding.inputs import read_inputs
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.binding import ROWS, BindingFile, BindingWork, LightMemory, Placeholder, PlaceholderField
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable

NOW = datetime(2026, 11, 22, 23, 0, tzinfo=UTC)


def schema(**columns: str) -> SourceSchema:
    held = {"id": "INTEGER", "name": "TEXT", "city": "TEXT"} | columns
    table = SourceTable(name="customers", columns=[SourceColumn(name=name, type=kind) for name, kind in held.items()])
    return SourceSchema(source="shop", dialect="sqlite", tables=[table])


def work(name: str, query: str, field: str = "") -> BindingWork:
    fields = [PlaceholderField(name=field or name, java_class="java.lang.String")]
    memory = LightMemory(has_sql=True, tables=["customers"])
    return BindingWork(
        placeholder=Placeholder(name=name, fields=fields), query=query, state="bound", time=NOW, memory=memory
    )


def written(*works: BindingWork) -> BindingFile:
    return read_binding_file(write_binding_file(works, "shop", schema(), (), is_reviewed=True))


def test_a_file_that_was_written_says_the_same_when_it_is_read():
    file = written(work(ROWS, "SELECT name FROM customers WHERE id > :least", "name"))
    (binding,) = file.bindings
    assert binding.placeholders == [ROWS] and binding.checked == NOW and ":least" in binding.query
    assert file.reviewed and file.columns == {"customers": {"id": "INTEGER", "name": "TEXT"}}


def test_values_of_the_same_row_share_a_query():
    where = "FROM customers WHERE id = :customer"
    file = written(
        work("buyer", f"SELECT name AS buyer {where}"),
        work("town", f"SELECT city AS town {where}"),
        work("count", "SELECT COUNT(*) AS count FROM customers WHERE id = :customer"),
    )
    assert [binding.placeholders for binding in file.bindings] == [["buyer", "town"], ["count"]]


def test_a_column_that_is_gone_or_of_another_type_is_noticed():
    file = written(work(ROWS, "SELECT name FROM customers", "name"))
    assert list(changed_columns(file, schema(city="INTEGER"))) == []
    assert list(changed_columns(file, schema(name="INTEGER"))) == ["customers.name"]


@pytest.mark.parametrize(
    "content", [b"", b"- a", b"source: [", b"source: shop\nbindings: [{query: x}]", b"\xff", b"!!python/object:os.x"]
)
def test_a_file_that_is_none_is_refused(content: bytes):
    with pytest.raises(BadInput):
        read_binding_file(content)


def test_a_period_becomes_its_ends_and_another_value_stays_a_value():
    inputs = read_inputs(
        {"month": "2026-10", "city": "'; DROP TABLE orders; --", "least": "5"}, {"month"}, date(2026, 11, 22)
    )
    assert [(one.name, one.kind, one.value) for one in inputs.bound] == [
        ("month_start", "date", "2026-10-01"),
        ("month_end", "date", "2026-11-01"),
        ("city", "text", "'; DROP TABLE orders; --"),
        ("least", "number", "5"),
    ]
    assert inputs.printed == {"month": "2026-10"}


def test_a_parameter_has_a_name_that_a_query_can_have():
    with pytest.raises(BadInput):
        read_inputs({"month; DROP": "1"}, (), date(2026, 11, 22))


def test_a_value_keeps_all_of_its_digits():
    given = {"order": "20261031000000000123", "code": "007", "rate": "0.05", "big": "1e5"}
    inputs = read_inputs(given, (), date(2026, 11, 22))
    assert [one.kind for one in inputs.bound] == ["text", "text", "number", "text"]


def test_values_whose_rows_depend_on_what_is_selected_keep_their_own_queries():
    file = written(
        work("first", "SELECT name AS first FROM customers ORDER BY 1 LIMIT 1"),
        work("town", "SELECT city AS town FROM customers ORDER BY 1 LIMIT 1"),
        work("last", "SELECT name AS last FROM customers ORDER BY last DESC LIMIT 1"),
        work("city", "SELECT city FROM customers ORDER BY id LIMIT 1"),
        work("who", "SELECT name AS who FROM customers ORDER BY id LIMIT 1"),
    )
    assert [one.placeholders for one in file.bindings] == [["first"], ["town"], ["last"], ["city", "who"]]
