"""Questions about one's own report are answered from it, and from nothing else."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.services.planner.language.questions import is_question
from bandsmith.services.planner.own_report import OwnReport, answer
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_amount_in_words import AddAmountInWords
from bandsmith.shared.edits.add_tax import AddTax
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.language import Language
from tests.each_case import each
from tests.planner.language.change.templates import sales


def asked(question: str, language: Language = "en", pages: int = 1) -> str | None:
    template, data = sales()
    return answer(OwnReport(template, data, [], pages, language), question)


@each(
    "question, language, said",
    [
        ("what font is the title?", "en", "18 points"),
        ("标题是什么字体？", "zh", "18 点"),
        ("which columns are there?", "en", "6 columns"),
        ("which font is this using?", "en", "Liberation Sans, in"),
        ("这里用了什么字体", "zh", "Liberation Sans，字号"),
        ("what happens when there's more lines than fit on one page?", "en", "further pages"),
        ("有哪些列", "zh", "6 列"),
        ("which columns have totals?", "en", "no totals"),
        ("哪些列有合计", "zh", "没有"),
        ("list all fields", "en", "order_date"),
        ("which paper does it use?", "en", "595 x 842"),
        ("what's the paper size", "en", "595 x 842"),
        ("how many pages are there?", "en", "one page"),
        ("一共几页", "zh", "1 页"),
        ("how is the amount calculated?", "en", "field amount"),
        ("what changed last?", "en", "Nothing was changed"),
        ("刚才改了什么？", "zh", "没有改动"),
        ("how many rows are there and which row has the highest amount?", "en", "The highest"),
        ("does it go on to a second page with 40 lines?", "en", "further pages"),
        ("what happens if there are more rows than now?", "en", "further pages"),
        ("如果有40行会不会自动换到第二页？", "zh", "后面的页"),
        ("行数多了会怎样", "zh", "后面的页"),
        ("how is it sorted?", "en", "order of the data"),
        ("what size paper is this set up for, and how big are the margins?", "en", "Margins"),
        ("how big are the margins here?", "en", "Margins"),
        ("这张表按什么纸设的？", "zh", "595"),
        ("页边距是多少", "zh", "边距"),
        ("will the header be repeated on page 2?", "en", "again on every page"),
        ("第二页还有表头吗？", "zh", "每页都会重复印表头"),
        ("超过一页怎么办？", "zh", "后面的页"),
        ("how wide is the customer column?", "en", "120 points (42 mm)"),
        ("数量那列有多宽", "zh", "60 点（21 毫米）"),
        ("which field is the unit price?", "en", "unit_price"),
        ("which parts do I have to fill in each time?", "en", "in every row"),
        ("哪些是每次要填的", "zh", "由数据填写"),
        ("这里面哪些是每次打印会变的 哪些是固定印死的呀", "zh", "由数据填写"),
        ("if I put in 15 items does it go on a second page or fall off the paper?", "en", "further pages"),
        ("我要是有一千行，会自己分页吗", "zh", "后面的页"),
        ("金额是自动算的吗？", "zh", "amount"),
        ("is the amount calculated or is it just typed in?", "en", "field amount"),
        ("are the quantities worked out by the report or put in by hand?", "en", "not computed"),
        ("is the amount calculated or do i have to type it in every time?", "en", "field amount"),
        ("金额那一栏是系统加出来的还是照着图打上去的", "zh", "amount"),
        ("数量是自动算的还是每次要我自己填", "zh", "不是算出来的"),
        ("这张单子纸多大？", "zh", "595 x 842"),
        ("这个打出来是什么纸", "zh", "595 x 842"),
        ("which font did you use for the table?", "en", "Liberation Sans, in"),
        ("表头用的什么字体，多大的？", "zh", "Liberation Sans"),
        ("what font does the title have, and is it bold?", "en", "18 points"),
    ],
)
def test_answers_come_from_the_report_in_the_language_of_the_question(question: str, language: Language, said: str):
    assert is_question(question)
    assert said in (asked(question, language) or "")


@pytest.mark.parametrize(
    "question",
    [
        "how wide is the discount?",
        "第二页有几张图？",
        "which field is the winner?",
        "what font is the discount?",
        "what's the hourly rate?",
        "has the customer paid?",
        "how do I set a page footer?",
    ],
)
def test_a_question_about_something_else_is_not_answered_from_the_report(question: str):
    assert asked(question) is None


@pytest.mark.parametrize(
    "sentence",
    ["make the title bold", "list the customers in two columns", "show the totals", "which is better", "按金额排序"],
)
def test_a_change_is_no_question(sentence: str):
    assert not is_question(sentence)


@pytest.mark.parametrize(
    ("question", "language"),
    [("is the total right?", "en"), ("does the grand total add up?", "en"), ("合计对吗？", "zh"), ("总计对不对", "zh")],
)
def test_a_total_with_tax_is_added_up_again(question: str, language: Language):
    template, data = sales()
    editor = Editor(template)
    editor.carry_out([AddTax(field="amount", rate="20", name="VAT")])
    said = answer(OwnReport(editor.bytes(), data, [], 1, language), question)
    total = sum(Decimal(str(row["amount"])) for row in data.rows)
    assert said is not None and f"= {total * Decimal('1.2'):,.2f}" in said


@pytest.mark.parametrize(
    "question, language, said",
    [
        ("大写金额是自动算的还是写死的", "zh", "模板自动算出来"),
        ("is the amount in words calculated or just typed in?", "en", "computed in the template"),
    ],
)
def test_where_an_amount_in_words_comes_from_is_said_without_its_formula(question, language, said):
    template, data = sales()
    editor = Editor(template)
    editor.carry_out([AddTotal(field="amount"), AddAmountInWords(field="amount", language=language)])
    answered = answer(OwnReport(editor.bytes(), data, [], 1, language), question) or ""
    assert said in answered
    assert "replaceAll" not in answered


def test_a_question_about_a_font_is_not_one_about_a_date():
    assert "日期" not in (asked("标题用的什么字体，几号的", "zh") or "")
