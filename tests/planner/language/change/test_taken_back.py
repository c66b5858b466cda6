"""Words that take a wish back, or on which it depends: nothing of the request is carried out then."""

from __future__ import annotations

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.change.unsupported import suggestion
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.each_case import each

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    return read_request(sentence, TemplateView(Editor(ALL[form]()[0])))


@each("form, sentence", [
    ("sales", "make the title red? no wait, blue"),
    ("sales", "title in red, no, blue"),
    ("sales", "make the amount bold, on second thoughts maybe not"),
    ("slip", "标题改成红色，还是算了"),
    ("sales", "we could make the title bigger but let's not"),
    ("slip", "可以把备注列去掉，也可以不去"),
    ("slip", "要不要把备注删掉"),
    ("sales", "if the client pays late, make the amount red"),
    ("slip", "老板说要是客户不签字，就把合计那一行去掉"),
])  # fmt: skip
def test_a_request_that_is_taken_back_or_depends_on_something_is_unread_as_a_whole(form: str, sentence: str):
    reading = read(form, sentence)
    assert (reading.edits, reading.unread) == ([], [sentence])


def test_words_of_politeness_are_no_condition():
    assert read("sales", "make the title bold if you can").edits == read("sales", "make the title bold").edits != []
    assert read("slip", "标题加粗，如果方便的话").edits == read("slip", "标题加粗").edits != []


def test_a_condition_of_another_sentence_leaves_the_request_alone():
    assert read("sales", "If a customer rings, I am lost. Make the title bold.").edits != []


def test_a_line_whose_words_follow_is_one_of_text_and_one_that_is_drawn_is_not():
    assert read("sales", "put a line below the title, then the name of the clerk").edits == []
    assert [edit.do for edit in read("sales", "draw a line below the title, and greet the customer").edits] == [
        "add_shape"
    ]
    assert [edit.do for edit in read("sales", "put a line below the title. Greet the customer.").edits] == ["add_shape"]


def test_the_first_of_two_names_is_not_left_out_where_both_get_a_new_one():
    assert read("sales", "From and Item should be called Start and End").edits == []


def test_a_new_text_looks_as_a_clause_behind_it_says():
    changes = [edit.model_dump() for edit in read("slip", "在右上角加上“A/0”，18号").edits]
    assert [edit["value"] for edit in changes if edit.get("name") == "fontSize"][-1:] == ["18"]


def test_a_code_and_a_quotation_name_no_feature():
    assert suggestion("the form number JN-QR-027 A/0 at the top") is None
    assert suggestion("add “scan the QR code” below") is None
    assert suggestion("add a QR code") is not None
