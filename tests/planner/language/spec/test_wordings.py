"""Ways in which users describe a new report, each read whole."""

from __future__ import annotations

import pytest

from bandsmith.shared.errors import TerminalError

from .readings import columns, reading, whole


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Make a class roster. Each row has student name, guardian and phone", ["Student name", "Guardian", "Phone"]),
        ("price list, two columns only: product and price. Nothing else", ["Product", "Price"]),
        ("packing slip: 3 columns (sku, name, qty)", ["Sku", "Name", "Qty"]),
        ("stock list, columns part number / on hand / reorder level", ["Part number", "On hand", "Reorder level"]),
        ("Hi! I run a bike shop. Please make a repair slip with part and price", ["Part", "Price"]),
        ("送货单，列依次是序号、品名、数量", ["序号", "品名", "数量"]),
        ("学生花名册，一行一个学生：姓名、电话", ["姓名", "电话"]),
        ("价目表，就两列，商品和价格，别的不要", ["商品", "价格"]),
        ("维修单，表里要有配件、工时、单价", ["配件", "工时", "单价"]),
        ("生成一张包含客户和金额的销售报表", ["客户", "金额"]),
        ("做一张有姓名、电话、地址的客户名单", ["姓名", "电话", "地址"]),
    ],
)
def test_columns_are_listed_in_many_ways(text: str, labels: list[str]) -> None:
    assert columns(whole(text)) == labels


@pytest.mark.parametrize("text", ["price list, three columns: product and price", "价目表，就三列，商品和价格"])
def test_another_number_of_columns_than_was_said_is_quoted(text: str) -> None:
    with pytest.raises(TerminalError, match=r"three columns|三列"):
        reading(text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("packing list with item, qty", "Packing List"),
        ("New report 'Visitor Log': columns are visitor, company", "Visitor Log"),
        ("list of books: author, year; the list's heading should read School Library", "School Library"),
        ("fuel log for the vans pls. date, driver, km", "Fuel Log for the Vans"),
        ("Make something like a restaurant bill: dish, price, quantity", "Restaurant Bill"),
        ("新建报表《访客登记》，列有访客姓名、单位", "访客登记"),
        ("图书清单：书名、作者；大标题用“校图书馆”", "校图书馆"),
        ("类似餐馆账单那样，菜名、单价、数量", "餐馆账单"),
    ],
)
def test_title_is_what_the_report_is_called(text: str, title: str) -> None:
    assert whole(text).title == title


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("expenses: date, amount. At the end I need the total and a place for the manager to sign", ["manager"]),
        ("delivery note with item and quantity, plus a line for the receiver's signature", ["receiver's signature"]),
        ("count sheet: part no, qty; a line for 'counted by' and the date", ["counted by", "date"]),
        (
            "Job slip: task, time. Signature of the customer at the bottom right and of the mechanic at the bottom "
            "left",
            ["mechanic", "customer"],
        ),
        ("送货单，品名、数量，底部留收货人签字的地方", ["收货人"]),
        ("派工单，任务、分钟；右下客户签名，左下技师签名", ["技师", "客户"]),
        ("报销单：日期、金额；末尾要总计，还要经理签字栏", ["经理"]),
    ],
)
def test_those_who_sign_stand_below_from_left_to_right(text: str, signatures: list[str]) -> None:
    assert whole(text).signatures == signatures


def test_what_is_counted_but_is_no_row_is_a_line_below() -> None:
    spec = whole("packing slip: 3 columns (sku, name, qty) and the number of boxes at the end")
    assert [field.label for field in spec.closing] == ["Number of boxes"]
    assert all(column.total == "none" for column in spec.columns)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("energy report. Columns: meter, kWh (number), cost (money)", ["text", "number", "money"]),
        ("fields: order_id (Integer), order_date (Date), net (BigDecimal)", ["integer", "date", "money"]),
        ("能耗月报，列有：表计、用电量（数字）、费用（金额）", ["text", "number", "money"]),
    ],
)
def test_kind_in_brackets_is_no_part_of_the_label(text: str, kinds: list[str]) -> None:
    spec = whole(text)
    assert [column.type for column in spec.columns] == kinds
    assert not any("(" in label for label in columns(spec))


@pytest.mark.parametrize(
    "text",
    [
        "sample report with three rows: Apple 3 1.20, Pear 5 0.80; columns fruit, count, price",
        "示例两行：Apple 3 1.20，Pear 5 0.80；列为水果、数量、价格",
    ],
)
def test_values_after_a_name_are_a_row(text: str) -> None:
    assert whole(text).rows == [["Apple", "3", "1.20"], ["Pear", "5", "0.80"]]


def test_rows_without_the_last_sum_have_it_worked_out() -> None:
    spec = whole("成绩单：姓名 语文 数学 总分，王小明88 92，李婷95 85")
    assert spec.columns[-1].computed and spec.columns[-1].computed.operands == ["语文", "数学"]
    assert spec.rows[0] == ["王小明", "88", "92", ""]


