"""50 million rows behind a limit of time: a query over them ends with one sentence, and the next is answered.

The rows are those of views that make them, so that nothing has to be stored.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from unittest import mock

import duckdb
import pytest
import sqlalchemy

from bandsmith.cli.ask import SERVICES
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.model.source import Asking
from bandsmith.shared.sources import source_of, write_sources
from tests.postgres import PASSWORD

from .test_limited_sources import peak_of
from .test_source_process import children

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
MANY = 50_000_000
VIEWS = {
    "lite": f"CREATE VIEW big AS WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) "
    "SELECT i FROM n",
    # DuckDB goes through 50 million rows within the limit.
    "duck": f"CREATE VIEW big AS SELECT range AS i FROM range({20 * MANY})",
    "ledger": f"CREATE VIEW big AS SELECT generate_series(1, {MANY}) AS i",
}
LONG = "SELECT COUNT(*) AS n FROM big AS a WHERE LOWER(UPPER(CAST(a.i * 7 AS VARCHAR(20)))) LIKE '%999999%'"
ACTIVE = (
    "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%999999%' AND pid <> pg_backend_pid()"
)


@pytest.fixture(scope="module")
def ledger(postgres: str) -> Iterator[sqlalchemy.Engine]:
    url = sqlalchemy.make_url(postgres).set(drivername="postgresql+pg8000")
    with sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE large")
    engine = sqlalchemy.create_engine(url.set(database="large"))
    with engine.begin() as connection:
        connection.exec_driver_sql(VIEWS["ledger"])
    yield engine
    engine.dispose()


@pytest.fixture
async def client(ledger: sqlalchemy.Engine, tmp_path: Path) -> AsyncIterator[Client]:
    with closing(sqlite3.connect(tmp_path / "lite.db")) as database:
        database.execute(VIEWS["lite"])
        database.commit()
    with duckdb.connect(str(tmp_path / "duck.duckdb")) as database:
        database.execute(VIEWS["duck"])
    address = f"postgresql://postgres:${{LEDGER_PASSWORD}}@127.0.0.1:{ledger.url.port}/large"
    places = {"lite": str(tmp_path / "lite.db"), "duck": str(tmp_path / "duck.duckdb"), "ledger": address}
    write_sources(tmp_path / "sources.toml", {name: source_of(name, place) for name, place in places.items()})
    own = {"BANDSMITH_HOME": str(tmp_path), "LEDGER_PASSWORD": PASSWORD, "BANDSMITH_QUERY_SECONDS": "4"}
    with mock.patch.dict(os.environ, own):
        async with local(SERVICES) as bus:
            yield Client(bus)


@pytest.mark.parametrize("name", VIEWS)
async def test_a_long_query_ends_at_its_limit_and_the_next_is_answered(
    client: Client, ledger: sqlalchemy.Engine, name: str
):
    asking = Asking(source=name)
    end = await client.say("s", LONG, asking=asking)
    assert not end.complete and end.files == {} and end.reply.count("\n") == 0
    assert "statement timeout" in end.reply or "it took longer than 4 seconds" in end.reply

    # Then nothing of it runs any more, in the server neither, when the next question comes
    assert children() == []
    with ledger.connect() as connection:
        assert connection.exec_driver_sql(ACTIVE).scalar() == 0
    end = await client.say("s", "SELECT i FROM big LIMIT 3", asking=asking)
    assert end.complete and "3 rows." in end.reply


@pytest.mark.parametrize("name", VIEWS)
async def test_of_many_rows_the_first_are_shown_and_the_reply_says_so(client: Client, name: str):
    end = await client.say("s", "SELECT a.i FROM big AS a LIMIT 1000000", asking=Asking(source=name))
    assert end.complete and "The first 10000 rows; there are more." in end.reply.replace(",", "")
    assert (await client.fetch(end.files["result.csv"])).count(b"\n") == 1 + 10_000


def test_the_rows_of_a_large_filling_are_read_in_the_memory_of_a_small_one(tmp_path: Path):
    with duckdb.connect(str(tmp_path / "duck.duckdb")) as database:
        database.execute(VIEWS["duck"])
    source = source_of("duck", str(tmp_path / "duck.duckdb"))
    filling = {"parameters": {}, "as_lines": True, "max_rows": 1_000_000}
    few, many = (
        peak_of(source, f"SELECT i, 'customer ' || i AS customer FROM big LIMIT {count}", tmp_path, **filling)
        for count in (1_000, 100_000)
    )
    assert many < few * 1.1, f"{few} and {many} kB"
