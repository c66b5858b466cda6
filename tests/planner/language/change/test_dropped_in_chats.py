"""Requests in chats of which a part was once dropped, or read as another one."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.intents import points_back
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add import Add
from tests.each_case import each

from .templates import ALL


def read(form: str, request: str, notes: tuple[str, ...] = ()) -> RequestReading:
    template, data = ALL[form]()
    editor = Editor(template)
    editor.carry_out([
        Add(key=f"note_{n}", band="summary", text=words, x=0, y=62 + 16 * n, width=300, height=14)
        for n, words in enumerate(notes)
    ])  # fmt: skip
    return read_request(request, TemplateView(editor, data))


def removed(reading: RequestReading) -> set[str]:
    return {edit.field if edit.do == "delete_column" else edit.element for edit in reading.edits if "delete" in edit.do}  # type: ignore[attr-defined]


@each(
    "request_, gone",
    [
        ("备注加粗。单价不要了", "unit_price"),
        ("备注列加粗，然后单价列不要了", "unit_price"),
        ("标题改成红色，客户签收不要了", "sign"),
        ("标题放大一点；备注不要了", "remark"),
        ("标题改成红色，备注不要", "remark"),
        ("单价加粗。金额不要", "amount"),
    ],
)
def test_what_is_not_wanted_any_more_is_removed_also_behind_a_look(request_: str, gone: str):
    reading = read("slip", request_)
    assert removed(reading) == {gone} and len(reading.edits) > 1 and not reading.unread


@each("request_", ["单价加粗，金额不要", "合计加粗，日期不要"])
def test_look_that_a_thing_of_the_same_kind_is_not_to_have_removes_nothing(request_: str):
    reading = read("slip", request_)
    assert not removed(reading) and reading.edits and not reading.unread


@each(
    "form, request_",
    [
        ("slip", "去掉客户名称，日期也一起去掉"),
        ("slip", "去掉日期，号码也一起去掉"),
        ("sales", "delete Internal use only and the date"),
        ("sales", "delete the period and the date"),
    ],
)
def test_second_thing_to_remove_goes_too_or_is_named(form: str, request_: str):
    reading = read(form, request_)
    assert "order_date" in removed(reading) or reading.unread or reading.refusals


@each(
    "form, request_, keys",
    [
        ("slip", "去掉客户名称，名字也一起", {"customer"}),
        ("slip", "去掉合计，数字也一起去掉", {"total_label", "total"}),
        ("leave", "delete the department and the name behind it", {"department_label", "department"}),
        ("sales", "delete the period, the value along with it", {"period_label", "period"}),
        ("sales", "delete the period and its date", {"period_label", "period"}),
    ],
)
def test_value_that_goes_with_its_label_is_not_missed(form: str, request_: str, keys: set[str]):
    reading = read(form, request_)
    assert removed(reading) == keys and not reading.unread and not reading.refusals


NOTES = ("Notes", "1. Pay now.", "2. Allow 14 days for delivery, 1.5 m apart.")


@each(
    "request_, text",
    [
        ("change 14 in point 2 to 5", "2. Allow 5 days for delivery, 1.5 m apart."),
        ("change Allow to Take in point 2", "2. Take 14 days for delivery, 1.5 m apart."),
        ("change 1 in point 2 to 5", ""),
        ("change 5 in point 2 to 6", ""),
        ("change 2 in note 2 to 3", ""),
        ("change low to high in point 2", ""),
    ],
)
def test_only_whole_words_and_numbers_behind_the_number_of_a_point_are_replaced(request_: str, text: str):
    reading = read("sales", request_, NOTES)
    assert [edit.text for edit in reading.edits] == ([text] if text else [])  # type: ignore[attr-defined]
    assert text or reading.unread or reading.refusals


@each(
    "request_",
    [
        "put the date where it says Period",
        "put a line where it says Period",
        "have a line where it says Period",
        "write a line where it says Period",
        "print The date where it says Period",
    ],
)
def test_thing_that_is_put_where_words_stand_is_not_printed_as_words(request_: str):
    reading = read("sales", request_)
    assert not reading.edits and (reading.unread or reading.refusals)


@each(
    "form, request_, text",
    [
        ("sales", "put 'the dates' where it says Period", "the dates:"),
        ("sales", "print Dates where it says Period", "Dates:"),
        ("slip", "现在写着销售单的地方写成“送货单”", "送货单"),
    ],
)
def test_words_are_replaced_where_they_stand(form: str, request_: str, text: str):
    assert [edit.text for edit in read(form, request_).edits] == [text]  # type: ignore[attr-defined]


@each(
    "request_, java_class, expression, pattern",
    [
        ("add a column Phone with 0571 in each row", "java.lang.String", '"0571"', None),
        ("add a column Code with 007 in each row", "java.lang.String", '"007"', None),
        ("add a column Phone with 5712233 in each row", "java.lang.String", '"5712233"', None),
        ("add a column Year with 2026 in every row", "java.lang.Integer", "Integer.valueOf(2026)", None),
        ("add a column Fee, 2.5 in every row", "java.math.BigDecimal", 'new java.math.BigDecimal("2.5")', "#,##0.0"),
    ],
)  # fmt: skip
def test_new_column_prints_what_was_written(request_: str, java_class: str, expression: str, pattern: str | None):
    (edit,) = read("sales", request_).edits
    assert (edit.java_class, edit.expression, edit.pattern) == (java_class, expression, pattern)  # type: ignore[attr-defined]


@each(
    "form, request_",
    [
        ("slip", "客户名称左边跟标题对齐"),
        ("slip", "客户名称右边跟日期对齐"),
        ("sales", "align the period with the title on the left edge"),
        ("leave", "align Name with Reason on the right edge"),
    ],
)
def test_text_does_not_line_up_with_an_edge_at_which_no_letters_stand(form: str, request_: str):
    reading = read(form, request_)
    assert not reading.edits and reading.refusals


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("undo that please", True), ("no, revert this!", True), ("哎，撤销刚才那步吧", True),
        ("revert it to version 2", False), ("undo it twice", False), ("undo this and the change before", False),
        ("撤销这个月的改动", False),
    ],
)  # fmt: skip
def test_message_points_back_only_where_it_asks_for_nothing_else(text: str, points: bool):
    assert points_back(text) is points
