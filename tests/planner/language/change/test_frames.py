"""A question or a wish around a request asks for the same as the request alone, whatever it is about."""

from __future__ import annotations

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.each_case import each

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    return read_request(sentence, TemplateView(Editor(ALL[form]()[0])))


def edits(form: str, sentence: str) -> list[dict[str, object]]:
    return [edit.model_dump() for edit in read(form, sentence).edits]


@each("form, framed, plain", [
    ("sales", "the Item column could be narrower", "make the Item column narrower"),
    ("sales", "could the title be in dark blue?", "make the title dark blue"),
    ("sales", "I'd prefer the title in dark blue", "make the title dark blue"),
    ("sales", "what about making the title smaller?", "make the title smaller"),
    ("sales", "any chance the rows could be a little taller?", "make the rows a little taller"),
    ("sales", "it would be nice if the amount was in bold", "make the amount bold"),
    ("sales", "I think the title should be in red", "make the title red"),
    ("sales", "Item could do with more room", "make the Item column wider"),
    ("sales", "could the customer column have more space", "make the customer column wider"),
    ("slip", "标题能不能放大一点", "标题放大一点"),
    ("slip", "标题可以大一点吗", "标题大一点"),
    ("slip", "希望公司名能大一点", "公司名大一点"),
    ("slip", "要是能把标题改成红色就好了", "把标题改成红色"),
    ("slip", "单位那一列可以窄一点", "单位那一列窄一点"),
])  # fmt: skip
def test_a_frame_changes_nothing_of_a_request(form: str, framed: str, plain: str):
    reading = read(form, framed)
    assert edits(form, framed) == edits(form, plain) != []
    assert (reading.unread, reading.refusals) == ([], [])


@each("form, sentence", [
    ("sales", "the amount could be wrong"),
    ("sales", "could the amount be more than 2000?"),
    ("sales", "the date can be moved to another day"),
    ("sales", "I think the title is bold"),
    ("sales", "how about a walk"),
    ("sales", "the customer could have more money"),
    ("slip", "标题不能放大"),
    ("slip", "备注可以不填"),
    ("slip", "客户可以晚点付"),
])  # fmt: skip
def test_a_frame_around_anything_else_is_unread(form: str, sentence: str):
    assert edits(form, sentence) == []


def test_a_name_in_brackets_stands_for_the_one_before_it_where_both_mean_the_same():
    assert edits("slip", "最后一列（备注）去掉") == edits("slip", "备注列去掉") != []
    assert edits("sales", "drop the last column (Amount)") == edits("sales", "drop the Amount column") != []
    assert edits("slip", "最后一列（数量）去掉") == []


def test_the_numbers_in_a_column_are_its_values_and_not_its_heading():
    assert {edit["element"] for edit in edits("slip", "数量那一列的数字加粗")} == {"d_quantity"}
    assert {edit["element"] for edit in edits("sales", "make the values in the Quantity column bold")} == {"d_quantity"}


def test_a_story_that_ends_in_a_request_is_no_question():
    story = "客户翻了半天问我总数在哪儿，我说不就在底下嘛。单价那一列别打出来，合计也别弄丢了。"
    assert [edit["do"] for edit in edits("slip", story)] == ["delete_column"]


def test_two_headings_get_their_new_words_in_one_sentence():
    texts = {
        edit["element"]: edit["text"] for edit in edits("sales", "Item and Customer should be called Goods and Client")
    }
    assert texts == {"h_item": "Goods", "h_customer": "Client"}


def test_what_is_complained_of_is_changed_once():
    assert (
        edits("sales", "the rows are way too cramped, make them taller") == edits("sales", "make the rows taller") != []
    )
    assert read("sales", "the rows are way too cramped, make them taller").unread == []
