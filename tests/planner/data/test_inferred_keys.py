"""Keys that no database declares are read off the names of columns, and never guessed between two tables."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.data.inferred_keys import with_inferred_keys
from bandsmith.shared.model.source import ForeignKey, SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.model.source_text import schema_text


def table(name: str, *columns: str, keys: tuple[ForeignKey, ...] = (), is_view: bool = False) -> SourceTable:
    """A table whose columns are written as ``name TYPE``, an INTEGER without a type."""
    parts = [column.partition(" ") for column in columns]
    made = [SourceColumn(name=column, type=kind or "INTEGER") for column, _, kind in parts]
    return SourceTable(name=name, columns=made, foreign_keys=list(keys), is_view=is_view)


def schema(*tables: SourceTable) -> SourceSchema:
    return SourceSchema(source="shop", dialect="duckdb", tables=list(tables))


def keys(*tables: SourceTable) -> set[str]:
    return {
        f"{one.name}.{key.columns[0]} -> {key.table}.{key.references[0]}"
        for one in with_inferred_keys(schema(*tables)).tables
        for key in one.foreign_keys
        if key.is_inferred
    }


CUSTOMERS = table("customers", "id", "name TEXT")
CITIES = table("cities", "city_code TEXT", "label TEXT")


@pytest.mark.parametrize(
    ("column", "key"),
    [
        ("customer_id", "customers.id"),
        ("CustomerNo", "customers.id"),
        ("billing_customer_id", "customers.id"),
        ("customer", "customers.id"),
        ("home_city TEXT", "cities.city_code"),
        ("city_code TEXT", "cities.city_code"),
    ],
)
def test_a_column_that_is_called_after_a_table_refers_to_its_key(column: str, key: str):
    assert keys(table("orders", "id", column), CUSTOMERS, CITIES) == {f"orders.{column.partition(' ')[0]} -> {key}"}


@pytest.mark.parametrize("column", ["customer TEXT", "customers_per_day", "id", "amount", "valid", "city INTEGER"])
def test_another_column_refers_to_nothing(column: str):
    assert keys(table("orders", "number", column), CUSTOMERS, CITIES) == set()


def test_where_two_tables_could_be_meant_none_is():
    assert keys(table("orders", "id", "party_id"), table("old_party", "id"), table("new_party", "id")) == set()


def test_what_the_database_says_of_a_column_stands():
    said = ForeignKey(columns=["customer_id"], table="buyers", references=["id"])
    assert keys(table("orders", "id", "customer_id", keys=(said,)), CUSTOMERS, table("buyers", "id")) == set()


def test_a_view_has_no_keys():
    assert keys(table("totals", "customer_id", "total", is_view=True), CUSTOMERS) == set()


def test_chinese_names_are_read_too():
    assert keys(table("订单", "编号", "客户编号"), table("客户", "编号", "名称 TEXT")) == {"订单.客户编号 -> 客户.编号"}


def test_a_model_is_told_that_only_the_name_says_so():
    shown = schema_text(with_inferred_keys(schema(table("orders", "id", "customer_id"), CUSTOMERS)))
    assert "  customer_id -> customers.id  -- by its name" in shown
