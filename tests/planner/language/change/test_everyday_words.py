"""How people say it who have never seen the manual: lists with numbers, reasons, thanks, and what has to go."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor

from .templates import ALL


def reading(form: str, say: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(say, TemplateView(Editor(template), data))


def edits(form: str, say: str) -> list[dict[str, Any]]:
    """The edits of a request of which every word is read."""
    found = reading(form, say)
    assert (found.unread, found.refusals) == ([], [])
    return [edit.model_dump() for edit in found.edits]


@pytest.mark.parametrize(
    ("form", "say"),
    [
        ("sales", "the item column has to go"),
        ("sales", "We don't need the item column any more, thanks!"),
        ("sales", "take the item column out"),
        ("slip", "备注那列删了吧"),
        ("slip", "备注那一栏不要了，我们用不上"),
        ("slip", "备注这列去掉哈"),
        ("sales", "delete the last column in the table, we never look at it"),
    ],
)
def test_what_has_to_go_is_deleted(form: str, say: str):
    assert [edit["do"] for edit in edits(form, say)] == ["delete_column"]


def test_a_numbered_list_is_read_line_by_line():
    found = edits("sales", "1) sort by amount\n2) make the title bold\n3. delete the item column")
    assert [edit["do"] for edit in found] == ["sort", "set", "delete_column"]


@pytest.mark.parametrize(
    ("form", "say"),
    [
        ("sales", "sort by amount so we see who bought least first"),
        ("sales", "sort by amount 🙏"),
        ("slip", "按金额排序，方便老板看"),
    ],
)
def test_reasons_and_emoji_ask_for_nothing(form: str, say: str):
    assert [edit["do"] for edit in edits(form, say)] == ["sort"]


@pytest.mark.parametrize(
    ("form", "say"),
    [("sales", "number the rows"), ("slip", "数量前面加一列序号"), ("leave", "number the rows")],
)
def test_rows_are_numbered_once(form: str, say: str):
    found = reading(form, say)
    assert len(found.edits) == (form == "sales") or found.edits[0].do == "add_column"


@pytest.mark.parametrize(
    ("form", "say", "colour"),
    [
        ("sales", "if there are less than 5 make the quantity red", "#FF0000"),
        ("sales", "make the quantity blue when it drops below 5", "#0000FF"),
    ],
)
def test_a_condition_may_stand_before_or_behind_its_column(form: str, say: str, colour: str):
    [edit] = edits(form, say)
    assert (edit["do"], edit["field"], edit["comparison"], edit["value"]) == ("highlight", "quantity", "<", "5")
    assert edit["colour"] == colour


def test_words_after_an_unread_clause_do_not_mean_the_whole_report():
    found = reading("slip", "把销售单弄得像报纸一样，然后字体再大点")
    assert found.edits == [] and found.unread


@pytest.mark.parametrize(
    ("say", "text"),
    [
        ("把三日改成五日", "货物如有问题，请于五日内联系。"),
        ("把“三日”改成“五日”", "货物如有问题，请于五日内联系。"),
    ],
)
def test_a_word_of_a_sentence_is_replaced_and_the_sentence_stays(say: str, text: str):
    assert edits("slip", say) == [{"do": "text", "element": "terms", "text": text}]


def test_a_label_that_is_named_by_a_part_of_it_is_renamed_as_a_whole():
    assert edits("sales", "rename price to Cost") == [{"do": "text", "element": "h_price", "text": "Cost"}]


@pytest.mark.parametrize(
    ("say", "value"),
    [("change the from date to 2026-09-01", "2026-09-01"), ("From is now 2026-09-01", "2026-09-01")],
)
def test_a_value_with_figures_is_changed_in_the_data(say: str, value: str):
    assert edits("leave", say) == [{"do": "set_parameters", "values": {"from_date": value}}]


@pytest.mark.parametrize("say", ["I don't like the grey. make it dark blue instead", "把红色的都换成蓝色"])
def test_a_colour_that_the_report_does_not_have_is_not_replaced(say: str):
    found = reading("sales", say)
    assert found.edits == [] and (found.refusals or found.unread)


def test_keeping_only_horizontal_lines_takes_the_vertical_ones_away():
    found = edits("slip", "横线留着，竖线都不要")
    assert [edit["lines"] for edit in found] == ["none", "rows"]


@pytest.mark.parametrize("say", ["add a line for the customer's signature at the bottom, and one for the date"])
def test_lines_to_sign_on_are_labelled(say: str):
    [edit] = edits("sales", say)
    assert (edit["do"], edit["labels"]) == ("signatures", ["Customer's signature", "Date"])


@pytest.mark.parametrize(
    ("form", "say", "sizes"),
    [
        ("sales", "make the title a bit larger", {"20"}),
        ("sales", "the title is slightly too big", {"16"}),
        ("sales", "make the title a tad smaller", {"16"}),
        ("slip", "标题大一号", {"24"}),
        ("slip", "标题稍微放大", {"24"}),
        ("slip", "标题字号调小一点点", {"20"}),
        ("slip", "表头的字大一点儿", {"10", "11", "12", "13"}),
    ],
)
def test_a_bit_is_one_or_two_points(form: str, say: str, sizes: set[str]):
    found = edits(form, say)
    assert {edit["name"] for edit in found} == {"fontSize"}
    assert {edit["value"] for edit in found} <= sizes


@pytest.mark.parametrize(
    ("form", "say", "size"), [("sales", "make the title larger", "22"), ("slip", "标题放大很多", "33")]
)
def test_without_a_bit_letters_change_clearly(form: str, say: str, size: str):
    assert [edit["value"] for edit in edits(form, say)] == [size]


def test_a_discount_between_the_sum_and_its_tax_comes_before_the_tax():
    [found] = edits(
        "sales", "10% discount for the customer, show it between subtotal and vat and work the vat out after it"
    )
    assert found["do"] == "deduction" and found["rate"] == "10" and found["before_tax"]
