"""A row rule that names the user shows each user the rows of their own, and never those of another one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bandsmith.services.planner.data.asked_sources import seen_schema
from bandsmith.services.planner.data.row_rules import rules_of_user
from bandsmith.services.validator.query.check import QueryRefused, check
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.source import Dialect, SourceSchema
from bandsmith.shared.owners import digest_of_owner, owner_of_user
from bandsmith.shared.semantic_layer import SemanticLayer, layer_file
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, source_of, write_sources

ANN, BEN, EVE, SSO = (
    digest_of_owner(owner) for owner in (*map(owner_of_user, ("ann", "ben", "eve")), "https://login.example.com 1")
)
MACHINE = ""
"""The owner of the sessions of the person at this machine."""
LAYER = """
tables:
  sales: {rows: "region = :user.region AND note <> ':user.region'"}
  branches: {rows: "city IN :user.cities"}
users:
  ann: {region: North, cities: [Leeds, 嘉兴]}
  ben: {region: "x' OR '1' = '1", cities: []}
  https://login.example.com 1: {region: West, cities: York}
  "*": {region: South, cities: [York]}
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        database.execute("CREATE TABLE sales (region TEXT, note TEXT)")
        database.executemany("INSERT INTO sales VALUES (?, '')", [("North",), ("South",), ("West",)])
        database.execute("CREATE TABLE branches (city TEXT)")
        database.executemany("INSERT INTO branches VALUES (?)", [("Leeds",), ("York",), ("嘉兴",)])
        database.commit()
    source = source_of("shop", str(tmp_path / "shop.db"))
    write_sources(SourceSettings().file, {"shop": source})
    layer_file(SourceSettings().file, "shop").write_text(LAYER, encoding="utf-8")
    return source


def seen(shop: Source, schema: SourceSchema, sql: str) -> list[str]:
    """Return what a query gives the user whose schema this is."""
    assert shop.path is not None
    with closing(sqlite3.connect(shop.path)) as database:
        return sorted(row[0] for row in database.execute(check(sql, schema).permitted))


@pytest.mark.parametrize(
    ("owner", "regions", "cities"),
    [
        (ANN, ["North"], ["Leeds", "嘉兴"]),
        (BEN, [], []),
        pytest.param(SSO, ["West"], ["York"], marks=pytest.mark.slow),
        (EVE, ["South"], ["York"]),
        pytest.param(MACHINE, ["South"], ["York"], marks=pytest.mark.slow),
    ],
    ids=["ann", "a value that looks like SQL", "a user of an issuer", "everybody else", "the person at this machine"],
)
async def test_each_user_sees_the_rows_of_their_own(shop: Source, owner: str, regions: list[str], cities: list[str]):
    schema, _ = await seen_schema(shop, owner)
    assert seen(shop, schema, "SELECT region FROM sales") == regions
    assert seen(shop, schema, "WITH b AS (SELECT * FROM branches) SELECT x.city FROM b AS x") == cities


async def test_no_query_can_name_the_user_of_a_rule(shop: Source):
    schema, _ = await seen_schema(shop, ANN)
    for sql in ("SELECT region FROM sales WHERE region = :user.region", "SELECT :user.region FROM sales"):
        with pytest.raises(QueryRefused, match="not allowed"):
            seen(shop, schema, sql)


async def test_a_value_that_the_layer_lacks_is_named_and_nothing_is_shown(shop: Source):
    file = layer_file(SourceSettings().file, "shop")
    file.write_text(LAYER.replace("region: South, ", ""), encoding="utf-8")
    with pytest.raises(BadInput, match=r"names :user\.region, which its semantic layer does not give for you"):
        await seen_schema(shop, EVE)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
def test_the_value_is_a_literal_in_every_dialect(dialect: Dialect):
    said = {"tables": {"sales": {"rows": "region = :user.region AND level < :user.level"}}}
    layer = SemanticLayer.model_validate(said | {"users": {"*": {"region": "O'Brien \\", "level": 3}}})
    rule = rules_of_user(layer, dialect, EVE).tables["sales"].rows
    shown = "'O''Brien \\\\'" if dialect == "mysql" else "'O''Brien \\'"
    assert rule == f"region = {shown} AND level < 3"


def test_a_list_stands_in_a_rule_with_in_only():
    layer = SemanticLayer.model_validate({
        "tables": {"sales": {"rows": "city = :user.cities"}}, "users": {"*": {"cities": ["Leeds"]}},
    })  # fmt: skip
    with pytest.raises(BadInput, match=r"IN :user\.cities"):
        rules_of_user(layer, "sqlite", EVE)
