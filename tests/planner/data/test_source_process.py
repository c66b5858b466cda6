"""Every kind of source keeps one contract: it says what it holds, answers queries, and can only be read."""

from __future__ import annotations

import asyncio
import os
from decimal import Decimal
from pathlib import Path

import pytest

from bandsmith.services.planner.data.results import from_bytes
from bandsmith.services.planner.data.source_process import QueryFailed, describe, run
from bandsmith.shared.errors import BadInput
from bandsmith.shared.sources import Source, source_of
from tests.shared.processes import family

pytestmark = pytest.mark.slow  # a process for each query


async def rows(source: Source, sql: str, *, seconds: float = 20, max_rows: int = 100) -> list[dict[str, object]]:
    answer = await run(source, sql, seconds=seconds, max_rows=max_rows)
    return list(from_bytes(answer.table).to_pylist())


async def test_it_says_what_it_holds(shop: Source):
    schema = await describe(shop)
    assert schema.dialect == shop.dialect and {table.name for table in schema.tables} == {"customers", "orders"}
    customers = schema.table("customers")
    assert customers is not None
    assert [column.name for column in customers.columns] == ["id", "name", "email", "city"]
    assert customers.columns[1].samples == ["North & Sons", "海宁百货"]


async def test_values_of_sensitive_columns_are_not_shown(shop: Source):
    named = shop.model_copy(update={"sensitive": ["Customers.City"]})
    customers = (await describe(named)).table("customers")
    assert customers is not None
    assert {column.name: bool(column.samples) for column in customers.columns} == {
        "id": True, "name": True, "email": False, "city": False,
    }  # fmt: skip


async def test_a_query_is_answered_with_typed_rows(shop: Source):
    found = await rows(
        shop,
        "SELECT c.name, SUM(o.amount) AS total FROM customers AS c JOIN orders AS o ON o.customer_id = c.id "
        "WHERE c.name LIKE '%o%' GROUP BY c.name",
    )
    assert [row["name"] for row in found] == ["North & Sons"]
    assert Decimal(str(found[0]["total"])) == Decimal("19.75")


async def test_more_rows_than_the_limit_are_cut_and_said_to_be(shop: Source):
    answer = await run(shop, "SELECT id FROM orders ORDER BY id", seconds=20, max_rows=2)
    assert answer.is_cut and from_bytes(answer.table).num_rows == 2
    whole = await run(shop, "SELECT id FROM orders ORDER BY id", seconds=20, max_rows=3)
    assert not whole.is_cut


@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM customers", "UPDATE customers SET name = 'x'", "CREATE TABLE x (id INTEGER)", "DROP TABLE orders"],
)
async def test_the_connection_itself_refuses_to_write(shop: Source, sql: str):
    if shop.path and shop.path.is_dir():
        return  # its tables are a copy in memory, which ends with the process
    with pytest.raises(QueryFailed):
        await rows(shop, sql)
    assert len(await rows(shop, "SELECT * FROM customers")) == 2


async def test_the_connection_itself_opens_no_file(shop: Source, tmp_path: Path):
    if shop.dialect != "duckdb":
        return  # the others have no such functions, or a server that this test does not own
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(QueryFailed):
        await rows(shop, f"SELECT * FROM read_csv('{tmp_path / 'secret.csv'}')")


async def test_an_unknown_column_is_a_reason_and_no_crash(shop: Source):
    with pytest.raises(QueryFailed, match="nmae"):
        await rows(shop, "SELECT nmae FROM customers")


async def test_a_query_that_takes_too_long_is_killed(shop: Source):
    endless = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"
    with pytest.raises(QueryFailed):
        await rows(shop, endless, seconds=0.5)
    assert children() == []


async def test_a_cancelled_query_leaves_no_process(shop: Source):
    endless = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"
    asked = asyncio.create_task(rows(shop, endless, seconds=60))
    while not children():  # noqa: ASYNC110 - a process, which sends no notification
        await asyncio.sleep(0.02)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert children() == []


def children() -> list[int]:
    """The processes that read sources, now."""
    found = []
    for pid in family(os.getpid()):
        try:
            if b"planner.data.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("name", ["notes.db", "notes.duckdb", "notes.xlsx", "notes.parquet"])
async def test_a_source_that_is_no_database_is_named(tmp_path: Path, name: str):
    (tmp_path / name).write_text("not a database, only some words" * 40)
    with pytest.raises(BadInput) as error:
        await describe(source_of("notes", str(tmp_path / name)))
    assert "notes cannot be opened" in error.value.message and str(tmp_path) not in error.value.message


async def test_a_password_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NO_SUCH_PASSWORD", raising=False)
    source = source_of("ledger", "postgresql://reader:${NO_SUCH_PASSWORD}@127.0.0.1:1/ledger")
    with pytest.raises(BadInput) as error:
        await describe(source)
    assert "NO_SUCH_PASSWORD" in error.value.message
