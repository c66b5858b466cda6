"""Analyses, from the question to the files of the report; the database is real, the model is scripted."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest

from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.source import Asking
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import read_sources, source_of, write_sources

from .conftest import Talk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.parametrize("host", ["model"], indirect=True),
]

QUESTION = "How did sales develop in 2026, and where?"
STEPS = [
    {"name": "by_month", "kind": "sql", "task": "Total sales for each month of 2026"},
    {"name": "by_city", "kind": "sql", "task": "Total sales for each city in 2026", "uses": ["by_month"]},
]
QUERIES = {
    "month": "SELECT substr(sold_on, 1, 7) AS month, SUM(amount) AS total FROM sales "
    "WHERE sold_on LIKE '2026%' GROUP BY 1 ORDER BY 1",
    "city": "SELECT city, SUM(amount) AS total FROM sales WHERE sold_on LIKE '2026%' GROUP BY city ORDER BY 2 DESC",
}
REPORT = {
    "title": "Sales in 2026",
    "sections": [
        {"heading": "Summary", "text": "Sales came to {{by_month.total.sum}}; most came from {{by_city.city[1]}}."},
        {
            "heading": "By month",
            "text": "It began with {{by_month.total[1]}} in {{by_month.month[1]}}.",
            "result": "by_month",
            "chart": {"kind": "line", "x": "month", "y": ["total"]},
        },
    ],
}


@pytest.fixture(autouse=True)
def shop(talk: Talk, tmp_path: Path) -> None:
    """The only source that there is, and a model that knows it."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE sales (sold_on TEXT, city TEXT, amount INTEGER)")
        rows = [("2026-01-05", "嘉兴", 1200), ("2026-02-01", "Leeds", 30000), ("2025-12-01", "Leeds", 7)]
        database.executemany("INSERT INTO sales VALUES (?, ?, ?)", rows)
        database.commit()
    write_sources(SourceSettings().file, {"shop": source_of("shop", str(path))})
    talk.mind.says["plan_analysis"] = {"question": QUESTION, "assessment": "analysis", "reply": "", "steps": STEPS}
    talk.mind.says["write_query"] = lambda asked: {
        "query": QUERIES["city" if "each city" in asked.fenced[-1] else "month"]
    }
    talk.mind.says["write_analysis"] = REPORT


async def analyse(talk: Talk, text: str = QUESTION, *, review: bool = False) -> TurnFinished:
    return await talk.say(text, asking=Asking(analyse=True, review=review))


async def content(talk: Talk, end: TurnFinished, name: str) -> bytes:
    return await talk.client.fetch(end.files[name])


async def test_the_figures_in_every_file_come_from_the_queries(talk: Talk):
    end = await analyse(talk)
    report = ["report.md", "report.html", "report.pdf", "report-1.png", "report-2.png"]
    assert end.complete and list(end.files) == [*report, "by_month.csv", "by_city.csv"]
    sentence = "Sales came to 31,200; most came from Leeds."
    assert sentence in end.reply
    markdown = (await content(talk, end, "report.md")).decode()
    assert sentence in markdown and "| 2026-01 | 1200 |" in markdown and "GROUP BY" in markdown
    assert (await content(talk, end, "report-1.png")).startswith(b"\x89PNG")
    pages = pypdfium2.PdfDocument(await content(talk, end, "report.pdf"))
    assert sentence in " ".join(pages[0].get_textpage().get_text_bounded().split())


async def test_no_model_sees_the_rows_of_a_query_with_a_sensitive_column(talk: Talk):
    source = read_sources(SourceSettings().file)["shop"]
    write_sources(SourceSettings().file, {"shop": source.model_copy(update={"sensitive": ["sales.city"]})})
    end = await analyse(talk)
    assert end.complete and "Leeds" in end.reply  # the program puts it in
    written = next(asked for asked in talk.mind.asked if asked.prompt == "write_analysis")
    assert "2026-01" in written.text
    assert "Leeds" not in written.text and "嘉兴" not in written.text


async def test_the_web_page_has_its_charts_inside_and_may_connect_nowhere(talk: Talk):
    end = await analyse(talk)
    page = (await content(talk, end, "report.html")).decode()
    options = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page)[1])
    assert options["series"] == [{"type": "line", "name": "total", "data": [1200.0, 30000.0]}]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; ") and "http" not in policy
    assert page.count("<script src") == 0


