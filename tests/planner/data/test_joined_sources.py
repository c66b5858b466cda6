"""A question about several sources: what is read of each meets in one database, and no row is missing or too many.

The sources are real: a SQLite file and CSV files here, servers in the slow tests.
"""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from bandsmith.services.planner.data import run_parts as running
from bandsmith.services.planner.data.asked_sources import asked_sources, named_in_question, seen_sources
from bandsmith.services.planner.data.connections import connect
from bandsmith.services.planner.data.joined_tables import JoinedTables
from bandsmith.services.planner.data.run_parts import PartTooLarge, run_parts
from bandsmith.services.planner.settings import DataSettings
from bandsmith.services.validator.query.check import check
from bandsmith.services.validator.query.parts import query_parts
from bandsmith.shared.errors import BadInput
from bandsmith.shared.joined_sources import joined
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.owners import digest_of_owner, owner_of_user
from bandsmith.shared.result_tables import from_bytes, table_of, to_bytes
from bandsmith.shared.semantic_layer import SemanticLayer, applied
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, source_of, write_sources
from tests.mariadb import PASSWORD as MARIADB_PASSWORD
from tests.mariadb import USER as MARIADB_USER
from tests.postgres import PASSWORD as POSTGRES_PASSWORD

SHOP = (
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount NUMERIC(10,2), ordered_on DATE,"
    " paid BOOLEAN, changed DATETIME, note TEXT, seen TEXT)",
    "INSERT INTO orders VALUES (1, 1, 12.5, '2026-03-01', 1, '2026-03-01 10:00:00.000000', 'a', '2026-03-01 09:00'),"
    " (2, 1, 7.25, '2026-03-05', 0, '2026-03-05 00:30:00.000000', NULL, NULL),"
    " (3, 2, 99, '2026-04-01', 1, NULL, 'B', '2026-03-02'),"
    " (4, 9, 1, '2026-04-02', NULL, NULL, 'a', '2026-02-01')",
    "CREATE TABLE returns (order_id INTEGER, returned_on DATE)",
)
CUSTOMERS = "id,name,city,email\n1,North & Sons,Leeds,n@x\n2,海宁百货,嘉兴,h@x\n3,Third,Leeds,t@x\n"
QUESTIONS = {
    "join": "SELECT c.name, o.amount FROM crm.customers AS c JOIN shop.orders AS o ON o.customer_id = c.id",
    "outer join": "SELECT c.name, SUM(o.amount) AS total FROM crm.customers AS c LEFT JOIN shop.orders AS o"
    " ON o.customer_id = c.id GROUP BY c.name",
    "filter of the outer table": "SELECT c.name, o.id FROM crm.customers AS c LEFT JOIN shop.orders AS o"
    " ON o.customer_id = c.id WHERE o.amount > 10 AND c.city = 'Leeds'",
    "dates": "SELECT c.name FROM crm.customers AS c JOIN shop.orders AS o ON o.customer_id = c.id"
    " WHERE o.ordered_on >= '2026-03-02' AND o.ordered_on < DATE '2026-04-01'",
    "one day": "SELECT o.id FROM shop.orders AS o WHERE o.ordered_on = '2026-03-05'",
    "a time of day": "SELECT o.id FROM shop.orders AS o"
    " WHERE o.changed > '2026-03-01' AND o.changed <= DATE '2026-03-05'",
    "a text as a date": "SELECT o.id FROM shop.orders AS o WHERE CAST(o.seen AS DATE) <= DATE '2026-03-01'",
    "between": "SELECT o.id FROM shop.orders AS o WHERE o.changed BETWEEN '2026-03-01' AND '2026-03-05'",
    "months": "SELECT DATE_TRUNC('month', o.ordered_on) AS month, COUNT(*) AS n FROM shop.orders AS o"
    " JOIN crm.customers AS c ON c.id = o.customer_id GROUP BY 1",
    "times": "SELECT EXTRACT(HOUR FROM o.changed) AS hour FROM shop.orders AS o WHERE o.paid",
    "no match": "SELECT c.name FROM crm.customers AS c WHERE NOT EXISTS"
    " (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.id AND o.amount > 50)",
    "in": "SELECT o.id FROM shop.orders AS o"
    " WHERE o.customer_id IN (SELECT id FROM crm.customers WHERE city = 'Leeds')",
    "the same table twice": "SELECT a.id, b.id FROM shop.orders AS a JOIN shop.orders AS b"
    " ON a.customer_id = b.customer_id WHERE a.amount > 10 AND b.amount < 10",
    "union": "SELECT name FROM crm.customers WHERE id = 3 UNION ALL SELECT note FROM shop.orders WHERE note = 'a'",
    "cte": "WITH big AS (SELECT * FROM shop.orders WHERE amount >= 12.5) SELECT c.*, big.amount FROM big"
    " RIGHT JOIN crm.customers AS c ON c.id = big.customer_id",
    "using": "SELECT id, name, amount FROM crm.customers JOIN shop.orders USING (id)",
    "natural": "SELECT name, amount FROM crm.customers NATURAL JOIN shop.orders",
    "count": "SELECT COUNT(*) AS n FROM shop.orders CROSS JOIN crm.customers",
    "an empty table": "SELECT c.name, r.returned_on FROM crm.customers AS c LEFT JOIN shop.orders AS o"
    " ON o.customer_id = c.id LEFT JOIN shop.returns AS r ON r.order_id = o.id AND r.returned_on > '2026-01-01'",
    "text in any order": "SELECT note FROM shop.orders WHERE note > 'A' AND note <= 'a'",
    "either way round": "SELECT id FROM shop.orders WHERE 10 < amount AND 2 >= customer_id AND id BETWEEN 1 AND 3",
    "no table": "SELECT 1 AS one",
}


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Source]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        for statement in SHOP:
            database.execute(statement)
        database.commit()
    (tmp_path / "customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    return {"crm": source_of("crm", f"{tmp_path}/customers.csv"), "shop": source_of("shop", f"{tmp_path}/shop.db")}


def schemas(sources: dict[str, Source]) -> list[SourceSchema]:
    opened = [(one, connect(one.address, one.path, one.dialect)) for one in sources.values()]
    return [connection.describe(one.name, frozenset()) for one, connection in opened]


def answer(sources: dict[str, Source], schema: SourceSchema, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query of several sources, sorted. Each part is read by a connection of its own."""
    query = check(sql, schema)
    parts, content = [], b""
    for part in query_parts(query, schema):
        source = sources[part.source]
        rows = connect(source.address, source.path, source.dialect).query(part.sql, 30)
        table = to_bytes(table_of(rows.columns, rows, 1000).content)
        parts.append({"table": part.table, "types": part.types, "size": len(table)})
        content += table
    return ordered(JoinedTables(parts, io.BytesIO(content)).query(query.permitted, 30))


def ordered(rows: Any) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in rows), key=str)


@pytest.fixture
def together() -> duckdb.DuckDBPyConnection:
    """The same tables, all in one database, with all of their rows."""
    whole = duckdb.connect(":memory:")
    whole.execute("CREATE SCHEMA shop; CREATE SCHEMA crm")
    for statement in SHOP:
        whole.execute(statement.replace("TABLE ", "TABLE shop.").replace("INTO ", "INTO shop."))
    whole.execute("CREATE TABLE crm.customers (id BIGINT, name TEXT, city TEXT, email TEXT)")
    for line in CUSTOMERS.splitlines()[1:]:
        whole.execute("INSERT INTO crm.customers VALUES (?, ?, ?, ?)", line.split(","))
    return whole


def test_a_query_gives_the_rows_that_one_database_with_all_tables_gives(
    sources: dict[str, Source], together: duckdb.DuckDBPyConnection
):
    schema = joined(schemas(sources))
    for name, sql in QUESTIONS.items():
        wanted = ordered(together.execute(sql).fetchall())
        assert [tuple(map(near, row)) for row in answer(sources, schema, sql)] == [
            tuple(map(near, row)) for row in wanted
        ], name


def near(value: object) -> object:
    """A decimal number of SQLite is a floating-point one."""
    return float(value) if hasattr(value, "as_tuple") else value  # type: ignore[arg-type]


def test_what_a_source_hides_stays_hidden_in_a_join(sources: dict[str, Source]):
    crm, shop = schemas(sources)
    layer = SemanticLayer.model_validate({
        "tables": {"customers": {"rows": "city = 'Leeds'", "columns": {"email": {"masked": True}, "id": {}}}}
    })  # fmt: skip
    schema = joined([applied(crm, layer), shop])
    rows = answer(
        sources, schema, "SELECT c.* FROM crm.customers AS c LEFT JOIN shop.orders AS o ON o.customer_id = c.id"
    )
    assert rows and {row[2] for row in rows} == {"Leeds"} and {row[3] for row in rows} == {"***"}
    assert answer(sources, schema, "SELECT name FROM crm.customers WHERE email = 'n@x' OR city = '嘉兴'") == []


def test_a_number_that_is_a_text_is_no_silent_sum(sources: dict[str, Source]):
    path = sources["shop"].path
    assert path is not None
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO orders (id, amount) VALUES (5, 'n/a')")
        database.commit()
    with pytest.raises(ValueError, match=r"shop\.orders\.amount is declared as a number"):
        answer(sources, joined(schemas(sources)), "SELECT SUM(amount) FROM shop.orders")


def test_where_the_parts_meet_no_file_can_be_read(tmp_path: Path):
    (tmp_path / "secret.csv").write_text("a\n1\n")
    meeting = JoinedTables([], io.BytesIO())
    with pytest.raises(duckdb.Error, match="disabled"):
        meeting.query(f"SELECT * FROM '{tmp_path}/secret.csv'", 30)


# --- which sources ---------------------------------------------------------------------------------------------------


@pytest.fixture
def registry(sources: dict[str, Source], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path / "home"))
    own = sources["shop"].model_copy(update={"users": ["ann"]})
    write_sources(SourceSettings().file, {"shop": own, "crm": sources["crm"]})


@pytest.mark.usefixtures("registry")
def test_sources_have_one_name_whatever_order_they_are_named_in():
    assert asked_sources("shop+crm", "").name == asked_sources(" crm + shop", "").name == "crm+shop"
    assert asked_sources("shop+", "").name == asked_sources("shop+shop", "").name == "shop"


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("name", ["shop+missing", "+".join("abcdefghi")])
def test_sources_that_cannot_be_asked_together_are_named(name: str):
    with pytest.raises(BadInput, match=r"no source missing|At most 8"):
        asked_sources(name, "")


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("text", "source", "question"),
    [
        ("shop: how many orders?", "shop", "how many orders?"),
        ("shop + crm：每个城市有多少订单？", "shop + crm", "每个城市有多少订单？"),
        ("missing: how many?", "", "missing: how many?"),
        ("how many orders: all of them?", "", "how many orders: all of them?"),
        ("SELECT 'shop: a'", "", "SELECT 'shop: a'"),
    ],
)
def test_a_question_may_begin_with_the_names_of_its_sources(text: str, source: str, question: str):
    assert named_in_question(text, "") == (source, question)


@pytest.mark.usefixtures("registry")
def test_a_user_asks_several_sources_only_where_each_is_open_to_them():
    with pytest.raises(BadInput, match="There is no source crm"):
        asked_sources("shop+crm", digest_of_owner(owner_of_user("ann")))


# --- processes and servers -------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_servers_and_files_meet_unless_a_table_is_too_large(
    sources: dict[str, Source], postgres: str, mariadb: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Given orders on PostgreSQL, customers on MariaDB and a CSV file of regions, one query joins the three."""
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PG_PASSWORD", POSTGRES_PASSWORD)
    monkeypatch.setenv("MARIA_PASSWORD", MARIADB_PASSWORD)
    before, _, after = postgres.rpartition("@")
    (tmp_path / "regions.csv").write_text("city,region\nLeeds,North\n嘉兴,East\n", encoding="utf-8")
    named = [
        source_of("ledger", f"{before.rpartition(':')[0]}:${{PG_PASSWORD}}@{after}"),
        source_of("web", f"mysql://{MARIADB_USER}:${{MARIA_PASSWORD}}@127.0.0.1:{mariadb}/shop"),
        source_of("geo", f"{tmp_path}/regions.csv"),
    ]
    write_sources(SourceSettings().file, {source.name: source for source in named})
    asked = asked_sources("ledger+web+geo", "")
    schema = (await seen_sources(asked, "")).schema
    query = check(
        "SELECT r.region, SUM(o.amount) AS total FROM ledger.orders AS o"
        " JOIN web.customers AS c ON c.id = o.customer_id JOIN geo.regions AS r ON r.city = c.city"
        " WHERE o.ordered_on < '2026-05-01' AND c.city IN ('Leeds', '嘉兴')"
        " GROUP BY r.region ORDER BY total",
        schema,
    )
    parts = query_parts(query, schema)
    reply = await run_parts(asked.sources, parts, query.permitted, DataSettings())
    assert from_bytes(reply.table).to_pylist() == [
        {"region": "North", "total": Decimal("19.75")},
        {"region": "East", "total": Decimal(99)},
    ]

    # A table that cannot be read whole gives no answer instead of a wrong one.
    monkeypatch.setattr(running, "MAX_PART_ROWS", 2)
    with pytest.raises(PartTooLarge, match=r"ledger\.orders"):
        await run_parts(asked.sources, parts, query.permitted, DataSettings())
