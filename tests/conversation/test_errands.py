"""Tasks over the project's own reports and sources: asked, filled for each customer, delivered, scheduled."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.task import Answer, Planning
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import source_of, write_sources

from .conftest import Talk

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="package")]
with_model = pytest.mark.parametrize("host", ["model"], indirect=True)
QUERY = (
    "SELECT customer AS customer, amount AS amount FROM orders "
    "WHERE ordered_on >= :period_start AND ordered_on < :period_end ORDER BY customer"
)
PLAN = {
    "action": "plan_done",
    "complexity": "simple",
    "plan_steps": [{"content": "Fill the report for each customer.", "done_when": "The files are in reports."}],
}
SUMMARY = {"summary": "The reports are there."}
DONE = {"action": "done", "goal_check": "The result says that the files are delivered."}


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def adding(domain: str) -> dict[str, object]:
    return {"action": "continue", "tool_call": {"name": "context_tools_add", "arguments": {"domain": domain}}}


def calling(name: str, action: str = "confirm", **arguments: object) -> dict[str, object]:
    return {"action": action, "speak": "", "tool_call": {"name": name, "arguments": arguments}}


def says(talk: Talk, *steps: object) -> None:
    left = list(steps)
    assert talk.mind is not None
    talk.mind.says |= {"task_plan": PLAN, "task_summary": SUMMARY, "write_binding": {"query": QUERY, "reason": ""}}
    talk.mind.says["task_step"] = lambda _: left.pop(0) if len(left) > 1 else left[0]


@pytest.fixture(autouse=True)
def delivered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source with the orders of two customers, and the folder that files are delivered to."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (customer TEXT, amount REAL, ordered_on DATE)")
        rows = [("Acme", 10.5, "2026-10-03"), ("Acme", 2, "2026-10-20"), ("Bolt", 7, "2026-10-05")]
        database.executemany("INSERT INTO orders VALUES (?, ?, ?)", rows)
        database.commit()
    write_sources(SourceSettings().file, {"shop": source_of("shop", str(path))})
    monkeypatch.setenv("BANDSMITH_DELIVERY_FOLDER", str(tmp_path / "delivered"))
    return tmp_path / "delivered" / "reports"


async def report_filled_for_each_customer(talk: Talk) -> TurnFinished:
    await talk.say("create a sales report with customer and amount")
    shown = await talk.say("fill it from the database for each customer for 2026-10")
    assert shown.asks is not None, shown.reply
    return await talk.say("yes")


@with_model
async def test_a_statement_for_each_customer_is_a_step_of_a_task(talk: Talk, delivered: Path):
    fill = calling("fill_report", period="2026-10", each="customer", folder="reports")
    says(talk, adding("reports"), fill, DONE)
    filled = await report_filled_for_each_customer(talk)
    assert [name for name in filled.files if name.endswith(".pdf")] == ["filled-Acme.pdf", "filled-Bolt.pdf"]

    shown = await talk.say("put a sales report of October for each customer into reports", planning=Planning())
    assert shown.asks is not None and "- a report for each “customer”" in shown.reply
    assert f"- delivered to: {delivered}" in shown.reply and files_in(delivered) == []
    told = await talk.say("yes")
    assert told.complete, told.reply
    assert "2 reports, one for each “customer”" in told.reply
    assert [name.rpartition(" ")[2] for name in files_in(delivered)] == ["Acme.pdf", "Bolt.pdf"]
    assert {"filled-Acme.pdf", "filled-Bolt.pdf"} <= told.files.keys()


@with_model
async def test_a_task_schedules_a_run_after_a_yes_and_lists_it(talk: Talk, delivered: Path):
    rule = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;BYHOUR=8;BYMINUTE=0"
    run = {"run_name": "statements", "rule": rule, "period": "last month", "each": "customer", "folder": "reports"}
    says(talk, adding("reports"), calling("schedule_run", **run), calling("list_runs", "continue"), DONE)
    await report_filled_for_each_customer(talk)
    shown = await talk.say("do that each first working day of the month", planning=Planning())
    assert "- name: statements" in shown.reply and "- a report for each “customer”" in shown.reply
    edited = await talk.say(answer=Answer(question=shown.asks.id, arguments=run | {"run_name": "monthly"}))
    assert "- name: monthly" in edited.reply
    told = await talk.say("yes")
    assert told.complete and "Added the run “monthly”." in told.reply
    listed = [request.text for request in talk.mind.asked if request.prompt == "task_step"][-1]
    assert "monthly: due on" in listed


@with_model
async def test_a_task_asks_a_source_and_what_it_cannot_do_is_refused(talk: Talk, delivered: Path):
    says(
        talk,
        adding("data"),
        calling("run_query", "continue", query="SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer"),
        calling("run_query", "continue", query="DELETE FROM orders"),
        adding("reports"),
        calling("fill_report", folder="reports"),
        {"action": "abort", "reason": "There is no report yet."},
    )
    ended = await talk.say("which customer bought most, and fill a report of it", planning=Planning())
    asked = [request.text for request in talk.mind.asked if request.prompt == "task_step"][-1]
    assert "| Acme | 12.5 |" in asked
    assert "Only a query that begins with SELECT or WITH is run." in ended.reply
    assert "There is no report in this conversation yet." in ended.reply
    assert files_in(delivered) == [] and not ended.complete


BUILD = {
    "action": "plan_done",
    "complexity": "moderate",
    "plan_steps": [{"content": "Build it, colour its title, fill it for each customer.", "done_when": "It is filled."}],
}


@with_model
async def test_a_report_is_built_changed_and_filled_in_one_task(talk: Talk, delivered: Path):
    says(
        talk,
        adding("reports"),
        calling("build_report", description="a sales report with customer and amount"),
        calling("change_report", request="make the title blue"),
        calling("describe_report", "continue"),
        calling("preview_report", "continue"),
        calling("fill_report", period="2026-10", each="customer", folder="reports"),
        DONE,
    )
    assert talk.mind is not None
    talk.mind.says["task_plan"] = BUILD
    ask = "make a sales template, put our blue on the title, fill it for every customer and put the PDFs into reports/"
    shown = await talk.say(ask, planning=Planning())
    assert "Build a new report from these words: “a sales report with customer and amount”." in shown.reply
    assert (await talk.session()).report is None, "nothing is stored before the user agrees"

    shown = await talk.say("yes")
    assert "Change the report as these words say: “make the title blue”." in shown.reply, shown.reply
    built = (await talk.session()).report
    assert built is not None and built.number == 1 and "#0000FF" not in await talk.template()

    shown = await talk.say("yes")
    assert 'forecolor="#' in await talk.template() and (await talk.session()).report.number == 2
    asked = [request.text for request in talk.mind.asked if request.prompt == "task_step"][-1]
    assert "- 2 columns: Customer, Amount" in asked and "Exported as page-1.png." in asked
    for words in ("Fill the report", f"- delivered to: {delivered}", "These new queries would fill", "SELECT"):
        assert shown.reply.count(words) == 1, "the filling and its new queries are one question"
    assert files_in(delivered) == []

    shown = await talk.say("only orders above five please")
    assert shown.reply.count("These new queries would fill the report") == 1, shown.reply
    assert shown.reply.count("Fill the report") == 1, "what is filled is shown again with the changed queries"
    assert "only orders above five please" in [one.text for one in talk.mind.asked if one.prompt == "write_binding"][-1]
    assert files_in(delivered) == []
    told = await talk.say("yes")
    assert told.complete, told.reply
    assert [name.rpartition(" ")[2] for name in files_in(delivered)] == ["Acme.pdf", "Bolt.pdf"]
    assert {"filled-Acme.pdf", "filled-Bolt.pdf"} <= told.files.keys() and (await talk.session()).bindings

    await talk.say("undo")
    assert (await talk.session()).report.template == built.template


@with_model
async def test_words_of_a_report_that_are_not_done_change_nothing(talk: Talk):
    vain = calling("change_report", request="make it smell of roses")
    says(talk, adding("reports"), vain, {"action": "abort", "reason": "It cannot be done."})
    await talk.say("create a sales report with customer and amount")
    before = (await talk.session()).report
    await talk.say("make the report smell of roses", planning=Planning())
    ended = await talk.say("yes")
    assert "It was not taken over, and the report is as before." in ended.reply, ended.reply
    assert (await talk.session()).report == before


@with_model
async def test_the_conversations_and_the_tables_of_a_source_are_stated(talk: Talk):
    says(
        talk,
        adding("reports"),
        calling("list_sessions", "continue"),
        adding("data"),
        calling("describe_source", "continue"),
        DONE,
    )
    await talk.say("create a sales report with customer and amount")
    told = await talk.say("which conversations are there, and which tables?", planning=Planning())
    asked = [request.text for request in talk.mind.asked if request.prompt == "task_step"][-1]
    assert f"{talk.name}: version 1 of a report" in asked and "ordered_on" in asked
    assert told.complete, told.reply


@with_model
async def test_a_run_that_is_to_be_removed_is_looked_up_and_shown_first(talk: Talk, delivered: Path):
    run = {"run_name": "weekly", "rule": "0 8 * * 1", "period": "last month", "each": "customer", "folder": "reports"}
    says(talk, adding("reports"), calling("schedule_run", **run), DONE)
    await report_filled_for_each_customer(talk)
    await talk.say("do that every Monday", planning=Planning())
    assert "Added the run “weekly”." in (await talk.say("yes")).reply

    cancels = (calling("cancel_run", run_name="weakly"), calling("cancel_run", run_name="weekly"))
    says(talk, adding("reports"), *cancels, DONE)
    shown = await talk.say("stop the weekly one", planning=Planning())
    assert "Remove the scheduled run “weekly”." in shown.reply and "- weekly: due on" in shown.reply, shown.reply
    ended = await talk.say("yes")
    assert ended.complete and "There is no such run." in ended.reply, ended.reply
    assert "weekly" not in (await talk.say("which runs are there?")).reply


@with_model
async def test_a_no_fills_and_delivers_nothing(talk: Talk, delivered: Path):
    fill = calling("fill_report", period="2026-10", each="customer", folder="reports")
    says(talk, adding("reports"), fill, {"action": "abort", "reason": "You declined it."})
    await report_filled_for_each_customer(talk)
    await talk.say("put a sales report for each customer into reports", planning=Planning())
    ended = await talk.say("no")
    assert files_in(delivered) == [] and "You declined" in ended.reply
