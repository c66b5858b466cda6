"""Plain wishes of offices: what they change, and what they must leave alone."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.set_borders import SetBorders
from bandsmith.shared.edits.set_expression import SetExpression
from tests.generator.test_worded import born

from .templates import ALL


def read(name: str, request: str) -> RequestReading:
    template, data = ALL[name]()
    return read_request(request, TemplateView(Editor(template), data))


def test_column_whose_computation_was_not_read_is_not_made_up():
    reading = read("slip", "单价后面加一列优惠价，按老客户的老规矩算")

    assert reading.edits == []
    assert "优惠价" in reading.refusals[0].zh


def test_date_that_is_kept_as_text_is_printed_in_another_way():
    (edit,) = read("slip", "日期格式改成2026年3月18日这种").edits

    assert isinstance(edit, SetExpression)
    assert edit.expression.endswith('$P{date}.replaceAll("^(\\\\d{4})-0?(\\\\d{1,2})-0?(\\\\d{1,2})$", "$1年$2月$3日")')


def test_date_pattern_without_a_name_is_for_every_date():
    (edit,) = read("leave", "date format dd/mm/yyyy please, all of them").edits

    assert isinstance(edit, SetExpression)
    assert edit.expression.endswith('"$3/$2/$1")')


def test_signatures_stand_on_the_side_that_is_named():
    (edit,) = read("sales", "add a signature line bottom right: Received by and Date").edits

    assert isinstance(edit, AddSignatures)
    assert (edit.labels, edit.side) == (["Received by", "Date"], "right")


@pytest.mark.parametrize("request_", ["heavier outer border round the table, 2 pt", "frame around the table 2 pt"])
def test_frame_has_the_width_that_is_named(request_: str):
    (edit,) = read("sales", request_).edits

    assert isinstance(edit, SetBorders)
    assert (edit.lines, edit.width) == ("outside", 2.0)


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("slip", "单价和金额都保留两位小数，带千分位"),
        ("sales", "price and amount bold, with a thousands separator"),
    ],
)
def test_format_without_a_name_is_that_of_what_was_named_before(name: str, request_: str):
    edits = read(name, request_).edits
    formatted = {
        str(getattr(edit, "field", None) or getattr(edit, "element", "")) for edit in edits if edit.do == "format"
    }
    assert formatted and not any("quantity" in one for one in formatted)


def test_format_for_everything_goes_beyond_what_was_named_before():
    fields = [
        getattr(edit, "field", "") for edit in read("sales", "amount bold, thousands separators everywhere").edits
    ]
    assert {"quantity", "unit_price", "amount"} <= set(fields)


@pytest.mark.parametrize("look", ["bigger, 14 pt or so", "14 pt", "red", "bold and 12 pt"])
def test_look_is_no_new_value_of_a_label(look: str):
    assert not any(edit.do == "set_parameters" for edit in read("slip", f"the No. should be {look}").edits)


def test_total_of_several_columns_is_one_line():
    template, data = born("小票，明细是品名、数量、金额，合计")
    edits = read_request("合计放大", TemplateView(Editor(template), data)).edits
    assert {getattr(edit, "element", "") for edit in edits} == {
        "total_label_sum",
        "total_sum_quantity",
        "total_sum_amount",
    }


def test_two_columns_change_places():
    (edit,) = read("slip", "数量和单价两列换个位置").edits

    assert edit.do == "move_column"
