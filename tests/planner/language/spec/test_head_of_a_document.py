"""What of a list of names stands above the table of a document, and which of them are its columns."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.language import language_of

from .test_table_below import labels, spec_of


@pytest.mark.parametrize(
    ("text", "head", "columns"),
    [
        ("invoice with invoice no, customer, date, part, hours, amount",
         ["Invoice no", "Customer", "Date"], ["Part", "Hours", "Amount"]),
        ("采购订单：供应商、下单日期、品名、规格、数量", ["供应商", "下单日期"], ["品名", "规格", "数量"]),
        ("收据，店名、日期、商品名、单价、金额", ["店名", "日期"], ["商品名", "单价", "金额"]),
    ],
)  # fmt: skip
def test_what_no_row_of_a_document_has_stands_above_its_table(text: str, head: list[str], columns: list[str]):
    spec = spec_of(text)
    assert [field.label for field in spec.header_fields] == head
    assert labels(spec) == columns


def test_the_reply_says_what_was_put_above_the_table():
    text = "invoice with customer, part, hours, amount"
    assert "kind: customer" in read(text, language_of(text)).notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "sales report with customer, date, product, amount",
        "invoice with the columns customer, date, product, amount",
        "invoice list with invoice no, customer, date, amount",
        "bank statement with date, text, amount, balance",
    ],
)
def test_names_of_other_reports_and_columns_that_are_called_so_stay_columns(text: str):
    spec = spec_of(text)
    assert len(spec.columns) == 4
    assert not spec.header_fields


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("sales by article with pieces and turnover", ["Article", "Pieces", "Turnover"]),
        ("expenses by department with amount", ["Department", "Amount"]),
    ],
)
def test_a_report_by_something_has_a_row_for_each_where_nothing_else_says_what_a_row_is(text: str, columns: list[str]):
    spec = spec_of(text)
    assert labels(spec) == columns
    assert not spec.group_by


def test_a_report_by_something_is_grouped_where_its_rows_are_something_else():
    spec = spec_of("stock by warehouse: article, quantity")
    assert spec.group_by == ["Warehouse"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("领料单，表格有物料名称、申请数量、实发数量", ["物料名称", "申请数量", "实发数量"]),
        ("油费记录：车牌、日期、费用，按车牌分组并小计费用", ["车牌", "日期", "费用"]),
        ("业绩表按小组分组，列日期、业务员、金额，组内小计", ["日期", "业务员", "金额"]),
    ],
)
def test_a_measure_or_a_subtotal_is_no_column_of_its_own(text: str, columns: list[str]):
    assert labels(spec_of(text)) == columns
