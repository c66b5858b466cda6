"""An analysis survives the death (SIGKILL) of everything, at every node and while its plan waits for a yes."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from bandsmith.shared.sources import source_of, write_sources
from tests.shared.processes import family, until

from .talk import Chat

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ANALYSE = [sys.executable, "-c", "from bandsmith.cli import main; main()", "analyse", "-v", "--session", "year"]
QUESTION = "How did sales develop in 2026?"
STEPS = [
    {"name": "by_month", "kind": "sql", "task": "Total sales for each month of 2026"},
    {"name": "forecast", "kind": "python", "task": "Sales of the next month", "uses": ["by_month"]},
]
QUERY = "SELECT substr(sold_on, 1, 7) AS month, SUM(amount) AS total FROM sales WHERE sold_on LIKE '2026%' GROUP BY 1"
ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT amount FROM sales WHERE sold_on LIKE '2026%' UNION ALL "
    "SELECT i + 1 FROM n WHERE i > 0) SELECT MAX(i) FROM n"
)
REPORT = {
    "title": "Sales",
    "sections": [{"heading": "Sales", "text": "They came to {{by_month.total.sum}}; expected: {{forecast.next}}."}],
}
REPLIES = {
    "plan_analysis": {"assessment": "analysis", "question": QUESTION, "steps": STEPS},
    "write_query": {"query": QUERY},
    "judge_query": {"verdict": "answers"},
    "write_python": {"code": "result = {'next': float(by_month['total'].iloc[-1]) * 2}"},
    "analyse_python": {"verdict": "answers"},
    "write_analysis": REPORT,
}


def reply(asked: ScriptedRequest) -> str:
    return json.dumps(REPLIES[asked.prompt])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a source of two sales."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        database.execute("CREATE TABLE sales (sold_on TEXT, amount INTEGER)")
        database.executemany("INSERT INTO sales VALUES (?, ?)", [("2026-01-05", 1200), ("2026-02-01", 30000)])
        database.commit()
    write_sources(tmp_path / "home" / "sources.toml", {"shop": source_of("shop", str(tmp_path / "shop.db"))})
    return tmp_path


def analyse(home: Path, said: str) -> Chat:
    return Chat(home, "--source", "shop", "--review", said, program=ANALYSE)


def use(model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANDSMITH_MODEL_URL", model.url)
    monkeypatch.setenv("BANDSMITH_MODEL_NAME", "scripted")


def test_a_plan_that_was_approved_is_reported_once_however_often_everything_is_killed(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    with ScriptedModel(reply) as model:
        use(model, monkeypatch)
        # When everything is killed while the plan is made
        for node in ("recall_evidence", "plan_analysis"):
            talk = analyse(home, QUESTION)
            talk.until(f"✓ {node} ")
            talk.kill()

        # Then the plan is shown all the same, and waits
        shown = analyse(home, QUESTION)
        shown.end()
        assert "1. by_month: Total sales for each month of 2026" in shown.text
        planned = sum(asked.prompt == "plan_analysis" for asked in model.requests)

        # When it is approved, and everything is killed after each node
        for node in ("write_sql", "check_sql", "run_sql", "write_python", "run_python", "write_report"):
            talk = analyse(home, "yes")
            talk.until(f"✓ {node} ")
            talk.kill()

        # Then the next start finishes the report, and no question comes again for what was approved
        talk = analyse(home, "yes")
        assert talk.end() == 0, talk.text
        assert "They came to 31,200; expected: 60,000." in talk.text
        assert sum(asked.prompt == "plan_analysis" for asked in model.requests) == planned
    report = home / "out" / "year" / "report.md"
    assert report.read_text().count("31,200") == 1


def test_a_database_that_dies_under_a_query_is_asked_again(home: Path, monkeypatch: pytest.MonkeyPatch):
    def slow(asked: ScriptedRequest) -> str:
        return json.dumps({"query": ENDLESS} if asked.prompt == "write_query" else REPLIES[asked.prompt])

    with ScriptedModel(slow) as model:
        use(model, monkeypatch)
        monkeypatch.setenv("BANDSMITH_QUERY_SECONDS", "120")
        talk = analyse(home, QUESTION)
        talk.end()
        talk = analyse(home, "yes")
        talk.until("✓ check_sql ")
        until(lambda: bool(databases(talk)), seconds=60)

        # When the process of the database is killed while the query runs
        first = databases(talk)[0]
        os.kill(first, signal.SIGKILL)

        # Then another one runs it
        until(lambda: bool(set(databases(talk)) - {first}), seconds=60)
        talk.kill()


def databases(talk: Chat) -> list[int]:
    """Return the processes that ask a source, the oldest first."""
    found = []
    for pid in family(talk.pid):
        with suppress(OSError):  # it has just ended
            if b"planner.data.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found
