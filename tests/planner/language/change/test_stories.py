"""A request within a story: what only tells something is passed over and quoted, what may be a wish never is."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.modify_template import apply_safely, summary
from bandsmith.services.planner.language.background import tells
from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.language import Language
from bandsmith.shared.turns.request import ChangeRequest
from tests.each_case import each

from .templates import ALL


def view(form: str) -> TemplateView:
    template, data = ALL[form]()
    return TemplateView(Editor(template), data)


def read(form: str, sentence: str) -> RequestReading:
    return read_request(sentence, view(form))


def edits(form: str, sentence: str) -> list[dict[str, object]]:
    return [edit.model_dump() for edit in read(form, sentence).edits]


# --- what is told ----------------------------------------------------------------------------------------------------


@each("clause", [
    "Helen Ashdown rang this morning",
    "she couldn't work out by when she had to pay",
    "our accountant keeps nagging",
    "I do this for six people every Friday",
    "people keep overlooking it",
    "because the forwarder cannot cope",
    "you can imagine",
    "昨天老板娘拿着单子找我",
    "说她老花眼",
    "对方的李工抱怨过两回",
    "新来的小伙子较真",
    "上回有个人把它当发票拿去报了",
])  # fmt: skip
def test_who_said_what_and_how_people_work_is_told(clause: str):
    assert tells(clause, view("sales"), goes_on=False)


@each("clause", [
    "she wants it bold",
    "he asked for a line below",
    "the auditor says the quantity is wrong",
    "we have a new number 55810274",
    "my boss decided to drop it",
    "they need am and pm",
    "make it larger",
    "no one may see it except the boss",
    "Tobias said “Payment on delivery”",
    "老板想加一列",
    "他说改成红色",
    "客户要看人民币",
    "我没同意",
    "我们换了新号码 5581",
])  # fmt: skip
def test_what_may_be_a_wish_is_not_told(clause: str):
    assert not tells(clause, view("sales"), goes_on=False)


def test_a_chinese_clause_goes_on_with_a_story_and_an_english_one_without_a_subject_is_an_order():
    assert tells("跑了四十公里冤枉路", view("slip"), goes_on=True)
    assert not tells("跑了四十公里冤枉路", view("slip"), goes_on=False)
    assert not tells("pour it over the lot", view("sales"), goes_on=True)


def test_a_story_is_passed_over_and_the_request_in_it_carried_out():
    found = read("sales", "Helen Ashdown rang this morning, she was very sweet about it. So please make the title red.")
    assert [edit.model_dump()["element"] for edit in found.edits] == ["title"]
    assert found.passed_over == ["Helen Ashdown rang this morning", "she was very sweet about it"]
    assert found.unread == []


def test_what_comes_after_a_story_may_refer_to_what_came_before_it():
    [edit] = edits("sales", "The title confuses the interns, they think it is a schedule. Call it 'Hours worked'")
    assert (edit["element"], edit["text"]) == ("title", "Hours worked")


def test_a_story_without_a_request_that_is_read_is_named_as_unread():
    found = read("sales", "Helen Ashdown rang this morning, make it more like hers")
    assert (found.edits, found.passed_over) == ([], [])
    assert found.unread == ["Helen Ashdown rang this morning", "make it more like hers"]


@each("form, sentence", [
    ("slip", "财务说标题要加粗，我没同意"),
    ("sales", "He wants the title bold, but I said no"),
    ("sales", "my boss wants the title bold, we don't agree"),
])  # fmt: skip
def test_a_wish_of_others_that_the_writer_refuses_is_not_carried_out(form: str, sentence: str):
    assert edits(form, sentence) == []


@pytest.mark.parametrize(
    ("language", "clause", "quoted"),
    [
        ("en", "Helen Ashdown rang this morning", "Taken as background, not as a request: “Helen Ashdown rang this"),
        ("zh", "昨天老板娘拿着单子找我", "这些话当作说明，没有当作要求：“昨天老板娘拿着单子找我”"),
        ("en", "you can imagine", ""),
    ],
)
def test_the_reply_quotes_what_was_passed_over_but_not_a_few_words(language: Language, clause: str, quoted: str):
    template, _ = ALL["sales"]()
    change = ChangeRequest(edits=read("sales", "make the title red").edits, passed_over=[clause])
    _, outcomes = apply_safely(template, change.edits)
    reply = summary(template, language, outcomes, change)
    assert quoted in reply and (quoted or clause not in reply)


# --- nothing is done that was not asked for ---------------------------------------------------------------------------


def test_what_needs_no_change_after_one_stays_and_alone_the_words_ask_to_leave_it_out():
    assert {edit["element"] for edit in edits("slip", "客户名称标成红色吧，备注不用")} == {"customer"}
    assert [edit["do"] for edit in edits("slip", "备注不用")] == ["delete_column"]


def test_a_second_look_of_two_things_is_not_taken_for_a_reason():
    found = read("slip", "客户名称加粗")
    assert found.edits
    [bold, size] = edits("sales", "the title should be bold and a bit bigger so no one can miss it")
    assert (bold["name"], size["name"]) == ("isBold", "fontSize")


def test_a_text_ends_where_the_way_to_print_it_begins():
    found = edits("slip", "“销售单”那几个字下面帮我加一行小字：本单不作报销凭证，居中")
    assert "本单不作报销凭证" in [edit.get("text") for edit in found]
    assert (found[-1]["name"], found[-1]["value"]) == ("textAlignment", "Center")


def test_a_quoted_text_ends_with_its_quotation():
    found = read("slip", "在销售单下面加上一行“仅供内部使用”，按合计自己算出来？大写那个先不管。")
    assert [edit.model_dump().get("text") for edit in found.edits if edit.do == "add"] == ["仅供内部使用"]
    assert found.unread


def test_a_new_look_of_values_is_no_new_heading():
    found = read("sales", "Amount should read like 1.234,50")
    assert found.edits == []


def test_only_what_was_changed_is_no_condition_and_only_something_else_is():
    assert edits("sales", "make the title red. Only the title.")
    assert edits("sales", "make the title red. Only the total.") == []


# --- indirect wording ------------------------------------------------------------------------------------------------


@each("form, sentence", [
    ("sales", "I would really like the title to be bold"),
    ("sales", "What I need is the title in bold"),
    ("sales", "it would help if you could make the title bold"),
    ("sales", "so we decided to make the title bold"),
    ("sales", "he asked me to make the title bold"),
    ("sales", "while you're at it, make the title bold"),
    ("sales", "make the title bold while you're at it"),
    ("slip", "所以标题加粗"),
    ("slip", "干脆把标题加粗"),
    ("slip", "最好标题加粗"),
    ("slip", "标题得加粗"),
    ("slip", "还是把标题加粗吧"),
    ("slip", "老板要求把标题加粗"),
    ("slip", "财务说标题要加粗"),
    ("slip", "能不能请你把标题加粗一下"),
    ("slip", "这张单子的标题加粗"),
])  # fmt: skip
def test_a_request_may_be_worded_indirectly(form: str, sentence: str):
    [edit] = edits(form, sentence)
    assert (edit["element"], edit["name"], edit["value"]) == ("title", "isBold", "true")


@each("form, sentence, kinds", [
    ("sales", "between Item and Quantity there has to be a Batch column, empty for now", {"add_column"}),
    ("sales", "we decided to drop the Quantity column altogether", {"delete_column"}),
    ("sales", "Quantity may be called Pieces", {"text"}),
    ("slip", "干脆在数量后面加一列“检验结果”，空着让他们自己填，备注还留着", {"add_column"}),
    ("slip", "以后凡是数量大于200的，那个数字给我标红加粗", {"highlight"}),
    ("slip", "她说单价要看到三位小数", {"set"}),
    ("slip", "金额列加粗，底色给个淡黄", {"set"}),
])  # fmt: skip
def test_everyday_wordings_of_stories_are_read(form: str, sentence: str, kinds: set[str]):
    found = read(form, sentence)
    assert {edit.do for edit in found.edits} == kinds
    assert (found.unread, found.refusals) == ([], [])