async def test_a_text_with_figures_of_its_own_goes_back_and_is_then_left_out(talk: Talk):
    invented = {"heading": "By month", "text": "Sales grew by 40 percent.", "result": "by_month"}
    talk.mind.says["write_analysis"] = REPORT | {"sections": [REPORT["sections"][0], invented]}
    end = await analyse(talk)
    markdown = (await content(talk, end, "report.md")).decode()
    assert "40 percent" not in markdown and "| 2026-01 | 1200 |" in markdown and "31,200" in markdown
    assert any("named figures that come from no query" in note for note in end.notes)
    assert talk.mind.calls.count("write_analysis") == 2 and "figure of your own" in talk.mind.asked[-1].text


async def test_a_step_that_is_not_answered_is_said_and_the_others_are_reported(talk: Talk):
    talk.mind.says["write_query"] = lambda asked: {
        "query": "SELECT nothing FROM sales" if "each city" in asked.fenced[-1] else QUERIES["month"]
    }
    talk.mind.says["write_analysis"] = REPORT | {"sections": REPORT["sections"][1:]}
    end = await analyse(talk)
    markdown = (await content(talk, end, "report.md")).decode()
    assert not end.complete and "One step was not answered" in end.reply
    assert "nothing" in markdown and "| 2026-01 | 1200 |" in markdown and "by_city.csv" not in end.files
    assert talk.mind.calls.count("write_query") == 1 + 11  # the first query of the step, and ten corrections


async def test_a_wrong_plan_is_made_again_with_the_reason_and_given_up_after_two_repairs(talk: Talk):
    wrong = [{"name": "total", "task": "The total", "uses": ["nowhere"]}]
    talk.mind.says["plan_analysis"] = {"assessment": "analysis", "steps": wrong}
    end = await analyse(talk)
    assert not end.complete and "total uses nowhere, which is no earlier step" in end.reply
    assert talk.mind.calls == ["plan_analysis"] * 3 and "uses nowhere" in talk.mind.asked[-1].text


async def test_a_step_whose_query_is_doubted_stands_in_the_report_with_the_doubt(talk: Talk):
    """Given a step whose query is doubted twice for the same part of its task
    When the report is written
    Then its rows are there, the reply and the report say what is doubted, and the other step is whole
    """
    doubt = {"verdict": "differs", "part": "each city", "reason": "It leaves out cities without sales"}
    talk.mind.says["judge_query"] = lambda asked: doubt if "each city" in asked.fenced[-1] else {"verdict": "answers"}
    end = await analyse(talk)
    markdown = (await content(talk, end, "report.md")).decode()
    assert not end.complete and "by_city: The query does not answer “each city”" in end.reply
    assert markdown.count("It leaves out cities without sales") == 1 and "by_city.csv" in end.files
    assert talk.mind.calls.count("judge_query") == 1 + 2


PYTHON = {"name": "forecast", "kind": "python", "task": "Sales of the next month", "uses": ["by_month"]}
FORECAST = [STEPS[0], PYTHON]
CODE = """
import numpy as np
from scipy import stats
line = stats.linregress(np.arange(len(by_month)), by_month["total"])
result = {"forecast": line.intercept + line.slope * len(by_month)}
"""
FORECAST_REPORT = REPORT | {
    "sections": [{"heading": "Next month", "text": "Expected: {{forecast.forecast}}.", "result": "forecast"}]
}


async def test_a_step_in_python_computes_with_the_rows_of_a_query(talk: Talk):
    talk.mind.says["plan_analysis"] = {"assessment": "analysis", "question": QUESTION, "steps": FORECAST}
    talk.mind.says["write_python"] = {"code": CODE}
    talk.mind.says["write_analysis"] = FORECAST_REPORT
    end = await analyse(talk)
    markdown = (await content(talk, end, "report.md")).decode()
    assert end.complete and "Expected: 58,800." in end.reply and "forecast.csv" in end.files
    assert "```python" in markdown and "linregress" in markdown


