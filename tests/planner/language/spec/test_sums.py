"""Totals, balances and other sums that a description asks for or implies."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.spec import Computed

from .readings import reading, whole


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("invoice: item, amount. Add 7% VAT and a grand total", [("tax", 7), ("gross", 0)]),
        ("quote: service, amount. Below: subtotal, 20% tax, total", [("net", 0), ("tax", 20), ("gross", 0)]),
        ("bill: dish, amount, service charge 10% and the total", [("tax", 10), ("gross", 0)]),
        ("报价单：表格是服务项目、金额；下方写小计、税额20%、总计", [("net", 0), ("tax", 20), ("gross", 0)]),
        ("账单：菜名、金额，另收10%服务费，再写总计", [("net", 0), ("tax", 10), ("gross", 0)]),
        ("发票：品名、金额，税率13%，最后是价税合计", [("tax", 13), ("gross", 0)]),
    ],
)
def test_charges_and_the_total_with_them_are_lines_below_the_table(text: str, lines: list[tuple[str, int]]) -> None:
    spec = whole(text)
    assert [(line.kind, int(line.percent)) for line in spec.summary] == lines
    assert len(spec.columns) == 2


def test_the_total_of_a_column_is_no_further_amount_below_it() -> None:
    spec = whole("快递费对账单：日期、单号、目的地、重量、运费，运费要合计")
    assert [column.total for column in spec.columns if column.label == "运费"] == ["sum"]
    assert spec.summary == []


def test_amounts_without_a_column_to_add_up_are_quoted() -> None:
    found = reading("list with name and phone. Below: 20% tax, total amount due")
    assert found.spec.summary == []
    assert found.unread


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("payroll summary: employee, gross, net. Totals for both amounts of them", None),
        ("payroll summary: employee, gross, deductions, net. Totals for all three amounts", ["sum", "sum", "sum"]),
        ("exam scores: student, maths, physics and the average of each subject in the last row", ["average"] * 2),
        ("成绩表：学生、数学、物理，最后一行是各科平均分", ["average"] * 2),
        ("工资汇总表：员工、应发、扣款、实发，三个金额都要合计", ["sum"] * 3),
        ("应收明细表，列：客户、应收、已收、未收。按客户分组，每个客户要有小计，不用总计", ["sum"] * 3),
    ],
)
def test_totals_and_averages_of_several_columns(text: str, totals: list[str] | None) -> None:
    if totals is None:
        assert reading(text).unread
    else:
        assert [column.total for column in whole(text).columns][1:] == totals


def test_groups_may_have_totals_without_a_grand_total() -> None:
    spec = whole("应收明细表，列：客户、应收。按客户分组，每个客户要有小计，不用总计")
    assert spec.group_by == ["客户"] and not spec.grand_total


@pytest.mark.parametrize(
    "text",
    [
        "Budget vs actual per cost centre: budget, actual, variance, variance in percent",
        "预算表：部门、预算、实际、差异、差异率",
    ],
)
def test_variance_is_worked_out_from_budget_and_actual(text: str) -> None:
    found = reading(text)
    assert found.unread == [] and len(found.spec.columns) == 5 and found.spec.group_by == []
    assert [c.computed.operator for c in found.spec.columns if c.computed] == ["-", "/"]
    assert any("Variance = Budget - Actual" in note or "差异 = 预算 - 实际" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("expense claim: date, net, VAT (20% of net), gross", "Gross = Net + VAT"),
        ("费用明细：日期、不含税金额、税额、价税合计", "价税合计 = 不含税金额 + 税额"),
    ],
)
def test_gross_is_net_and_tax_and_the_reply_says_so(text: str, note: str) -> None:
    found = reading(text)
    assert found.unread == [] and found.spec.columns[-1].computed.operator == "+"
    assert any(note in said for said in found.notes)


@pytest.mark.parametrize("text", ["parcels: item, net weight, gross weight", "list: net, gross", "list: VAT, gross"])
def test_gross_without_net_and_tax_is_a_value_like_any_other(text: str) -> None:
    assert reading(text).spec.columns[-1].computed is None


def test_total_behind_unknown_names_adds_them_up_and_the_reply_says_so() -> None:
    found = reading("报餐统计表，部门、早餐、中餐、晚餐、合计")
    assert found.spec.columns[-1].computed and found.spec.columns[-1].computed.operands == ["早餐", "中餐", "晚餐"]
    assert any("合计按前面" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("list: name, phone, total", "total"),
        ("phone list: name, phone, email. total at the end", "total"),
        ("tickets: name, seat, price, total at the end", "total"),
        ("票据：姓名，座位，价格，最后合计", "合计"),
        ("通讯录：姓名、电话，最后要合计", "合计"),
    ],
)
def test_a_total_of_nothing_is_not_read(text: str, word: str) -> None:
    assert reading(text).unread == [word]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("petty cash book: date, what for, in, out, balance", ["In", "Out"]),
        ("现金日记账：日期、摘要、收入、支出、余额", ["收入", "支出"]),
        ("库存台账：日期、单号、入库、出库、结存", ["入库", "出库"]),
    ],
)
def test_the_balance_of_a_book_runs_from_row_to_row_and_the_reply_says_so(text: str, moved: list[str]) -> None:
    found = reading(text)
    balance = found.spec.columns[-1]
    assert balance.running and balance.computed and balance.computed.operands == moved
    assert any(f"Σ({' - '.join(moved)})" in note for note in found.notes)
    assert all(column.type != "text" for column in found.spec.columns if column.label in moved)


def test_a_balance_of_things_without_a_date_is_no_running_one() -> None:
    assert not reading("budget: department, income, expenses, balance").spec.columns[-1].running


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("rent statement: date, charge, payment, and the balance at the end", "a value of its own: Balance"),
        ("租金单：日期、应付、已付，最后面是押金", "押金是单独的数值"),
    ],
)
def test_amount_below_the_table_that_nothing_computes_is_named(text: str, note: str) -> None:
    assert any(note in said for said in reading(text).notes)


def test_a_count_of_all_beside_amounts_is_what_they_come_to_and_else_counts_the_rows() -> None:
    paid = whole("会员充值记录：会员号、姓名、充值金额、赠送金额，末尾要总数")
    totals = {column.label: column.total for column in paid.columns if column.total != "none"}
    assert totals == {"充值金额": "sum", "赠送金额": "sum"}
    assert whole("报名表清单：姓名、电话、班级，末尾要总数").columns[0].total == "count"


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("price list: item, net price, gross price = net price + 20%", "1.2"),
        ("price list: item, price, sale price = price - 15%", "0.85"),
        ("价目表：品名、单价、含税价=单价+13%", "1.13"),
    ],
)
def test_a_price_and_a_share_of_it_is_a_product(text: str, factor: str) -> None:
    computed = reading(text).spec.columns[-1].computed
    assert computed is not None and (computed.operator, computed.operands[-1]) == ("*", factor)


def test_what_an_amount_is_multiplied_with_is_not_added_up() -> None:
    spec = reading("缴费单，表里是收费项目、标准、月数、金额，金额等于标准乘月数，下面有合计").spec
    assert [column.label for column in spec.columns if column.total == "sum"] == ["金额"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("发给家长的缴费通知单：收费项目、金额", "缴费通知单"),
        ("开给供应商的退货单：货号、品名、数量", "退货单"),
    ],
)
def test_whom_it_is_for_is_no_part_of_the_title(text: str, title: str) -> None:
    assert reading(text).spec.title == title


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("packing list with carton no, item, pieces, net kg, gross kg. totals for the last three", 3),
        ("stock report: code, name, in, out, closing, and a total of the last two columns at the bottom", 2),
        ("route sheet: driver, stop, parcels, weight. the last two should be summed up", 2),
        ("装箱单：箱号、品名、数量、净重、毛重，最后三列合计", 3),
        ("装箱单：箱号、品名、数量、净重、毛重，后两列要合计", 2),
    ],
)
def test_columns_that_are_counted_from_the_end_are_added_up(text: str, totals: int) -> None:
    columns = whole(text).columns
    assert [column.total for column in columns] == ["none"] * (len(columns) - totals) + ["sum"] * totals


def test_totals_of_more_columns_than_there_are_stay_unread() -> None:
    assert reading("list of jobs: client, hours, km. total for the last 5 columns").unread


@pytest.mark.parametrize(
    ("text", "addends"),
    [
        ("水电费分摊表 房号 用水 用电 水费 电费 合计", ["水费", "电费"]),
        ("费用表：日期、交通费、住宿费、餐费，合计", ["交通费", "住宿费", "餐费"]),
        ("expenses: date, travel cost, hotel cost, total", ["Travel cost", "Hotel cost"]),
    ],
)
def test_a_total_behind_several_amounts_of_a_row_is_a_column_that_adds_them_up(text: str, addends: list[str]) -> None:
    total = reading(text).spec.columns[-1]
    assert total.computed is not None and (total.computed.operator, total.computed.operands) == ("+", addends)


@pytest.mark.parametrize("text", ["日记账：日期、摘要、收入、支出、合计", "送货单，品名、数量、单价、金额，合计"])
def test_amounts_of_two_sides_and_prices_are_not_added_up_in_a_row(text: str) -> None:
    columns = reading(text).spec.columns
    assert not any(column.computed and column.computed.operator == "+" for column in columns)


def test_what_is_said_of_a_column_again_is_no_further_column() -> None:
    found = reading("车间产量日报，班组、产品、计划、实际、完成率，完成率用百分比")
    assert found.unread == ["完成率用百分比"] and found.spec.columns[-1].label == "完成率"


def test_a_name_before_a_list_with_marks_of_its_own_is_the_title() -> None:
    found = reading("采购申请，物品、规格、数量、预估单价、预估金额，最后总金额")
    assert (found.spec.title, found.spec.columns[0].label) == ("采购申请", "物品")


@pytest.mark.parametrize(
    ("text", "summed", "unread"),
    [
        ("出车登记表，按车牌分组，字段：日期、出发里程、返回里程、行驶公里，每辆车小计公里数", ["行驶公里"], []),
        ("考勤月报：姓名、部门、迟到次数、加班小时。按部门分组，小计加班小时", ["加班小时"], []),
        ("送货登记，按车分组，列：日期、司机、重量，每车小计吨数", ["重量"], ["合计吨数"]),
    ],
)
def test_a_subtotal_of_each_group_is_that_of_a_column_and_never_a_column(
    text: str, summed: list[str], unread: list[str]
) -> None:
    found = reading(text)
    assert [column.label for column in found.spec.columns if column.total == "sum"] == summed
    assert not {"公里数", "吨数"} & {column.label for column in found.spec.columns}
    assert found.unread == unread


def test_a_total_score_adds_up_the_subjects_and_the_reply_says_so() -> None:
    found = reading("班级成绩表，学号 姓名 语文 数学 英语 总分，最下面一行各科平均分，横着打")
    assert found.spec.columns[-1].computed == Computed(operator="+", operands=["语文", "数学", "英语"])
    assert any("总分" in note for note in found.notes)
