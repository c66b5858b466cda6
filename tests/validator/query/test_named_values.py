"""A query has to have the dates, numbers and names that its question names."""

from __future__ import annotations

import pytest
import sqlglot

from bandsmith.services.validator.query.named_values import missing_values
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable

SALES = SourceSchema(
    source="shop",
    dialect="sqlite",
    tables=[
        SourceTable(
            name="sale",
            columns=[
                SourceColumn(name="customer_name", type="TEXT", samples=["Acme", "Byrne", "北方公司"]),
                SourceColumn(name="colour", type="TEXT", samples=["red", "white"]),
                SourceColumn(name="kind", type="TEXT", samples=["sale", "return"]),
                SourceColumn(name="total", type="REAL", samples=["12.5"]),
            ],
        )
    ],
)


def missing(question: str, query: str) -> list[str]:
    return list(missing_values(question, sqlglot.parse_one(query, dialect="sqlite"), SALES))


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
        ("Orders over 1.5 million", "SELECT id FROM s WHERE total > 1500000"),
        ("金额超过1.5万的订单", "SELECT id FROM s WHERE total > 15000"),
        ("最近30天的订单", "SELECT id FROM s WHERE d >= '2026-10-27'"),
        ("第3季度最好的客户", "SELECT name FROM s WHERE q = 'Q3'"),
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
        ("哪些城市有20岁以上的客户？", "SELECT city FROM s", "20"),
        ("Customers with more than two orders", "SELECT name FROM s", "2"),
        ("至少三个订单的客户", "SELECT name FROM s", "3"),
    ],
)
def test_a_value_that_is_not_there_is_named(question: str, query: str, value: str):
    assert missing(question, query) == [value]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What did Ann Silva buy?", "Ann Silva"),
        ("Which sales went to Old Harbour?", "Old Harbour"),
        ("How many red ones did we sell?", "red"),
        ("北方公司的金额是多少？", "北方公司"),
        ("来自杭州的客户有多少？", "杭州"),
    ],
)
def test_a_name_without_any_condition_is_named(question: str, name: str):
    assert missing(question, "SELECT COUNT(*) FROM sale") == [name]


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What did Ann Silva buy?", "SELECT total FROM sale WHERE customer_id = 7"),
        ("Which sales went to Germany?", "SELECT total FROM sale WHERE country = 'DE'"),
        ("What did the sale of Acme bring?", "SELECT total FROM sale WHERE customer_name = 'ACME Ltd.'"),
        ("来自杭州的客户有多少？", "SELECT COUNT(*) FROM sale WHERE city = 'Hangzhou'"),
        ("Which sales are Express?", "SELECT total FROM sale WHERE is_express"),
    ],
)
def test_a_condition_in_other_words_may_stand_for_a_name(question: str, query: str):
    assert missing(question, query) == []


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Total of Each Customer", "SELECT customer_name, SUM(total) FROM sale GROUP BY 1"),
        ("Show the Customer Name and the Total", "SELECT customer_name, total FROM sale"),
        ("What is the GMV by Kind?", "SELECT kind, SUM(total) FROM sale GROUP BY kind"),
        ("How many red and white ones did we sell?", "SELECT colour, COUNT(*) FROM sale GROUP BY colour"),
        ("How many sales are there?", "SELECT COUNT(*) FROM sale"),
        ("What does the cheapest red one cost?", "SELECT total FROM sale ORDER BY total LIMIT 1"),
        ("Which day was better. Was it Monday?", "SELECT MAX(total) FROM sale"),
        ("来自哪个城市的客户最多？", "SELECT city FROM sale ORDER BY 1 LIMIT 1"),
    ],
)
def test_words_that_are_no_names_need_no_condition(question: str, query: str):
    assert missing(question, query) == []


def test_one_condition_does_not_stand_for_two_names():
    query = "SELECT total FROM sale WHERE customer_name = 'Ann Silva'"
    assert missing("What did Ann Silva buy in Old Harbour?", query) == ["Old Harbour"]
