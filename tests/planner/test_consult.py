"""Questions are answered from the articles in the user's language, by a model in one call if there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bandsmith.services.planner.answer_question import consult
from bandsmith.services.planner.knowledge import articles
from bandsmith.services.planner.knowledge.base import Knowledge
from bandsmith.services.planner.own_report import OwnReport
from bandsmith.services.planner.settings import KnowledgeSettings
from bandsmith.shared.events import AnswerQuestion
from bandsmith.shared.llm import Allowance, model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import text as text_of
from bandsmith.shared.turns.session import Failure
from bandsmith.shared.turns.verdict import Finding
from tests.yaml_files import read_yaml

QUESTIONS = Path(__file__).with_name("questions.yaml")
CUT = Finding(
    code="fill.cut", message="total_1 is too small for its value.", message_zh="total_1 太小，显示不下它的值。"
)
FAILURE = Failure(
    error="The text is cut.", findings=[CUT], template=Ref(key="0" * 64, media="application/xml", size=1),
    attempts=5, time=datetime(2026, 1, 1, tzinfo=UTC),
)  # fmt: skip


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    knowledge = Knowledge(KnowledgeSettings(knowledge=str(tmp_path_factory.mktemp("consult") / "knowledge.db")))
    yield knowledge
    asyncio.run(knowledge.close())


def question(text: str, language: str = "en", **others) -> AnswerQuestion:
    usual = {"text": text, "language": language, "history": [], "failure": None, "allowance": Allowance()}
    return AnswerQuestion.model_validate(usual | others)


@pytest.mark.parametrize(
    ("text", "language", "title"),
    [
        ("what is the difference between $F and $P?", "en", "The difference between $F, $P and $V"),
        ("怎么设置页脚?", "zh", "怎么设置页脚"),
        ("How do I set a page footer?", "en", "How to set a page footer"),
        ("页脚是什么", "en", "How to set a page footer"),
    ],
)
async def test_without_a_model_the_best_articles_are_the_answer(knowledge: Knowledge, text, language, title):
    answer = await consult(question(text, language), knowledge, None)

    assert answer.sources[0] == title
    assert answer.answer.startswith(f"{title}\n")
    assert 1 <= len(answer.sources) <= 3
    assert answer.usage.calls == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("推荐一部电影", "zh"),
        ("", "en"),
        ("?" * 1000, "en"),
    ],
)
async def test_a_question_without_an_article_says_so(knowledge: Knowledge, text, language):
    answer = await consult(question(text, language), knowledge, None)

    assert answer.answer == text_of("planner.nothing_found", language) and answer.sources == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what's the weather in Paris?", "en"),
        ("what is the pound in dollars today? I need it for a quotation", "en"),
        ("今天天气怎么样", "zh"),
        ("螺丝刀现在仓库里还剩多少？", "zh"),
    ],
)
async def test_what_nobody_here_can_know_is_said(knowledge: Knowledge, text, language):
    answer = await consult(question(text, language), knowledge, None)

    assert answer.answer == text_of("planner.not_known_here", language) and answer.sources == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("why does the paper smell of currency ink in the archive?", "en"),
        ("为什么左边的图片角落里有一块咖啡渍", "zh"),
    ],
)
async def test_an_article_that_does_not_account_for_the_question_is_not_quoted(knowledge, text, language):
    answer = await consult(question(text, language), knowledge, None)

    assert answer.sources == [] and len(answer.answer) < 300


@pytest.mark.parametrize(
    ("text", "language", "source"),
    [
        ("which files will I get?", "en", "Which files you get"),
        ("转换完以后会给我哪些文件", "zh", "做完以后会得到哪些文件"),
        ("is my data sent to a server?", "en", "Whether anything leaves your machine"),
        ("我的发票会被上传到云端吗？", "zh", "数据会不会上传到别处"),
        ("can I convert several scans at once?", "en", "Several forms at once"),
        ("能一次处理好几张图片吗", "zh", "一次处理多个文件"),
    ],
)
async def test_questions_about_the_program_have_an_article_of_their_own(knowledge, text, language, source):
    assert (await consult(question(text, language), knowledge, None)).sources == [source]


async def test_nearly_all_questions_that_have_an_article_are_answered_with_it(knowledge: Knowledge):
    cases = read_yaml(QUESTIONS)
    answered = [(await consult(question(text), knowledge, None)).sources for text, _ in cases]

    assert sum(map(bool, answered)) >= 0.96 * len(cases)


async def test_a_question_about_a_failure_begins_with_the_failure(knowledge: Knowledge):
    english = await consult(question("why does it fail?", failure=FAILURE), knowledge, None)
    chinese = await consult(question("为什么失败？", "zh", failure=FAILURE), knowledge, None)
    other = await consult(question("How do I set a page footer?", failure=FAILURE), knowledge, None)

    assert english.answer.startswith("The text is cut.\n- total_1 is too small for its value.")
    assert "- total_1 太小，显示不下它的值。" in chinese.answer
    assert not other.answer.startswith("The text is cut.")


async def test_a_model_answers_in_one_call_with_the_articles_as_data(knowledge: Knowledge):
    with ScriptedModel(["Say what the footer should hold."]) as server:
        model = model_from(server.settings())
        command = question("How do I set a page footer?", allowance=Allowance(calls=1, tokens=20_000), failure=FAILURE)
        answer = await consult(command, knowledge, model)
        await model.close()

    assert answer.answer == "Say what the footer should hold."
    assert answer.sources[0] == "How to set a page footer"
    assert answer.usage.calls == len(server.requests) == 1
    assert any("printed at the foot of every page" in data for data in server.requests[0].fenced)
    assert any("The text is cut." in data for data in server.requests[0].fenced)


async def test_the_articles_answer_when_the_model_fails(knowledge: Knowledge):
    with ScriptedModel([ScriptedReply(status=400)]) as server:
        model = model_from(server.settings())
        command = question("怎么设置页脚", "zh", allowance=Allowance(calls=1, tokens=20_000))
        answer = await consult(command, knowledge, model)
        await model.close()

    assert answer.answer.startswith("怎么设置页脚\n")


TEMPLATE = b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports"
name="r" pageWidth="842" pageHeight="595">
<field name="customer"/><field name="paid"/><sortField name="customer"/>
<variable name="paid_sum" calculation="Sum"><variableExpression>$F{paid}</variableExpression></variable>
<group name="customer"><groupExpression>$F{customer}</groupExpression></group>
<title><band height="30"><staticText><reportElement x="0" y="0" width="200" height="20"/><text>Money</text></staticText>
</band></title>
<columnHeader><band height="20"><staticText><reportElement x="100" y="0" width="100" height="20"/><text>Paid</text>
</staticText><staticText><reportElement x="0" y="0" width="100" height="20"/><text>Who</text></staticText></band>
</columnHeader>
<detail><band height="20"><textField><reportElement x="0" y="0" width="100" height="20"/>
<textFieldExpression>$F{customer}</textFieldExpression></textField><textField>
<reportElement x="110" y="0" width="90" height="20"/><textFieldExpression>$F{paid}</textFieldExpression></textField>
</band></detail>
<summary><band height="20"><textField><reportElement x="110" y="0" width="90" height="20"/>
<textFieldExpression>$V{paid_sum}</textFieldExpression></textField></band></summary></jasperReport>"""


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("what does this report contain?", "en", "2 columns: Who, Paid"),
        ("which columns are there?", "en", "2 columns: Who, Paid"),
        ("which columns have a total?", "en", "total of Paid"),
        ("how many columns does it have", "en", "2 columns"),
        ("What's in my report?", "en", "Title: Money"),
        ("这个报表有哪些列？", "zh", "2 列：Who、Paid"),
        ("报表里包含什么", "zh", "横向"),
    ],
)
async def test_a_question_about_the_users_report_is_answered_from_it(knowledge: Knowledge, text, language, expected):
    report = OwnReport(TEMPLATE, Data(parameters={}, rows=[]), past=[], pages=0, language=language)

    answer = await consult(question(text, language), knowledge, None, TEMPLATE, report)

    assert expected in answer.answer and answer.sources == []


