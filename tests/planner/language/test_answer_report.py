"""Sentences that make a report of the answer before: its rows are the sample, its question the title."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow
import pytest

from bandsmith.services.planner.actor import PlannerActor
from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.result_tables import to_bytes
from bandsmith.shared.turns.request import ReportRequest
from tests.planner.conftest import Objects

from .intents.test_asking import classify_intent

ROWS: dict[str, list[Any]] = {"name": ["South", "North"], "bought": [5, 3]}


async def classified(command: ClassifyIntent, objects: Objects) -> IntentClassified:
    found = await PlannerActor(objects).handle(command)
    assert isinstance(found, IntentClassified)
    return found


async def said(
    text: str, objects: Objects, rows: dict[str, list[Any]] = ROWS, question: str = "who buys most?"
) -> IntentClassified:
    content = await objects.put(to_bytes(pyarrow.table(rows)), "application/vnd.apache.arrow.stream")
    answer = {"answered_rows": content, "answered_question": question}
    return await classified(classify_intent(text, has_template=False, **answer), objects)


async def report_of(found: IntentClassified, objects: Objects) -> ReportRequest:
    assert found.spec
    return ReportRequest.model_validate_json(await objects.get(found.spec))


@pytest.mark.parametrize(
    "text",
    [
        "make that a report", "now turn this into a report please", "make a report of these numbers",
        "please build a report from that", "I want that as a report", "put the result in a template", "as a report",
        "create a report from the last answer", "把这个做成报表", "请把刚才的结果做成一张报表",
        "用这些数据生成一份报表", "把它变成报表吧", "做成报表",
    ],
)  # fmt: skip
async def test_the_answer_becomes_a_report(objects: Objects, text: str):
    found = await said(text, objects)
    assert found.intent == "initial_generation"
    spec = (await report_of(found, objects)).spec
    assert spec.title == "who buys most" and [column.label for column in spec.columns] == ["Name", "Bought"]
    assert spec.rows == [["South", "5"], ["North", "3"]]


async def test_its_columns_have_the_types_of_the_answer(objects: Objects):
    rows: dict[str, list[Any]] = {
        "customer id": [10_001],
        "pieces": [3],
        "share": [0.25],
        "phone": ["13800000000"],
        "since": [date(2026, 1, 5)],
    }
    columns = (await report_of(await said("make that a report", objects, rows), objects)).spec.columns
    assert [column.type for column in columns] == ["integer", "integer", "number", "text", "date"]
    assert columns[0].pattern == "0"


@pytest.mark.parametrize(
    "text", ["make that a report with a total", "make that report bold", "is that a report?", "把这个报表做成横向"]
)
async def test_other_sentences_are_not_about_the_answer(objects: Objects, text: str):
    found = await said(text, objects)
    assert not found.spec or (await report_of(found, objects)).spec.title != "who buys most"


async def test_an_answer_with_more_rows_and_columns_than_a_report_takes_says_so(objects: Objects):
    many = {f"c{n}": list(range(1000)) for n in range(60)}
    request = await report_of(await said("make that a report", objects, many), objects)
    assert request.notes[-2:] == [
        "The report has the first 200 of the 1000 rows of the answer.",
        "The report has the first 40 of the 60 columns of the answer.",
    ]


async def test_a_report_of_a_query_says_so(objects: Objects):
    request = await report_of(await said("make that a report", objects, question=""), objects)
    assert request.spec.title == "Result of the query"


async def test_without_an_answer_before_no_report_is_made_up(objects: Objects):
    found = await classified(classify_intent("make that a report", has_template=False), objects)
    assert found.spec is None


async def test_an_answer_with_one_column_or_long_names_becomes_a_report(objects: Objects):
    rows = {"customers who bought at least once": ["South, west", "North"]}
    spec = (await report_of(await said("make that a report", objects, rows), objects)).spec
    assert [column.label for column in spec.columns] == ["Customers who bought at least once"]
    assert spec.rows == [["South, west"], ["North"]]
