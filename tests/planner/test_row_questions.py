"""Questions about the rows and the printed values of one's own report are computed from it, or not answered."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.questions import is_question
from bandsmith.services.planner.own_report import OwnReport, answer, unknown
from bandsmith.shared.language import language_of
from tests.each_case import each
from tests.planner.language.change.templates import leave, sales, slip

REPORTS = {"sales": sales, "slip": slip, "leave": leave}


def asked(question: str, report: str = "sales") -> str | None:
    return answer(_report(report, question), question)


def _report(name: str, question: str) -> OwnReport:
    template, data = REPORTS[name]()
    return OwnReport(template, data, [], 1, language_of(question))


@each(
    "question, said",
    [
        ("how many items cost more than 100?", "By Unit price: One of 3 rows: Wall lamp (row 1)."),
        ("how many articles have a quantity over 3", "2 of 3 rows"),
        ("which item has the highest amount, and how far ahead is it of the second?", "The difference is"),
        (
            "which of the three has the most money tied up in it and how much is it ahead of the next?",
            "The difference is",
        ),
        (
            "how many items have a price below 100, and what do their amounts come to?",
            "The sum of Amount over 2 of 3 rows",
        ),
        ("how many customers are there?", "2 different values of Customer over all 3 rows: Tamarack and Hollis & Co."),
        ("how many different items did they buy", "All 3 rows"),
        ("what is the average amount per line?", "2,408 / 3 = 802.67"),
        ("what's the total quantity", "The sum of Quantity over all 3 rows: 19. The report prints no such total."),
        ("how many pieces are there in total", "19"),
        ("what would it cost without the lamp?", "over 2 of 3 rows, all but"),
        ("what does the total come to without the linen roll and the elm board", "1,250"),
        ("which product costs most?", "The highest Unit price is 312.50: Wall lamp (row 1)."),
        ("what's the cheapest item", "The lowest Unit price is 64: Linen roll (row 3)."),
        ("what did they order most", "The highest Quantity is 12: Elm board (row 2)."),
        ("what is the unit price of the elm board?", "Elm board (row 2): Unit price 80.50"),
        ("how much does the linen roll cost", "Unit price 64, Amount 192"),
        ("how much of this is the linen roll?", "Unit price 64, Amount 192"),
        ("how much did we charge them for the elm board", "Amount 966"),
        ("how many lamps are there?", "Wall lamp (row 1): Quantity 4"),
        ("what is in row 2?", "Customer Hollis & Co, Item Elm board"),
        ("what does the last line say", "Linen roll (row 3)"),
        ("which items have a quantity of 12", "One of 3 rows: Elm board"),
        ("which items did we sell", "All 3 rows"),
        ("does every row come out right?", "Yes: in all 3 rows"),
        ("which column is the widest?", "135 points"),
        ("how many items are there and what's the dearest one?", "312.50"),
    ],
)
def test_rows_are_counted_added_up_and_compared(question: str, said: str):
    assert said in (asked(question) or "")


@each(
    "question, said",
    [
        ("一共买了几种", "一共 2 行"),
        ("单子上有几样东西？", "一共 2 行"),
        ("备注里一共写了几条", "其中 1 行：冲击钻头"),
        ("有几行没有备注", "其中 1 行：角磨机"),
        ("哪些商品单价低于10", "冲击钻头"),
        ("单价超过100的有哪些", "角磨机"),
        ("不算钻头一共多少钱", "1,008"),
        ("除了角磨机其他一共多少钱", "300"),
        ("数量加起来是多少", "46。报表上没有印这个合计。"),
        ("平均单价多少", "87.75"),
        ("哪个货卖得最多", "“数量”最高的是 40：冲击钻头（第 2 行）。"),
        ("最便宜的是什么", "“单价”最低的是 7.50"),
        ("钻头的单价是多少", "单价 7.50"),
        ("角磨机多少钱一台", "单价 168，金额 1,008"),
        ("钻头买了几支", "数量 40"),
        ("第1行是什么", "品名 角磨机"),
        ("单价十块钱以下的一共有几种，它们的金额加起来是多少", "合计：300"),
        ("单价最高的是哪个，比第二名高多少", "相差 160.5"),
        ("有几种单位", "2 种：台和支"),
        ("客户是谁", "客户名称：宏达机电"),
        ("日期是哪天", "2026-03-18"),
        ("总共多少钱", "1,308"),
        ("谁签的字", "“客户签收”后面没有印任何内容。"),
        ("含税吗", "没有提到税"),
    ],
)
def test_the_same_holds_for_questions_in_chinese(question: str, said: str):
    assert said in (asked(question, "slip") or "")


@pytest.mark.parametrize(
    ("question", "report", "said"),
    [
        ("what is the period on it?", "sales", "Period: March 2026"),
        ("which department is it?", "leave", "Department: Bindery"),
        ("who approved it?", "leave", "Beside “Approved by” nothing is printed."),
        ("what's the customer name", "slip", "宏达机电"),
        ("is VAT included?", "sales", "Nothing that is printed on the report speaks of a tax."),
    ],
)
def test_a_value_is_found_by_its_label(question: str, report: str, said: str):
    assert said in (asked(question, report) or "")


@pytest.mark.parametrize(
    "question",
    [
        "how many gloves are there?",
        "what does the total come to without the gloves?",
        "which product is the best?",
        "which of the five has the highest amount, and how far ahead is it of the second?",
        "what is the average discount?",
        "how much does Bandsmith cost?",
        "which items are green?",
        "how many items were returned last year?",
        "what is the total unit price?",
        "库存还有多少",
        "哪个客户最好",
        "明天多少钱",
    ],
)
def test_a_question_with_a_word_that_nothing_accounts_for_is_not_answered(question: str):
    assert asked(question) is None
    assert asked(question, "slip") is None


def test_a_row_that_is_not_there_is_named():
    question = "what does the total come to without the gloves?"
    assert "“gloves”" in (unknown(_report("sales", question), question) or "")


def test_a_filter_of_the_report_is_mentioned():
    template, data = sales()
    hidden = template.replace(b"<title>", b"<filterExpression><![CDATA[true]]></filterExpression>\n<title>", 1)
    report = OwnReport(hidden, data, [], 1, "en")
    assert "a filter of the report hides some" in (answer(report, "what's the total quantity") or "")


@pytest.mark.parametrize(
    "sentence",
    [
        "show the average amount",
        "add a total of the quantity",
        "mark the most expensive item",
        "leave out the linen roll",
        "which is better",
        "总金额放大",
        "把最贵的标红",
        "不要备注",
        "加一列数量合计",
    ],
)
def test_a_request_is_no_question_about_rows(sentence: str):
    assert not is_question(sentence)
