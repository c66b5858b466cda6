"""What people change most: a value, a drawn line, the background of a line, room for a column, one more point."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.change.rules.row_fill import row_filled
from bandsmith.services.planner.language.change.value_likeness import is_like
from bandsmith.services.planner.language.references import Target
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.fill_total_row import FillTotalRow

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


def edits(form: str, sentence: str) -> list[dict[str, Any]]:
    """The edits of a sentence of which every word is read, without what is as usual."""
    found = read(form, sentence)
    assert (found.unread, found.refusals) == ([], [])
    return [edit.model_dump(exclude_defaults=True) for edit in found.edits]


@pytest.mark.parametrize(
    ("form", "sentence", "value"),
    [
        ("slip", "客户名称换成宏达贸易公司", {"customer": "宏达贸易公司"}),
        ("slip", "客户改成宏达贸易公司", {"customer": "宏达贸易公司"}),
        ("leave", "Name should be Ines Vandermeer", {"name": "Ines Vandermeer"}),
    ],
)
def test_words_like_the_value_are_a_new_value(form: str, sentence: str, value: dict[str, str]):
    assert edits(form, sentence) == [{"values": value}]


def test_another_organisation_is_a_value_like_the_one_before():
    assert is_like("宏达装饰公司", "永固机电安装工程队", "客户")
    assert not is_like("收货单位", "永固机电安装工程队", "客户")


def test_no_stripes_in_the_table_takes_them_off():
    assert edits("slip", "no stripes in the table please") == [{"off": True}]


def test_words_like_the_label_are_another_label():
    assert "客户" in edits("slip", "客户名称改成客户")[0]["expression"]


@pytest.mark.parametrize("sentence", ["change Name to Applicant", "客户名称改成甲方"])
def test_words_that_may_be_either_are_left_unread(sentence: str):
    assert not read("leave" if sentence.isascii() else "slip", sentence).edits


def test_a_drawn_line_is_named_by_what_it_stands_beside():
    assert edits("leave", "remove the line under the title") == [{"element": "line1"}]
    assert edits("leave", "make the line below the title grey") == [
        {"element": "line1", "name": "lineColor", "value": "#808080"}
    ]
    [thinner] = edits("leave", "make the thick line under the title thinner")
    assert (thinner["element"], thinner["value"]) == ("line1", "0.5")


def test_a_text_that_is_nearer_than_the_drawn_line_may_be_meant():
    assert not any(edit.get("element") == "line2" for edit in edits("leave", "remove the line under the department"))


def test_the_background_of_a_line_of_totals_leaves_no_gaps():
    template, data = ALL["slip"]()
    view = TemplateView(Editor(template), data)
    line = Target("合计", tuple(one for one in view.texts if one.key in ("total_label", "total")), role="row")
    assert row_filled(view, line, "#FFFFE0") == [FillTotalRow(element="total_label", colour="#FFFFE0")]


@pytest.mark.parametrize(
    "sentence", ["备注列太宽了，窄一点，多出来的地方给品名", "narrow the remark column. give the room to the product"]
)
def test_the_room_of_a_narrower_column_goes_to_the_one_that_is_named(sentence: str):
    narrower, wider = edits("slip", sentence)
    assert (narrower["field"], wider["field"]) == ("remark", "product")
    assert wider["width"] - 222 == 150 - narrower["width"]


def test_the_room_of_a_deleted_column_goes_to_the_one_that_is_named():
    assert {"field": "remark", "width": 1, "other": "product"} in edits("slip", "去掉备注列，空出来的宽度给品名")


@pytest.mark.parametrize("sentence", ["备注不要", "备注不要了", "备注那列没人用，不要了"])
def test_what_is_not_wanted_goes(sentence: str):
    assert [edit.do for edit in read("slip", sentence).edits] == ["delete_column"]


def test_a_value_without_its_label_goes_alone():
    [edit] = edits("slip", "客户名称后面的名字去掉")
    assert edit["expression"] == '"客户名称："'


def test_a_width_is_no_wording():
    assert not read("slip", "备注列改成50宽").edits


def test_a_value_that_is_complained_of_is_corrected():
    [edit] = read("slip", "日期不对，改成2026-03-20").edits
    assert edit.model_dump()["values"] == {"date": "2026-03-20"}


def test_two_opposite_alignments_of_one_name_are_about_two_things():
    assert not read("slip", "数字右对齐，文字左对齐").edits


def test_articles_name_nothing():
    assert len(edits("sales", "make all the text black")) > 3


def test_a_size_may_be_larger_by_a_number_of_points():
    assert edits("slip", "标题再大两号") == [{"element": "title", "name": "fontSize", "value": "24"}]
    assert edits("sales", "make the title 4 points smaller") == [
        {"element": "title", "name": "fontSize", "value": "14"}
    ]
