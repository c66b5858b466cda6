"""Templates for JasperReports 7: the real engine of that version compiles them and prints the same."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.engine.classpath import extension_folder, home
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.jrxml7 import to_jrxml7
from bandsmith.shared.model.plan import Data
from bandsmith.shared.xml import parse
from tests.shared.edits.reports import orders, slip

SEVEN = Path(__file__).with_name("jasperreports7")


def test_elements_become_beans_with_their_looks():
    root = parse(to_jrxml7(slip()))
    kinds = {node.get("kind") for node in root.iter("element")}
    assert {"staticText", "textField"} <= kinds
    assert not list(root.iter("{*}reportElement")) and not list(root.iter("{*}font"))
    assert all(node.get("width") and node.get("height") for node in root.iter("element"))


def test_what_cannot_be_written_is_refused_and_named():
    chart = slip().replace(b"<staticText>", b"<pieChart>", 1).replace(b"</staticText>", b"</pieChart>", 1)
    with pytest.raises(BadInput, match="pieChart"):
        to_jrxml7(chart)


@pytest.fixture(scope="session")
def seven() -> Path:
    """The jars of JasperReports 7."""
    folder = home() / "jars-7.0.7"
    if not folder.is_dir():
        maven = shutil.which("mvn")
        assert maven, "Maven is missing: run `python3 tools/setup.py`"
        fetched = folder.with_name(f"{folder.name}.{os.getpid()}")
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
        command = [maven, "-q", "-B", "-f", str(SEVEN / "pom.xml"), goal, f"-DoutputDirectory={fetched}"]
        subprocess.run(command, check=True, timeout=300)
        fetched.rename(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("template", [slip, orders])
def test_version_7_prints_the_same(engine: ReportEngine, seven: Path, tmp_path: Path, template: Callable[[], bytes]):
    """Given a template
    When it is exported for JasperReports 7, and the engines of both versions fill it with one empty row
    Then the same texts are printed in the same places
    """
    (tmp_path / "report.jrxml").write_bytes(to_jrxml7(template()))
    command = ["java", "-cp", f"{seven}/*:{extension_folder()}", str(SEVEN / "Fill.java"), "report.jrxml"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    lines = [line.split(" ", 3) for line in run.stdout.splitlines() if line.startswith("text ")]
    printed = engine.print(template(), Data(rows=[{}]), pages=0).elements
    expected = sorted((str(round(one.box.x)), str(round(one.box.y)), one.text) for one in printed if one.text)
    assert sorted((x, y, text) for _, x, y, text in lines) == expected, run.stderr[-2000:]
