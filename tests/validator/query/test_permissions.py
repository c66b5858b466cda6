"""What a semantic layer hides cannot be seen, however a query is worded. The queries run on a real database."""

from __future__ import annotations

import sqlite3

import pytest

from bandsmith.services.validator.query.check import QueryRefused, check
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.semantic_layer import SemanticLayer, applied

TABLES = {
    "customers": ["id", "name", "country", "email", "notes"],
    "orders": ["id", "customer_id", "total"],
    "everybody": ["name", "email"],
}
LAYER = SemanticLayer.model_validate({
    "tables": {
        "Customers": {
            "rows": "country = 'CN' OR country = 'IE'",
            "columns": {"email": {"masked": True}, "notes": {"hidden": True}},
        }
    }
})  # fmt: skip
SECRETS = ("Foreign Ltd", "@", "private")
"""The name of a customer of another country, the mark of an address, and a hidden note."""


@pytest.fixture
def schema() -> SourceSchema:
    tables = [
        SourceTable(
            name=name, columns=[SourceColumn(name=one, type="TEXT") for one in columns], is_view=name == "everybody"
        )
        for name, columns in TABLES.items()
    ]
    return applied(SourceSchema(source="shop", dialect="sqlite", tables=tables), LAYER)


@pytest.fixture
def database() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE customers (id, name, country, email, notes)")
    database.execute("CREATE TABLE orders (id, customer_id, total)")
    database.execute("CREATE VIEW everybody AS SELECT name, email FROM customers")
    rows = [
        (1, "海宁", "CN", "h@x", "private"),
        (2, "Foreign Ltd", "GB", "f@x", "private"),
        (3, "Byrne", "IE", "b@x", ""),
    ]
    database.executemany("INSERT INTO customers VALUES (?, ?, ?, ?, ?)", rows)
    database.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(1, 1, 10), (2, 2, 20), (3, 3, 30)])
    return database


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("SELECT * FROM customers", 2),
        ("SELECT c.* FROM customers AS c", 2),
        ("SELECT name, email FROM CUSTOMERS", 2),
        ("SELECT x.email FROM orders AS o JOIN customers AS x ON o.customer_id = x.id", 2),
        ("SELECT x.name, o.total FROM orders AS o LEFT JOIN customers AS x ON o.customer_id = x.id", 3),
        ("WITH c AS (SELECT * FROM customers) SELECT * FROM c", 2),
        ("WITH c AS (SELECT * FROM customers), d AS (SELECT * FROM c) SELECT d.name FROM d", 2),
        ("SELECT name FROM customers UNION ALL SELECT email FROM customers", 4),
        ("SELECT * FROM (SELECT * FROM (SELECT * FROM customers) AS a) AS b", 2),
        ("SELECT total FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE country = 'GB')", 0),
        ("SELECT (SELECT MAX(name) FROM customers AS k WHERE k.id = o.customer_id) FROM orders AS o", 3),
        ("SELECT name FROM customers WHERE email LIKE 'f%'", 0),
        ("SELECT a.name FROM customers AS a JOIN customers AS b ON a.id = b.id", 2),
        ("SELECT name FROM customers WHERE 1 = 1 OR country = 'GB'", 2),
        ("SELECT * FROM (customers AS c JOIN orders AS o ON o.customer_id = c.id)", 2),
    ],
)
def test_only_what_may_be_seen_comes_out(schema: SourceSchema, database: sqlite3.Connection, sql: str, count: int):
    rows = database.execute(check(sql, schema).permitted).fetchall()
    assert len(rows) == count
    assert not any(secret in str(value) for row in rows for value in row for secret in SECRETS)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT notes FROM customers",
        "SELECT name FROM customers WHERE notes = 'private'",
        "SELECT name FROM customers ORDER BY notes",
        "SELECT * FROM everybody",
        "WITH customers AS (SELECT * FROM customers) SELECT * FROM customers",
        "SELECT * FROM main.customers",
        "WITH everybody AS (SELECT * FROM everybody) SELECT * FROM everybody",
        "WITH a AS (SELECT * FROM everybody), everybody AS (SELECT 1 AS id) SELECT * FROM a",
    ],
)
def test_what_is_hidden_cannot_be_named(schema: SourceSchema, sql: str):
    with pytest.raises(QueryRefused):
        check(sql, schema)


def test_a_query_of_other_tables_runs_as_it_is(schema: SourceSchema):
    query = check("SELECT total FROM orders", schema)
    assert query.permitted == query.sql


def test_a_layer_that_names_what_the_source_lacks_is_refused(schema: SourceSchema):
    layer = SemanticLayer.model_validate({"tables": {"orders": {"columns": {"totl": {"masked": True}}}}})
    with pytest.raises(BadInput, match=r"orders\.totl"):
        applied(schema, layer)


def test_every_limited_table_of_a_join_in_brackets_is_limited(schema: SourceSchema, database: sqlite3.Connection):
    layer = SemanticLayer.model_validate({"tables": {"orders": {"rows": "total < 15"}}})
    sql = "SELECT * FROM (customers AS c JOIN orders AS o ON o.customer_id = c.id)"
    rows = database.execute(check(sql, applied(schema, layer)).permitted).fetchall()
    assert len(rows) == 1


@pytest.fixture
def ruled_by_view(schema: SourceSchema) -> SourceSchema:
    layer = SemanticLayer.model_validate({"tables": {"orders": {"rows": "customer_id IN (SELECT id FROM allowed)"}}})
    return applied(schema, layer)


def test_a_cte_cannot_take_the_place_of_a_table_that_a_rule_reads(ruled_by_view: SourceSchema):
    with pytest.raises(QueryRefused):
        check("WITH allowed AS (SELECT 2 AS id) SELECT * FROM orders", ruled_by_view)
    assert "allowed" in check("SELECT * FROM orders", ruled_by_view).permitted


def test_of_two_tables_that_differ_in_case_the_one_that_is_read_is_limited():
    tables = [
        SourceTable(name=name, columns=[SourceColumn(name="id", type="TEXT"), SourceColumn(name="pay", type="TEXT")])
        for name in ("Staff", "staff")
    ]
    layer = SemanticLayer.model_validate({"tables": {"staff": {"columns": {"pay": {"hidden": True}}}}})
    both = applied(SourceSchema(source="shop", dialect="postgres", tables=tables), layer)
    assert "pay" not in check("SELECT * FROM STAFF AS s", both).permitted.casefold()
    assert "pay" in check('SELECT s.pay FROM "Staff" AS s', both).permitted
