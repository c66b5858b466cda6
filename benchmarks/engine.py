"""A warm validation of a template against a fresh Java process that compiles, fills and draws it."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bandsmith.services.validator.engine import ReportEngine, classpath
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import ExpectedPage, validate
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .results import Result

DRIVER = Path(__file__).with_name("Fresh.java")
ROUNDS = 5
ITEMS = 12


async def measure(rounds: int = ROUNDS) -> list[Result]:
    return await asyncio.to_thread(_measure, rounds)


def _measure(rounds: int) -> list[Result]:
    engine, settings = ReportEngine(), ValidatorSettings()
    data = Data(rows=[{"item": f"Item {n}", "count": n, "price": 12.5} for n in range(ITEMS)])
    fresh_times, print_times, validation_times = list[float](), list[float](), list[float]()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        compile_driver(folder)
        other = template(0).replace("发票".encode(), "账单".encode())  # a difference for the comparison to mark
        page = ExpectedPage(engine.print(other, data).pictures[0], Layout(page=Size(width=595, height=842)))
        validate(engine, settings, template(0), data, page)
        # The three take turns, so that a change of the machine's speed meets all. No template comes twice.
        for n in range(1, rounds + 1):
            report = folder / f"{n}.jrxml"
            report.write_bytes(template(n))
            with timed(fresh_times):
                run_driver(folder, report)
            with timed(print_times):
                engine.print(template(-n), data)
                engine.export(template(-n), data, "pdf")
            with timed(validation_times):
                done = validate(engine, settings, template(n), data, page)
            assert done.verdict.likeness is not None
    engine.stop()
    java, printed, checked = map(statistics.median, (fresh_times, print_times, validation_times))
    return [
        Result(
            "a fresh Java process / a warm engine: compile, fill, draw, PDF",
            f"{java / printed:.1f}",
            "at least 10",
            f"{java:.2f} s / {printed:.3f} s",
        ),
        Result(
            "the same / a warm validation, with all checks, likeness and compare.png",
            f"{java / checked:.1f}",
            "at least 10",
            f"{java:.2f} s / {checked:.3f} s",
        ),
    ]


def compile_driver(folder: Path) -> None:
    jars = os.pathsep.join(classpath())
    compiler = ["java", "-cp", jars, "org.eclipse.jdt.internal.compiler.batch.Main", "-17", "-d", str(folder)]
    subprocess.run([*compiler, "-cp", jars, str(DRIVER)], check=True, capture_output=True)


def run_driver(folder: Path, report: Path) -> None:
    jars = os.pathsep.join([str(folder), *classpath()])
    command = ["java", "-Djava.awt.headless=true", "-cp", jars, "Fresh", str(report), str(report.with_suffix(".png"))]
    subprocess.run([*command, str(ITEMS)], check=True, capture_output=True)


@contextmanager
def timed(times: list[float]) -> Iterator[None]:
    began = time.perf_counter()
    yield
    times.append(time.perf_counter() - began)


def template(number: int) -> bytes:
    """Return an invoice: labels and values in the title, a ruled table of three columns, a total."""
    head = "".join(
        f'<staticText><reportElement key="h{n}" x="{20 + 270 * (n % 2)}" y="{60 + 18 * (n // 2)}"'
        ' width="240" height="16"/>'
        f"<text><![CDATA[Label {n}: value of {n} 标签]]></text></staticText>"
        for n in range(16)
    )
    cells = "".join(
        f'<textField pattern="{pattern}"><reportElement key="{name}" x="{x}" y="0" width="180" height="18"/>'
        f'<box><pen lineWidth="0.5"/></box><textElement verticalAlignment="Middle"/>'
        f"<textFieldExpression><![CDATA[$F{{{name}}}]]></textFieldExpression></textField>"
        for name, x, pattern in (("item", 20, ""), ("count", 200, "0"), ("price", 380, "#,##0.00"))
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="invoice{abs(number)}_{number < 0}"
 pageWidth="595" pageHeight="842" columnWidth="595" leftMargin="0" rightMargin="0" topMargin="0" bottomMargin="0">
<style name="Base" isDefault="true" fontName="Liberation Sans" fontSize="10"/>
<field name="item" class="java.lang.String"/><field name="count" class="java.lang.Integer"/>
<field name="price" class="java.math.BigDecimal"/>
<variable name="total" class="java.math.BigDecimal" calculation="Sum">
<variableExpression><![CDATA[$F{{price}}.multiply(new BigDecimal($F{{count}}))]]></variableExpression></variable>
<title><band height="220"><staticText><reportElement key="title" x="20" y="15" width="555" height="30"/>
<textElement textAlignment="Center"><font size="20" isBold="true"/></textElement><text>Invoice 发票</text></staticText>
{head}</band></title>
<detail><band height="18">{cells}</band></detail>
<summary><band height="40"><textField pattern="#,##0.00">
<reportElement key="total" x="380" y="10" width="180" height="18"/>
<textFieldExpression><![CDATA[$V{{total}}]]></textFieldExpression></textField></band></summary>
</jasperReport>""".encode()
