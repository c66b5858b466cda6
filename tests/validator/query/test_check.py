"""What SQL may run: one query that only reads what the source holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.validator.query.check import MAX_CHARS, QueryRefused, check
from bandsmith.shared.model.source import Dialect, SourceColumn, SourceSchema, SourceTable
from tests.each_case import each
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


@each("dialect, sql", hostile())
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


ENDLESS = [
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n",
    "WITH RECURSIVE n(i) AS (SELECT id FROM orders WHERE amount > 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i FROM n AS m) SELECT COUNT(*) FROM n",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT i FROM n) SELECT COUNT(*) FROM n",
    "SELECT name FROM customers WHERE id IN "
    "(WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)",
]
ENDING = [
    "WITH RECURSIVE d AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 31) "
    "SELECT d.i, COUNT(o.id) FROM d LEFT JOIN orders AS o ON o.id = d.i GROUP BY d.i",
    "WITH RECURSIVE tree AS (SELECT id, name FROM customers WHERE id = 1 UNION ALL "
    "SELECT c.id, c.name FROM customers AS c JOIN tree AS t ON c.city = t.name) SELECT name FROM tree",
    "WITH RECURSIVE tree AS (SELECT id, name FROM customers WHERE id = 1 UNION ALL "
    "SELECT c.id, c.name FROM customers AS c, tree AS t WHERE c.city = t.name) SELECT name FROM tree",
    "WITH RECURSIVE r AS (SELECT 1 AS i UNION SELECT (i + 1) % 7 FROM r) SELECT i FROM r",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 10",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM (SELECT i FROM n WHERE i < 9) AS m) "
    "SELECT i FROM n",
    "WITH RECURSIVE n AS (SELECT id FROM customers UNION ALL SELECT id FROM orders) SELECT id FROM n",
]


@each("dialect", DIALECTS)
@each("sql", ENDLESS)
def test_a_recursion_that_nothing_ends_is_refused(dialect: Dialect, sql: str):
    with pytest.raises(QueryRefused, match="n repeats its own rows without an end") as refused:
        check(sql, schema(dialect))
    assert "不会结束" in refused.value.reason.zh


@each("dialect", DIALECTS)
@each("sql", ENDING)
def test_a_walk_of_a_tree_and_a_calendar_are_not(dialect: Dialect, sql: str):
    assert check(sql, schema(dialect))


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


@each("dialect", DIALECTS)
@each("sql", READS)
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