async def test_what_python_computed_is_read_and_said_with_its_figure(talk: Talk):
    """Given a step in Python whose first code computes something else
    When a model reads its result
    Then the code is written again with the reason, and what the second result says is in a report without other words
    """
    codes = iter(["result = {'forecast': by_month['total'].median()}", CODE])
    talk.mind.says["plan_analysis"] = {"assessment": "analysis", "question": QUESTION, "steps": FORECAST}
    talk.mind.says["write_python"] = lambda asked: {"code": next(codes)}
    median = {"verdict": "differs", "reason": "It is the median", "text": ""}
    says = {"verdict": "answers", "reason": "", "text": "The next month is to bring {{forecast.forecast}}."}
    talk.mind.says["analyse_python"] = lambda asked: median if "median" in asked.text else says
    talk.mind.says["write_analysis"] = "I do not know."
    end = await analyse(talk)
    assert "The next month is to bring 58,800." in (await content(talk, end, "report.md")).decode()
    assert talk.mind.calls.count("write_python") == 2
    assert "It is the median" in [asked.text for asked in talk.mind.asked if asked.prompt == "write_python"][-1]


async def test_python_that_is_refused_is_written_three_times_and_then_left_out(talk: Talk):
    talk.mind.says["plan_analysis"] = {"assessment": "analysis", "question": QUESTION, "steps": FORECAST}
    talk.mind.says["write_python"] = {"code": "import os\nresult = os.environ"}
    talk.mind.says["write_analysis"] = REPORT | {"sections": REPORT["sections"][1:]}
    end = await analyse(talk)
    assert talk.mind.calls.count("write_python") == 3
    refused = [asked for asked in talk.mind.asked if asked.prompt == "write_python"][-1]
    assert "The module os cannot be imported" in refused.text
    assert not end.complete and "One step was not answered" in end.reply and "by_month.csv" in end.files


async def test_no_model_sees_rows_that_python_computed_from_a_sensitive_column(talk: Talk):
    source = read_sources(SourceSettings().file)["shop"]
    write_sources(SourceSettings().file, {"shop": source.model_copy(update={"sensitive": ["sales.city"]})})
    steps = [{**STEPS[1], "uses": []}, {"name": "top", "kind": "python", "task": "The first city", "uses": ["by_city"]}]
    talk.mind.says["plan_analysis"] = {"assessment": "analysis", "question": QUESTION, "steps": steps}
    talk.mind.says["write_python"] = {"code": "result = by_city.head(1)"}
    section = {"heading": "Top", "text": "Most came from {{top.city}}.", "result": "top"}
    talk.mind.says["write_analysis"] = REPORT | {"sections": [section]}
    end = await analyse(talk)
    assert end.complete and "Most came from Leeds." in end.reply  # the program puts it in
    seen = [asked.text for asked in talk.mind.asked if asked.prompt in ("write_python", "write_analysis")]
    assert len(seen) == 2 and not any("Leeds" in text or "嘉兴" in text for text in seen)


async def test_a_question_that_is_unclear_is_answered_with_a_question(talk: Talk):
    talk.mind.says["plan_analysis"] = {"assessment": "clarify", "reply": "Of which year?"}
    end = await analyse(talk, "how is it?")
    assert end.reply == "Of which year?" and end.files == {} and not end.complete


# --- the approval ---------------------------------------------------------------------------------------------------


async def test_with_review_nothing_runs_before_the_plan_is_approved(talk: Talk):
    shown = await analyse(talk, review=True)
    assert "1. by_month: Total sales for each month of 2026" in shown.reply and shown.asks is not None
    assert talk.mind.calls == ["plan_analysis"]
    end = await talk.say("yes")
    assert end.complete and "report.pdf" in end.files and "31,200" in end.reply


async def test_words_against_the_plan_have_it_made_again(talk: Talk):
    await analyse(talk, review=True)
    talk.mind.says["plan_analysis"] = {"question": QUESTION, "assessment": "analysis", "steps": STEPS[:1]}
    shown = await talk.say("leave out the cities")
    assert shown.asks is not None and "by_city" not in shown.reply
    assert "leave out the cities" in talk.mind.asked[-1].text and talk.mind.calls == ["plan_analysis"] * 2
    talk.mind.says["write_analysis"] = REPORT | {"sections": REPORT["sections"][1:]}
    assert list((await talk.say("yes")).files)[-1] == "by_month.csv"


async def test_a_plan_that_is_declined_does_not_run(talk: Talk):
    await analyse(talk, review=True)
    end = await talk.say("no")
    assert end.asks is None and end.files == {} and talk.mind.calls == ["plan_analysis"]
