"""`bandsmith fill --source` on real services, a real database and the real engine: with a model once, then without."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from bandsmith.services.validator.engine import classpath
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
JDBC = """
import sys, jpype
jpype.startJVM(classpath=sys.argv[1].split(":"))
report = jpype.JClass("net.sf.jasperreports.engine.JasperCompileManager").compileReport(sys.argv[2])
connection = jpype.JClass("java.sql.DriverManager").getConnection("jdbc:sqlite:" + sys.argv[3])
values = jpype.JClass("java.util.HashMap")()
for text in sys.argv[4:]:
    values.put(*text.split("="))
filled = jpype.JClass("net.sf.jasperreports.engine.JasperFillManager").fillReport(report, values, connection)
print(*(str(e.getFullText()) for e in filled.getPages().get(0).getElements()), sep="|")
"""


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


def jdbc_driver(folder: Path) -> Path:
    """Return SQLite's JDBC driver, from Maven."""
    maven = shutil.which("mvn")
    assert maven is not None
    command = [maven, "-q", "-B", "dependency:copy", f"-DoutputDirectory={folder}"]
    subprocess.run(
        [*command, "-Dartifact=org.xerial:sqlite-jdbc:3.47.1.0"], check=True, capture_output=True, timeout=300
    )
    return next(folder.glob("sqlite-jdbc*.jar"))


def test_the_first_filling_asks_a_model_and_the_next_does_not(fill, tmp_path: Path):
    wrong = QUERY.replace("o.amount", "o.total AS amount")
    replies = [json.dumps({"query": query, "reason": ""}) for query in (wrong, QUERY)]
    with ScriptedModel(replies) as model:
        first = fill("--param", "month=2026-03", "--out", "march", "--csv", "--into", "own.jrxml", model=model.url)
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

    driver = [*classpath(), str(jdbc_driver(tmp_path / "jars"))]
    command = [sys.executable, "-c", JDBC, ":".join(driver), str(tmp_path / "own.jrxml"), str(tmp_path / "shop.db")]
    given = ["month_start=2026-04-01", "month_end=2026-05-01"]
    for parameters, said in (([], "North & Sons|12.5|North & Sons|7.25"), (given, "海宁百货|99")):
        done = subprocess.run([*command, *parameters], capture_output=True, text=True, check=False, timeout=300)
        assert done.stdout.strip() == said, done.stderr


def test_a_source_that_changed_is_noticed_and_without_a_model_nothing_is_guessed(fill, tmp_path: Path):
    with ScriptedModel([json.dumps({"query": QUERY, "reason": ""})]) as model:
        assert fill("--param", "month=2026-03", model=model.url).returncode == 0
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.execute("ALTER TABLE orders RENAME COLUMN amount TO total")
    database.close()
    later = fill("--param", "month=2026-04", "--out", "later")
    assert later.returncode == 1 and "orders.amount" in later.stdout
    assert not (tmp_path / "later").exists()
