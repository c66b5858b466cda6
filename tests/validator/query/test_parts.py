"""What a query of several sources reads of each: the columns it needs, what may be seen, and no row too few."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.query.check import QueryRefused, check
from bandsmith.services.validator.query.parts import query_parts
from bandsmith.shared.errors import BadInput
from bandsmith.shared.joined_sources import joined
from bandsmith.shared.model.source import Dialect, ForeignKey, SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.semantic_layer import SemanticLayer, applied

SEEN = {"rows": "city = 'Leeds'", "columns": {"email": {"masked": True}, "notes": {"hidden": True}}}
LAYER = SemanticLayer.model_validate({"tables": {"customers": SEEN}})


def member(source: str, dialect: Dialect, **tables: str) -> SourceSchema:
    """Return a source; each table is given as ``name TYPE, ...``."""
    made = []
    for name, columns in tables.items():
        pairs = [column.split(" ", 1) for column in columns.split(", ")]
        made.append(SourceTable(name=name, columns=[SourceColumn(name=one, type=kind) for one, kind in pairs]))
    return SourceSchema(source=source, dialect=dialect, tables=made)


def sources(dialect: Dialect) -> SourceSchema:
    shop = member(
        "shop", dialect, orders="id INTEGER, customer_id INTEGER, amount NUMERIC, price REAL, day DATE, state TEXT"
    )
    crm = member("crm", "sqlite", customers="id INTEGER, name TEXT, city TEXT, email TEXT, notes TEXT")
    return joined([applied(crm, LAYER), shop])


def read_of_orders(where: str, dialect: Dialect) -> str:
    """Return what is read of the orders of a query."""
    schema = sources(dialect)
    parts = query_parts(check(f"SELECT id FROM shop.orders AS o WHERE {where}", schema), schema)
    return parts[0].sql


@pytest.mark.parametrize(
    ("where", "dialect", "read"),
    [
        ("amount > 10 AND 5 >= id", "sqlite", '"amount" > 10 AND "id" <= 5'),
        ("state IN ('new', 'it''s paid')", "postgres", "\"state\" IN ('new', 'it''s paid')"),
        ("state = 'new'", "mysql", "`state` = 'new'"),
        ("day >= DATE '2026-03-01' AND id < 9", "postgres", "\"day\" >= '2026-03-01' AND \"id\" < 9"),
        ("day < '2026-03-01'", "sqlite", "(\"day\" < '2026-03-01' OR NOT \"day\" LIKE '____-__-__%')"),
        ("state > 'new'", "sqlite", "\"state\" COLLATE BINARY > 'new'"),
        ("(day BETWEEN '2026-03-01' AND '2026-03-31')", "mysql", "`day` BETWEEN '2026-03-01' AND '2026-03-31'"),
    ],
)  # fmt: skip
def test_a_condition_that_both_databases_read_alike_goes_with_its_table(where: str, dialect: Dialect, read: str):
    assert read_of_orders(where, dialect).partition(" WHERE ")[2] == read


@pytest.mark.parametrize(
    ("where", "dialect"),
    [
        ("day IN ('2026-03-01', '2026-03-02')", "sqlite"),  # a text there, which may have a time of day
        ("state > 'new'", "postgres"),  # texts have another order there
        ("state <> 'new'", "mysql"),  # NEW equals new there
        ("price <= 0.1", "postgres"),  # another number there
        ("state = 'a\\b'", "mysql"),
        ("day >= '2026-03-01 10:00'", "postgres"),
        ("state = DATE '2026-03-01'", "sqlite"),  # compared as a date
        ("amount > 10 OR state = 'new'", "sqlite"),
        ("amount IS NULL", "sqlite"),
        ("amount > id", "sqlite"),
        ("LOWER(state) = 'new'", "sqlite"),
        ("NOT amount > 10", "sqlite"),
    ],
)
def test_any_other_condition_waits_until_the_parts_meet(where: str, dialect: Dialect):
    assert "WHERE" not in read_of_orders(where, dialect)


def test_a_table_that_is_read_twice_is_read_whole():
    schema = sources("sqlite")
    sql = "SELECT a.id FROM shop.orders AS a JOIN shop.orders AS b ON a.id = b.customer_id WHERE a.amount > 10"
    (part,) = query_parts(check(sql, schema), schema)
    assert "WHERE" not in part.sql


def test_each_part_is_limited_to_what_may_be_seen_and_to_the_columns_of_the_query():
    schema = sources("sqlite")
    sql = (
        "SELECT c.email, SUM(o.amount) FROM shop.orders AS o JOIN crm.customers AS c ON c.id = o.customer_id GROUP BY 1"
    )
    orders, customers = query_parts(check(sql, schema), schema)
    assert (orders.source, orders.table) == ("shop", "shop.orders")
    assert orders.sql == 'SELECT "id", "customer_id", "amount" FROM "orders"'
    assert (customers.source, customers.types) == ("crm", {"id": "BIGINT", "email": "VARCHAR"})
    assert "'***' AS \"email\"" in customers.sql and "WHERE (city = 'Leeds')" in customers.sql
    assert "notes" not in customers.sql


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT notes FROM crm.customers", "notes"),
        ("SELECT id FROM customers", "There is no table customers"),
        ("SELECT o.id FROM shop.orders AS o, crm.customers AS c", "Nothing joins"),
        ("SELECT * FROM read_csv('/etc/passwd')", "not allowed"),
        ("SELECT * FROM information_schema.tables", "There is no table"),
    ],
)
def test_a_query_of_several_sources_passes_the_same_checks(sql: str, reason: str):
    with pytest.raises(QueryRefused, match=reason):
        check(sql, sources("sqlite"))


def test_sources_keep_their_tables_apart_under_names_that_need_no_quotation_marks():
    ledger = member("old-ledger", "postgres", items="id INTEGER, name CHAR(10)")
    sold = SourceTable(
        name="sales.items",
        schema_name="sales",
        columns=[SourceColumn(name="id", type="INTEGER")],
        foreign_keys=[ForeignKey(columns=["id"], table="items", references=["id"])],
    )
    ledger = ledger.model_copy(update={"tables": [*ledger.tables, sold]})
    schema = joined([ledger, member("temp", "duckdb", items="id INTEGER")])
    assert [table.name for table in schema.tables] == [
        "old_ledger.items", "old_ledger.sales_items", "temp_source.items"
    ]  # fmt: skip
    assert schema.tables[1].foreign_keys[0].table == "old_ledger.items"
    parts = query_parts(check("SELECT name FROM old_ledger.items CROSS JOIN old_ledger.sales_items", schema), schema)
    assert [part.sql for part in parts] == [
        'SELECT CAST("name" AS TEXT) AS "name" FROM "items"', 'SELECT "id" FROM "sales"."items"'
    ]  # fmt: skip


def test_columns_that_duckdb_cannot_tell_apart_are_left_out():
    schema = joined([member("ledger", "postgres", items="id INTEGER, Id INTEGER, name TEXT")])
    assert [column.name for column in schema.tables[0].columns] == ["name"]


def test_sources_whose_names_cannot_be_told_apart_are_not_asked_together():
    with pytest.raises(BadInput, match="cannot be asked together"):
        joined([member("old-ledger", "sqlite", a="x TEXT"), member("old_ledger", "sqlite", a="x TEXT")])
