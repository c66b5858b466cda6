"""A template that holds its query (`fill --into`) is filled over JDBC, as JasperReports Server and Studio do it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bandsmith.services.validator.engine import classpath
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.sources import Source, write_sources

from ..planner.data.conftest import mariadb, postgres, shop  # noqa: F401 - fixtures
from .test_fill_from_source import MAIN, QUERY, TEMPLATE

pytestmark = pytest.mark.slow  # starts the engine for each filling
DRIVERS = {
    "sqlite": "org.xerial:sqlite-jdbc:3.47.1.0",
    "postgres": "org.postgresql:postgresql:42.7.7",
    "mysql": "org.mariadb.jdbc:mariadb-java-client:3.5.3",
}
SCHEMES = {"postgres": "postgresql", "mysql": "mariadb"}
PROGRAM = """
import json, sys, jpype
asked = json.load(sys.stdin)
jpype.startJVM(classpath=asked["classpath"])
String, Date = jpype.JClass("java.lang.String"), jpype.JClass("java.sql.Date")
report = jpype.JClass("net.sf.jasperreports.engine.JasperCompileManager").compileReport(asked["template"])
account = jpype.JClass("java.util.Properties")()
for name, value in asked["account"].items():
    account.setProperty(name, value)
connection = jpype.JClass("java.sql.DriverManager").getConnection(asked["address"], account)
values = jpype.JClass("java.util.HashMap")()
for name, value in asked["values"].items():
    values.put(name, Date.valueOf(value) if asked["dates"] else String(value))
filled = jpype.JClass("net.sf.jasperreports.engine.JasperFillManager").fillReport(report, values, connection)
print(*(str(e.getFullText()) for e in filled.getPages().get(0).getElements()), sep="|")
"""


@pytest.mark.parametrize("shop", ["sqlite", "postgres", "mariadb"], indirect=True)
def test_a_template_with_its_query_is_filled_over_jdbc(shop: Source, tmp_path: Path):  # noqa: F811
    _write_template(shop, tmp_path)
    april = {"month_start": "2026-04-01", "month_end": "2026-05-01"}
    assert _filled(shop, tmp_path, {}) in (
        "North & Sons|12.5|North & Sons|7.25",
        "North & Sons|12.50|North & Sons|7.25",
    )
    assert _filled(shop, tmp_path, april) in ("海宁百货|99", "海宁百货|99.00")


def _write_template(source: Source, folder: Path) -> None:
    """Fill the report for March, and keep its template with the query."""
    write_sources(folder / "sources.toml", {"shop": source})
    (folder / "report.jrxml").write_text(TEMPLATE)
    with ScriptedModel([json.dumps({"query": QUERY, "reason": ""})]) as model:
        own = {"BANDSMITH_HOME": str(folder / "home"), "BANDSMITH_SOURCES": str(folder / "sources.toml")}
        own |= {"BANDSMITH_MODEL_URL": model.url, "BANDSMITH_MODEL_NAME": "scripted"}
        command = [sys.executable, "-c", MAIN, "fill", "report.jrxml", "--source", "shop", "--into", "own.jrxml"]
        done = subprocess.run(
            [*command, "--param", "month=2026-03", "--out", "march"], cwd=folder, env=os.environ | own,
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout


def _filled(source: Source, folder: Path, values: dict[str, str]) -> str:
    """Return what the template prints over JDBC with values for its parameters."""
    asked = {
        "classpath": [*map(str, classpath()), str(_driver(source.dialect, folder / "jars"))],
        "template": str(folder / "own.jrxml"), "values": values, "dates": source.dialect != "sqlite",
    }  # fmt: skip
    if source.path:
        asked |= {"address": f"jdbc:sqlite:{source.path}", "account": {}}
    else:
        url = make_url(source.address)
        place = f"jdbc:{SCHEMES[source.dialect]}://{url.host}:{url.port}/{url.database}"
        asked |= {"address": place, "account": {"user": url.username, "password": url.password}}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps(asked), capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _driver(dialect: str, folder: Path) -> Path:
    """Return the JDBC driver of a database, from Maven."""
    if not folder.exists():
        maven = shutil.which("mvn")
        assert maven is not None
        command = [
            maven,
            "-q",
            "-B",
            "dependency:copy",
            f"-DoutputDirectory={folder}",
            f"-Dartifact={DRIVERS[dialect]}",
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return next(folder.glob("*.jar"))
