"""What a sentence leaves out of a change: the title, a heading, times where dates are meant."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


def changed(form: str, sentence: str) -> set[str]:
    found = read(form, sentence)
    assert (found.unread, found.refusals) == ([], [])
    return {edit.model_dump()["element"] for edit in found.edits}


@pytest.mark.parametrize(
    "sentence", ["bigger font everywhere except the title", "make everything except the title smaller"]
)
def test_everything_but_the_title_leaves_it(sentence: str):
    assert "title" not in changed("sales", sentence) and "h_amount" in changed("sales", sentence)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ("sales", "centre the quantity but leave the heading"),
        ("sales", "centre the quantity, not the header"),
        ("slip", "数量列居中，表头不用"),
        ("slip", "数量列居中，表头不动"),
    ],
)
def test_the_heading_of_a_column_may_be_left(form: str, sentence: str):
    assert changed(form, sentence) == {"d_quantity"}


def test_a_format_of_dates_leaves_times_alone():
    template, data = ALL["sales"]()
    timed = template.replace(b'pattern="yyyy-MM-dd"', b'pattern="HH:mm"')
    assert timed != template
    assert not read_request("write the dates like 18/05/2026", TemplateView(Editor(timed), data)).edits


def test_a_new_label_that_is_said_with_its_colon_has_one():
    [edit] = read("slip", "rename 客户名称： to 客户：").edits
    assert "客户：" in edit.model_dump()["expression"] and "：：" not in edit.model_dump()["expression"]


def test_most_first_is_descending():
    [edit] = read("sales", "sort by amount, most first").edits
    assert edit.model_dump()["descending"]


@pytest.mark.parametrize(
    ("form", "sentence", "element"),
    [
        ("sales", "make the word Quantity red", "h_quantity"),
        ("slip", "把备注两个字加粗", "h_remark"),
        ("slip", "合计这两个字标红", "total_label"),
    ],
)
def test_a_word_is_not_the_values_that_it_names(form: str, sentence: str, element: str):
    assert changed(form, sentence) == {element}


def test_a_part_of_a_text_has_no_look_of_its_own():
    found = read("slip", "把客户两个字加粗")
    assert not found.edits and "part" in found.refusals[0].en
