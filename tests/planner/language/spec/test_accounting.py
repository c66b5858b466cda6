"""Every word of a description is read, or quoted as not read; nothing of it becomes a column by chance."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.labels import is_label
from bandsmith.services.planner.language.spec.rule_reader import SpecReading, read
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import language_of
from bandsmith.shared.model.spec import SummaryLine
from tests.each_case import each


def reading(text: str) -> SpecReading:
    return read(text, language_of(text))


def labels(text: str) -> list[str]:
    return [column.label for column in reading(text).spec.columns]


def totalled(text: str) -> list[str]:
    return [column.label for column in reading(text).spec.columns if column.total == "sum"]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("orders with order no, date and amount, all letters in bold", "all letters in bold"),
        ("客户名单：姓名、电话、地址，姓名要用红色字体", "姓名要用红色字体"),
        ("a list with name, phone, total of weight", "total of weight"),
        ("送货单，品名、数量、单价，单价前面加上人民币符号", "单价前面加上人民币符号"),
    ],
)
def test_words_that_name_no_column_are_quoted(text: str, unread: str) -> None:
    assert reading(text).unread == [unread]
    assert not any(label in unread for label in labels(text) if label not in ("单价", "姓名"))


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("price list: article no, description, barcode, price", "barcode"),
        ("class list: name, one line per day Monday to Friday, remarks", "one line per day Monday to Friday"),
        (
            "parts list: part no, name. Whatever our auditors usually ask about",
            "Whatever our auditors usually ask about",
        ),
        ("盘点表：货架、品名，一式两联、每联一种颜色，数量", "一式两联、每联一种颜色"),
        ("领料单，列有品名、数量，中间虚线裁开，备注", "中间虚线裁开"),
    ],
)
def test_nothing_is_built_where_unread_words_may_name_content(text: str, unread: str) -> None:
    with pytest.raises(TerminalError) as refused:
        reading(text)
    assert refused.value.code == "wish"
    assert f"“{unread}”" in refused.value.message


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (
            "commission list: deal, customer, value. each salesman starts on his own page",
            "each salesman starts on his own page",
        ),
        ("入库单，上面供应商、日期，明细有货号、品名、规格、数量，合计要大写，下面仓管员签字", "合计要大写"),
    ],
)
def test_a_table_that_was_read_is_built_although_a_clause_beside_it_is_unread(text: str, unread: str) -> None:
    found = reading(text)
    assert found.unread == [unread] and len(found.spec.columns) >= 3


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("timesheet, employee on top, start, finish, hours worked, sign off here: employee / supervisor", "sign off"),
        ("credit note, with the reason. rows item, qty, price, amount. net, total", "item"),
        ("要一张登记表，哪个学生几点谁送来、联系电话", "哪个学生几点谁送来"),
        ("给客户的对账单，抬头瑞和包装，日期、摘要、应收、已收、余额，结余逐行累计", "结余逐行累计"),
    ],
)
def test_nothing_is_built_where_the_unread_words_may_be_columns(text: str, unread: str) -> None:
    with pytest.raises(TerminalError, match=unread):
        reading(text)


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("petty cash book: date, in, out, balance. balance is running", ["In", "Out"]),
        (
            "customer statement: date, invoiced, paid, balance. balance carries on from line to line",
            ["Invoiced", "Paid"],
        ),
        ("客户对账单：日期、应收、已收、余额，余额要逐行累计", ["应收", "已收"]),
    ],
)
def test_a_column_that_is_said_to_run_adds_up_from_row_to_row(text: str, operands: list[str]) -> None:
    found = reading(text)
    [column] = [one for one in found.spec.columns if one.running]
    assert column.computed and column.computed.operands == operands and not found.unread


def test_formulas_in_chinese_words_are_read_also_behind_shi() -> None:
    found = reading("水电费清单：房号、上月读数、本月读数、用量、单价、金额，用量就是本月减上月，金额是用量乘单价")
    computed = {column.label: column.computed.operands for column in found.spec.columns if column.computed}
    assert computed == {"用量": ["本月读数", "上月读数"], "金额": ["用量", "单价"]} and not found.unread


@pytest.mark.parametrize(
    ("text", "signers"),
    [
        ("采购单：菜名、数量、单价，采购和验收两个人签字", ["采购", "验收"]),
        ("报销单：项目、摘要、金额，下面出纳、报销人签字", ["出纳", "报销人"]),
        ("inspection list: location, type, remarks. inspector signs at the bottom", ["inspector"]),
    ],
)
def test_who_signs_is_read_with_what_is_said_of_it(text: str, signers: list[str]) -> None:
    assert reading(text).spec.signatures == signers


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("address labels, 2 across, name street town postcode", "name street town postcode"),
        ("scrap this, lets start from scratch", "scrap this"),
    ],
)
def test_sentences_and_names_without_commas_are_no_columns(text: str, unread: str) -> None:
    with pytest.raises(TerminalError, match=unread):
        reading(text)


def test_pieces_per_carton_are_a_column_and_no_group() -> None:
    found = reading("packing list with carton no, item, pieces per carton, net weight")
    assert labels("packing list with carton no, item, pieces per carton, net weight")[2] == "Pieces per carton"
    assert not found.unread


def test_what_is_counted_per_group_is_quoted() -> None:
    found = reading("list of employees by department w/ start date and phone, count per department")
    assert found.unread == ["count per department"] and "Department w" not in str(found.spec)


def test_a_formula_means_the_columns_that_have_its_words() -> None:
    column = reading("vehicle log: date, from, to, km start, km end, km driven (= end minus start)").spec.columns[-1]
    assert column.computed and column.computed.operands == ["Km end", "Km start"]


@each(
    "words",
    [
        "total bottom right", "small font", "grey header", "one per page", "in big letters", "at the very end",
        "overall total last", "a line for the date", "nothing but", "two rows each", "10 x 15 cm", "Apple 3 1.20",
        "总额字号放大", "右下角写总金额", "就两列", "还要经理", "左下技师", "每组小计", "中英文对照", "分两列排",
        "表头灰底", "应付余额用红色", "逾期最久的排最前", "标题下面打印姓名", "王小明88 92 79",
        "全部合计", "依次是序号",
    ],
)  # fmt: skip
def test_instructions_are_no_labels(words: str) -> None:
    assert not is_label(words)


@each(
    "words",
    [
        "days left", "last name", "lower limit", "cost centre", "price without tax", "pieces to pick", "page count",
        "weight in kg", "printed by", "left eye", "until when", "Day 1 AM", "OK?",
        "左眼", "还款日期", "是否含税", "目的地", "再订货点", "最后登录时间", "需要日期", "合并单号", "头像",
    ],
)  # fmt: skip
def test_nouns_with_a_word_of_instructions_are_labels(words: str) -> None:
    assert is_label(words)


@pytest.mark.parametrize(
    "text",
    [
        "what's the weather",
        "something with a bit of colour for the wall",
        "we have to send something to the auditors every month, name, city",
        "invoice with a barcode on each page",
    ],
)
def test_request_whose_columns_are_unclear_is_asked_back(text: str) -> None:
    with pytest.raises(TerminalError) as refused:
        reading(text)
    assert refused.value.code == "wish"


def test_question_quotes_what_was_not_read() -> None:
    with pytest.raises(TerminalError, match="barcode on each page”"):
        reading("invoice with a barcode on each page")


@pytest.mark.parametrize(
    ("text", "header", "columns"),
    [
        (
            "minutes - title, date, place, then a list: topic, decision",
            ["Title", "Date", "Place"],
            ["Topic", "Decision"],
        ),
        ("order with supplier and date on top, then part no, quantity", ["Supplier", "Date"], ["Part no", "Quantity"]),
        ("检验报告，供应商 批号放上面，项目表：项目、判定", ["供应商", "批号"], ["项目", "判定"]),
        ("出库单，上面有单号 日期，中间表格：名称 数量", ["单号", "日期"], ["名称", "数量"]),
    ],
)
def test_names_belong_to_the_section_that_the_words_around_them_say(
    text: str, header: list[str], columns: list[str]
) -> None:
    spec = reading(text).spec
    assert [field.label for field in spec.header_fields] == header
    assert [column.label for column in spec.columns] == columns


def test_net_total_tax_and_gross_total_are_lines_below_the_table() -> None:
    spec = reading(
        "invoice with item, qty, unit price, amount. After the table net total, 19% VAT and gross total"
    ).spec
    assert [(line.label, line.kind) for line in spec.summary] == [
        ("net total", "net"), ("19% VAT", "tax"), ("gross total", "gross"),
    ]  # fmt: skip
    assert spec.summary[1].percent == 19
    assert len(spec.columns) == 4


def test_payments_are_never_columns() -> None:
    spec = reading("receipt with item, qty, price, amount, total, cash given, change").spec
    assert [column.label for column in spec.columns] == ["Item", "Qty", "Price", "Amount"]
    assert [line.kind for line in spec.summary] == ["net", "value", "value"]


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("list with name, date. At the end two signature lines, 'Driver' and 'Customer'", ["Driver", "Customer"]),
        ("领料单，名称、数量，底下签字：领料人、仓管", ["领料人", "仓管"]),
        ("领料单，名称、数量，下面有领料人、仓管签字", ["领料人", "仓管"]),
    ],
)
def test_those_who_sign_are_no_columns(text: str, signatures: list[str]) -> None:
    spec = reading(text).spec
    assert spec.signatures == signatures
    assert len(spec.columns) == 2


@pytest.mark.parametrize(
    ("text", "roll_mm"), [("receipt on 80mm roll paper: item, amount", 80), ("后厨单，58mm小票打印机，菜名、份数", 58)]
)
def test_paper_roll_has_its_width(text: str, roll_mm: int) -> None:
    assert reading(text).spec.page.roll_mm == roll_mm


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("sales by region and product: quantity, revenue", ["Region"]),
        ("sales by region and within region by salesman. columns: date, amount", ["Region", "Salesman"]),
        ("a list with name, qty, amount, totals per column", []),
        ("销售表，先按月份再按产品类别，列：产品、数量，每个类别小计", ["月份", "产品类别"]),
    ],
)
def test_groups_are_the_dimensions_that_were_named(text: str, groups: list[str]) -> None:
    assert reading(text).spec.group_by == groups
    assert reading(text).unread == []


def test_two_dimensions_are_columns() -> None:
    assert labels("sales by region and product: quantity, revenue") == ["Region", "Product", "Quantity", "Revenue"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "Report: Rep, Sales, Rate. Here are the numbers: Anna 12,400 5%; Ben 8,950 4.5%",
            [["Anna", "12,400", "5%"], ["Ben", "8,950", "4.5%"]],
        ),
        (
            "日结单，品名、重量(斤)、单价，数据：苹果50斤3.2元，香蕉30斤2.8元",
            [["苹果", "50", "3.2"], ["香蕉", "30", "2.8"]],
        ),
    ],
)
def test_values_in_running_text_are_the_rows(text: str, rows: list[list[str]]) -> None:
    assert reading(text).spec.rows == rows


def test_rows_with_another_number_of_values_than_columns_are_quoted() -> None:
    found = reading("Report: Rep, Sales. The data: Anna 12 5 6; Ben 8 5 4")
    assert found.spec.rows == []
    assert found.unread == ["Anna 12 5 6; Ben 8 5 4"]


def test_form_has_lines_and_no_table() -> None:
    spec = reading("leave request form: employee, type of leave (holiday, sick, other to tick), from, to").spec
    assert spec.columns == []
    assert [(field.label, field.value) for field in spec.header_fields][1] == (
        "Type of leave", "□ holiday   □ sick   □ other",
    )  # fmt: skip


def test_running_balance_adds_what_comes_in_and_subtracts_what_goes_out() -> None:
    column = reading("cash book: date, text, in, out, running balance").spec.columns[-1]
    assert column.running and column.computed and column.computed.operands == ["In", "Out"]


def test_totals_that_nobody_asked_for_are_told() -> None:
    assert any("A total was added" in note for note in reading("a sales report with customer and amount").notes)
    assert totalled("a sales report with customer and amount, no totals") == []


def test_amount_in_words_is_a_line_below_the_table() -> None:
    spec = reading("费用报销单：表格是费用项目、金额，合计小写和大写都要").spec
    assert SummaryLine(label="金额大写", kind="words") in spec.summary


@pytest.mark.parametrize(
    ("text", "summed"),
    [
        ("stock list by supplier: product, bottles, cost per bottle, value (bottles x cost). subtotals", ["Value"]),
        ("price list: article, price each, packs. total at the bottom", []),
        ("领料单：品名、数量、每箱价格、金额，最后合计", ["金额"]),
        ("设备清单，名称、台数、单台成本、总价，按名称分组小计，谢谢", ["总价"]),
    ],
)  # fmt: skip
def test_what_is_for_one_of_something_is_not_added_up(text: str, summed: list[str]) -> None:
    rates = ("per", "each", "每", "单")
    totals = totalled(text)
    assert not [label for label in totals if any(rate in label for rate in rates)]
    assert set(summed) <= set(totals)


def test_factors_are_found_by_how_their_columns_begin() -> None:
    column = reading("stock: product, bottles in stock, cost per bottle, value (bottles x cost)").spec.columns[-1]
    assert column.computed and column.computed.operands == ["Bottles in stock", "Cost per bottle"]


def test_two_words_for_the_same_column_are_no_formula() -> None:
    found = reading("list: article, price per box, value (box x price), remarks")
    assert found.spec.columns[2].computed is None
    assert found.unread == ["value (box x price)"]


@pytest.mark.parametrize(
    ("text", "group", "summed"),
    [
        ("出车记录：日期、车牌、公里数、油费，按车牌分开，每辆车公里数和油费小计", ["车牌"], ["公里数", "油费"]),
        ("成绩表：班级、姓名、语文、数学，按班级分组，每个班级语文和数学合计", ["班级"], ["语文", "数学"]),
        ("trips: date, car, km, fuel. group by car, subtotal of km and fuel for each car", ["Car"], ["Km", "Fuel"]),
    ],
)  # fmt: skip
def test_amounts_that_are_added_up_in_groups_are_not_groups(text: str, group: list[str], summed: list[str]) -> None:
    found = reading(text)
    assert (found.spec.group_by, totalled(text), found.unread) == (group, summed, [])


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("采购清单，品名、数量、单价、金额，每个数量和金额小计", "每个数量和金额小计"),
        ("delivery list: item, qty, size. VAT 19% and total", "VAT 19% and total"),
    ],
)
def test_totals_that_have_no_meaning_are_quoted(text: str, clause: str) -> None:
    found = reading(text)
    assert found.spec.group_by == []
    assert found.spec.summary == []
    assert clause in found.unread


def test_total_in_an_announced_list_with_a_price_is_a_column() -> None:
    text = "a quotation. Columns are item, qty, price each, total. Then subtotal, VAT 20% and total."
    assert labels(text) == ["Item", "Qty", "Price each", "Total"]
    assert [(line.label, line.kind) for line in reading(text).spec.summary] == [
        ("Subtotal", "net"), ("VAT 20%", "tax"), ("total", "gross"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["price offer: item, qty, price, total", "invoice: item, quantity, price and total"])
def test_bare_total_behind_a_price_is_the_amount_of_the_row(text: str) -> None:
    found = reading(text)
    column = found.spec.columns[-1]
    assert column.label == "Total" and column.computed and column.computed.operator == "*"
    assert any("quantity times price" in note for note in found.notes)


def test_what_an_amount_is_divided_by_is_no_amount() -> None:
    columns = reading("sales with month, orders, revenue and average order value (revenue / orders)").spec.columns
    assert [column.type for column in columns[1:]] == ["number", "money", "money"]


def test_tax_alone_has_the_totals_around_it() -> None:
    kinds = [line.kind for line in reading("invoice: item, hours, rate, amount (hours x rate). 19% VAT").spec.summary]
    assert kinds == ["net", "tax", "gross"]


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        ("学生请假条，姓名、班级、事由、家长签字、班主任签字，不要表格", ["家长签字", "班主任签字"]),
        ("receipt: donor, amount, purpose, signature of treasurer. No table needed", ["treasurer"]),
    ],
)
def test_signatures_among_the_lines_of_a_form_are_their_own(text: str, signed: list[str]) -> None:
    found = reading(text)
    assert (found.spec.signatures, found.spec.columns, found.unread) == (signed, [], [])
    assert len(found.spec.header_fields) == 3


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("班主任要个成绩表：姓名、语文、数学", "成绩表"),
        ("老板让我每月交一份水电费分摊表，部门、用量、单价", "水电费分摊表"),
        ("客户要货清单：品名、数量、客户", "客户要货清单"),
    ],
)
def test_who_asks_for_a_report_is_no_part_of_its_name(text: str, title: str) -> None:
    assert reading(text).spec.title == title


def test_the_earliest_at_the_top_is_an_order_and_no_line_above_the_table() -> None:
    spec = reading("order sheet with customer, pieces, pick-up time; earliest pick-up at the top").spec
    assert [(one.column, one.descending) for one in spec.sort] == [("Pick-up time", False)] and not spec.header_fields
