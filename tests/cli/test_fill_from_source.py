"""`bandsmith fill --source` on real services, a real database and the real engine: with a model once, then without."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.sources import source_of, write_sources

from ..planner.data.conftest import TABLES

pytestmark = pytest.mark.slow  # starts the engine for each filling
TEMPLATE = """<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="orders" pageWidth="300"
  pageHeight="200" columnWidth="300" leftMargin="0" rightMargin="0" topMargin="0" bottomMargin="0">
  <field name="customer" class="java.lang.String"/><field name="amount" class="java.math.BigDecimal"/>
  <detail><band height="20">
    <textField><reportElement x="0" y="0" width="150" height="20"/>
      <textFieldExpression><![CDATA[$F{customer}]]></textFieldExpression></textField>
    <textField><reportElement x="150" y="0" width="150" height="20"/>
      <textFieldExpression><![CDATA[$F{amount}]]></textFieldExpression></textField>
  </band></detail>
</jasperReport>"""
QUERY = (
    "SELECT c.name AS customer, o.amount FROM orders AS o JOIN customers AS c ON o.customer_id = c.id "
    "WHERE o.ordered_on >= :month_start AND o.ordered_on < :month_end ORDER BY o.id"
)
MAIN = "from bandsmith.cli import main; main()"


@pytest.fixture
def fill(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    with sqlite3.connect(tmp_path / "shop.db") as database:
        for statement in TABLES:
            database.execute(statement)
    database.close()
    write_sources(tmp_path / "sources.toml", {"shop": source_of("shop", str(tmp_path / "shop.db"))})
    (tmp_path / "report.jrxml").write_text(TEMPLATE)

    def run(*options: str, model: str = "") -> subprocess.CompletedProcess[str]:
        own = {"BANDSMITH_HOME": str(tmp_path / "home"), "BANDSMITH_SOURCES": str(tmp_path / "sources.toml")}
        named = {"BANDSMITH_MODEL_URL": model, "BANDSMITH_MODEL_NAME": "scripted"} if model else {}
        command = [sys.executable, "-c", MAIN, "fill", "report.jrxml", "--source", "shop", "--force"]
        return subprocess.run(
            [*command, *options], cwd=tmp_path, env=os.environ | own | named, capture_output=True, text=True,
            check=False, timeout=300,
        )  # fmt: skip

    return run


def test_the_first_filling_asks_a_model_and_the_next_does_not(fill, tmp_path: Path):
    wrong = QUERY.replace("o.amount", "o.total AS amount")
    replies = [json.dumps({"query": query, "reason": ""}) for query in (wrong, QUERY)]
    with ScriptedModel(replies) as model:
        first = fill("--param", "month=2026-03", "--out", "march", "--csv", model=model.url)
        assert first.returncode == 0, first.stderr + first.stdout
        assert len(model.requests) == 2 and "Unknown column" in model.requests[1].text
    assert "12.5" in (tmp_path / "march/filled.csv").read_text()
    kept = yaml.safe_load((tmp_path / "report.bindings.yaml").read_text())
    assert kept["periods"] == ["month"] and ":month_start" in kept["bindings"][0]["query"]

    second = fill("--param", "month=2026-04", "--out", "april", "--csv")
    assert second.returncode == 0 and "no language model was asked" in " ".join(second.stdout.split())
    assert (
        "海宁百货" in (tmp_path / "april/filled.csv").read_text()
        and "12.5" not in (tmp_path / "april/filled.csv").read_text()
    )

    missing = fill("--out", "none")
    assert missing.returncode == 2 and "--param month=" in missing.stderr


def test_a_source_that_changed_is_noticed_and_without_a_model_nothing_is_guessed(fill, tmp_path: Path):
    with ScriptedModel([json.dumps({"query": QUERY, "reason": ""})]) as model:
        assert fill("--param", "month=2026-03", model=model.url).returncode == 0
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.execute("ALTER TABLE orders RENAME COLUMN amount TO total")
    database.close()
    later = fill("--param", "month=2026-04", "--out", "later")
    assert later.returncode == 1 and "orders.amount" in later.stdout
    assert not (tmp_path / "later").exists()
