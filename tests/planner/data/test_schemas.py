"""Tables outside of the schema that a connection begins in, and materialized views, are seen, checked and limited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pymysql
import pytest
import sqlalchemy

from bandsmith.services.planner.data.inferred_keys import with_inferred_keys
from bandsmith.services.planner.data.recall import tables_in
from bandsmith.services.planner.data.source_process import describe, run
from bandsmith.services.validator.query.check import QueryRefused, check
from bandsmith.shared.model.source_text import schema_text
from bandsmith.shared.result_tables import from_bytes
from bandsmith.shared.semantic_layer import SemanticLayer, applied
from bandsmith.shared.sources import Source, source_of
from tests.mariadb import OTHER_DATABASES, OTHER_USER, PASSWORD
from tests.postgres import PASSWORD as POSTGRES_PASSWORD

pytestmark = pytest.mark.slow  # a process for each query
TABLES = (
    "CREATE TABLE {main}customers (id INTEGER PRIMARY KEY, name VARCHAR(40))",
    "CREATE SCHEMA sales",
    "CREATE TABLE sales.orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER, region VARCHAR(9))",
    "CREATE SCHEMA archive",
    "CREATE TABLE archive.orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER)",
    "INSERT INTO {main}customers VALUES (1, 'Acme'), (2, 'Bolt')",
    "INSERT INTO sales.orders VALUES (1, 1, 10, 'North'), (2, 2, 20, 'South')",
    "INSERT INTO archive.orders VALUES (1, 1, 500)",
)
LAYER = SemanticLayer.model_validate({
    "tables": {"sales.orders": {"rows": "region = 'North'", "columns": {"customer_id": {"masked": True}}}}
})  # fmt: skip


@pytest.fixture(scope="module")
def postgres_schemas(postgres: str) -> Iterator[str]:
    """Another database of the server: two schemas beside the default one, and a materialized view."""
    url = sqlalchemy.make_url(postgres).set(drivername="postgresql+pg8000")
    with sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE schemas")
    engine = sqlalchemy.create_engine(url.set(database="schemas"))
    keys = "ALTER TABLE sales.orders ADD FOREIGN KEY (customer_id) REFERENCES customers (id)"
    view = "CREATE MATERIALIZED VIEW sales.totals AS SELECT SUM(amount) AS total FROM sales.orders"
    with engine.begin() as connection:
        for statement in (*TABLES, keys, view):
            connection.exec_driver_sql(statement.format(main=""))
    engine.dispose()
    yield postgres.rpartition("/")[0] + "/schemas"


@pytest.fixture(scope="module")
def mariadb_databases(mariadb: int) -> Iterator[int]:
    with pymysql.connect(host="127.0.0.1", port=mariadb, user=OTHER_USER, password=PASSWORD.encode()) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE SCHEMA crm")
        for statement in TABLES:
            cursor.execute(statement.format(main="crm."))
        connection.commit()
        yield mariadb
        for name in OTHER_DATABASES:
            cursor.execute(f"DROP SCHEMA {name}")


@pytest.fixture(params=["duckdb", "postgres", "mariadb"])
def shop(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    if request.param == "duckdb":
        with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
            for statement in TABLES:
                connection.execute(statement.format(main=""))
        return source_of("shop", str(tmp_path / "shop.duckdb"))
    if request.param == "mariadb":
        monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
        port = request.getfixturevalue("mariadb_databases")
        return source_of("shop", f"mysql://{OTHER_USER}:${{SHOP_PASSWORD}}@127.0.0.1:{port}/")
    monkeypatch.setenv("SHOP_PASSWORD", POSTGRES_PASSWORD)
    before, _, after = request.getfixturevalue("postgres_schemas").rpartition("@")
    return source_of("shop", f"{before.rpartition(':')[0]}:${{SHOP_PASSWORD}}@{after}")


def customers_of(shop: Source) -> str:
    """Return the name of the table of customers: MariaDB has no default where the address names no database."""
    return "crm.customers" if shop.dialect == "mysql" else "customers"


async def rows(shop: Source, sql: str, layer: SemanticLayer | None = None) -> list[dict[str, object]]:
    schema = await describe(shop)
    checked = check(sql, applied(schema, layer) if layer else schema)
    answer = await run(shop, checked.permitted, seconds=20, max_rows=10)
    return list(from_bytes(answer.table).to_pylist())


async def test_each_table_is_shown_under_the_name_that_a_query_needs(shop: Source):
    schema = with_inferred_keys(await describe(shop))
    names = {table.name for table in schema.tables}
    assert {customers_of(shop), "sales.orders", "archive.orders"} <= names
    orders = schema.table("sales.orders")
    assert orders is not None and orders.columns[2].samples == ["10", "20"]
    assert "sales.orders\n  id" in schema_text(schema)
    assert [key.table for key in orders.foreign_keys] == [customers_of(shop)]


async def test_two_tables_of_one_name_are_two(shop: Source):
    both = "SELECT s.amount AS now, a.amount AS then FROM sales.orders AS s JOIN archive.orders AS a ON s.id = a.id"
    assert await rows(shop, both.replace("then", "earlier")) == [{"now": 10, "earlier": 500}]
    with pytest.raises(QueryRefused, match=r"There is no table orders\. The tables are: .*sales\.orders"):
        await rows(shop, "SELECT amount FROM orders")
    with pytest.raises(QueryRefused, match=r"There is no table private\.orders"):
        await rows(shop, "SELECT amount FROM private.orders")
    with pytest.raises(QueryRefused, match="region"):
        await rows(shop, "SELECT region FROM archive.orders")


async def test_tables_of_two_schemas_are_joined(shop: Source):
    joined = f"FROM sales.orders AS o JOIN {customers_of(shop)} AS c ON o.customer_id = c.id"
    assert await rows(shop, f"SELECT c.name, o.amount {joined} WHERE o.amount > 15") == [{"name": "Bolt", "amount": 20}]
    assert set(tables_in(f"SELECT 1 {joined}", shop.dialect)) == {"sales.orders", customers_of(shop)}


async def test_a_rule_for_a_table_of_a_schema_holds_for_it_and_for_no_other(shop: Source):
    seen = await rows(shop, "SELECT id, amount, customer_id FROM sales.orders", LAYER)
    assert seen == [{"id": 1, "amount": 10, "customer_id": "***"}]
    named = await rows(shop, "WITH orders AS (SELECT amount FROM sales.orders) SELECT amount FROM orders", LAYER)
    assert named == [{"amount": 10}]
    assert await rows(shop, "SELECT amount FROM archive.orders", LAYER) == [{"amount": 500}]


async def test_no_value_of_a_row_that_a_rule_hides_is_shown(shop: Source):
    schema = applied(await describe(shop, LAYER.rules), LAYER)
    orders = schema.table("sales.orders")
    assert orders is not None
    assert {column.name: column.samples for column in orders.columns} == {
        "id": ["1"], "customer_id": [], "amount": ["10"], "region": ["North"],
    }  # fmt: skip


async def test_a_rule_that_cannot_be_carried_out_shows_no_value(shop: Source):
    orders = (await describe(shop, {"sales.orders": "nowhere = 1"})).table("sales.orders")
    assert orders is not None and not any(column.samples for column in orders.columns)


@pytest.mark.parametrize("shop", ["postgres"], indirect=True)
async def test_a_materialized_view_is_a_view(shop: Source):
    totals = (await describe(shop)).table("sales.totals")
    assert totals is not None and totals.is_view and totals.columns[0].samples == ["30"]
    assert applied(await describe(shop), LAYER).table("sales.totals") is None
    assert await rows(shop, "SELECT total FROM sales.totals") == [{"total": 30}]


@pytest.mark.parametrize("shop", ["mariadb"], indirect=True)
async def test_an_address_with_a_database_shows_that_one_only(shop: Source):
    named = shop.model_copy(update={"url": f"{shop.url}sales"})
    assert [table.name for table in (await describe(named)).tables] == ["orders"]
    with pytest.raises(QueryRefused, match=r"There is no table archive\.orders"):
        await rows(named, "SELECT amount FROM archive.orders")
