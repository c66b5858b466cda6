"""Things are named by how they look, where they stand or what they say; what could be several is asked back."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_property import SetProperty

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


@pytest.mark.parametrize(
    ("form", "sentence", "element"),
    [
        ("sales", "make the biggest text blue", "title"),
        ("sales", "make the text at the bottom left bold", "note"),
        ("sales", "make the text next to the logo red", "title"),
        ("slip", "make the sentence that says 货物 smaller", "terms"),
        ("slip", "make the date at the top right red", "date"),
        ("leave", "make the biggest text red", "title"),
        ("leave", "make the text at the very bottom bold", "approved"),
        ("slip", "最大的字改成红色", "title"),
        ("slip", "右上角的日期改成红色", "date"),
        ("slip", "写着三日内的那句话加粗", "terms"),
        ("slip", "最下面的小字加粗", None),
        ("slip", "右上角的编号加粗", None),
    ],
)
def test_a_description_names_the_one_thing_that_it_fits(form: str, sentence: str, element: str | None):
    changed = {edit.element for edit in read(form, sentence).edits if isinstance(edit, SetProperty)}
    assert changed == ({element} if element else set())


@pytest.mark.parametrize(
    ("form", "sentence", "choices"),
    [
        ("slip", "最下面那行字去掉", ("货物如有问题", "客户签收")),
        ("slip", "delete the text at the very bottom", ("货物如有问题", "客户签收")),
        ("sales", "make the line at the foot of the page bold", ("Internal use only", "Page")),
    ],
)
def test_what_may_be_several_things_is_asked_with_their_names(form: str, sentence: str, choices: tuple[str, ...]):
    reading = read(form, sentence)
    assert not reading.edits
    assert all(choice in reading.refusals[0].en for choice in choices)


@pytest.mark.parametrize(
    "sentence", ["make the biggest amount red", "最大的金额标红", "make the green text bold", "delete the big number"]
)
def test_words_about_values_describe_no_text(sentence: str):
    assert not read("sales", sentence).edits


def places(form: str, sentence: str) -> dict[str, tuple[int | None, int | None, str | None]]:
    return {edit.element: (edit.x, edit.y, edit.band) for edit in read(form, sentence).edits if isinstance(edit, Move)}


def test_a_text_is_moved_beside_another_one_where_there_is_room():
    assert places("slip", "put the date below the customer") == {"date": (0, 79, None)}
    assert places("slip", "move the customer to the left of the date") == {"customer": (346, 60, None)}
    assert places("slip", "把客户签收放到合计右边") == {"sign": (684, 6, None)}


def test_what_stands_in_the_way_moves_down():
    moved = places("leave", "put the reason below the name")
    assert moved["reason_label"] == (0, 69, None) and moved["reason"] == (90, 69, None)
    assert moved["from_date"] == (None, 119, None)


def test_two_lines_that_follow_each_other_change_places():
    moved = places("leave", "put the name below the department")
    assert moved == {
        "name_label": (None, 75, None), "name": (None, 75, None),
        "department_label": (None, 50, None), "department": (None, 50, None),
    }  # fmt: skip


def test_a_line_to_sign_on_goes_with_its_label():
    moved = places("leave", "move approved by above the reason")
    assert (moved["approved"], moved["line2"]) == ((0, 125, None), (90, 140, None))


def test_a_text_is_moved_to_another_band():
    moved = places("slip", "把合计放到销售单下面")
    assert {band for _, _, band in moved.values()} == {"title"}
    assert set(moved) == {"total_label", "total"}


@pytest.mark.parametrize(
    "sentence",
    ["move the items above the title", "move the total above the total", "put the headings under the title"],
)
def test_rows_and_what_belongs_to_them_are_not_moved_so(sentence: str):
    assert not read("slip", sentence).edits


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("下面加双方签字", ["甲方", "乙方"]),
        ("加上供需双方签字", ["供方", "需方"]),
        ("add a signature line for both parties", ["First party", "Second party"]),
        ("add a place for both sides to sign", ["First party", "Second party"]),
    ],
)
def test_both_parties_sign_on_a_line_each(sentence: str, labels: list[str]):
    [edit] = read("slip", sentence).edits
    assert isinstance(edit, AddSignatures) and edit.labels == labels


def test_a_label_for_several_signers_never_prints_as_one():
    assert not read("slip", "add a signature for each of the drivers").edits
    assert not read("slip", "最下面加双方各自留存签字").edits
