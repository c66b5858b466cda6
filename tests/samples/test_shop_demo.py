"""`make demo-data` does one of each on the demo shop: questions, a query, an analysis, and a report that is filled."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest

from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from samples import shop, shop_demo

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SALES = (
    "SELECT SUM(l.quantity * l.price) FROM order_lines AS l JOIN orders AS o ON l.order_id = o.id "
    "WHERE o.status <> 'cancelled' AND o.ordered_on LIKE ?"
)

CARRIERS = "SELECT carrier, COUNT(*) AS orders FROM shipments WHERE shipped_on LIKE '2026%' GROUP BY carrier"


def demo(folder: Path, **model: str) -> subprocess.CompletedProcess[str]:
    """Run the demo in a home of its own, without the language model of this machine."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BANDSMITH_MODEL_")}
    environment = inherited | {"BANDSMITH_HOME": str(folder / "user"), "LANG": "C.UTF-8"} | model
    command = [sys.executable, "-m", "samples.shop_demo", str(folder / "shop")]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def text_of(pdf: Path) -> str:
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return " ".join(page.get_textpage().get_text_bounded() for page in document)


def sales(folder: Path, days: str) -> str:
    with closing(sqlite3.connect(folder / "shop" / "shop.db")) as database:
        return f"{database.execute(SALES, [days]).fetchone()[0]:,.2f}"


def test_without_a_model_one_of_each_is_done_and_every_figure_is_the_shop_s(tmp_path: Path):
    done = demo(tmp_path)
    made = tmp_path / "shop"
    assert done.returncode == 0, done.stdout + done.stderr

    # Questions in both languages, and a query that is only shown
    assert "no language model was asked" in done.stdout and "没有询问语言模型" in done.stdout
    assert "WHERE t.name = 'York'" in done.stdout
    assert len(list(csv.reader((made / "answers/result.csv").open(encoding="utf-8")))) == 1 + 3

    # An analysis in three formats
    of_year = sales(tmp_path, "2026%")
    assert of_year in (made / "analysis/report.md").read_text(encoding="utf-8")
    assert of_year in (made / "analysis/report.html").read_text(encoding="utf-8")
    assert of_year in text_of(made / "analysis/report.pdf")

    # A report of a month
    assert sales(tmp_path, "2026-10%") in text_of(made / "october/filled.pdf")
    assert (made / "october/filled.xlsx").is_file()

    # It says where everything is, and the source is the user's from now on
    for name in ("shop.db", "answers", "analysis/report.html", "october/filled.pdf"):
        assert str(made / name) in done.stdout
    assert "[shop]" in (tmp_path / "user/sources.toml").read_text(encoding="utf-8")


def test_a_model_that_is_named_is_asked_for_the_analysis_and_the_report(tmp_path: Path):
    rows = "SELECT c.name AS category, 1 AS pieces, 2.5 AS total FROM categories AS c"
    dates = "JOIN products AS p ON p.category_id = c.id JOIN order_lines AS l ON l.product_id = p.id JOIN orders AS o "
    dates += "ON l.order_id = o.id WHERE o.ordered_on >= :month_start AND o.ordered_on < :month_end GROUP BY c.name"

    def reply(asked: ScriptedRequest) -> str:
        if asked.prompt == "write_binding":
            return json.dumps({"query": f"{rows} {dates}"})
        if asked.prompt == "write_query" and "carrier" in asked.fenced[-1]:
            return json.dumps({"query": CARRIERS})
        return shop_demo.reply(asked)

    with ScriptedModel(reply) as model:
        done = demo(tmp_path, BANDSMITH_MODEL_URL=model.url, BANDSMITH_MODEL_NAME="scripted")
        assert done.returncode == 0, done.stdout + done.stderr
        asked = [request.prompt for request in model.requests]
    assert {"plan_analysis", "write_analysis", "write_binding"} <= set(asked)
    assert asked.count("write_query") == 3  # the question that is like no verified one, and two steps
    assert "Royal Mail" in done.stdout and "recorded" not in done.stdout
    assert shop.CATEGORIES[0] in text_of(tmp_path / "shop/october/filled.pdf")
