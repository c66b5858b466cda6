"""What rules never do, whatever the words: guess a target, contradict themselves, hide what they colour."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.set_property import SetProperty

from .templates import ALL


def view_of(form: str) -> TemplateView:
    return TemplateView(Editor(*ALL[form]()[:1]))


@pytest.mark.parametrize(
    "sentence",
    [
        "I mean the big one at the very top, make it 30 pt",
        "我说的是上面那个大标题，改成30号",
        "make the title bold. the thing under it is odd. make it red",
    ],
)
def test_a_clause_does_not_refer_past_one_that_was_not_read(sentence: str):
    reading = read_request(sentence, view_of("sales"), about=None)

    assert not any(edit.value in ("30", "#FF0000") for edit in reading.edits if isinstance(edit, SetProperty))
    assert reading.unread


def test_a_reason_between_two_clauses_hides_nothing():
    reading = read_request("make the title bold, it is too small to read, make it red", view_of("sales"))

    assert {edit.name for edit in reading.edits if isinstance(edit, SetProperty)} >= {"isBold", "forecolor"}


@pytest.mark.parametrize("sentence", ["make the title red and blue", "set the title to 20 pt and make it 24 pt"])
def test_two_values_for_one_property_are_not_chosen_between(sentence: str):
    reading = read_request(sentence, view_of("sales"))

    assert not reading.edits and reading.unread


def test_a_page_number_and_an_example_of_it_are_one_wish():
    reading = read_request("add page numbers bottom center, Page 1 of 1", view_of("slip"))

    numbers = [edit for edit in reading.edits if isinstance(edit, Add)]
    assert len({edit.key for edit in numbers}) == len(numbers) and not reading.unread


@pytest.mark.parametrize("sentence", ["make all rows white", "明细行改成浅黄色", "make the header row light blue"])
def test_a_light_colour_of_an_area_is_its_background(sentence: str):
    reading = read_request(sentence, view_of("sales"))

    assert {edit.name for edit in reading.edits if isinstance(edit, SetProperty)} == {"backcolor", "mode"}


@pytest.mark.parametrize("sentence", ["centre the table on the page", "表格居中"])
def test_where_the_table_stands_is_not_how_its_texts_are_aligned(sentence: str):
    assert not read_request(sentence, view_of("sales")).edits


@pytest.mark.parametrize("sentence", ["公司名称换成楷体", "标题改成仿宋"])
def test_a_chinese_typeface_that_is_missing_is_said(sentence: str):
    reading = read_request(sentence, view_of("slip"))

    assert not reading.edits and "没有" in reading.refusals[0].zh
