"""In ruled cells a label needs no colon: position and shading show what it names, and what is still blank."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.structure.text_classifier import is_label, split_prefix
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Layout
from tests.each_case import each

from .handmade import HandmadeMarks


def labels(layout: Layout) -> dict[str, str | None]:
    """The labels of the values, by text."""
    return {block.text: block.label for block in layout.blocks if block.role == "value"}


def test_the_cell_to_the_left_names_a_value_in_both_languages():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["Transport time 用车时间", "合合信息"], ["Destination 目的地", "云立方"]])
    assert labels(marks.understood()) == {"合合信息": "Transport time 用车时间", "云立方": "Destination 目的地"}


def test_a_darker_cell_names_the_value_to_its_right():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["Favourite pastime", "Long walks"]])
    assert labels(marks.understood()) == {}
    marks.fills.append(Fill(id="f", box=Box(x=50, y=100, width=150, height=20), colour="#D0D0D8"))
    assert labels(marks.understood()) == {"Long walks": "Favourite pastime"}


def test_a_label_on_top_of_a_cell_names_the_value_below_it():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["", ""]], height=50)
    marks.write(54, 104, "运输方式")
    marks.write(54, 130, "BY SEA")
    assert labels(marks.understood()) == {"BY SEA": "运输方式"}


def test_an_empty_cell_beside_or_below_a_label_is_a_blank():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["Salesperson", "Terms"], ["", ""]])
    marks.table(50, 300, [150, 150], [["Contact:", ""]])
    found = {blank.label: (blank.box.x, blank.box.y) for blank in marks.understood().blanks}
    assert found == {"Salesperson": (50, 120), "Terms": (200, 120), "Contact": (200, 300)}


def test_the_rest_of_a_cell_below_its_label_is_a_blank():
    marks = HandmadeMarks()
    marks.table(50, 100, [150], [[""]], height=50)
    marks.write(54, 104, "出口日期")
    (blank,) = marks.understood().blanks
    assert blank.label == "出口日期" and blank.box.y > 104 and blank.box.bottom < 150


def test_the_rest_of_a_cell_below_a_centred_label_is_a_blank():
    marks = HandmadeMarks()
    marks.table(50, 100, [200], [[""]], height=50)
    marks.write(124, 104, "Net payment")
    (blank,) = marks.understood().blanks
    assert blank.label == "Net payment" and blank.box.x < 60 and blank.box.right > 240


def test_a_label_of_two_lines_names_the_empty_cell_beside_it():
    marks = HandmadeMarks()
    marks.table(50, 100, [80, 120], [["", ""]], height=30)
    marks.write(54, 104, "No. of days")
    marks.write(54, 115, "worked:")
    (blank,) = marks.understood().blanks
    assert (blank.label, blank.box.x) == ("No. of days worked", 130)


def test_a_label_whose_value_is_to_the_right_leaves_no_blank_below():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["", ""]], height=50)
    marks.write(54, 104, "Destination")
    marks.write(204, 120, "Port Ellery")
    layout = marks.understood()
    assert labels(layout) == {"Port Ellery": "Destination"} and layout.blanks == []


def test_labels_on_top_of_their_values_head_no_table():
    marks = HandmadeMarks()
    marks.table(50, 100, [120, 120, 120], [["", "", ""]], height=40)
    marks.table(50, 140, [180, 180], [["Approved by", "R. Okafor"], ["Manager", "I. Valdor"]])
    for column, (label, value) in enumerate((("Order No.", "88213"), ("Phone", "555-0199"), ("Date", "2026-04-07"))):
        marks.write(54 + 120 * column, 104, label)
        marks.write(54 + 120 * column, 124, value)
    layout = marks.understood()
    assert layout.repeat is None
    assert labels(layout)["88213"] == "Order No."


def test_an_empty_cell_beside_a_value_or_a_total_is_no_blank():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["12.50", ""], ["Total", ""]])
    assert marks.understood().blanks == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("IBAN NL50INGB0683251309", ("IBAN ", "NL50INGB0683251309")),
        ("BTW NL810433941B01", ("BTW ", "NL810433941B01")),
        ("Seattle 98109-5210", ("", "Seattle 98109-5210")),
        ("BTW 21%", ("", "BTW 21%")),
    ],
)
def test_a_known_word_before_a_code_is_its_label(text: str, parts: tuple[str, str]):
    assert split_prefix(text) == parts


@pytest.mark.parametrize("text", ["上海工业园区88号", "2026年4月7日"])
def test_an_address_or_a_date_that_ends_like_a_label_is_none(text: str):
    assert not is_label(text)


def test_any_short_wording_beside_an_empty_cell_of_a_form_is_a_label():
    marks = HandmadeMarks()
    marks.table(50, 100, [80, 80, 80, 80], [["申请人姓名", "", "爱好", ""], ["手机", "", "邮箱", ""]])
    layout = marks.understood()
    assert labels(layout) == {}
    assert [blank.label for blank in layout.blanks] == ["申请人姓名", "爱好", "手机", "邮箱"]


def test_totals_on_one_line_below_rows_are_named_by_their_columns():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 90, 60, 90], [["", "", "", ""]], height=130)
    for x, heading in [(60, "货物名称"), (240, "金额"), (300, "税率"), (400, "税额")]:
        marks.write(x, 104, heading)
    for top, texts in [(120, ("钢板", "50.18", "13%", "6.52")), (136, ("螺栓", "20.00", "13%", "2.60"))]:
        marks.write(54, top, texts[0])
        for right, text in zip((286, 345, 436), texts[1:], strict=True):
            marks.write(right, top, text, right=True)
    marks.write(90, 215, "合    计")
    marks.write(286, 215, "￥70.18", right=True)
    marks.write(436, 215, "￥9.12", right=True)
    found = labels(marks.understood())
    assert (found["￥70.18"], found["￥9.12"]) == ("金额合计", "税额合计")


def test_a_cell_with_many_labels_does_not_name_what_is_in_the_next_cell():
    marks = HandmadeMarks()
    marks.table(50, 100, [250, 200], [["", "X7-2290-QQ-118"]], height=60)
    for top, label in [(104, "纳税人识别号:"), (120, "地 址、电 话:"), (136, "开户行及账号:")]:
        marks.write(54, top, label)
    assert labels(marks.understood())["X7-2290-QQ-118"] is None


@each("text, role", [("单位：元", "fixed"), ("金额单位：人民币万元", "fixed"), ("单位：华东机械厂", "value")])
def test_the_unit_of_a_table_is_wording_and_a_company_behind_the_same_word_is_a_value(text: str, role: str):
    marks = HandmadeMarks()
    marks.write(50, 100, text)
    assert [block.role for block in marks.understood().blocks] == [role]


def test_an_upright_label_is_one_text():
    marks = HandmadeMarks()
    marks.table(50, 100, [20, 300], [["", ""]], height=70)
    marks.write(55, 110, "备")
    marks.write(55, 140, "注")
    assert [block.text for block in marks.understood().blocks] == ["备\n注"]


def test_labels_below_each_other_in_one_cell_have_values_of_their_own():
    marks = HandmadeMarks()
    marks.table(50, 100, [300], [[""]], height=60)
    for top, text in [(106, "名        称: 个人"), (120, "纳税人识别号: 91120110"), (134, "地 址、电 话:")]:
        marks.write(54, top, text)
    assert labels(marks.understood()) == {"名        称: 个人": "名称", "纳税人识别号: 91120110": "纳税人识别号"}


def test_a_label_with_an_empty_cell_beside_it_names_nothing_behind_that():
    marks = HandmadeMarks()
    marks.table(50, 100, [60, 100], [["Phone:", ""], ["For:", ""]])
    marks.write(250, 106, "423-362-3914")
    layout = marks.understood()
    assert labels(layout) == {"423-362-3914": None}
    assert [blank.label for blank in layout.blanks] == ["Phone", "For"]


def test_figures_side_by_side_are_named_by_the_wordings_below_them():
    page = HandmadeMarks()
    page.table(50, 100, [120] * 4, [["36.00", "9", "2", "4.00"], ["TOTAL HOURS", "Days worked", "Days off", "Per day"]])
    named = {block.text: block.label for block in page.understood().blocks if block.role == "value"}
    assert named == {"36.00": "TOTAL HOURS", "9": "Days worked", "2": "Days off", "4.00": "Per day"}


def test_labels_on_top_of_their_values_in_a_row_of_cells_name_them_and_not_columns():
    marks = HandmadeMarks()
    marks.table(50, 100, [90, 90, 90, 90], [[""] * 4], height=40)
    for n, (label, value) in enumerate(
        (("票价", "477.06"), ("燃油附加费", "45.87"), ("税率", "9%"), ("合计", "522.93"))
    ):
        marks.write(54 + 90 * n, 104, label)
        marks.write(136 + 90 * n, 124, value, right=True)
    assert labels(marks.understood()) == {"477.06": "票价", "45.87": "燃油附加费", "9%": "税率", "522.93": "合计"}


def test_each_of_two_labels_in_one_cell_names_what_is_below_it():
    marks = HandmadeMarks()
    marks.table(50, 100, [100, 300], [["", ""]], height=40)
    for x, label, value in (
        (54, "旅客姓名", "王小明"),
        (154, "身份证件号码", "384932****1234"),
        (320, "到达时间", "18:30"),
    ):
        marks.write(x, 104, label)
        marks.write(x + 4, 124, value)
    assert labels(marks.understood()) == {"王小明": "旅客姓名", "384932****1234": "身份证件号码", "18:30": "到达时间"}


def test_a_currency_alone_in_a_cell_is_the_unit_of_what_is_to_be_filled_in():
    marks = HandmadeMarks()
    marks.table(50, 100, [100, 100], [["小計", "円"], ["合計", "円"]])
    assert labels(marks.understood()) == {}


def test_a_company_between_labels_in_a_row_of_cells_is_the_value_of_the_first():
    marks = HandmadeMarks()
    rows = [
        ["开立公司", "全葳软件信息有限公司", "地址", "新北市林口区仁爱路二段518号"],
        ["统一编号", "54857852", "电话", "0913 201 320"],
    ]
    marks.table(60, 140, [80.0, 140.0, 70.0, 180.0], rows)
    found = {block.text: block.label for block in marks.understood().blocks if block.role == "value"}
    assert found == {
        "全葳软件信息有限公司": "开立公司",
        "新北市林口区仁爱路二段518号": "地址",
        "54857852": "统一编号",
        "0913 201 320": "电话",
    }
