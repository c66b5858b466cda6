"""Rows of a query that names a sensitive column are kept from language models, in whatever way it names it."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.sensitive_queries import names_sensitive_column, sensitive_outputs

EMAIL = SourceColumn(name="Email", type="TEXT", is_sensitive=True)
CITY = SourceColumn(name="city", type="TEXT")
SCHEMA = SourceSchema(source="shop", dialect="sqlite", tables=[SourceTable(name="customers", columns=[EMAIL, CITY])])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT email FROM customers",
        'SELECT c."Email" AS contact FROM customers AS c',
        "SELECT UPPER(email) FROM customers GROUP BY 1",
        "SELECT * FROM customers",
        "SELECT c.* FROM customers AS c",
        "WITH some AS (SELECT email AS e FROM customers) SELECT e FROM some",
        "WITH some(e) AS (SELECT * FROM customers) SELECT e FROM some",
        "not a query (",
    ],
)
def test_a_query_that_may_show_it_is_found(query: str):
    assert names_sensitive_column(query, SCHEMA)


@pytest.mark.parametrize("query", ["SELECT city, COUNT(*) FROM customers GROUP BY city", "SELECT city FROM customers"])
def test_other_queries_are_not(query: str):
    assert not names_sensitive_column(query, SCHEMA)


@pytest.mark.parametrize(
    ("query", "columns", "hidden"),
    [
        ("SELECT city, email FROM customers", ["city", "email"], [False, True]),
        ("SELECT city, MAX(email) AS last FROM customers GROUP BY city", ["city", "last"], [False, True]),
        ("WITH a AS (SELECT city, email AS e FROM customers) SELECT city, e FROM a", ["city", "e"], [False, True]),
        ("SELECT * FROM customers", ["Email", "city"], [True, False]),
        ("SELECT city FROM customers WHERE email LIKE 'a%'", ["city"], [False]),
        ("SELECT city FROM customers UNION ALL SELECT email FROM customers", ["city"], [True]),
        ("SELECT a.city, b.city, b.email FROM customers AS a JOIN customers AS b ON a.city = b.city",
         ["city", "city_2", "email"], [False, False, True]),
    ],
)  # fmt: skip
def test_a_column_is_sensitive_that_is_computed_from_a_sensitive_one(
    query: str, columns: list[str], hidden: list[bool]
):
    assert sensitive_outputs(query, columns, SCHEMA) == hidden


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("WITH some(a, b) AS (SELECT city, email FROM customers) SELECT a FROM some", ["a"]),
        ("SELECT x FROM (SELECT city AS x FROM customers UNION ALL SELECT email FROM customers) AS u", ["x"]),
        ("SELECT * FROM (SELECT MAX(email) FROM customers) AS m", ["max(email)"]),
        ("SELECT city, email FROM customers", ["city", "forecast"]),
    ],
)
def test_where_a_query_does_not_tell_every_column_is(query: str, columns: list[str]):
    assert sensitive_outputs(query, columns, SCHEMA) == [True] * len(columns)
