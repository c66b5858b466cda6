"""Every kind of source keeps one contract: it says what it holds, answers queries, and can only be read."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest
import sqlalchemy
from openpyxl import Workbook

from bandsmith.services.planner.data.source_process import QueryFailed, describe, run
from bandsmith.shared.errors import BadInput
from bandsmith.shared.result_tables import from_bytes
from bandsmith.shared.sources import Source, source_of
from tests.mariadb import PASSWORD, USER
from tests.shared.processes import family, is_alive, until

ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"

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


def test_a_query_does_not_wait_for_pandas_to_load(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        database.execute("CREATE TABLE orders (id INTEGER)")
    asked = {
        "source": "shop", "address": "", "path": str(tmp_path / "shop.db"), "dialect": "sqlite", "sensitive": [],
        "sql": "SELECT id FROM orders", "seconds": 20, "max_rows": 10,
    }  # fmt: skip
    worker = [sys.executable, "-X", "importtime", "-m", "bandsmith.services.planner.data.worker", str(os.getpid())]
    done = subprocess.run(worker, input=json.dumps(asked).encode(), capture_output=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert json.loads(done.stdout.partition(b"\n")[0]) == {"is_cut": False}
    assert "pyarrow.lib" in loaded and not [name for name in loaded if name.startswith("pandas.")]


async def test_a_query_that_takes_too_long_is_killed(shop: Source):
    with pytest.raises(QueryFailed):
        await rows(shop, ENDLESS, seconds=0.5)
    assert children() == []


async def test_a_long_recursion_is_whole(shop: Source):
    counted = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
    assert await rows(shop, f"{counted} SELECT MAX(i) AS i FROM n") == [{"i": 3000}]


async def test_a_cancelled_query_leaves_no_process(shop: Source):
    asked = asyncio.create_task(rows(shop, ENDLESS, seconds=60))
    while not children():  # noqa: ASYNC110 - a process, which sends no notification
        await asyncio.sleep(0.02)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert children() == []


async def test_a_query_ends_with_the_service_that_was_killed(tmp_path: Path):
    # Given a service that waits for a query without an end
    sqlite3.connect(tmp_path / "shop.db").execute("CREATE TABLE orders (id INTEGER)").connection.close()
    program = (
        "import asyncio, sys\n"
        "from bandsmith.services.planner.data.source_process import run\n"
        "from bandsmith.shared.sources import source_of\n"
        f"endless = {ENDLESS!r}\n"
        "asyncio.run(run(source_of('shop', sys.argv[1]), endless, seconds=600, max_rows=1))\n"
    )
    service = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "shop.db")])  # noqa: ASYNC220 - it returns at once
    await asyncio.to_thread(until, lambda: len(children(service.pid)) == 1, seconds=60)
    (query,) = children(service.pid)

    # When it is killed
    service.kill()
    service.wait()

    # Then the query is gone, too
    await asyncio.to_thread(until, lambda: not is_alive(query), seconds=30)


def children(parent: int = os.getpid()) -> list[int]:
    """The processes that read sources, now."""
    found = []
    for pid in family(parent):
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


async def test_a_file_that_is_gone_is_said_to_be(tmp_path: Path):
    (tmp_path / "shop.db").touch()
    source = source_of("shop", str(tmp_path / "shop.db"))
    (tmp_path / "shop.db").unlink()
    with pytest.raises(BadInput) as error:
        await describe(source)
    assert error.value.message == "There is no such file or folder. Check the address of shop."


async def test_a_server_that_does_not_answer_is_named_in_one_plain_sentence():
    with pytest.raises(BadInput) as error:
        await describe(source_of("ledger", "postgresql://reader@127.0.0.1:1/ledger"))
    reason = "Can't create a connection to host 127.0.0.1 and port 1"
    assert error.value.message == f"The source ledger cannot be opened: {reason}."


async def test_a_workbook_that_is_none_is_called_so(tmp_path: Path):
    (tmp_path / "notes.xlsx").write_text("only words")
    with pytest.raises(BadInput, match=r"notes\.xlsx is not an Excel workbook"):
        await describe(source_of("notes", str(tmp_path / "notes.xlsx")))


async def test_an_empty_file_is_refused_and_in_a_folder_passed_over(tmp_path: Path):
    (tmp_path / "empty.csv").touch()
    (tmp_path / "sales.csv").write_text("name,amount\nNorth,1\n")
    with pytest.raises(BadInput, match=r"empty\.csv is empty"):
        await describe(source_of("sales", str(tmp_path / "empty.csv")))
    schema = await describe(source_of("sales", str(tmp_path)))
    assert [table.name for table in schema.tables] == ["sales"]


async def test_a_password_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NO_SUCH_PASSWORD", raising=False)
    source = source_of("ledger", "postgresql://reader:${NO_SUCH_PASSWORD}@127.0.0.1:1/ledger")
    with pytest.raises(BadInput) as error:
        await describe(source)
    assert "NO_SUCH_PASSWORD" in error.value.message


async def test_every_sheet_of_a_workbook_is_a_table_and_no_column_is_lost(tmp_path: Path):
    book = Workbook()
    book.active.append(["name", "amount", "amount"])
    book.active.append(["North", 1, 2])
    book.create_sheet("empty")
    book.create_sheet("returns").append(["name", "count"])
    book["returns"].append(["South", 3])
    book.save(tmp_path / "sales.xlsx")
    source = source_of("sales", str(tmp_path / "sales.xlsx"))
    schema = await describe(source)
    assert [table.name for table in schema.tables] == ["sales", "sales_returns"]
    assert await rows(source, "SELECT * FROM sales") == [{"name": "North", "amount": 1, "amount_2": 2}]


async def test_codes_with_leading_zeros_stay_as_they_are(tmp_path: Path):
    (tmp_path / "codes.csv").write_text("code,amount\n007,1.50\n012,2\n")
    found = await rows(source_of("codes", str(tmp_path / "codes.csv")), "SELECT code FROM codes")
    assert [row["code"] for row in found] == ["007", "012"]


async def test_a_view_that_is_broken_does_not_hide_the_other_tables(tmp_path: Path):
    with sqlite3.connect(tmp_path / "shop.db") as database:
        for statement in (
            "CREATE TABLE a (id)",
            "CREATE TABLE b (id)",
            "CREATE VIEW v AS SELECT id FROM b",
            "DROP TABLE b",
        ):
            database.execute(statement)
    database.close()
    schema = await describe(source_of("shop", str(tmp_path / "shop.db")))
    assert [table.name for table in schema.tables] == ["a"]


async def test_a_table_that_may_not_be_read_is_left_out(postgres: str, monkeypatch: pytest.MonkeyPatch):
    engine = sqlalchemy.create_engine(sqlalchemy.make_url(postgres).set(drivername="postgresql+pg8000"))
    with engine.begin() as connection:
        for statement in ("CREATE ROLE clerk LOGIN PASSWORD 'a/b@c:d'", "GRANT SELECT ON orders TO clerk"):
            connection.exec_driver_sql(statement)
    engine.dispose()
    monkeypatch.setenv("CLERK_PASSWORD", "a/b@c:d")
    address = f"postgresql://clerk:${{CLERK_PASSWORD}}@{postgres.rpartition('@')[2]}"
    assert [table.name for table in (await describe(source_of("shop", address))).tables] == ["orders"]


async def test_a_column_that_is_not_grouped_is_refused_by_mariadb(mariadb: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
    source = source_of("shop", f"mariadb://{USER}:${{SHOP_PASSWORD}}@127.0.0.1:{mariadb}/shop")
    with pytest.raises(QueryFailed):
        await rows(source, "SELECT name, COUNT(*) FROM customers")
    joined = "FROM customers AS c JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, c.name"
    found = await rows(source, f"SELECT c.name, SUM(o.amount) AS total {joined} HAVING SUM(o.amount) > 50")
    assert found == [{"name": "海宁百货", "total": Decimal("99.00")}]
