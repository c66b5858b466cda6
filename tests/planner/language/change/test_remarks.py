"""Remarks drawn on a page: each is a request about what it points at."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.remarks import besides_remarks, is_about_remarks, read_remarks
from bandsmith.services.planner.language.change.rule_parser import RequestReading
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Layout, Remark, TextStyle

from .templates import ALL

# Where things are on page 1 of the list of sales, in points from the page's top left.
TITLE, PERIOD, HEADER_ITEM, ROW_AMOUNT = (300, 48), (35, 87), (300, 120), (530, 150)
LAYOUT = Layout(page=Size(width=595, height=842))


def at(place: tuple[float, float]) -> Box:
    return Box(x=place[0] - 5, y=place[1] - 5, width=10, height=10)


def remarked(*remarks: Remark, layout: Layout = LAYOUT) -> RequestReading:
    return read_remarks(remarks, layout, TemplateView(Editor(ALL["sales"]()[0])), rows=3)


def drawn(text: str, place: tuple[float, float] | None, shape: str = "arrow") -> Remark:
    target = at(place) if place else None
    return Remark.model_validate({"text": text, "box": at((580, 60)), "shape": shape, "target": target})


@pytest.mark.parametrize(
    ("remark", "edits"),
    [
        (drawn("bigger", TITLE), [SetProperty(element="title", name="fontSize", value="22")]),
        (drawn("改成大写", TITLE), [SetText(element="title", text="SALES REPORT")]),
        (drawn("改成“Sales 2026”", TITLE), [SetText(element="title", text="Sales 2026")]),
        (drawn("delete this", PERIOD), [Delete(element="period_label"), Delete(element="period")]),
        (drawn("", PERIOD, "strike"), [Delete(element="period_label")]),
        (drawn("Month:", PERIOD, "strike"), [SetText(element="period_label", text="Month:")]),
        (drawn("", HEADER_ITEM, "strike"), [DeleteColumn(field="item")]),
        (drawn("Product", HEADER_ITEM, "strike"), [SetText(element="h_item", text="Product")]),
        (drawn("bold", ROW_AMOUNT), [SetProperty(element="d_amount", name="isBold", value="true")]),
        (drawn("", TITLE, "underline"), [SetProperty(element="title", name="isUnderline", value="true")]),
        (drawn("rename to Product", HEADER_ITEM), [SetText(element="h_item", text="Product")]),
        (drawn("改成 合计金额", PERIOD), [SetText(element="period_label", text="合计金额:")]),
        (drawn("rename to Sum", ROW_AMOUNT), [SetText(element="h_amount", text="Sum")]),
        (drawn("should read Month", PERIOD), [SetText(element="period_label", text="Month:")]),
        (drawn("put the logo here", (240, 60)), [Move(element="logo", x=205, y=25)]),
    ],
    ids=lambda value: f"{value.shape} {value.text}" if isinstance(value, Remark) else "",
)
def test_a_remark_changes_what_it_points_at(remark: Remark, edits: list[AnyEdit]):
    assert remarked(remark).edits == edits


def test_a_remark_on_the_whole_page_is_a_request_like_any_other():
    assert remarked(drawn("delete the logo", None, "none")).edits == [Delete(element="logo")]


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        ("please make these changes and make the title blue", "make the title blue"),
        ("按图上的批注修改，把标题改成蓝色", "把标题改成蓝色"),
        ("apply the remarks", ""),
        ("make the title blue", "make the title blue"),
    ],
)
def test_words_beside_the_remarks_are_a_request_of_their_own(words: str, rest: str):
    assert besides_remarks(words) == rest


def test_a_value_of_the_rows_is_not_renamed():
    assert remarked(drawn("改成 12.50", ROW_AMOUNT)).edits == []


def test_a_circle_without_words_is_asked_about():
    assert remarked(drawn("", TITLE, "circle")).refusals == [
        ("The mark at “Sales report” does not say what to do there.", "“Sales report”处的标记没有说明要改什么。")
    ]


def test_a_stroke_on_bare_paper_changes_nothing():
    understood = remarked(drawn("", (300, 700), "strike"))
    assert understood.edits == [] and understood.refusals[0][0].startswith("Nothing is printed where")


def test_what_is_drawn_on_another_print_of_the_report_is_found_by_its_words():
    style = TextStyle(family="Liberation Sans", size=10)
    block = Block(id="block9", text="Internal use only", lines=[], box=at((60, 700)), style=style)
    layout = Layout(page=Size(width=612, height=792), blocks=[block])
    remark = Remark(text="bold", box=at((200, 700)), shape="arrow", target=at((60, 700)), block="block9")
    assert remarked(remark, layout=layout).edits == [SetProperty(element="note", name="isBold", value="true")]


@pytest.mark.parametrize(
    "text",
    [
        "", "按批注修改", "请根据图上的标注修改一下", "apply the remarks", "make the changes marked on the page",
        "照这个做一个报表模板", "build a template from this form",
    ],
)  # fmt: skip
def test_words_may_only_point_to_the_remarks(text: str):
    assert is_about_remarks(text)


@pytest.mark.parametrize("text", ["delete the logo", "把标题改大", "add a total"])
def test_words_that_ask_for_more_are_read_themselves(text: str):
    assert not is_about_remarks(text)


def test_a_remark_on_page_1_is_not_about_a_text_of_the_page_that_follows_the_rows():
    box = '<reportElement key="terms" x="60" y="313" width="80" height="15"/>'
    after = (
        '<group name="end_of_rows"><groupFooter><band height="0"/></groupFooter></group><summary><band height="700">'
    )
    after += f"<staticText>{box}<text>Terms</text></staticText></band></summary></jasperReport>"
    template = ALL["sales"]()[0].replace(b"</jasperReport>", after.encode())

    read = read_remarks([drawn("bold", (100, 407))], LAYOUT, TemplateView(Editor(template)), rows=3)

    assert read.edits == []
