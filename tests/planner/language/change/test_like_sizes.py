"""Letters as large as those of another text, a row by its number, lines to sign and date, by one sentence."""

from __future__ import annotations

import re
from typing import Any

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.each_case import each

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


def edits(form: str, sentence: str) -> list[dict[str, Any]]:
    found = read(form, sentence)
    assert (found.unread, found.refusals) == ([], []), sentence
    return [edit.model_dump(exclude_defaults=True) for edit in found.edits]


@each("sentence", [
    "make the title as big as the customer", "the title should be the same size as the customer",
    "标题跟客户一样大", "标题太大了，缩到跟客户一样大就行", "the title is too big, make it as large as the customer",
])  # fmt: skip
def test_letters_become_as_large_as_those_of_another_text(sentence: str):
    [edit] = edits("sales", sentence)
    assert (edit["element"], edit["name"], edit["value"]) == ("title", "fontSize", "10")


def test_letters_are_as_large_as_no_text_of_several_sizes():
    assert read("sales", "make the title as big as the whole table").edits == []


@each("sentence", ["第二行标红", "第2行用红色", "把第二行标成红色"])
def test_a_row_is_named_by_its_number(sentence: str):
    [edit] = edits("slip", sentence)
    assert (edit["value"], edit["row"]) == ("2", True)


def test_the_first_row_may_be_the_header():
    assert read("slip", "第一行标红").edits == []


def test_a_row_that_the_data_lacks_is_refused():
    assert read("sales", "the tenth row red").refusals


@each("sentence", ["金额小于300的那几行用灰字", "金额少于300的那些行标灰"])
def test_those_rows_are_whole_rows(sentence: str):
    [edit] = edits("slip", sentence)
    assert edit["row"] is True


@each("sentence", ["数量少于100个的数字用红色粗体", "少于100个的标红", "fewer than 100 pieces in red"])
def test_what_things_are_counted_by_is_about_their_quantity(sentence: str):
    [edit] = edits("slip", sentence)
    assert (edit["field"], edit["comparison"], edit["value"]) == ("quantity", "<", "100")


@each("sentence", [
    "add a place where the customer can sign and date", "a line for the customer to sign and date at the bottom",
    "底部留一个客户签字和日期的位置",
])  # fmt: skip
def test_a_place_to_sign_and_date_has_a_line_for_each(sentence: str):
    [edit] = edits("sales", sentence)
    assert len(edit["labels"]) == 2


def test_texts_with_and_without_a_value_of_their_own_change_places():
    template, data = ALL["slip"]()
    view = TemplateView(Editor(re.sub(rb'(key="terms" x="0" y=)"40"', rb'\1"6"', template)), data)
    found = read_request("合计跟“货物如有问题，请于三日内联系。”换个位置", view)
    places = {edit.model_dump()["element"]: edit.model_dump()["x"] for edit in found.edits}
    assert places == {"total_label": 0, "total": 60, "terms": 430}


@each("sentence", ["taller rows please", "i want a bit taller rows"])
def test_rows_become_taller(sentence: str):
    assert {edit.do for edit in read("sales", sentence).edits} >= {"band", "resize"}


def dated(sentence: str) -> list[dict[str, Any]]:
    template, data = ALL["leave"]()
    template = template.replace(
        b'name="from_date" class="java.lang.String"', b'name="from_date" class="java.util.Date"'
    )
    assert b'"java.util.Date"' in template
    return [one.model_dump() for one in read_request(sentence, TemplateView(Editor(template), data)).edits]


@each("sentence", ["change from to 2026-09-01", "the from date is 1 September 2026 now", "from改成2026年9月1日"])
def test_a_date_has_another_value(sentence: str):
    [edit] = dated(sentence)
    assert edit["values"] == {"from_date": "2026-09-01T00:00:00"}


def test_the_same_day_in_another_form_is_no_other_value():
    assert not any(edit["do"] == "set_parameters" for edit in dated("change from to 3 August 2026"))
