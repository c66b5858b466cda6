"""A database server is killed under a question, an analysis and a filling: each is carried out once, or says so."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import sqlalchemy

from bandsmith.attachments import Attachment
from bandsmith.cli.ask import SERVICES
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import Message, QueryRun, ReportFilled, RowsFetched, TurnFinished
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.source import Asking
from bandsmith.shared.sources import source_of, write_sources
from tests.cli.test_fill_from_source import TEMPLATE
from tests.planner.data.conftest import TABLES
from tests.planner.data.test_source_process import children
from tests.postgres import PASSWORD, PostgresServer
from tests.shared.processes import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SLOW = (
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) "
    "SELECT MAX(i) AS i FROM n CROSS JOIN orders AS o WHERE o.id = 1"
)

FILLED_BY = (
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) "
    "SELECT c.name AS customer, o.amount AS amount FROM orders AS o JOIN customers AS c ON o.customer_id = c.id "
    "CROSS JOIN (SELECT MAX(i) AS i FROM n) AS m WHERE m.i > 0 ORDER BY o.id"
)
STEPS = [{"name": name, "kind": "sql", "task": "The largest number"} for name in ("first", "second")]
TEXT = "They are {{first.i}} and {{second.i}}."
REPLIES = {
    "plan_analysis": {"assessment": "analysis", "question": "How many are there?", "steps": STEPS},
    "write_query": {"query": SLOW},
    "judge_query": {"verdict": "answers"},
    "write_analysis": {"title": "Numbers", "sections": [{"heading": "Numbers", "text": TEXT}]},
    "write_binding": {"query": FILLED_BY, "reason": ""},
}
SHOP, ANALYSIS = Asking(source="shop"), Asking(source="shop", analyse=True)
ACTIVE = "SELECT query FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'FETCH %'"
"""The rows of a query are fetched through a cursor, and this one has none before it has counted."""
WAITING = "SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


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


async def events_of(client: Client, text: str = "", **more: Any) -> list[Message]:
    """Return the events of a turn to its end."""
    events: list[Message] = []
    async with aclosing(client.turn("s", text, **more)) as turn:
        async for event in turn:
            if isinstance(event, Message):
                events.append(event)
    return events


async def killed_at(server: PostgresServer, asked: asyncio.Task[list[Message]], run: int) -> None:
    """Kill the server under a turn's query, the `run`-th that it runs, and start it again."""
    for number in range(1, run + 1):
        await asyncio.to_thread(until, lambda: len(running(server)) == 1 or asked.done(), seconds=60)
        assert not asked.done()
        if number < run:
            await asyncio.to_thread(until, lambda: not running(server), seconds=60)
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)


def count(events: list[Message], kind: type[Message]) -> int:
    return sum(isinstance(event, kind) for event in events)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    """A model that plans an analysis of one slow step, and fills a report by a slow query."""
    with ScriptedModel(lambda asked: json.dumps(REPLIES[asked.prompt])) as server:
        monkeypatch.setenv("BANDSMITH_MODEL_URL", server.url)
        monkeypatch.setenv("BANDSMITH_MODEL_NAME", "scripted")
        yield server


async def test_a_question_waits_for_a_server_that_was_killed_under_it(client: Client, server: PostgresServer):
    # Given a query that runs
    asked = asyncio.create_task(events_of(client, SLOW, asking=SHOP))

    # When the server is killed and started again
    await killed_at(server, asked, run=1)

    # Then the question is answered, once
    events = await asked
    end = events[-1]
    assert count(events, QueryRun) == 1 and isinstance(end, TurnFinished)
    assert end.complete and "| 3000000 |" in end.reply
    assert children() == []


