"""A small shop in each kind of source, and a registry that names them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pymysql
import pytest
import sqlalchemy

from bandsmith.shared.sources import Source, source_of
from tests.mariadb import PASSWORD, USER, mariadb_server
from tests.postgres import PASSWORD as POSTGRES_PASSWORD
from tests.postgres import postgres_server

TABLES = (
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount NUMERIC(10,2),"
    " ordered_on DATE)",
    "INSERT INTO customers VALUES (1, 'North & Sons', 'n@example.com', 'Leeds'),"
    " (2, '海宁百货', 'h@example.com', '嘉兴')",
    "INSERT INTO orders VALUES (1, 1, 12.50, '2026-03-01'), (2, 1, 7.25, '2026-03-05'), (3, 2, 99, '2026-04-01')",
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a real server that holds the shop."""
    with postgres_server() as url:
        engine = sqlalchemy.create_engine(sqlalchemy.make_url(url).set(drivername="postgresql+pg8000"))
        with engine.begin() as connection:
            for statement in (*TABLES, "COMMENT ON TABLE customers IS 'who buys'"):
                connection.exec_driver_sql(statement)
        engine.dispose()
        yield url


@pytest.fixture(scope="session")
def mariadb() -> Iterator[int]:
    """The port of a real server that holds the shop."""
    with mariadb_server() as port:
        connected = pymysql.connect(host="127.0.0.1", port=port, user=USER, password=PASSWORD.encode(), database="shop")
        with connected as connection:
            for statement in (*TABLES, "ALTER TABLE customers COMMENT 'who buys'"):
                connection.cursor().execute(statement)
            connection.commit()
        yield port


@pytest.fixture(params=["sqlite", "duckdb", "files", "postgres", "mariadb"])
def shop(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    match request.param:
        case "sqlite":
            path = tmp_path / "shop.db"
            with sqlite3.connect(path) as database:
                for statement in TABLES:
                    database.execute(statement)
            database.close()
            return source_of("shop", str(path))
        case "duckdb":
            path = tmp_path / "shop.duckdb"
            with duckdb.connect(str(path)) as connection:
                for statement in TABLES:
                    connection.execute(statement)
            return source_of("shop", str(path))
        case "files":
            folder = tmp_path / "it's a shop"
            folder.mkdir()
            with duckdb.connect() as connection:
                for statement in TABLES:
                    connection.execute(statement)
                connection.table("customers").write_csv(str(folder / "customers.csv"))
                connection.table("orders").write_parquet(str(folder / "orders.parquet"))
            return source_of("shop", str(folder))
        case "mariadb":
            monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
            port = request.getfixturevalue("mariadb")
            return source_of("shop", f"mysql://{USER}:${{SHOP_PASSWORD}}@127.0.0.1:{port}/shop")
    monkeypatch.setenv("SHOP_PASSWORD", POSTGRES_PASSWORD)
    before, _, after = request.getfixturevalue("postgres").rpartition("@")
    return source_of("shop", f"{before.rpartition(':')[0]}:${{SHOP_PASSWORD}}@{after}")
