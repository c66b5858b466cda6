"""The archive for Java programs: what it holds compiles, runs, and prints what the report engine printed."""

from __future__ import annotations

import io
import os
import subprocess
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.engine.classpath import classpath
from bandsmith.services.validator.exports import export
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.model.plan import Data

from .reports import field, parameter, report, row_field, static

DAY = field("$F{day}", "day", x=320, y=0, more='pattern="yyyy-MM-dd"').replace('width="150"', 'width="80"')
SALES = report(
    static("销售单 Sales"),
    field("$P{customer}", "customer", x=200),
    declared=parameter("customer")
    + row_field("item")
    + row_field("amount", "java.math.BigDecimal")
    + row_field("count", "java.lang.Integer")
    + row_field("day", "java.util.Date"),
    detail=field("$F{item}", "item", y=0).replace('width="150"', 'width="100"')
    + field("$F{amount}", "amount", x=110, y=0, more='pattern="#,##0.00"').replace('width="150"', 'width="80"')
    + field("$F{count}", "count", x=200, y=0).replace('width="150"', 'width="80"')
    + DAY,
)
DATA = Data(
    parameters={"customer": "王小明 & Söhne"},
    rows=[
        {"item": "茶叶 ☑", "amount": 1234.5, "count": 3, "day": "2026-10-01"},
        {"item": None, "amount": "7.25", "count": None, "day": "2026-10-02 08:30:00"},
    ],
)


def text_of(pdf: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))


def archive(engine: ReportEngine, template: bytes = SALES, data: Data = DATA) -> zipfile.ZipFile:
    [file] = export(engine, template, data, "java").files
    return zipfile.ZipFile(io.BytesIO(file))


@pytest.mark.slow
@pytest.mark.parametrize("data", [DATA, Data(parameters={"customer": "Ann"})], ids=["rows", "no rows"])
def test_its_program_compiles_and_prints_the_same(engine: ReportEngine, tmp_path: Path, data: Data):
    """Given the archive of a report with Chinese, symbols, numbers and dates
    When its program is compiled and run with the engine's jars and the fonts of the archive
    Then its PDF has the text of the engine's
    """
    archive(engine, data=data).extractall(tmp_path)
    jars = os.pathsep.join(classpath()[1:])
    compiler = ["java", "-cp", jars, "org.eclipse.jdt.internal.compiler.batch.Main", "-11"]  # also without a JDK
    subprocess.run([*compiler, "-cp", jars, "FillReport.java"], cwd=tmp_path, check=True, timeout=300)
    command = ["java", "-Djava.awt.headless=true", "-cp", f"{jars}:bandsmith-fonts.jar:.", "FillReport"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr[-2000:]
    [printed] = export(engine, SALES, data, "pdf").files
    assert text_of((tmp_path / "report.pdf").read_bytes()) == text_of(printed)


def test_it_holds_the_fonts_that_the_template_names_and_no_others(engine: ReportEngine):
    fonts = zipfile.ZipFile(io.BytesIO(archive(engine).read("bandsmith-fonts.jar"))).namelist()
    assert {"fonts.xml", "jasperreports_extension.properties", "BandsmithSans-Regular.ttf"} <= set(fonts)
    assert "DroidSansFallbackFull.ttf" in fonts and "BandsmithSerif-Regular.ttf" not in fonts
    assert "charts.ttf" not in fonts


def test_its_changed_fonts_do_not_have_the_reserved_name_of_the_originals(engine: ReportEngine):
    jar = zipfile.ZipFile(io.BytesIO(archive(engine).read("bandsmith-fonts.jar")))
    faces = [name for name in jar.namelist() if name.endswith(".ttf")]
    assert len(faces) > 4 and not any("Liberation" in name for name in faces)
    for name in faces:
        names = TTFont(io.BytesIO(jar.read(name)))["name"].names
        assert not any("Liberation" in str(one) for one in names if one.nameID in (1, 4, 6, 16))
        assert any(one.nameID in (0, 13) for one in names), "the copyright and the licence stay"


def test_its_manual_is_in_both_languages_and_names_each_file(engine: ReportEngine):
    found = archive(engine)
    for manual in ("README.md", "README.zh.md"):
        words = found.read(manual).decode()
        assert all(name in words for name in found.namelist() if not name.startswith("README"))


def test_its_program_fills_the_report_in_about_ten_lines(engine: ReportEngine):
    main = archive(engine).read("FillReport.java").decode().partition("main(")[2].partition("\n    }")[0]
    assert len(main.splitlines()) <= 12


def test_a_template_that_may_not_run_is_not_handed_on(engine: ReportEngine):
    with pytest.raises(TerminalError):
        export(engine, report(field("Runtime.getRuntime()")), Data(), "java")


def test_a_template_that_version_7_cannot_have_is_refused_by_name(engine: ReportEngine):
    [file] = export(engine, SALES, DATA, "jrxml7").files
    assert b"<element kind=" in file
    chart = SALES.replace(b"<staticText>", b"<pieChart>", 1).replace(b"</staticText>", b"</pieChart>", 1)
    with pytest.raises((BadInput, TerminalError)):
        export(engine, chart, DATA, "jrxml7")
