"""The eight intents, each from the user's words to the report that the engine filled."""

from __future__ import annotations

import io
import re
from pathlib import Path

import openpyxl
import pytest
from docx import Document as Word

from bandsmith.shared.errors import TerminalError

from .conftest import SAMPLES, Talk, model_is_slow

pytestmark = pytest.mark.asyncio(loop_scope="package")

ENGLISH = "generate a sales report with customer and amount"
CHINESE = "生成一个包含客户名和金额的表格"


# --- a new report ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "labels"), [(ENGLISH, ("Customer", "Amount")), (CHINESE, ("客户", "金额"))])
async def test_a_report_from_words_has_the_columns_that_were_named_and_passes_every_check(
    talk: Talk, words: str, labels: tuple[str, str]
):
    end = await talk.say(words)

    assert end.intent == "initial_generation" and end.status == "done" and end.passed
    assert {"report.jrxml", "data.json", "report.pdf", "page-1.png"} <= end.files.keys()
    template = await talk.template()
    assert all(label in template for label in labels)
    assert re.search(r'<field name="amount"[^>]*class="java.math.BigDecimal"', template)


@model_is_slow
async def test_a_report_from_a_picture_goes_the_way_of_the_main_job(talk: Talk):
    end = await talk.say("", SAMPLES / "invoice.png", language="en")
    assert end.status == "done" and end.likeness.texts > 0.9
    assert {"compare.png", "layout.png", "layout.json"} <= end.files.keys()
    if talk.mind:
        assert talk.mind.calls.count("skeleton_generation") <= 1


# --- changes --------------------------------------------------------------------------------------------------------


@model_is_slow
async def test_changes_follow_one_another_and_lose_nothing(talk: Talk):
    if talk.mind:
        talk.mind.says["intent_classify"] = {"intent": "modify_report", "rules": "keep", "edits": []}
    await talk.say("一张销售表：客户、商品、数量、单价、金额")
    before = await talk.template()

    end = await talk.say("把标题字体改大")
    assert end.intent == "modify_report" and end.status == "done"
    assert keys(before) == keys(await talk.template())

    await talk.say("rename 单价 to Unit price")
    assert "Unit price" in await talk.template()

    end = await talk.say("delete the third column")
    assert "quantity" not in shown(await talk.template()) and end.passed

    await talk.say("去掉合计行")
    assert "$V{total" not in shown(await talk.template())

    end = await talk.say("add a total row at the bottom")
    assert end.passed and 'calculation="Sum"' in await talk.template()

    end = await talk.say("group by customer")
    assert end.passed and "<group " in await talk.template()

    end = await talk.say("highlight amounts over 1000 in red")
    assert end.passed and "conditionalStyle" in await talk.template()

    end = await talk.say("landscape")
    assert end.passed and 'orientation="Landscape"' in await talk.template()

    end = await talk.say("put the page number at the right")
    assert end.passed

    session = await talk.session()
    assert [version.author for version in session.versions[1:]] == ["modify_jrxml"] * (len(session.versions) - 1)
    assert all(version.passed for version in session.versions)
    if talk.mind:  # asked about each change and its outcome, it keeps what rules read
        assert talk.mind.calls == ["intent_classify", "review_outcome"] * 9


@model_is_slow
async def test_a_change_that_nobody_understands_changes_nothing_and_says_so(talk: Talk):
    await talk.say(ENGLISH)
    before = await talk.template()
    end = await talk.say("frobnicate the gizmo of the whatsit")
    assert await talk.template() == before and end.reply
    if talk.mind:
        assert len(talk.mind.calls) <= 2  # the report, and one try


# --- preview, export ------------------------------------------------------------------------------------------------


@model_is_slow
async def test_a_preview_is_a_picture_of_every_page(talk: Talk):
    await talk.say(ENGLISH)
    end = await talk.say("show me the report")
    assert end.intent == "preview_report" and end.passed is None
    assert (await talk.client.fetch(end.files["page-1.png"])).startswith(b"\x89PNG")


@model_is_slow
@pytest.mark.parametrize(
    ("words", "name", "begins"),
    [
        ("export as pdf", "report.pdf", b"%PDF"),
        ("导出 PDF", "report.pdf", b"%PDF"),
        ("give me the jrxml", "report.jrxml", b"<?xml"),
        ("export to excel", "report.xlsx", b"PK"),
        ("导出 Word", "report.docx", b"PK"),
        ("export as html", "report.html", b"<"),
        ("export csv", "report.csv", b"\xef\xbb\xbf"),
    ],
)
async def test_an_export_is_a_file_of_its_kind(talk: Talk, words: str, name: str, begins: bytes):
    await talk.say(ENGLISH)
    if talk.mind:
        talk.mind.asked = []
    end = await talk.say(words)
    content = await talk.client.fetch(end.files[name])
    assert content.startswith(begins) and name in end.reply
    assert not talk.mind or talk.mind.calls == []
    match name:
        case "report.xlsx":
            cells = openpyxl.load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)
            assert any("Customer" in map(str, row) for row in cells)
        case "report.docx":
            tables = Word(io.BytesIO(content)).tables
            assert any("Customer" in cell.text for table in tables for row in table.rows for cell in row.cells)


