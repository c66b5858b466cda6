"""What is said of the numbers in columns: their decimals, their currency, their sums, and what names imply."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.language import language_of

from .readings import columns, whole


@pytest.mark.parametrize(
    ("text", "label", "pattern"),
    [
        ("price list with code, article, price in euros, two decimals", "Price in euros", "€#,##0.00"),
        ("fee list: service, fee in £", "Fee in £", "£#,##0.00"),
        ("cost list: part, weight, cost, three decimals for weight", "Weight", "#,##0.000"),
        ("价目表：品名、单价，单价保留三位小数", "单价", "#,##0.000"),
    ],
)
def test_decimals_and_currency_are_a_pattern_and_no_column(text: str, label: str, pattern: str) -> None:
    spec = whole(text)
    assert [column.pattern for column in spec.columns if column.label == label] == [pattern]
    assert not any("decimals" in column.label.casefold() or "小数" in column.label for column in spec.columns)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("成绩单：学号 姓名 物理 化学 总分，总分是两科相加", ["物理", "化学"]),
        ("mark sheet: pupil, spelling, algebra, reading, total. total is the sum of the three subjects", None),
    ],
)
def test_a_sum_of_as_many_columns_is_of_those_before_it(text: str, formula: list[str] | None) -> None:
    total = whole(text).columns[-1]
    assert total.computed is not None
    assert total.computed.operands == (formula or ["Spelling", "Algebra", "Reading"])


def test_a_sum_of_more_columns_than_there_are_was_not_read() -> None:
    reading = read("成绩单：姓名 物理 化学 总分，总分是五科相加", "zh")
    assert reading.unread == ["总分是五科相加"]


@pytest.mark.parametrize(
    ("text", "target", "operands"),
    [
        ("order sheet: dish, portions, price per portion, line total", "Line total", ["Portions", "Price per portion"]),
        ("delivery check: article, ordered, received, difference", "Difference", ["Received", "Ordered"]),
        ("提成表：姓名、销售额、提成比例、提成金额，金额让它自己乘出来", "提成金额", ["销售额", "提成比例"]),
        ("过磅单：车号、毛重、皮重、净重，净重拿毛重减皮重", "净重", ["毛重", "皮重"]),
    ],
)
def test_names_and_words_imply_a_formula(text: str, target: str, operands: list[str]) -> None:
    computed = next(column.computed for column in whole(text).columns if column.label == target)
    assert computed is not None and computed.operands == operands


def test_an_amount_beside_a_discount_is_not_worked_out() -> None:
    spec = whole("price offer: article, qty, unit price, discount rate, amount")
    assert all(column.computed is None for column in spec.columns)


def test_participles_between_counts_are_counts() -> None:
    spec = whole("hatchery record: date, eggs collected, cracked, sold")
    assert [column.type for column in spec.columns] == ["date", "integer", "integer", "integer"]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("来个签到表，要姓名单位职务电话签名", ["姓名", "单位", "职务", "电话", "签名"]),
        ("每车要记车号、司机、毛重、皮重", ["车号", "司机", "毛重", "皮重"]),
        ("Group it by room, under each room the date, what it was and the cost", ["Date", "What it was", "Cost"]),
    ],
)
def test_a_list_of_columns_opens_behind_everyday_words(text: str, labels: list[str]) -> None:
    assert columns(whole(text)) == labels
    assert language_of(text)


@pytest.mark.parametrize(
    ("text", "title", "labels"),
    [
        ("petty cash voucher with voucher no, date, paid to, amount", "Petty Cash Voucher",
         ["Voucher no", "Date", "Paid to", "Amount"]),
        ("half page slip, A5, heading Phone message, with for, from, time, message", "Phone message",
         ["For", "From", "Time", "Message"]),
        ("job ticket: job no, customer, paper, delivery date, and a big box for notes", "Job Ticket",
         ["Job no", "Customer", "Paper", "Delivery date", "Notes"]),
        ("做个收据，收到谁的钱、多少、什么事由、日期", "收据", ["交款人", "金额", "事由", "日期"]),
    ],
)  # fmt: skip
def test_papers_for_one_case_have_lines(text: str, title: str, labels: list[str]) -> None:
    spec = whole(text)
    assert (spec.title, [line.label for line in spec.header_fields]) == (title, labels)


def test_what_a_head_lists_is_no_title() -> None:
    assert whole("采购对账单，抬头写供应商和对账期间，列有日期、品名、数量").title == "采购对账单"


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("guest bill with date, description and amount, all in euros", "€#,##0.00"),
        ("quote list: item, qty, unit price, everything in dollars", "$#,##0.00"),
        ("报价表：品名、数量、单价，都用美元", "$#,##0.00"),
    ],
)
def test_one_currency_for_all_amounts_is_no_column(text: str, pattern: str) -> None:
    spec = whole(text)
    assert {column.pattern for column in spec.columns if column.type == "money"} == {pattern}
    assert not any("euro" in column.label.casefold() or "美元" in column.label for column in spec.columns)


def test_a_currency_without_an_amount_was_not_read() -> None:
    assert read("guest list with name, room and city, all in euros", "en").unread == ["all in euros"]
