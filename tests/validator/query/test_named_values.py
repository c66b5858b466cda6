"""A query has to have the dates, numbers and quoted names that its question names."""

from __future__ import annotations

import pytest
import sqlglot

from bandsmith.services.validator.query.named_values import missing_values


def missing(question: str, query: str) -> list[str]:
    return list(missing_values(question, sqlglot.parse_one(query, dialect="sqlite")))


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What were the sales in March 2026?", "SELECT SUM(x) FROM s WHERE d >= '2026-03-01' AND d < '2026-04-01'"),
        ("2026年的销售额", "SELECT SUM(x) FROM s WHERE d LIKE '2026%'"),
        ("Sales before 2015", "SELECT SUM(x) FROM s WHERE year <= 2014"),
        ("Which 5 customers bought most?", "SELECT name FROM s ORDER BY x DESC LIMIT 5"),
        ("Orders of at least 100", "SELECT id FROM s WHERE total > 99"),
        ("Is there a customer “Byrne”?", "SELECT id FROM s WHERE name LIKE '%byrne%'"),
        ("“美国”的歌手", "SELECT name FROM s WHERE country = 'USA'"),
        ("Which two tables are there?", "SELECT name FROM s"),
    ],
)
def test_values_in_any_usual_form_are_found(question: str, query: str):
    assert missing(question, query) == []


@pytest.mark.parametrize(
    ("question", "query", "value"),
    [
        ("What were the sales in March 2026?", "SELECT SUM(x) FROM s", "March 2026"),
        ("2026年的销售额", "SELECT SUM(x) FROM s WHERE d LIKE '2024%'", "2026年"),
        ("Orders over 1,500", "SELECT id FROM s WHERE total > 15", "1500"),
        ('Orders of "Byrne"', "SELECT id FROM s WHERE name = 'Silva'", "Byrne"),
    ],
)
def test_a_value_that_is_not_there_is_named(question: str, query: str, value: str):
    assert missing(question, query) == [value]
