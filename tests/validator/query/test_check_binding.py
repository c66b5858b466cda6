"""The query of a placeholder gives its values under their names, and takes what the user gives as bound parameters."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.query.check_binding import check_binding
from bandsmith.shared.model.binding import ROWS, BindingWork, LightMemory, Placeholder, PlaceholderField, QueryInput
from bandsmith.shared.model.source import Dialect

from .test_check import DIALECTS, schema

MONTH = [
    QueryInput(name="month_start", kind="date", value="2026-10-01", window="month", is_needed=True),
    QueryInput(name="month_end", kind="date", value="2026-11-01", window="month", is_needed=True),
]
CITY = QueryInput(name="city", kind="text", value="Leeds", is_needed=True)
GOOD = (
    "SELECT c.name AS customer, o.amount FROM orders AS o JOIN customers AS c ON o.customer_id = c.id "
    "WHERE o.ordered_on >= :month_start AND o.ordered_on < :month_end"
)


def checked(query: str, inputs=MONTH, dialect: Dialect = "sqlite"):
    fields = [PlaceholderField(name=name, java_class="java.lang.String") for name in ("customer", "amount")]
    memory = LightMemory(needs_period=any(one.window for one in inputs))
    work = BindingWork(placeholder=Placeholder(name=ROWS, fields=fields), query=query, memory=memory)
    return check_binding(work, schema(dialect), inputs, "en")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_good_query_passes_in_every_dialect(dialect: Dialect):
    result = checked(GOOD, dialect=dialect)
    assert ":month_start" in result.permitted and result.time_column == "orders.ordered_on"
    assert result.tables == ["orders", "customers"] or set(result.tables) == {"orders", "customers"}


@pytest.mark.parametrize(
    ("query", "error_class"),
    [
        (GOOD.replace("o.amount", "o.total AS amount"), "unknown_name"),
        (GOOD.replace("FROM orders", "FROM sales"), "unknown_name"),
        (GOOD.replace(" AS customer", ""), "shape"),
        (GOOD.replace("o.amount", "o.amount, o.id"), "shape"),
        (GOOD.replace("SELECT c.name AS customer, o.amount", "SELECT *"), "shape"),
        (GOOD + " AND c.city = :city", "shape"),
        (GOOD.partition(" WHERE")[0], "shape"),
        (GOOD.replace("< :month_end", "<= :month_end"), "time_column"),
        (GOOD.replace(">= :month_start", "> :month_start"), "time_column"),
        (GOOD.replace("o.ordered_on < ", "c.city < "), "time_column"),
        (GOOD.replace("o.ordered_on", "c.city"), "time_column"),
        (GOOD.partition("o.ordered_on >=")[0] + "o.ordered_on BETWEEN :month_start AND :month_end", "time_column"),
        (GOOD.replace(":month_start", "'2026-10-01'"), "refused"),
        (GOOD.replace("WHERE", "WHER"), "syntax"),
        ("DELETE FROM orders", "syntax"),
        (GOOD + " AND load_extension('x') = 1", "refused"),
    ],
)
def test_another_query_is_refused_with_the_class_of_its_error(query: str, error_class: str):
    result = checked(query)
    assert not result.permitted and result.reason and result.error_class == error_class


def test_a_value_of_the_user_never_stands_in_the_text():
    query = GOOD.partition(" WHERE")[0]
    assert checked(query + " WHERE c.city = :city", [CITY]).permitted
    assert "Write :city" in checked(query + " WHERE c.city = 'Leeds' OR c.city = :city", [CITY]).reason


def test_the_day_after_may_stand_first():
    turned = GOOD.replace("o.ordered_on < :month_end", ":month_end > o.ordered_on")
    assert checked(turned).permitted