async def test_a_question_about_a_part_is_not_answered_with_the_contents_of_the_whole(knowledge: Knowledge):
    report = OwnReport(TEMPLATE, Data(parameters={}, rows=[]), past=[], pages=0, language="zh")

    answer = await consult(question("现在标题下面是什么意思？", "zh"), knowledge, None, TEMPLATE, report)

    assert "2 列" not in answer.answer


@pytest.mark.parametrize("text", ["怎么设置页脚?", "what is a column footer?", "what is in a report's summary band?"])
async def test_questions_about_reports_in_general_are_answered_from_articles(knowledge: Knowledge, text):
    assert (await consult(question(text), knowledge, None, TEMPLATE)).sources


async def test_what_the_manual_says_is_not_told_as_an_answer_about_the_report(knowledge: Knowledge):
    of_report = await consult(question("why is the page footer so high", "en"), knowledge, None, TEMPLATE)
    in_general = await consult(question("what is a column footer?", "en"), knowledge, None, TEMPLATE)

    assert of_report.sources and of_report.answer.startswith("I did not look into your report")
    assert in_general.sources and "I did not look" not in in_general.answer


def test_code_in_an_article_keeps_its_lines():
    totals = next(article for article in articles.articles() if article.title == "Totals with variables")
    assert '```xml\n<variable name="amount_total"' in totals.en
    assert "`Variance`. Missing" in totals.en and "and `Variance`" in totals.en


@pytest.mark.parametrize(("text", "language"), [("what can you do?", "en"), ("help", "en"), ("你能做什么？", "zh")])
async def test_a_question_about_abilities_shows_example_requests(knowledge: Knowledge, text, language):
    answer = await consult(question(text, language), knowledge, None)

    assert {"How to ask for a change", "怎样用一句话提出修改"} & set(answer.sources)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("are these page margins wide enough for a hole punch?", "en"),
        ("does my page footer suit a letter window?", "en"),
        ("这张表的页边距够打孔吗？", "zh"),
        ("我的页脚能不能塞进窗口信封？", "zh"),
    ],
)
async def test_a_question_that_points_at_the_report_is_not_answered_from_the_manual(
    knowledge: Knowledge, text, language
):
    report = OwnReport(TEMPLATE, Data(parameters={}, rows=[]), past=[], pages=0, language=language)

    assert (await consult(question(text, language), knowledge, None, TEMPLATE, report)).sources == []


@pytest.mark.parametrize(
    ("text", "language", "sources"),
    [
        ("what's the difference between a page footer and a summary?", "en", 2),
        ("页眉和标题有什么区别？", "zh", 2),
        ("how does a group header differ from a column header?", "en", 2),
        ("what is the difference between a subreport and a unicorn?", "en", 0),
        ("页脚和独角兽有什么不同", "zh", 0),
    ],
)
async def test_a_difference_is_explained_by_articles_about_both_sides(knowledge: Knowledge, text, language, sources):
    assert len((await consult(question(text, language), knowledge, None)).sources) == sources
