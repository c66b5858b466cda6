"""Reasons and complaints in a request: they are never refused, and name what the rest of the request is about."""

from __future__ import annotations

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.each_case import each

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


@each("form, sentence", [
    ("slip", "老板说字太小了 看不清 表格里面的字都大一号 标题不用动"),
    ("slip", "财务说单价太小了，麻烦加大一号"),
    ("slip", "我同事讲表头太淡了，表头加粗"),
    ("slip", "客户说单价看不清，放大"),
    ("sales", "My husband says the title is hard to find, make it bold"),
    ("sales", "We dont use carbon copies any more, please make the title bold"),
    ("sales", "our accountant thinks the title is too pale so make the title bold"),
])  # fmt: skip
def test_a_reported_reason_refuses_nothing(form: str, sentence: str):
    found = read(form, sentence)
    assert found.edits and found.refusals == []


@each(
    "sentence",
    ["the customer doesn't look at prices so drop the unit price column", "title is too big so make it smaller"],
)
def test_a_request_begins_behind_so(sentence: str):
    assert read("sales", sentence).edits


@each("sentence", ["老板说单价列不要了", "my boss says the total column should go"])
def test_a_reported_wish_is_named_as_not_read(sentence: str):
    found = read("slip", sentence)
    assert found.unread == [sentence] or found.edits


def test_what_stands_out_is_what_the_next_sentence_is_about():
    found = read("sales", "the title should stand out. bold and red")
    assert {edit.model_dump()["element"] for edit in found.edits} == {"title"}


def test_a_column_that_is_complained_of_becomes_narrower():
    [edit] = read("slip", "备注那一列我们平时基本不写东西，能不能窄一点").edits
    assert edit.do == "resize_column"
