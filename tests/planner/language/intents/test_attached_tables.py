"""A table file: alone it is a new report; beside a sentence that changes a report it makes no new one."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language import read_sentence
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.events import IntentClassified
from bandsmith.shared.model.document import Document
from bandsmith.shared.turns.request import ReportRequest
from tests.planner.conftest import Objects

from ..change.templates import ALL
from .test_asking import change_of, classify_intent

TABLE = "Origin,Kind,Amount\nChina,A,12.50\nPeru,B,33.20\n"


async def said(text: str, objects: Objects, *, report: bool = True) -> IntentClassified:
    """How a sentence is read with the table beside it, and with an open report or none."""
    table = Document(name="sales.csv", content=await objects.put(TABLE.encode(), "text/csv"))
    facts: dict[str, object] = {"has_template": report}
    if report:
        template, data = ALL["sales"]()
        facts["template"] = await objects.put(template, "application/xml")
        facts["data"] = await objects.put(data.model_dump_json().encode(), "application/json")
    return await read_sentence(classify_intent(text, texts=[table], **facts), objects, None)


@pytest.mark.parametrize("report", [True, False], ids=["with a report", "without one"])
async def test_a_table_without_words_is_a_new_report(objects: Objects, report: bool):
    found = await said("", objects, report=report)
    assert found.intent == "initial_generation" and not found.answer and not found.replaces
    assert found.spec
    spec = ReportRequest.model_validate_json(await objects.get(found.spec)).spec
    assert [column.label for column in spec.columns] == ["Origin", "Kind", "Amount"]


@pytest.mark.parametrize(
    "text",
    [
        "delete the quantity column", "删除数量列", "删除数量列，其他保持不变", "删除数量列，表格保持不变",
        "delete the quantity column, leave the list alone",
    ],
)  # fmt: skip
async def test_a_change_beside_a_table_stays_a_change_and_takes_nothing_from_it(objects: Objects, text: str):
    found = await said(text, objects)
    assert found.intent in ("modify_report", "unknown") and not found.replaces and found.spec is None
    edits = (await change_of(found, objects)).edits
    assert [type(edit) for edit in edits] == [DeleteColumn]


@pytest.mark.parametrize("text", ["replace the data with the attached file", "用附件里的数据替换现有的数据"])
async def test_a_change_that_speaks_of_the_file_uses_the_table(objects: Objects, text: str):
    found = await said(text, objects)
    [edit] = (await change_of(found, objects)).edits
    assert isinstance(edit, AddRows) and edit.replace
    assert [row["amount"] for row in edit.rows] == ["12.50", "33.20"]


@pytest.mark.parametrize("text", ["make a new report from this file", "用这个文件做一张新报表"])
async def test_a_new_report_of_the_table_does_not_replace_the_report_unasked(objects: Objects, text: str):
    found = await said(text, objects)
    assert found.intent == "initial_generation" and not found.replaces and found.spec
