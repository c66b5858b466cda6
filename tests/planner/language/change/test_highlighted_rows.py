"""Rows and values that are to stand out, as offices say it: by a bound behind the number, by a value, by a unit."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.highlight import Highlight

from .templates import ALL


def read(request: str, name: str = "slip") -> RequestReading:
    template, data = ALL[name]()
    return read_request(request, TemplateView(Editor(template), data))


def highlight(request: str) -> Highlight:
    reading = read(request)
    assert (reading.unread, reading.refusals) == ([], [])
    (edit,) = reading.edits
    assert isinstance(edit, Highlight)
    return edit


@pytest.mark.parametrize(
    "request_text",
    ["数量100以上的标黄", "数量100及以上的标成黄色", "100以上的数量标黄", "数量在100以上的给我标黄"],
)
def test_bound_behind_the_number_includes_it(request_text: str):
    edit = highlight(request_text)

    assert (edit.field, edit.comparison, edit.value, edit.colour) == ("quantity", ">=", "100", "#FFFF00")


@pytest.mark.parametrize("request_text", ["lines under 300 in grey please", "any row below 300 should be grey"])
def test_lines_without_a_column_are_compared_by_their_amount(request_text: str):
    edit = highlight(request_text)

    assert (edit.field, edit.comparison, edit.value, edit.row) == ("amount", "<", "300", True)


def test_anything_over_a_number_is_the_amount_alone():
    assert not highlight("highlight anything over 500 in yellow").row


def test_row_is_named_by_one_of_its_values():
    product = str(ALL["slip"]()[1].rows[1]["product"])
    edit = highlight(f"{product}那一行底色标黄")

    assert (edit.field, edit.comparison, edit.value) == ("product", "==", product)
    assert edit.row and edit.background


def test_row_that_the_data_lacks_is_not_guessed():
    assert read("周五那一行底色标黄").edits == []


def test_condition_that_was_not_read_keeps_what_follows_from_all_rows():
    reading = read("单价超过30块的货，品名规格和单位用红字")

    assert reading.edits == []
    assert reading.unread == ["单价超过30块的货，品名规格和单位用红字"]


def test_a_column_is_highlighted_by_the_value_of_another_one():
    [edit] = read("单价超过30块的货，品名规格用红字").edits
    assert isinstance(edit, Highlight)
    assert (edit.field, edit.shown, edit.value) == ("unit_price", "product", "30")


@pytest.mark.parametrize("request_text", ["单价列帮我加粗", "单价列麻烦加粗", "单价列加粗 标题不变"])
def test_politeness_and_blanks_within_a_sentence_say_nothing(request_text: str):
    assert {getattr(edit, "name", "") for edit in read(request_text).edits} == {"isBold"}


def test_one_of_a_kind_elsewhere_is_not_guessed():
    reading = read("客户名称 should look like the one next to 制单")

    assert reading.edits == []
    assert reading.unread
