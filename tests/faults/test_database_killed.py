"""A database server is killed under a question and under a filling: what waits for it is carried out, or says so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest import mock

import pytest
import sqlalchemy

from bandsmith.cli.ask import SERVICES
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import QueryRun, TurnFinished
from bandsmith.shared.model.source import Asking
from bandsmith.shared.sources import source_of, write_sources
from tests.planner.data.conftest import TABLES
from tests.planner.data.test_source_process import children
from tests.postgres import PASSWORD, PostgresServer
from tests.shared.processes import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SLOW = (
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) "
    "SELECT MAX(i) AS i FROM n CROSS JOIN orders AS o WHERE o.id = 1"
)

SHOP = Asking(source="shop")
ACTIVE = "SELECT query FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'FETCH %'"
"""The rows of a query are fetched through a cursor, and this one has none before it has counted."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    server.start()
    engine = sqlalchemy.create_engine(sqlalchemy.make_url(server.url).set(drivername="postgresql+pg8000"))
    with engine.begin() as connection:
        for statement in TABLES:
            connection.exec_driver_sql(statement)
    engine.dispose()
    yield server
    server.remove()


@pytest.fixture
async def client(server: PostgresServer, tmp_path: Path) -> AsyncIterator[Client]:
    address = f"postgresql://postgres:${{SHOP_PASSWORD}}@127.0.0.1:{server.port}/postgres"
    write_sources(tmp_path / "sources.toml", {"shop": source_of("shop", address)})
    own = {"BANDSMITH_HOME": str(tmp_path), "SHOP_PASSWORD": PASSWORD, "BANDSMITH_RETRY_DELAY": "2"}
    with mock.patch.dict(os.environ, own):
        async with local(SERVICES) as bus:
            yield Client(bus)


async def ask(client: Client, sql: str) -> tuple[list[QueryRun], TurnFinished]:
    """Return the results that the turn had, and its end."""
    results, end = list[QueryRun](), None
    async for event in client.turn("s", sql, asking=SHOP):
        if isinstance(event, QueryRun):
            results.append(event)
        elif isinstance(event, TurnFinished):
            end = event
            break
    assert end is not None
    return results, end


async def test_a_question_waits_for_a_server_that_was_killed_under_it(client: Client, server: PostgresServer):
    # Given a query that runs
    asked = asyncio.create_task(ask(client, SLOW))
    await asyncio.to_thread(until, lambda: len(running(server)) == 1, seconds=60)

    # When the server is killed and started again
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)

    # Then the question is answered, once
    results, end = await asked
    assert len(results) == 1 and end.complete and "| 3000000 |" in end.reply
    assert children() == []


async def test_a_server_that_stays_away_is_named_and_the_next_question_is_answered(
    client: Client, server: PostgresServer
):
    asked = asyncio.create_task(client.say("s", SLOW, asking=SHOP))
    await asyncio.to_thread(until, lambda: len(running(server)) == 1, seconds=60)
    await asyncio.to_thread(server.kill)
    with pytest.raises(TerminalError, match="The connection to the source shop was lost"):
        await asked
    with pytest.raises(TerminalError, match="The source shop cannot be opened"):
        await client.say("s", "SELECT COUNT(*) AS n FROM orders", asking=SHOP)
    await asyncio.to_thread(server.start)
    end = await client.say("s", "SELECT COUNT(*) AS n FROM orders", asking=SHOP)
    assert "| 3 |" in end.reply


def running(server: PostgresServer) -> list[str]:
    """Return the queries of other connections that run in the server."""
    engine = sqlalchemy.create_engine(sqlalchemy.make_url(server.url).set(drivername="postgresql+pg8000"))
    with engine.connect() as connection:
        found = connection.exec_driver_sql(ACTIVE).fetchall()
    engine.dispose()
    return [str(row[0]) for row in found]
