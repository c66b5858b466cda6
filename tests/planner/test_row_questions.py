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


@each(
    "question, report, said",
    [
        ("average amount per customer?", "sales", "The average of Amount per Customer: 2,408 / 2 = 1,204."),
        ("average quantity?", "sales", "19 / 3 = 6.33"),
        (
            "which item is the most expensive going by unit price",
            "sales",
            "The highest Unit price is 312.50: Wall lamp",
        ),
        ("is the linen roll in the total?", "sales", "Amount 192 of 2,408, which is 8.0 %."),
        ("what's the difference between the wall lamp and the linen roll", "sales", "1,250 - 192"),
        ("which items are above 200 in amount", "sales", "2 of 3 rows: Wall lamp (row 1) and Elm board (row 2)"),
        ("where is the quantity column", "sales", "Quantity is column 4 of 6 of the table."),
        ("what is the field for the quantity called?", "sales", "from the field quantity"),
        ("how much is it?", "sales", "2,408"),
        ("哪样东西最贵，看单价", "slip", "“单价”最高的是 168：角磨机"),
        ("按单价看，哪种货最贵", "slip", "“单价”最高的是 168：角磨机"),
        ("哪些单位？", "slip", "2 种：台和支"),
        ("角磨机和钻头差多少钱", "slip", "1,008 - 300"),
        ("这张表是什么纸张大小", "slip", "A4，842 x 595 点，横向"),
        ("单价的字段名是什么", "slip", "unit_price"),
        ("数量在第几列", "slip", "“数量”是表格"),
    ],
)
def test_shorter_and_other_wordings_are_answered_too(question: str, report: str, said: str):
    assert said in (asked(question, report) or "")


@pytest.mark.parametrize(
    "question",
    [
        "average amount per week?",
        "average amount per customer in red?",
        "which item is the cheapest going by colour",
        "is the garden in the total?",
        "how much is the wall lamp and the chair together",
        "on which day did Bob work longest",
        "when did Bob start on Monday",
        "哪样东西最贵，看产地",
        "角磨机和手套差多少钱",
        "总价包含运费吗",
    ],
)
def test_another_object_or_one_word_more_is_not_answered(question: str):
    assert asked(question) is None
    assert asked(question, "slip") is None


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
        "average amount per customer",
        "average quantity",
        "which item is the cheapest, and mark it red",
        "总价包含运费的话加一行",
        "角磨机包含在总价里",
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
