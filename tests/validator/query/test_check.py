"""What SQL may run: one query that only reads what the source holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.validator.query.check import MAX_CHARS, QueryRefused, check
from bandsmith.shared.model.source import Dialect, SourceColumn, SourceSchema, SourceTable
from tests.yaml_files import read_yaml

DIALECTS: tuple[Dialect, ...] = ("sqlite", "postgres", "duckdb", "mysql")


def schema(dialect: Dialect) -> SourceSchema:
    def table(name: str, columns: dict[str, str]) -> SourceTable:
        return SourceTable(name=name, columns=[SourceColumn(name=key, type=kind) for key, kind in columns.items()])

    return SourceSchema(
        source="shop",
        dialect=dialect,
        tables=[
            table("customers", {"id": "INTEGER", "name": "TEXT", "city": "TEXT"}),
            table("orders", {"id": "INTEGER", "customer_id": "INTEGER", "amount": "NUMERIC", "ordered_on": "DATE"}),
            table("产品", {"编号": "INTEGER", "名称": "TEXT"}),
        ],
    )


def hostile() -> list[tuple[Dialect, str]]:
    content = read_yaml(Path(__file__).parent / "hostile.yaml")
    found: list[tuple[Dialect, str]] = []
    for by_dialect in content.values():
        for name, queries in by_dialect.items():
            found += [(dialect, sql) for sql in queries for dialect in DIALECTS if name in ("any", dialect)]
    return found


@pytest.mark.parametrize(("dialect", "sql"), hostile())
def test_what_does_more_than_read_is_refused(dialect: Dialect, sql: str):
    with pytest.raises(QueryRefused) as refused:
        check(sql, schema(dialect))
    assert refused.value.reason.en and refused.value.reason.zh


READS = [
    "SELECT COUNT(*) FROM customers",
    "SELECT c.name, SUM(o.amount) AS bought FROM customers AS c JOIN orders AS o ON o.customer_id = c.id "
    "GROUP BY c.id, c.name HAVING SUM(o.amount) > 100 ORDER BY bought DESC LIMIT 5",
    "WITH spent AS (SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY customer_id) "
    "SELECT c.name, s.total FROM spent AS s JOIN customers AS c ON c.id = s.customer_id",
    "SELECT name FROM customers EXCEPT SELECT name FROM customers WHERE city LIKE 'L%'",
    "SELECT name, RANK() OVER (PARTITION BY city ORDER BY id) FROM customers",
    "SELECT CASE WHEN amount > 10 THEN 'much' ELSE 'little' END, ROUND(AVG(amount), 2) FROM orders GROUP BY 1",
    "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE amount BETWEEN 1 AND 2)",
    "SELECT name FROM customers AS c WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id)",
    "SELECT CAST(amount AS INTEGER), COALESCE(ordered_on, CURRENT_DATE) FROM orders",
    "SELECT 名称 FROM 产品 WHERE 名称 = '茶壶; DROP TABLE customers'",
    "SELECT UPPER(SUBSTR(name, 1, 1)), LOWER(TRIM(name)) FROM customers",
    "SELECT c.name, o.amount FROM customers AS c, orders AS o WHERE o.customer_id = c.id",
    "SELECT COUNT(*) FROM customers CROSS JOIN orders",
    "SELECT a.n, b.n FROM (SELECT COUNT(*) AS n FROM customers) AS a, (SELECT COUNT(*) AS n FROM orders) AS b",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
]


JOINED: dict[Dialect, str] = {
    "sqlite": "UPPER(SUBSTR(name, 1, 1)) || LOWER(TRIM(name))",
    "postgres": "UPPER(SUBSTR(name, 1, 1)) || LOWER(TRIM(name))",
    "duckdb": "UPPER(SUBSTR(name, 1, 1)) || LOWER(TRIM(name))",
    "mysql": "CONCAT(UPPER(SUBSTR(name, 1, 1)), LOWER(TRIM(name)))",
}
"""Texts that are joined, as each dialect does it."""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts_may_be_joined_as_the_dialect_does_it(dialect: Dialect):
    query = check(f"SELECT {JOINED[dialect]} FROM customers", schema(dialect))
    assert check(query.sql, schema(dialect)).sql == query.sql
    assert ("CONCAT(" if dialect == "mysql" else " || ") in query.sql


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", READS)
def test_what_only_reads_may_run(dialect: Dialect, sql: str):
    query = check(sql, schema(dialect))
    assert query.dialect == dialect and query.sql.upper().startswith(("SELECT", "WITH"))
    assert check(query.sql, schema(dialect)).sql == query.sql


def test_the_tables_that_it_reads_are_named_once_and_as_the_source_spells_them():
    sql = "WITH c AS (SELECT id FROM CUSTOMERS) SELECT c.id FROM c JOIN orders ON customer_id = c.id"
    assert sorted(check(sql, schema("sqlite")).tables) == ["customers", "orders"]


def test_comments_do_not_reach_the_database():
    assert "--" not in check("SELECT name -- all of them\nFROM customers /* x */", schema("sqlite")).sql


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT nmae FROM customers", "nmae"),
        ("SELECT name FROM custmers", "There is no table custmers. The tables are: customers, orders, 产品."),
        ("SELECT id FROM customers JOIN orders ON customer_id = customers.id", "id"),
        ("SELECT name FRM customers WHERE", "cannot be read"),
        ("SELECT md5(name) FROM customers", "md5"),
        ("SELECT c.name FROM customers AS c, orders AS o WHERE o.amount > 1", "Nothing joins c and o"),
        ("SELECT COUNT(*) FROM customers JOIN orders", "Nothing joins customers and orders"),
        ("DROP TABLE customers", "Only a SELECT is allowed"),
    ],
)
def test_a_refusal_says_what_is_wrong(sql: str, words: str):
    with pytest.raises(QueryRefused) as refused:
        check(sql, schema("sqlite"))
    assert words in refused.value.reason.en


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "1 + " * MAX_CHARS + "1",
        "SELECT " + "(" * 3000 + "1" + ")" * 3000,
        "SELECT " + "NOT " * 2000 + "TRUE",
        "SELECT " + ", ".join(["1"] * 6000),
        "SELECT '\0'",
    ],
    ids=["long", "nested", "negated", "wide", "zero byte"],
)
def test_a_query_that_is_too_long_or_too_deep_is_refused(sql: str):
    with pytest.raises(QueryRefused):
        check(sql, schema("sqlite"))