@model_is_slow
async def test_before_there_is_a_report_there_is_nothing_to_show(talk: Talk):
    end = await talk.say("export pdf")
    assert end.files == {} and "no report yet" in end.reply


# --- questions ------------------------------------------------------------------------------------------------------


@model_is_slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [("what is the difference between $F and $P?", "parameter"), ("怎么设置页脚？", "页脚")],
)
async def test_a_question_is_answered_and_kept_in_the_history(talk: Talk, words: str, expected: str):
    if talk.mind:
        talk.mind.says["consult"] = {"answer": f"About {expected}: it depends."}
        talk.mind.says[""] = f"About {expected}: it depends."
    end = await talk.say(words)
    assert end.intent == "consult_question" and expected in end.reply
    session = await talk.session()
    assert [said.role for said in session.history] == ["user", "assistant"] and session.versions == []
    if talk.mind:
        assert len(talk.mind.calls) == 1


# --- undo, redo, reset ----------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_undo_and_redo_go_back_and_forth_and_validate_again(talk: Talk):
    await talk.say(ENGLISH)
    first = await talk.template()
    await talk.say("landscape")
    second = await talk.template()
    assert first != second
    if talk.mind:
        talk.mind.asked = []

    undone = await talk.say("undo")
    assert await talk.template() == first and undone.passed
    redone = await talk.say("重做")
    assert await talk.template() == second and redone.passed
    again = await talk.say("撤销")
    assert await talk.template() == first and "已撤销" in again.reply
    assert not talk.mind or talk.mind.calls == []


@pytest.mark.slow
@pytest.mark.parametrize("words", ["undo everything", "恢复到最初"])
async def test_to_undo_everything_brings_back_the_first_version(talk: Talk, words: str):
    await talk.say(ENGLISH)
    first = await talk.template()
    for change in ("landscape", "make the title larger", "group by customer"):
        await talk.say(change)
    changed = await talk.template()

    restored = await talk.say(words)
    assert restored.intent == "restore_version" and restored.passed and await talk.template() == first
    await talk.say("undo")
    assert await talk.template() == changed


@model_is_slow
async def test_undo_without_a_change_says_so(talk: Talk):
    assert (await talk.say("undo")).reply == "There is nothing to undo."


@model_is_slow
async def test_reset_leaves_the_name(talk: Talk):
    await talk.say(ENGLISH)
    assert (await talk.say("start over")).asks and (await talk.session()).report
    end = await talk.say("yes")
    session = await talk.session()
    assert end.intent == "reset_session" and session.report is None and session.versions == []
    assert session.name == talk.name


# --- what comes with a turn -----------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_a_template_from_outside_becomes_the_report_and_can_be_changed(talk: Talk, tmp_path: Path):
    await talk.say(ENGLISH)
    file = tmp_path / "own.jrxml"
    file.write_text(await talk.template())
    await talk.say("reset")
    await talk.say("yes")

    end = await talk.say("", file, language="en")
    assert end.passed and end.reply.startswith("The template was read")
    assert (await talk.say("landscape")).passed


@model_is_slow
async def test_columns_may_come_as_a_text_file(talk: Talk, tmp_path: Path):
    file = tmp_path / "columns.csv"
    file.write_text("Date,Category,Amount\n2026-01-05,Travel,120.50\n2026-01-09,Meals,33.20\n")
    end = await talk.say("generate a report from this table", file)
    assert end.passed
    page = await talk.page()
    assert "Category" in page and "Travel" in page


@model_is_slow
@pytest.mark.parametrize(
    ("name", "content"),
    [("form.png", b"%PDF-1.4 not a picture"), ("report.jrxml", b"\x89PNG not xml"), ("form.pdf", b"hello")],
)
async def test_a_file_that_is_not_what_it_says_is_refused_in_one_sentence(
    talk: Talk, tmp_path: Path, name: str, content: bytes
):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(TerminalError) as refused:
        await talk.say("build this", file)
    assert refused.value.message.count(". ") == 0 and str(tmp_path) not in refused.value.message


@pytest.mark.parametrize("host", ["rules"], indirect=True)
async def test_a_third_language_gets_a_clear_answer(talk: Talk):
    end = await talk.say("сделай отчёт по продажам")
    assert "Chinese" in end.reply and "English" in end.reply and not end.files


# --- helpers --------------------------------------------------------------------------------------------------------


def keys(template: str) -> set[str]:
    return set(re.findall(r'key="([^"]+)"', template))


def shown(template: str) -> str:
    """The expressions of the text fields."""
    return " ".join(re.findall(r"<textFieldExpression>(.*?)</textFieldExpression>", template, re.DOTALL))
