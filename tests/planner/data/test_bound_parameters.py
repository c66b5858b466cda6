"""Values of the user reach every kind of source apart from the query, and rows come line by line."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bandsmith.services.planner.binding.run_binding import executable
from bandsmith.services.planner.data.source_process import QueryFailed, run_lines
from bandsmith.shared.sources import Source

pytestmark = pytest.mark.slow  # a process for each query
QUERY = "SELECT o.id, c.name, o.ordered_on FROM orders AS o JOIN customers AS c ON o.customer_id = c.id WHERE "


async def rows(source: Source, where: str, parameters: Mapping[str, str | int | float], max_rows: int = 100):
    sql, names = executable(QUERY + where, source.dialect)
    assert set(names) == set(parameters)
    return await run_lines(source, sql, dict(parameters), seconds=20, max_rows=max_rows)


async def test_a_period_limits_the_rows(shop: Source):
    limits = {"month_start": "2026-03-01", "month_end": "2026-04-01"}
    found = await rows(shop, "o.ordered_on >= :month_start AND o.ordered_on < :month_end ORDER BY o.id", limits)
    assert [row[0] for row in found.rows()] == [1, 2] and next(found.rows())[2][:10] == "2026-03-01"


async def test_a_hostile_value_is_a_value(shop: Source):
    hostile = {"name": "x' OR '1'='1"}
    assert (await rows(shop, "c.name = :name", hostile)).row_count == 0
    assert (await rows(shop, "c.name = :name", {"name": "\\\\' OR 1 = 1 -- "})).row_count == 0
    assert (await rows(shop, "c.name = :name", {"name": "\\' OR 1 = 1 -- "})).row_count == 0
    assert (await rows(shop, "c.name = :name AND c.name <> '100% :name'", {"name": "海宁百货"})).row_count == 1


async def test_more_rows_than_the_limit_are_cut_and_said_to_be(shop: Source):
    found = await rows(shop, "o.id > :least ORDER BY o.id", {"least": 0}, max_rows=2)
    assert found.is_cut and found.row_count == 2 and len(list(found.rows())) == 2


async def test_what_the_database_refuses_is_said(shop: Source):
    with pytest.raises(QueryFailed):
        await rows(shop, "o.id > :least AND o.nothing = 1", {"least": 0})
