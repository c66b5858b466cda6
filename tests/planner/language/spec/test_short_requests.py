"""Reports asked for in one short line: formulas of several operators, several totals in one word, bare names."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.spec import Computed

from .readings import columns, reading, whole


@pytest.mark.parametrize(
    ("text", "computed"),
    [
        (
            "做个工资表：姓名、基本工资、加班费、扣款、实发（基本工资+加班费-扣款）",
            Computed(operator="+", operands=["基本工资", "加班费"], less=["扣款"]),
        ),
        (
            "payslip list: name, base, overtime, deductions, net pay = base + overtime - deductions",
            Computed(operator="+", operands=["Base", "Overtime"], less=["Deductions"]),
        ),
        (
            "invoice list: item, qty, price, discount, net = qty * price - discount",
            Computed(operator="*", operands=["Qty", "Price"], less=["Discount"]),
        ),
        (
            "各门店日营业额报表，门店、现金、刷卡、微信、小计，小计=三样相加",
            Computed(operator="+", operands=["现金", "刷卡", "微信"]),
        ),
    ],
)
def test_formula_has_several_operators(text: str, computed: Computed):
    assert whole(text).columns[-1].computed == computed


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        (
            "packing list: carton no, qty, gross weight kg, net weight kg. Totals for qty and both weights",
            ["Qty", "Gross weight kg", "Net weight kg"],
        ),
        ("客户对账单，列日期、单号、应收、已收，底下应收已收要合计", ["应收", "已收"]),
        ("phone bill: employee, minutes, data, cost; cost summed up below", ["Cost"]),
    ],
)
def test_words_name_the_columns_that_are_added_up(text: str, totals: list[str]):
    assert [column.label for column in whole(text).columns if column.total == "sum"] == totals


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("List of our company cars: plate, make, driver, next service", ["Plate", "Make", "Driver", "Next service"]),
        ("phone bill: employee, minutes, data, cost", ["Employee", "Minutes", "Data", "Cost"]),
        ("来访登记表 要序号 日期 来访人 单位", ["序号", "日期", "来访人", "单位"]),
        ("客户要求表：要求日期、要求数量、客户", ["要求日期", "要求数量", "客户"]),
        ("credit note: lines item, qty, price, amount", ["Item", "Qty", "Price", "Amount"]),
    ],
)
def test_words_that_also_ask_for_something_are_names_in_a_list(text: str, labels: list[str]):
    assert columns(whole(text)) == labels


def test_a_total_behind_a_tax_is_the_sum_with_it():
    spec = whole("credit note: item, qty, price, amount. net, 20% vat, total")
    assert [line.kind for line in spec.summary] == ["net", "tax", "gross"]


def test_signers_stand_behind_the_word_for_signing():
    assert whole("timesheet: day, hours, sign: employee / supervisor").signatures == ["employee", "supervisor"]


def test_only_amounts_are_written_in_words():
    assert whole("入库单：货号、单价、金额，合计要大写").summary[-1].kind == "words"
    assert reading("入库单：货号、品名、规格、数量，合计要大写").unread == ["合计要大写"]
