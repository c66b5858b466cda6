"""Which words of a description are columns: lists in brackets, choices, columns without names, counts of a group."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import language_of

from .test_table_below import labels, spec_of


def totals(text: str) -> dict[str, str]:
    return {column.label: column.total for column in spec_of(text).columns if column.total != "none"}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("bill with customer, car, line items with part, qty, cost", ["Part", "Qty", "Cost"]),
        ("slip with shop, date, items (article, pieces, colour), cashier", ["Article", "Pieces", "Colour"]),
        ("验收单，抬头有供应商、日期，项目表包括项目、要求、结论", ["项目", "要求", "结论"]),
        ("保养单，上面写车主、电话，中间表格写项目、配件、费用", ["项目", "配件", "费用"]),
    ],
)  # fmt: skip
def test_the_items_of_a_document_are_its_table(text: str, columns: list[str]):
    spec = spec_of(text)
    assert labels(spec) == columns
    assert len(spec.header_fields) == 2


def test_what_follows_a_list_in_brackets_stands_below_the_table():
    spec = spec_of("slip with shop, date, items (article, pieces, price), total and cashier")
    assert [field.label for field in spec.closing] == ["Cashier"]
    assert {column.label for column in spec.columns if column.total == "sum"} == {"Amount"}


@pytest.mark.parametrize(
    "text",
    [
        "register with pupil, four date columns and notes",
        "sign-in sheet: name, 3 empty columns",
        "报名表，列有姓名、两个备用列、备注",
        "通讯录，学号姓名班主任手机",
    ],
)
def test_columns_that_are_not_named_are_asked_for(text: str):
    with pytest.raises(TerminalError):
        read(text, language_of(text))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("cleaning list with room, cleaned yes/no, cleaner", "Cleaned"),
        ("test sheet: device, outcome (pass/fail), tester", "Outcome (pass/fail)"),
    ],
)
def test_a_choice_among_the_columns_is_a_column(text: str, label: str):
    spec = spec_of(text)
    assert labels(spec)[1] == label
    assert not spec.closing


def test_the_total_of_a_line_is_a_column_of_its_own():
    text = "offer with item no, text, hours, hourly rate, line total"
    assert labels(spec_of(text))[-1] == "Line total"
    assert totals(text) == {"Line total": "sum"}


def test_an_average_at_the_end_of_a_list_is_a_column():
    assert labels(spec_of("results with pupil, reading, writing, average"))[-1] == "Average"


def test_a_share_in_percent_is_not_added_up():
    assert totals("deals with client, value, commission %, commission") == {"Value": "sum", "Commission": "sum"}


@pytest.mark.parametrize(
    "text",
    [
        "list of members: name, club; group by club with a headcount per club",
        "list of members: name, club; grouped by club, count the members in each club",
        "会员名单，按俱乐部分组显示姓名、电话，每个俱乐部统计人数",
    ],
)
def test_the_rows_of_each_group_are_counted(text: str):
    assert list(totals(text).values()) == ["count"]


@pytest.mark.parametrize(
    ("text", "descending"),
    [
        ("open bills: customer, days late, amount, sorted by days late with the oldest first", True),
        ("open bills: customer, date, amount, sorted by date, oldest first", False),
        ("open bills: customer, date, amount, sorted by date with the newest on top", True),
        ("open bills: customer, amount, sorted by amount, smallest first", False),
    ],
)
def test_the_oldest_have_the_earliest_date_and_the_most_days(text: str, descending: bool):
    (order,) = spec_of(text).sort
    assert order.descending is descending


def test_a_word_that_says_how_to_sort_is_no_group():
    spec = spec_of("pupils grouped by class, alphabetically sorted by surname, columns: surname, first name")
    assert spec.group_by == ["Class"]
    assert [order.column for order in spec.sort] == ["Surname"]


@pytest.mark.parametrize(
    ("text", "title", "label"),
    [
        ("half-yearly plan: month, estimated cost, deliveries", "Half-yearly Plan", "Estimated cost"),
        ("a todo list with task, person, day", "Todo List", "Task"),
        ("simple to do list with task, person, day", "To Do List", "Task"),
    ],
)
def test_other_forms_of_a_word_are_no_typing_errors(text: str, title: str, label: str):
    spec = spec_of(text)
    assert spec.title == title
    assert label in labels(spec)


def test_a_total_before_the_signatures_is_no_signatory():
    spec = spec_of("领料单，表格列：材料、数量、单价、金额，最后总金额，领料人签字")
    assert spec.signatures == ["领料人"]
    assert totals("领料单，表格列：材料、数量、单价、金额，最后总金额，领料人签字") == {"金额": "sum"}


def test_who_signs_at_the_bottom_signs():
    assert spec_of("note with article, pieces. Signature of driver and customer at the bottom").signatures == [
        "driver", "customer",
    ]  # fmt: skip


def test_a_closing_balance_keeps_its_name():
    spec = spec_of("cash list: opening balance on top, table of time, text, cash in, and closing balance at the bottom")
    assert [field.label for field in spec.closing] == ["Closing balance"]
