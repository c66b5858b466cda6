"""Sentences that take a change back, or a part of it."""

from __future__ import annotations

from datetime import UTC, datetime

from bandsmith.services.planner.language.change.conversation import PastChange
from bandsmith.services.planner.language.change.follow_up import read_follow_up
from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.model.session_parts import Version
from tests.each_case import each

from .follow_ups import REF, said, values
from .templates import ALL


def test_one_of_several_changes_is_taken_back_and_the_later_ones_are_made_again():
    reading = said("sales", "make the title blue", "sort by amount", "skip the blue, rest is good")
    assert reading is not None and reading.base is not None
    assert reading.base.number == 1 and values(reading.edits) == [("amount",)]


def test_the_report_before_a_kind_of_change_comes_back():
    reading = said("sales", "make the title blue", "sort by amount", "go back to the version before the sorting")
    assert reading is not None and reading.base is not None
    assert reading.base.number == 2 and reading.edits == []


def test_the_last_step_is_taken_back():
    reading = said("sales", "make the title bigger", "even bigger", "no that's too far, one step back")
    assert reading is not None and reading.base is not None and (reading.base.number, reading.edits) == (2, [])


@each(
    "form, first, second, third",
    [
        ("sales", "make the title bigger", "draw a line below the title", "no that looks silly, without the line"),
        ("slip", "标题放大", "标题下面画一条横线", "还是去掉那条线吧"),
    ],
)
def test_line_that_was_drawn_is_taken_back_and_what_came_before_stays(form: str, first: str, second: str, third: str):
    reading = said(form, first, second, third)
    assert reading is not None and reading.base is not None
    assert (reading.base.number, reading.edits, reading.unread) == (2, [], [])


def test_same_background_is_seen_behind_another_line():
    reading = said("slip", "表头铺个浅蓝底", "合计也要同样的底")
    assert reading is not None
    assert {(edit.name, edit.value) for edit in reading.edits if edit.do == "set"} == {  # type: ignore[attr-defined]
        ("backcolor", "#ADD8E6"), ("mode", "Opaque"),
    }  # fmt: skip


def test_a_change_is_counted_with_those_that_were_refused():
    requests = ["隔行换色", "标题改成蓝色", "按金额排序"]
    template, data = ALL["slip"]()
    view = TemplateView(Editor(template), data)
    time = datetime(2026, 1, 1, tzinfo=UTC)
    first = Version(number=1, template=REF, data=REF, author="x", time=time)
    past = [
        PastChange(requests[2], read_request(requests[2], view).edits, first.model_copy(update={"edits": REF}),
                   template, data),
        PastChange(requests[1], read_request(requests[1], view).edits, first, template, data),
    ]  # fmt: skip
    reading = read_follow_up("第二个不要了，其他的保留", view, past, requests)
    assert reading is not None and reading.base == first and values(reading.edits) == values(past[0].edits)
    refused = read_follow_up("第一个不要了", view, past, requests)
    assert refused is not None and refused.refusals and not (refused.edits or refused.base)