def test_column_is_found_by_the_beginning_of_its_label() -> None:
    spec = whole("登记表，日期、出车公里、回车公里、行驶公里，行驶公里=回车-出车")
    assert spec.columns[-1].computed and spec.columns[-1].computed.operands == ["回车公里", "出车公里"]


@pytest.mark.parametrize("text", ["a phone list, name ext mobile, sorted by name", "staff list: address phone email"])
def test_names_without_commas_are_asked_for_and_no_column(text: str) -> None:
    with pytest.raises(TerminalError, match="Which columns"):
        reading(text)


@pytest.mark.parametrize(
    "text",
    [
        "receivables: customer, invoice no, amount, grouped by customer, a page break between customers",
        "receivables: customer, invoice no, amount, page break after each customer",
        "应收账款明细：客户、发票号、金额，按客户分组小计，客户之间分页",
    ],
)
def test_page_break_between_groups_is_no_column(text: str) -> None:
    spec = whole(text)
    assert len(spec.columns) == 3 and len(spec.group_by) == 1 and spec.group_pages


def test_group_is_named_without_a_preposition() -> None:
    spec = whole("库存表：仓库、品名、数量，仓库分组并小计")
    assert spec.group_by == ["仓库"] and columns(spec) == ["仓库", "品名", "数量"]


def test_label_that_is_the_name_of_a_field_names_it() -> None:
    spec = whole("stock: columns order_id (Integer), on_hand, price")
    assert [column.name for column in spec.columns] == ["order_id", "on_hand", None]


def test_name_of_the_shop_heads_the_page() -> None:
    spec = whole("receipt: item, price. Shop name on top (Crumb & Co)")
    assert spec.company == "Crumb & Co" and spec.header_fields == []


def test_names_on_top_leave_a_finished_list_where_it_is() -> None:
    spec = whole("账单，菜名、单价、数量，桌号写在最上面")
    assert columns(spec) == ["菜名", "单价", "数量"]
    assert [field.label for field in spec.header_fields] == ["桌号"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("payments with customer, due date, days overdue, most overdue first", "Days overdue"),
        ("应收款报表，客户、逾期天数、余额，逾期最久的排最前", "逾期天数"),
    ],
)
def test_what_comes_first_is_the_order(text: str, column: str) -> None:
    assert [(sort.column, sort.descending) for sort in whole(text).sort] == [(column, True)]


def test_second_list_of_a_form_may_be_a_table_and_is_quoted() -> None:
    with pytest.raises(TerminalError, match="然后品名、数量"):
        reading("采购申请单，申请部门、申请人、日期，然后品名、数量")


def test_marks_beside_the_page_number_are_a_change_of_the_finished_report() -> None:
    found = reading("资产清单，编号、名称、原值，页脚有页码和打印日期")
    assert columns(found.spec) == ["编号", "名称", "原值"]
    assert found.unread == ["页脚显示打印日期"]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("班级成绩表 语文数学英语 总分平均分", ["姓名", "语文", "数学", "英语", "总分", "平均分"]),
        ("销售表：日期、客户、数量单价金额", ["日期", "客户", "数量", "单价", "金额"]),
        ("attendance list: name and then five columns mon to fri", ["Name", "Mon", "Tue", "Wed", "Thu", "Fri"]),
        ("送货单：品名、客户电话、联系人电话", ["品名", "客户电话", "联系人电话"]),
    ],
)
def test_names_without_marks_between_them_are_several(text: str, labels: list[str]) -> None:
    assert columns(whole(text)) == labels


def test_a_column_says_what_the_numbers_are_about_and_the_reply_says_that_it_was_added() -> None:
    found = reading("做一个盘点表，账面数、实盘数、差异")
    assert columns(found.spec)[0] == "物料名称"
    assert any("物料名称" in note for note in found.notes)


def test_a_typing_error_is_corrected_and_said() -> None:
    found = reading("sales by region and month with sums per regoin")
    assert (found.spec.group_by, found.unread) == (["Region"], [])
    assert any("regoin" in note for note in found.notes)


def test_a_name_that_is_no_word_of_reports_stays_as_it_is() -> None:
    assert columns(whole("stock list: part no, prize, batch, trail")) == ["Part no", "Prize", "Batch", "Trail"]


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("出库单，要有日期、物料、数量，底下有签字的地方", ["签字"]),
        ("采购申请单，表格里是品名、数量，下面三个人签字：申请人、部门主管、财务", ["申请人", "部门主管", "财务"]),
        ("stock list: item, quantity. At the end a line to sign", ["Signature"]),
    ],
)
def test_a_place_to_sign_is_no_column(text: str, signatures: list[str]) -> None:
    assert whole(text).signatures == signatures


