"""Do one of each with data on the demo shop: ``make demo-data``. No network is needed, and no model.

Questions in English and Chinese are answered from the verified questions, a query is shown, a question is analysed,
and a report is filled. Without a language model, the analysis takes recorded replies and the report its reviewed
queries; a model that is named in the settings is asked instead.

    python -m samples.shop_demo FOLDER
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from bandsmith.shared.settings import ModelSettings

from . import shop

REPORT = Path(__file__).with_name("shop-sales.jrxml")
QUERIES = Path(__file__).with_name("shop-sales.bindings.yaml")
QUESTIONS = (
    "/ask which three customers bought most in May 2026?",
    "/ask 2025年12月买得最多的三位客户是谁？",
    "/sql how many customers are there in York?",
)
"""They have other values than the verified questions, and are answered with their queries."""
MODEL_QUESTION = "/ask which carrier shipped most orders in 2026, and how many?"
"""No verified question is like it."""
ANALYSIS = "How did sales develop in 2026, and which categories brought most?"
STEPS = [
    {"name": "by_month", "kind": "sql", "task": "Sales of each month of 2026"},
    {"name": "by_category", "kind": "sql", "task": "Sales of each category in 2026"},
]
SOLD = (
    "FROM order_lines AS l JOIN orders AS o ON l.order_id = o.id JOIN products AS p ON l.product_id = p.id "
    "JOIN categories AS g ON p.category_id = g.id WHERE o.ordered_on >= '2026-01-01' AND o.ordered_on < '2027-01-01' "
    "AND o.status <> 'cancelled' "
)
QUERY_OF_STEP = {
    STEPS[0]["task"]: f"SELECT strftime('%Y-%m', o.ordered_on) AS month, SUM(l.quantity * l.price) AS total {SOLD}"
    "GROUP BY strftime('%Y-%m', o.ordered_on) ORDER BY month",
    STEPS[1]["task"]: f"SELECT g.name AS category, SUM(l.quantity * l.price) AS total {SOLD}"
    "GROUP BY g.name ORDER BY total DESC",
}
WRITTEN = {
    "title": "Sales in 2026",
    "sections": [
        {
            "heading": "Summary",
            "text": "Sales came to {{by_month.total.sum}}. {{by_category.category[1]}} brought most, with "
            "{{by_category.total[1]}}, ahead of {{by_category.category[2]}}.",
        },
        {
            "heading": "By month",
            "text": "The best month brought {{by_month.total.max}}, the weakest {{by_month.total.min}}.",
            "result": "by_month",
            "chart": {"kind": "line", "x": "month", "y": ["total"]},
        },
        {
            "heading": "By category",
            "text": "{{by_category.category[1]}} leads.",
            "result": "by_category",
            "chart": {"kind": "bar", "x": "category", "y": ["total"]},
        },
    ],
}
"""The replies were written by hand, as models write them; the figures in the report come from the shop."""


def reply(asked: ScriptedRequest) -> str:
    """Return the recorded reply to a request of the analysis."""
    if asked.prompt == "write_query":
        task = next(task for task in QUERY_OF_STEP if task in asked.fenced[-1])
        return json.dumps({"query": QUERY_OF_STEP[task]})
    if asked.prompt == "judge_query":
        return json.dumps({"verdict": "answers"})
    plan = {"question": ANALYSIS, "assessment": "analysis", "reply": "", "steps": STEPS}
    return json.dumps({"plan_analysis": plan, "write_analysis": WRITTEN}[asked.prompt])


def main(folder: Path) -> int:
    """Run the demo and return the exit code of the first part that fails, 0 if none does."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "shop.db"
    count = shop.add(database)
    own = folder.resolve() / "home" / "sources.toml"
    shop.add_source(own, database)
    print(f'{database}: 12 tables, {count:,} rows; the source is "shop".')
    os.environ["BANDSMITH_SOURCES"] = str(own)  # no other source may be meant
    has_model = bool(ModelSettings().url)
    return _questions(folder, has_model) or _analysis(folder, has_model) or _report(folder, has_model)


def _questions(folder: Path, has_model: bool) -> int:
    _say("Questions like verified ones need no language model")
    asked = [*QUESTIONS, MODEL_QUESTION] if has_model else QUESTIONS
    return _run("chat", *asked, "--out", str(folder / "answers"), "--force")


def _analysis(folder: Path, has_model: bool) -> int:
    with ExitStack() as stack:
        model = {}
        if not has_model:
            server = stack.enter_context(ScriptedModel(reply))
            model = {"BANDSMITH_MODEL_URL": server.url, "BANDSMITH_MODEL_NAME": "recorded"}
        _say("An analysis" if has_model else "An analysis, with recorded replies of a language model")
        options = ("--source", "shop", "--out", str(folder / "analysis"), "--force")
        return _run("analyse", ANALYSIS, *options, environment=model)


def _report(folder: Path, has_model: bool) -> int:
    """Fill the report of a month. With a model, it writes the queries."""
    _say("A report filled from the shop" + ("" if has_model else ", with queries that were reviewed before"))
    template = folder / REPORT.name
    shutil.copyfile(REPORT, template)
    beside = folder / QUERIES.name
    if has_model:
        beside.unlink(missing_ok=True)
    else:
        shutil.copyfile(QUERIES, beside)
    options = ("--source", "shop", "--param", "month=2026-10", "--pdf", "--xlsx")
    return _run("fill", str(template), *options, "--out", str(folder / "october"), "--force")


def _say(title: str) -> None:
    print(f"\n== {title}", flush=True)


def _run(*arguments: str, environment: Mapping[str, str] | None = None) -> int:
    """Run `bandsmith` in a separate process, and return its exit code."""
    print(f"$ bandsmith {' '.join(f'{one!r}' if ' ' in one else one for one in arguments)}", flush=True)
    program = [sys.executable, "-c", "from bandsmith.cli import main; main()", *arguments]
    return subprocess.run(program, check=False, env={**os.environ, **(environment or {})}).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
