"""One name for several things, a part that is left out, and a thing that only the clause before names."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_property import SetProperty

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


def changed(form: str, sentence: str) -> set[str]:
    """The elements that a sentence changes of which every word is read."""
    reading = read(form, sentence)
    assert not reading.unread
    return {edit.element for edit in reading.edits if isinstance(edit, SetProperty)}


@pytest.mark.parametrize(
    ("form", "sentence", "elements"),
    [
        ("slip", "除了备注其他列都居中", {"number", "product", "unit", "quantity", "price", "amount"}),
        ("slip", "全部列居中，备注除外", {"number", "product", "unit", "quantity", "price", "amount"}),
        (
            "slip",
            "make all columns centered except the remark",
            {"number", "product", "unit", "quantity", "price", "amount"},
        ),
        ("slip", "单价、金额这两列居中", {"price", "amount"}),
        ("slip", "单价金额两列都居中", {"price", "amount"}),
        ("slip", "center the money columns", {"price", "amount"}),
    ],
)
def test_several_columns_have_one_name(form: str, sentence: str, elements: set[str]):
    assert changed(form, sentence) == {f"{side}_{key}" for key in elements for side in ("h", "d")}


def test_headings_are_not_their_columns():
    assert changed("slip", "all headings but 备注 in italics") == {
        "h_number", "h_product", "h_unit", "h_quantity", "h_price", "h_amount"
    }  # fmt: skip


def test_what_is_left_out_of_something_unread_is_not_all_that_is_changed():
    assert not read("slip", "all stickers but the remark in italics").edits


def test_a_number_that_is_said_has_to_be_that_of_what_is_named():
    assert not read("slip", "单价金额三列居中").edits


def test_what_is_left_out_in_words_that_are_not_read_leaves_all_unread():
    assert not read("slip", "标题加粗，最后那个盖章的地方除外").edits


@pytest.mark.parametrize(
    ("sentence", "elements"),
    [
        ("合计标红，字不变", {"total"}),
        ("合计那个数字标红，字不变", {"total"}),
        ("make the total red, not the label", {"total"}),
    ],
)
def test_the_label_may_be_left_as_it_is(sentence: str, elements: set[str]):
    assert changed("slip", sentence) == elements


def test_everything_in_the_table_is_nothing_beside_it():
    assert "title" not in changed("slip", "center everything in the table")


@pytest.mark.parametrize(
    "sentence", ["备注那一栏从来没人写，删掉吧", "the remark column is never used, drop it", "备注列没什么用，不要了"]
)
def test_a_clause_without_a_name_is_about_what_the_one_before_complains_of(sentence: str):
    assert read("slip", sentence).edits == [DeleteColumn(field="remark")]


def test_what_is_too_wide_is_made_narrower_once():
    [edit] = read("slip", "the remark column is way too wide for us. narrow it").edits
    assert isinstance(edit, ResizeColumn) and edit.field == "remark"


@pytest.mark.parametrize("sentence", ["标题换个位置，删掉", "标题加粗，删掉"])
def test_nothing_is_removed_that_was_not_complained_of(sentence: str):
    assert all(not edit.do.startswith("delete") for edit in read("slip", sentence).edits)