@pytest.mark.parametrize(
    "text",
    [
        "an invoice with number, date, customer, and lines with item, quantity, price, and a total with 19 % VAT",
        "发票，上面有发票号、日期、客户，表格里有品名、数量、单价，最后合计含13%的税",
    ],
)
def test_an_invoice_has_its_lines_above_its_table_and_its_tax(text: str) -> None:
    spec = whole(text)
    assert len(spec.header_fields) == 3
    assert len(spec.columns) == 4 and spec.columns[3].computed
    assert [line.kind for line in spec.summary] == ["net", "tax", "gross"]


def test_greetings_and_names_below_them_are_no_part_of_the_report() -> None:
    spec = whole(
        "Dear Bandsmith, could you kindly prepare an expenses claim sheet for our staff? It should show the employee's "
        "name, the month and the cost centre at the top, and below that a table with date, reason, kilometres and "
        "amount. At the end we need the total of the amounts and two lines for signatures (employee and manager). Kind "
        "regards, Margaret"
    )
    assert columns(spec) == ["Date", "Reason", "Kilometres", "Amount"]
    assert len(spec.header_fields) == 3 and spec.signatures == ["employee", "manager"]


def test_a_receipt_by_its_name_alone_says_what_it_was_given() -> None:
    found = reading("收据")
    assert found.spec.signatures == ["收款人", "经手人"]
    assert any("收款人" in note for note in found.notes)


def test_a_signature_may_be_a_column() -> None:
    spec = whole("做一个签到表，姓名、单位、电话、签名")
    assert (columns(spec), spec.signatures) == (["姓名", "单位", "电话", "签名"], [])


def test_names_may_be_joined_by_a_plus_outside_of_formulas() -> None:
    spec = whole("address list: name + street + zip")
    assert columns(spec) == ["Name", "Street", "Zip"]
    assert whole("list: a, b, total (a + b)").columns[-1].computed


@pytest.mark.parametrize(
    ("text", "signer"),
    [
        ("inspection list: location, type. inspector signs at the bottom", "inspector"),
        ("return slip: tool, days, customer signs", "customer"),
    ],
)
def test_who_signs_has_a_line_to_sign_on(text: str, signer: str) -> None:
    spec = whole(text)
    assert spec.signatures == [signer] and signer not in [label.casefold() for label in columns(spec)]


@pytest.mark.parametrize(
    "text",
    ["we hire out tools. order sheet with customer and product", "order sheet with customer and product. A5 is enough"],
)
def test_who_writes_and_what_is_enough_are_no_columns(text: str) -> None:
    assert columns(whole(text)) == ["Customer", "Product"]


def test_groups_that_have_a_subtotal_each() -> None:
    spec = whole("sales: region, amount, grouped by region with a subtotal each")
    assert spec.group_by == ["Region"] and spec.columns[-1].total == "sum"
    assert reading("sales: region, amount with a subtotal each").unread


def test_blank_rows_that_will_do() -> None:
    assert whole("会议签到表，20行空白就行，序号、姓名、签名").blank_rows == 20


@pytest.mark.parametrize(
    ("text", "labels", "left"),
    [
        (
            "小票，80毫米宽，店名居中，明细是品名、数量、金额，合计放大加粗",
            ["品名", "数量", "金额"],
            ["店名居中", "合计放大加粗"],
        ),
        ("list: name, small font, phone", ["Name", "Phone"], ["small font"]),
    ],
)
def test_look_of_a_part_between_names_is_tried_later_and_names_nothing(
    text: str, labels: list[str], left: list[str]
) -> None:
    found = reading(text)
    assert columns(found.spec) == labels and found.unread == left


def test_look_of_a_name_between_names_is_asked_for() -> None:
    with pytest.raises(TerminalError):
        reading("phone list: name, phone in bold, address")


@pytest.mark.parametrize(
    "table", ["表里物品、数量、单价、金额（自动算）", "表格里列物品、数量、单价、金额（自动计算）"]
)
@pytest.mark.parametrize("signers", ["底下申请人、部门主管签字", "最下面申请人和部门主管签名"])
def test_parts_of_a_form_are_named_by_their_place_without_a_verb(table: str, signers: str) -> None:
    spec = whole(f"采购申请单，上面是申请部门、日期，{table}，{signers}")
    assert [field.label for field in spec.header_fields] == ["申请部门", "日期"]
    assert [column.label for column in spec.columns] == ["物品", "数量", "单价", "金额"]
    assert spec.columns[-1].computed and spec.columns[-1].computed.operands == ["数量", "单价"]
    assert spec.signatures == ["申请人", "部门主管"]


def test_what_a_formula_says_in_brackets_is_no_choice_to_tick() -> None:
    with pytest.raises(TerminalError, match="完成比例"):
        reading("工程进度款申请表：项目、合同金额、累计完成、完成比例（累计除以合同，百分比显示）")
