"""A warm validation of a template against a fresh Java process that compiles, fills and draws it."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from bandsmith.services.validator.engine import ReportEngine, classpath
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import ExpectedPage, validate
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .table import Row

DRIVER = Path(__file__).with_name("Fresh.java")
ROUNDS = 5
ITEMS = 12


async def rows() -> list[Row]:
    return await asyncio.to_thread(measured)


def measured() -> list[Row]:
    engine, settings = ReportEngine(), ValidatorSettings()
    data = Data(rows=[{"item": f"Item {n}", "count": n, "price": 12.5} for n in range(ITEMS)])
    layout = Layout(page=Size(width=595, height=842))
    jars = os.pathsep.join(classpath())
    printing, validating, fresh = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        compiler = [
            "java",
            "-cp",
            jars,
            "org.eclipse.jdt.internal.compiler.batch.Main",
            "-17",
            "-d",
            scratch,
            "-cp",
            jars,
        ]
        subprocess.run([*compiler, str(DRIVER)], check=True, capture_output=True)
        other = template(0).replace("发票".encode(), "账单".encode())  # so that there is something to mark
        form = ExpectedPage(engine.print(other, data).pictures[0], layout)
        validate(engine, settings, template(0), data, form)
        for n in range(1, ROUNDS + 1):  # by turns, so that both meet the same machine; never the same template twice
            report = folder / f"{n}.jrxml"
            report.write_bytes(template(n))
            started = time.perf_counter()
            command = ["java", "-Djava.awt.headless=true", "-cp", os.pathsep.join([scratch, jars]), "Fresh"]
            subprocess.run(
                [*command, str(report), str(folder / f"{n}.png"), str(ITEMS)], check=True, capture_output=True
            )
            fresh.append(time.perf_counter() - started)
            started = time.perf_counter()
            engine.print(template(-n), data)
            engine.export(template(-n), data, "pdf")
            printing.append(time.perf_counter() - started)
            started = time.perf_counter()
            done = validate(engine, settings, template(n), data, form)
            validating.append(time.perf_counter() - started)
            assert done.verdict.likeness is not None
    engine.stop()
    java, printed, checked = (statistics.median(times) for times in (fresh, printing, validating))
    return [
        Row(
            "a fresh Java process / a warm engine: compile, fill, draw, PDF",
            f"{java / printed:.1f}",
            "at least 10",
            f"{java:.2f} s / {printed:.3f} s",
        ),
        Row(
            "the same / a warm validation, with all checks, likeness and compare.png",
            f"{java / checked:.1f}",
            "at least 10",
            f"{java:.2f} s / {checked:.3f} s",
        ),
    ]


def template(number: int) -> bytes:
    """An invoice: a head of labels and values, a ruled table with three columns, a total."""
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
