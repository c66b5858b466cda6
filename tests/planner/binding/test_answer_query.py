"""The query of an answer fills the report that is made of it: its period becomes a parameter, or it has none."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from bandsmith.services.planner.binding.answer_query import query_of_answer, with_field_names
from bandsmith.services.planner.filling.places import FieldPlace
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable

SHOP = SourceSchema(
    source="shop",
    dialect="sqlite",
    tables=[
        SourceTable(
            name="orders",
            columns=[
                SourceColumn(name="customer", type="TEXT", samples=["Acme"]),
                SourceColumn(name="ordered_on", type="TEXT", samples=["2026-03-05", "2026-10-02"]),
                SourceColumn(name="month", type="TEXT", samples=["2026-03"]),
                SourceColumn(name="amount", type="REAL", samples=["12.5"]),
            ],
        )
    ],
)
WINDOW = "ordered_on >= :period_start AND ordered_on < :period_end"


def where(condition: str, selected: str = "SUM(amount) AS total") -> str:
    return f"SELECT {selected} FROM orders WHERE {condition}"


@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ("ordered_on >= '2026-03-01' AND ordered_on < '2026-04-01'", "2026-03"),
        ("ordered_on BETWEEN '2026-03-01' AND '2026-03-31'", "2026-03"),
        ("ordered_on >= '2026-03-01' AND ordered_on <= '2026-03-31 23:59:59'", "2026-03"),
        ("STRFTIME('%Y-%m', ordered_on) = '2026-03'", "2026-03"),
        ("STRFTIME('%Y', ordered_on) = '2026'", "2026"),
        ("ordered_on LIKE '2026-03%'", "2026-03"),
        ("ordered_on >= '2026-01-01' AND ordered_on < '2026-04-01'", "2026-Q1"),
        ("ordered_on = '2026-03-05'", "2026-03-05"),
    ],
)
def test_the_days_of_a_period_become_its_parameters(condition: str, name: str):
    found = query_of_answer(where(f"customer = 'Acme' AND {condition}"), SHOP)
    assert found.period is not None and found.period.name == name
    assert found.query.replace("(", "").replace(")", "").endswith(f"customer = 'Acme' AND {WINDOW}")


@pytest.mark.parametrize(
    "query",
    [
        where("amount > 3"),
        where("ordered_on >= '2026-03-01'"),
        where("ordered_on >= '2026-03-05' AND ordered_on < '2026-03-17'"),
        where("ordered_on >= '2026-03-01' OR ordered_on < '2026-04-01'"),
        where("ordered_on LIKE '2026-03%' OR ordered_on LIKE '2026-02%'"),
        where("NOT ordered_on LIKE '2026-03%'"),
        where("STRFTIME('%Y', ordered_on) = '2026' AND STRFTIME('%m', ordered_on) = '03'"),
        where("month = '2026-03'"),
        where("ordered_on >= DATE('now', 'start of month')"),
        where("ordered_on LIKE '2026-03%' AND ordered_on <> '2026-03-05'"),
        where("ordered_on LIKE '2026-03%'", "SUM(amount) AS march_total"),
        where("ordered_on LIKE '2026-03%'", 'SUM(amount) AS "3月销售额"'),
        where("ordered_on LIKE '2026-03%'", "CASE STRFTIME('%d', ordered_on) WHEN '01' THEN 1 END AS first"),
    ],
)
def test_a_query_with_other_dates_keeps_them_and_has_no_period(query: str):
    assert query_of_answer(query, SHOP) == (query, None)


def places(*named: tuple[str, str]) -> list[FieldPlace]:
    return [FieldPlace(name, "java.lang.String", labels=(label,)) for name, label in named]


def test_the_columns_of_a_query_are_called_as_the_fields_that_print_them():
    query = "SELECT customer AS 客户, SUM(amount) AS total FROM orders GROUP BY 1 ORDER BY 2 DESC"
    found = with_field_names(query, places(("customer", "客户"), ("sum", "Total")), "sqlite")
    tree = sqlglot.parse_one(found, dialect="sqlite")
    assert isinstance(tree, exp.Query) and tree.named_selects == ["customer", "sum"]
    assert f"({query}) AS answer" in found


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("SELECT customer FROM orders", [("customer", "Customer")]),
        ("SELECT customer FROM orders", [("customer", "Customer"), ("city", "City")]),
        ("SELECT * FROM orders", [("buyer", "Customer")]),
    ],
)
def test_a_query_that_fits_already_or_not_at_all_is_left_as_it_is(query: str, named: list[tuple[str, str]]):
    assert with_field_names(query, places(*named), "sqlite") == query


def test_the_order_of_rows_that_mysql_would_lose_is_not_hidden_in_a_subselect():
    query = "SELECT customer AS 客户 FROM orders ORDER BY 1"
    assert with_field_names(query, places(("customer", "客户")), "mysql") == query
