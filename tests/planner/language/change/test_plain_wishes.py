"""Plain wishes of offices: what they change, and what they must leave alone."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.set_borders import SetBorders
from bandsmith.shared.edits.set_expression import SetExpression

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


def test_two_columns_change_places():
    (edit,) = read("slip", "数量和单价两列换个位置").edits

    assert edit.do == "move_column"
