"""Rows of a query that names a sensitive column are kept from language models, in whatever way it names it."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.sensitive_queries import names_sensitive_column

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
