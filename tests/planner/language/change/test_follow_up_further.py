"""Sentences that take the change before further, or repeat it for something else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bandsmith.services.planner.language.change.conversation import PastChange
from bandsmith.services.planner.language.change.follow_up import read_follow_up
from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.model.session_parts import Version
from tests.each_case import each

from .follow_ups import REF, said, values
from .templates import ALL


@pytest.mark.parametrize(
    ("form", "first", "then", "edits"),
    [
        ("sales", "make the title red", "same for the amount column", {("d_amount", "forecolor", "#FF0000")}),
        ("slip", "数量列居中", "单价列也要", {("d_price", "textAlignment", "Center")}),
        ("sales", "make the title bigger", "even bigger", {("title", "fontSize", "27")}),
        ("slip", "标题字号大一点", "再大一点", {("title", "fontSize", "26")}),
        ("slip", "标题字号大一点", "还不够，再大些", {("title", "fontSize", "26")}),
        ("sales", "make the title bigger", "too much, half of that", {("title", "fontSize", "20")}),
        ("sales", "make the title bigger", "too big now, something in between", {("title", "fontSize", "20")}),
        ("sales", "make the title 40 pt", "that's too big now, a bit smaller", {("title", "fontSize", "29")}),
        ("sales", "make the title bigger", "you overdid it, make it a bit smaller", {("title", "fontSize", "20")}),
        ("slip", "标题再大点", "大过头了，小一点", {("title", "fontSize", "23")}),
        ("slip", "标题再大点", "太大了点，调小一些", {("title", "fontSize", "23")}),
        (
            "slip",
            "把数量列移到品名后面",
            "嗯位置对了，名字也顺手改成“数目”，别的列名不动",
            {("h_quantity", "数目")},
        ),
        (
            "sales",
            "move the quantity column after the customer column",
            "ok, now call it Pieces too, leave the other headings alone",
            {("h_quantity", "Pieces")},
        ),
        ("sales", "sort by amount", "other way round", {("amount", "True")}),
        ("sales", "sort by amount", "highest first please", {("amount", "True")}),
        ("slip", "按金额排序", "从大到小", {("amount", "True")}),
        ("sales", "make the title bold", "the period as well please", {("period", "isBold", "true")}),
        ("sales", "rename Qty to Pieces", "and Unit price to Price", {("h_price", "Price")}),
        ("slip", "标题再大一点", "还是蓝色吧", {("title", "forecolor", "#0000FF")}),
        ("slip", "备注列窄一点", "太窄了，放宽一点点", {("remark", "135")}),
        ("slip", "金额加千分位和两位小数，前面加¥", "单价也一样", {("d_price", "pattern", "¥#,##0.00")}),
    ],
)
def test_a_continuation_starts_from_the_current_report(form, first, then, edits):
    reading = said(form, first, then)
    assert reading is not None and reading.base is None
    assert edits <= set(values(reading.edits))


@pytest.mark.parametrize(
    ("form", "first", "then"),
    [
        ("sales", "make the table lines thinner", "even thinner, and grey"),
        ("sales", "make the table lines thinner", "and make them grey"),
        ("slip", "表格线细一点", "也改成灰色"),
    ],
)
def test_a_colour_after_a_change_of_lines_is_that_of_the_lines(form: str, first: str, then: str):
    reading = said(form, first, then)
    assert reading is not None
    names = {str(getattr(edit, "name", "")) for edit in reading.edits}
    assert any(name.endswith("ineColor") for name in names)
    assert all(name.endswith(("ineColor", "ineWidth")) for name in names)


@pytest.mark.parametrize(
    ("form", "sentence", "elements"),
    [
        ("slip", "公司名下面那行字加粗", ["title"]),
        ("slip", "标题上面那行字加粗", ["company"]),
        ("slip", "货物如有问题那句话加粗", ["terms"]),
        ("sales", "make the line below the title bold", ["period", "period_label"]),
        ("sales", "make the line below the note bold", []),
        ("slip", "标题下面那行字加粗", []),
    ],
)
def test_a_text_is_named_by_the_one_above_it_or_below_it(form, sentence, elements):
    template, data = ALL[form]()
    edits = read_request(sentence, TemplateView(Editor(template), data)).edits
    assert sorted(values(edits)) == [(element, "isBold", "true") for element in elements]


@pytest.mark.parametrize("then", ["even bigger", "再大一点", "too big now, something in between"])
def test_what_goes_on_with_a_request_that_was_not_carried_out_is_not_read_as_if_it_had_been(then: str):
    template, data = ALL["sales"]()
    request = "make the title bigger"
    edits = read_request(request, TemplateView(Editor(template), data)).edits
    version = Version(number=1, template=REF, data=REF, author="x", time=datetime(2026, 1, 1, tzinfo=UTC))
    past = [PastChange(request, edits, version, template, data)]
    editor = Editor(template)
    editor.carry_out(edits)
    view = TemplateView(editor, data)
    assert read_follow_up(then, view, past, [request]) is not None
    assert read_follow_up(then, view, past, [request, "I mean the letters behind it"]) is None


def test_width_that_two_steps_freed_goes_to_one_column():
    reading = said("sales", "make Item narrower", "make Item narrower", "ok now give what you saved to Amount")
    assert reading is not None and reading.base is not None
    assert reading.base.number == 1 and values(reading.edits) == [("item", "86", "amount")]


def test_too_big_is_between_the_old_and_the_new_size():
    reading = said("sales", "make the title 30 pt", "whoa, too big. somewhere in between")
    assert reading is not None and values(reading.edits) == [("title", "fontSize", "24")]


@each(
    "form, first, then, shades",
    [
        ("sales", "make the headings white on dark green", "too dark, a couple of shades lighter", {"#7FB17F"}),
        ("sales", "make the headings white on dark green", "lighter please", {"#7FB17F"}),
        ("sales", "make the title red", "two shades darker", {"#AA0000"}),
        ("slip", "标题改成深绿色", "太深了，再浅两号", {"#7FB17F"}),
    ],
)
def test_lighter_means_the_colour_that_can_become_lighter(form: str, first: str, then: str, shades: set[str]):
    reading = said(form, first, then)
    assert reading is not None
    assert {str(edit.value) for edit in reading.edits} == shades  # type: ignore[attr-defined]


def test_darker_does_not_choose_between_two_colours():
    reading = said("sales", "make the headings white on dark green", "darker please")
    assert reading is None or not reading.edits


def test_same_way_repeats_the_change_for_what_is_named():
    reading = said("sales", "make the headings red", "do the title the same way")
    assert reading is not None
    assert set(values(reading.edits)) == {("title", "forecolor", "#FF0000")}


def test_white_letters_are_not_left_without_their_background():
    reading = said("slip", "表头改成深灰底白字", "客户名称也一样")
    fills = {edit.do for edit in reading.edits} if reading else set()
    letters = [value for value in values(reading.edits if reading else []) if value[-1] == "#FFFFFF"]
    assert not letters or fills & {"add_shape"} or any("backcolor" in value for value in values(reading.edits))