async def test_a_question_waits_for_a_server_that_was_killed_while_its_tables_were_read(
    client: Client, server: PostgresServer
):
    # Given the reading of the tables, which waits for another user's lock
    other = sqlalchemy.create_engine(sqlalchemy.make_url(server.url).set(drivername="postgresql+pg8000"))
    with other.connect() as connection:
        connection.exec_driver_sql("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE")
        asked = asyncio.create_task(events_of(client, "SELECT COUNT(*) AS n FROM orders", asking=SHOP))
        await asyncio.to_thread(until, lambda: len(running(server, WAITING)) > 0 or asked.done(), seconds=60)
        assert not asked.done()

        # When the server is killed and started again
        await asyncio.to_thread(server.kill)
        connection.invalidate()
    other.dispose()
    await asyncio.to_thread(server.start)

    # Then the question is answered, once
    events = await asked
    end = events[-1]
    assert isinstance(end, TurnFinished)
    assert count(events, QueryRun) == 1, end.reply
    assert end.complete and "| 3 |" in end.reply
    assert children() == []


async def test_an_analysis_waits_for_a_server_that_was_killed_under_it(
    model: ScriptedModel, client: Client, server: PostgresServer
):
    # Given a step that runs, after another one
    asked = asyncio.create_task(events_of(client, "how many are there?", asking=ANALYSIS))

    # When the server is killed under the second step and started again
    await killed_at(server, asked, run=2)

    # Then both are answered once, the model was asked nothing twice, and the report is whole
    events = await asked
    end = events[-1]
    assert isinstance(end, TurnFinished) and end.complete and "3,000,000 and 3,000,000" in end.reply
    assert count(events, QueryRun) == 2
    assert Counter(asked.prompt for asked in model.requests) == {
        "plan_analysis": 1,
        "write_query": 2,
        "judge_query": 2,
        "write_analysis": 1,
    }
    assert children() == []


@pytest.mark.parametrize(("what", "run"), [("the trial of its query", 1), ("the reading of its rows", 2)])
async def test_a_filling_waits_for_a_server_that_was_killed_under_it(
    model: ScriptedModel, client: Client, server: PostgresServer, what: str, run: int
):
    # Given a filling whose query runs
    template = Attachment(name="report.jrxml", content=TEMPLATE.encode())
    filling = Filling(source="shop", formats=["csv"])
    asked = asyncio.create_task(events_of(client, attachments=[template], filling=filling))

    # When the server is killed and started again
    await killed_at(server, asked, run)

    # Then the report holds each row once, and its query was written once
    events = await asked
    end = events[-1]
    assert isinstance(end, TurnFinished) and end.complete, end
    assert (count(events, RowsFetched), count(events, ReportFilled)) == (1, 1)
    rows = (await client.fetch(end.files["filled.csv"])).decode()
    assert rows.count("North & Sons") == 2 and rows.count("海宁百货") == 1
    assert [asked.prompt for asked in model.requests] == ["write_binding"]


async def test_a_filling_whose_server_stays_away_leaves_no_file_and_keeps_its_query(
    model: ScriptedModel, client: Client, server: PostgresServer
):
    template = Attachment(name="report.jrxml", content=TEMPLATE.encode())
    filling = Filling(source="shop", formats=["csv"])
    asked = asyncio.create_task(events_of(client, attachments=[template], filling=filling))
    await asyncio.to_thread(until, lambda: len(running(server)) == 1, seconds=60)
    await asyncio.to_thread(server.kill)
    end = (await asked)[-1]
    assert isinstance(end, TurnFinished) and not end.complete
    assert "could not be reached" in end.reply and "filled.csv" not in end.files and "bindings.yaml" in end.files


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


def running(server: PostgresServer, which: str = ACTIVE) -> list[str]:
    """Return the queries of other connections that run in the server, or wait there."""
    engine = sqlalchemy.create_engine(sqlalchemy.make_url(server.url).set(drivername="postgresql+pg8000"))
    with engine.connect() as connection:
        found = connection.exec_driver_sql(which).fetchall()
    engine.dispose()
    return [str(row[0]) for row in found]
