"""Questions in everyday words are answered from the rows and the page, or not at all."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.questions import is_question
from bandsmith.services.planner.own_report import OwnReport, answer
from bandsmith.shared.language import language_of
from bandsmith.shared.model.plan import Data
from tests.planner.language.change.templates import sales, slip

REPORTS = {"sales": sales, "slip": slip}


def asked(question: str, report: str) -> str:
    template, data = REPORTS[report]()
    return answer(OwnReport(template, data, [], 1, language_of(question)), question) or ""


@pytest.mark.parametrize(
    ("question", "report", "said"),
    [
        ("how much do the wall lamp and the linen roll cost together?", "sales", "1,442"),
        ("what do the lamp and the board come to", "sales", "2,216"),
        ("角磨机加上冲击钻头一共多少钱", "slip", "1,308"),
        ("角磨机和钻头加起来多少钱", "slip", "1,308"),
        ("前两行一共多少钱", "slip", "1,308"),
    ],
)
def test_rows_that_are_named_together_are_added_up(question: str, report: str, said: str) -> None:
    assert said in asked(question, report)


@pytest.mark.parametrize(
    "question",
    ["角磨机和电缆加起来多少钱", "手套和胶带加起来多少钱"],
)
def test_names_of_which_one_is_no_row_are_not_added_up(question: str) -> None:
    assert asked(question, "slip") == ""


@pytest.mark.parametrize(
    ("question", "report", "said"),
    [
        ("which is more expensive, the lamp or the board", "sales", "more by 232 in Unit price: 312.50 - 80.50"),
        ("is the linen roll cheaper than the elm board", "sales", "more by 16.50 in Unit price"),
        ("钻头和角磨机哪个贵", "slip", "“单价”角磨机（第 1 行）多 160.50：168 - 7.50。"),
        ("角磨机比钻头多值多少钱", "slip", "多 708"),
        ("what percentage of the total is the lamp?", "sales", "1,250 of 2,408, which is 51.9 %"),
        ("角磨机占总金额百分之几", "slip", "占 1,308 的 77.1 %"),
        ("what is the second most expensive item", "sales", "2. Elm board (row 2) 80.50."),
        ("单价第二高的是哪个", "slip", "2. 冲击钻头（第 2 行） 7.50。"),
    ],
)
def test_rows_are_compared_with_each_other_and_with_all(question: str, report: str, said: str) -> None:
    assert said in asked(question, report)


@pytest.mark.parametrize(
    ("question", "report", "said"),
    [
        ("are there any lines over 1000", "sales", "By Amount: One of 3 rows: Wall lamp (row 1)."),
        ("is there anything over 5000", "sales", "By Amount: None of the 3 rows."),
        ("which items cost between 60 and 100", "sales", "Elm board (row 2) and Linen roll (row 3)"),
        (
            "which rows have a quantity above 3 and a unit price below 100",
            "sales",
            "By Quantity and Unit price: One of 3",
        ),
        (
            "apart from the lamp, is there any line over 900?",
            "sales",
            "Apart from Wall lamp (row 1): By Amount: One of 2",
        ),
        ("is there any line without a customer", "sales", "None of the 3 rows."),
        ("有没有哪一行数量超过100", "slip", "按“数量”：2 行里一行也没有。"),
        ("有没有超过500块的", "slip", "按“金额”：共 2 行，其中 1 行：角磨机"),
        ("每行都有单位吗", "slip", "一共 2 行"),
        ("有没有备注", "slip", "其中 1 行：冲击钻头"),
    ],
)
def test_rows_are_found_by_conditions(question: str, report: str, said: str) -> None:
    assert said in asked(question, report)


@pytest.mark.parametrize(
    ("question", "report", "said"),
    [
        ("一共几样", "slip", "一共 2 行"),
        ("一共多少件货", "slip", "合计：46"),
        ("加起来多少", "slip", "合计：1,308"),
        ("这次一共卖了几种货，加起来多少？", "slip", "一共 2 行"),
        ("哪一行有备注，写的啥", "slip", "备注：冲击钻头（第 2 行） 赠品另计。"),
        ("角磨机还有多少", "slip", "数量 6"),
        ("what's the total amount and which product costs most?", "sales", "2,408"),
    ],
)
def test_counts_and_sums_in_everyday_words(question: str, report: str, said: str) -> None:
    assert said in asked(question, report)


HOURS = [("Monday", 8.0), ("Tuesday", 8.5), ("Friday", 6.0)]


def timesheet(question: str) -> str:
    """Ask about the list of sales with its headings and rows replaced by those of a timesheet."""
    template, _ = sales()
    for old, new in (("Item", "Day"), ("item", "day"), ("Quantity", "Hours"), ("quantity", "duration")):
        template = template.replace(old.encode(), new.encode())
    others = dict.fromkeys(("order_date", "customer", "unit_price", "amount"))
    rows = [{**others, "day": day, "duration": hours} for day, hours in HOURS]
    report = OwnReport(template, Data(parameters={}, rows=rows), [], 1, language_of(question))
    return answer(report, question) or ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which day did she work the longest?", "The highest Hours is 8.50: Tuesday (row 2)."),
        ("how many hours did she work on Friday", "Friday (row 3): Hours 6"),
        ("她平均每天上几个小时？", "22.50 ÷ 3 = 7.50"),
        ("which day has the fewest hours", "Friday (row 3)"),
        ("apart from Tuesday, was there a day when she did more than 8 hours?", "None of the 2 rows."),
    ],
)
def test_hours_of_days_are_told(question: str, said: str) -> None:
    assert said in timesheet(question)


def test_a_value_that_only_holds_a_word_is_not_its_label():
    template, data = slip()
    named = data.model_copy(update={"parameters": {**data.parameters, "customer": "二号仓库机电"}})
    assert answer(OwnReport(template, named, [], 1, "zh"), "仓库是谁") is None


@pytest.mark.parametrize(
    "sentence",
    [
        "mark every line over 500 in red",
        "有没有办法把标题加粗",
        "sort by the second column",
        "put the customer and the date together",
        "把角磨机和钻头加起来",
        "标题改小一些，其他的都不变",
        "表头灰底改成浅蓝，字不变",
        "show the share of the total",
    ],
)
def test_requests_with_such_words_are_no_questions(sentence: str) -> None:
    assert not is_question(sentence)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("卖了多少钻头", "冲击钻头（第 2 行）：数量 40"),
        ("单价最高的两个是哪些", "1. 角磨机（第 1 行） 168；2. 冲击钻头（第 2 行） 7.50。"),
        ("角磨机贵还是钻头贵", "“单价”角磨机（第 1 行）多 160.50"),
    ],
)
def test_a_name_is_not_divided_into_a_unit_and_a_rest(question: str, said: str) -> None:
    assert said in asked(question, "slip")


def test_rows_that_are_no_days_are_not_counted_as_days():
    assert asked("how many days", "sales") == ""
    assert "All 3 rows" in timesheet("how many days did she work")


def test_the_highest_of_a_column_of_texts_is_not_that_of_another():
    template, data = slip()
    rows = [{**row, "unit_price": None, "amount": None} for row in data.rows]
    report = OwnReport(template, data.model_copy(update={"rows": rows}), [], 1, "zh")
    assert answer(report, "哪个备注最大") is None


def test_what_only_describes_a_row_is_not_counted_by_it():
    template, data = sales()
    rows = [{**data.rows[0], "item": "Labour, two gardeners, per day"}, *data.rows[1:]]
    report = OwnReport(template, data.model_copy(update={"rows": rows}), [], 1, "en")
    assert answer(report, "how many gardeners are there?") is None
    assert "Quantity 4" in (answer(report, "how many labour are there?") or "")


@pytest.mark.parametrize(
    ("question", "report", "said"),
    [
        ("the customer might skip the lamp, what would it come to without that one", "sales", "1,158"),
        ("My boss says the lamp is dear, how much does the lamp cost?", "sales", "312.50"),
        ("客户嫌贵，角磨机多少钱一台", "slip", "168"),
        ("客户说要对一下，角磨机的单价是多少", "slip", "168"),
    ],
)
def test_a_question_behind_what_another_person_said_is_answered(question: str, report: str, said: str) -> None:
    assert said in asked(question, report)


def test_the_second_question_is_about_what_the_first_one_names() -> None:
    answers = asked("角磨机的单价是多少，送了几台", "slip").splitlines()
    assert "168" in answers[0] and "角磨机" in answers[1] and "6" in answers[1]


@pytest.mark.parametrize(
    ("question", "report"),
    [
        ("the customer might skip something, what would it come to without them", "sales"),
        ("the lamp is too dear, set it to 300", "sales"),
        ("if the customer takes 10 lamps, what does it come to", "sales"),
        ("客户说要退10台，一共多少钱", "slip"),
    ],
)
def test_a_question_with_an_open_pronoun_or_a_condition_is_not_answered(question: str, report: str) -> None:
    assert asked(question, report) == ""


def test_a_measure_is_counted_only_where_the_row_is_measured_in_it() -> None:
    assert asked("how many cubic metres of lamp", "sales") == ""
