"""What stands around a text shows that it is a label, whatever its words."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.structure.text_classifier import is_label, split_prefix
from bandsmith.shared.model.layout import Layout, RulingLine

from .handmade import HandmadeMarks


def labels(layout: Layout) -> dict[str, str | None]:
    """The labels of the values, by text."""
    return {block.text: block.label for block in layout.blocks if block.role == "value"}


def numbered_boxes() -> HandmadeMarks:
    """Boxes of different widths, each with a numbered heading in its corner and a value below it."""
    marks = HandmadeMarks()
    boxes = [("1. Vessel", "Aurora"), ("2. Voyage of the ship", "Northbound"), ("3. Flag", "Sweden")]
    more = [("4. Present position", "Off Malmo"), ("12A. Tide", "Falling")]
    for y, widths, row in ((100, [160, 160, 160], boxes), (150, [200, 280], more)):
        marks.table(50, y, list(map(float, widths)), [[""] * len(widths)], height=50)
        for n, (title, value) in enumerate(row):
            x = 54 + sum(widths[:n])
            marks.write(x, y + 4, title)
            marks.write(x + 8, y + 26, value)
    return marks


def test_numbered_boxes_side_by_side_are_labelled_by_their_headings():
    found = labels(numbered_boxes().understood())
    assert found["Off Malmo"] == "4. Present position" and found["Falling"] == "12A. Tide"
    assert not any(text[0].isdigit() for text in found)


def test_numbered_points_of_a_list_are_no_labels():
    marks = HandmadeMarks()
    for n in range(1, 7):
        marks.write(50, 100 + 20 * n, f"{n}. Keep it dry")
    marks.write(250, 140, "Aurora")
    assert "Aurora" not in labels(marks.understood())


def test_an_unknown_word_in_a_column_of_labels_names_the_figure_beside_it():
    marks = HandmadeMarks()
    for n, (label, value) in enumerate(
        [("Subtotal", "900.00"), ("Rebatement", "-20.00"), ("Tax", "88.00"), ("Total", "968.00")]
    ):
        marks.write(300, 400 + 14 * n, label)
        marks.write(500, 400 + 14 * n, value, right=True)
    found = labels(marks.understood())
    assert found["-20.00"] == "Rebatement" and "Rebatement" not in found


def test_a_figure_at_the_far_end_of_a_line_belongs_to_its_label():
    marks = HandmadeMarks()
    marks.write(40, 400, "Total due")
    marks.write(550, 400, "968.00", right=True)
    assert labels(marks.understood())["968.00"] == "Total due"


def test_wording_with_a_figure_beside_it_is_no_value_of_the_label_before_it():
    marks = HandmadeMarks()
    marks.write(40, 400, "Our bank details:")
    marks.write(300, 400, "Subtotal")
    marks.write(420, 400, "968.00")
    assert labels(marks.understood()) == {"968.00": "Subtotal"}


def test_colons_in_a_column_of_their_own_are_looked_through():
    marks = HandmadeMarks()
    for n, (label, value) in enumerate([("Order", "K 17"), ("Country", "Norway"), ("Date", "2026-03-04")]):
        marks.write(50, 400 + 14 * n, label)
        marks.write(140, 400 + 14 * n, ":")
        marks.write(150, 400 + 14 * n, value)
    found = labels(marks.understood())
    assert found["2026-03-04"] == "Date" and ":" not in found


def test_a_colon_read_with_the_value_is_its_prefix():
    marks = HandmadeMarks()
    marks.write(50, 400, "Country")
    marks.write(150, 400, ": Norway")
    [value] = [block for block in marks.understood().blocks if block.role == "value"]
    assert (value.label, value.prefix) == ("Country", ": ")


def test_neither_a_page_number_nor_a_sentence_names_a_text():
    marks = HandmadeMarks()
    marks.write(50, 400, "Page 1 of 2")
    marks.write(200, 400, "Karin Lund")
    marks.write(50, 500, "The total is payable within two weeks of delivery")
    marks.write(350, 500, "Transfer")
    found = labels(marks.understood())
    assert found.get("Karin Lund") is None and "Transfer" not in found


def test_the_placeholders_of_a_letter_template_are_values():
    marks = HandmadeMarks()
    marks.write(50, 400, "{{ customer }}")
    marks.write(50, 430, "{% for item in items %}")
    marks.write(50, 460, "Total:")
    marks.write(120, 460, "${{sum}}")
    assert labels(marks.understood()) == {"{{ customer }}": "customer", "${{sum}}": "Total"}


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("Facture n° 2031004417", "Facture n° "),
        ("BIC NDEAFIHHXXX", "BIC "),
        ("（小写）¥125.00", "（小写）"),
        ("(-)0.35", ""),
        ("(total)N$ 350.00", "(total)"),
    ],
)
def test_reference_numbers_bank_codes_and_labels_in_brackets_are_split_off(text: str, prefix: str):
    assert split_prefix(text)[0] == prefix


def test_a_long_label_before_a_short_value_leaves_it_a_value():
    marks = HandmadeMarks()
    marks.write(50, 400, "Numéro de dossier du client : 365146 - NORD EST")
    assert list(labels(marks.understood()).values()) == ["Numéro de dossier du client"]


def spaced(*texts: tuple[float, str]) -> HandmadeMarks:
    marks = HandmadeMarks()
    for x, text in texts:
        marks.write(x, 400, text)
    return marks


def test_two_characters_set_wide_apart_are_one_label():
    marks = spaced((50, "名"), (80, "称：海明贸易行"), (300, "合"), (340, "计"), (400, "128.00"))
    found = {"".join(text.split()): label for text, label in labels(marks.understood()).items()}
    assert found == {"名称：海明贸易行": "名称", "128.00": "合计"}


def test_characters_on_both_sides_of_a_rule_are_two_texts():
    marks = spaced((300, "合"), (340, "计"))
    marks.rules.append(RulingLine(id="r", x1=325, y1=390, x2=325, y2=420, thickness=1, colour="#000000"))
    assert [block.text for block in marks.understood().blocks] == ["合", "计"]


def test_characters_that_are_no_label_together_are_two_texts():
    marks = spaced((300, "天"), (340, "地"))
    assert len(marks.understood().blocks) == 2


def test_a_ruled_table_whose_first_row_is_empty_is_read():
    marks = HandmadeMarks()
    marks.table(50, 100, [150, 150], [["", ""], ["Karin", "12"], ["Olav", "15"], ["Per", "19"]])
    assert marks.understood().blocks


def test_a_title_is_not_the_label_of_an_address_below_or_beside_it():
    page = HandmadeMarks()
    page.write(40, 100, "INVOICE", size=14, bold=True)
    page.write(40, 118, "Calder Valley Nurseries Ltd", size=9.5)
    page.write(40, 160, "PURCHASE ORDER", size=20, bold=True)
    page.write(350, 160, "Brightwater Marina", size=11, bold=True)

    found = labels(page.understood())
    assert not {"INVOICE", "PURCHASE ORDER"}.intersection(found.values())


@pytest.mark.parametrize("number", ["2026-0442", "#1024"])
def test_a_title_is_the_label_of_a_number_beside_it(number: str):
    page = HandmadeMarks()
    page.write(40, 100, "INVOICE", size=14, bold=True)
    page.write(140, 100, number, size=9)

    assert labels(page.understood())[number] == "INVOICE"


def test_a_sentence_that_ends_with_a_company_is_what_the_form_prints():
    page = HandmadeMarks()
    page.write(40, 100, "Date")
    page.write(40, 111, "All prices are in dollars, and all services are sold by Amazon Web Services, Inc.", bold=True)

    assert labels(page.understood()) == {}


def test_what_stands_below_a_total_is_the_next_line_and_not_its_value():
    page = HandmadeMarks()
    for y, name, amount, size in ((400, "TOTAL", "26.83", 11), (418, "Cash", "30.00", 9), (434, "Change", "3.17", 9)):
        page.write(40, y, name, size=size)
        page.write(220, y, amount, size=size, right=True)

    assert labels(page.understood()) == {"26.83": "TOTAL", "30.00": "Cash", "3.17": "Change"}


def test_a_company_in_a_cell_beside_its_label_is_a_value():
    page = HandmadeMarks()
    page.table(40, 100, [100, 200], [
        ["交款单位", "杭州青禾文化传播有限公司"], ["Shipper 发货人", "Ningbo Haitong Tools Co., Ltd."],
        ["公司", "上海远景机电设备有限公司"],
    ])  # fmt: skip

    assert [block.text for block in page.understood().blocks if block.role == "value"] == [
        "杭州青禾文化传播有限公司", "Ningbo Haitong Tools Co., Ltd.", "上海远景机电设备有限公司",
    ]  # fmt: skip


def test_a_label_of_unknown_words_in_a_column_of_labels_names_a_value_of_two_lines():
    page = HandmadeMarks()
    rows = (("Delivery date", "2026-10-12"), ("Locus", "Unit 9, Ouse Walk,"), ("Serial no.", "VX4-00931-B"))
    for number, (label, value) in enumerate(rows):
        page.write(50, 100 + 22 * number, label, bold=True)
        page.write(180, 100 + 22 * number, value)
    page.write(180, 132, "York")

    assert labels(page.understood())["Unit 9, Ouse Walk,\nYork"] == "Locus"


@pytest.mark.parametrize("text", ["销售方：（章）", "（章）", "盖章", "Supplier: [seal]"])
def test_where_to_stamp_is_wording_and_no_value(text: str):
    page = HandmadeMarks()
    page.write(40, 700, text)
    page.write(40, 720, "Date: 2026-03-18")

    assert [block.text for block in page.understood().blocks if block.role == "value"] == ["Date: 2026-03-18"]


def test_wording_before_a_colon_that_was_set_apart_is_a_label_whatever_its_words():
    page = HandmadeMarks()
    rows = (("Pay Date", ": 31/01/2026"), ("Working Days", ": 26"), ("Salary Frequency", ": Monthly"))
    for row, (label, value) in enumerate(rows):
        page.write(40, 150 + 13 * row, label)
        page.write(148, 150 + 13 * row, value)

    assert labels(page.understood()) == {value: label for label, value in rows}


def test_labels_in_one_cell_with_figures_in_the_next_name_one_each():
    page = HandmadeMarks()
    page.table(40, 200, [150, 100], [["", ""]], height=50)
    for y, label, figure in ((206, "Total Deductions", "10500"), (219, "Net Pay", "71200")):
        page.write(44, y, label)
        page.write(200, y, figure)

    assert labels(page.understood()) == {"10500": "Total Deductions", "71200": "Net Pay"}


def test_a_date_behind_its_label_does_not_go_on_in_the_next_line():
    page = HandmadeMarks()
    page.write(40, 100, "Date of issue: 4/6/2021")
    page.write(40, 110, "123 Shenton Street")

    assert [block.text for block in page.understood().blocks] == ["Date of issue: 4/6/2021", "123 Shenton Street"]


def test_many_wordings_side_by_side_are_headings_also_where_most_words_are_unknown():
    page = HandmadeMarks()
    texts = ("邮箱", "序号", "姓名", "合计工资", "夜班", "夜餐", "其他", "餐补", "应发", "代扣", "实发")
    for column, text in enumerate(texts):
        page.write(40 + 45 * column, 100, text)
    page.write(40 + 45 * 8, 111, "工资")
    page.write(40 + 45 * 9, 111, "社保")

    assert labels(page.understood()) == {}


def test_persons_beside_their_functions_are_values_and_no_rows():
    page = HandmadeMarks()
    rows = [
        ["業務責任者（甲）", "花 東江", "窓口担当者（甲）", "入江 誠"],
        ["業務責任者（乙）", "吉川 裕", "窓口担当者（乙）", ""],
    ]
    page.table(30, 200, [115, 170, 115, 130], rows)

    layout = page.understood()
    assert layout.repeat is None
    assert labels(layout)["花 東江"] == "業務責任者（甲）"
    assert labels(layout)["入江 誠"] == "窓口担当者（甲）"


def test_a_label_with_its_colon_is_no_title_however_large_it_was_read():
    page = HandmadeMarks()
    for row, (label, size) in enumerate((("Name:", 10), ("Reserve price:", 13), ("Phone:", 10))):
        page.write(40, 100 + 40 * row, label, size=size)
        page.write(160, 100 + 40 * row, f"{row}50.83", size=10)

    assert page.understood().title is None


def test_labels_with_aligned_colons_are_no_table():
    marks = HandmadeMarks()
    rows = [
        ("Pay period", "January 2026", "Name", "Jane Bond"),
        ("Pay date", "31/01/2026", "Staff no.", "EMP-2019-088"),
        ("Working days", "26", "Born", "12/08/1992"),
        ("Frequency", "Monthly", "Job title", "Product manager"),
    ]
    for y, (left, value, right, other) in zip(range(100, 180, 20), rows, strict=True):
        marks.write(50, y, left)
        marks.write(150, y, f": {value}")
        marks.write(300, y, right)
        marks.write(400, y, ":")
        marks.write(410, y, other)
    layout = marks.understood()
    found = labels(layout)
    assert layout.repeat is None and not layout.further
    assert found[": January 2026"] == "Pay period" and found["Jane Bond"] == "Name"
    assert found["Product manager"] == "Job title", "though both of its words are those of labels"


def test_a_heading_over_a_column_of_labels_names_none_of_them():
    marks = HandmadeMarks()
    marks.write(50, 100, "BILL TO:", bold=True)
    for y, label, value in ((112, "Client name", "Airt"), (124, "Client address", "Kaps"), (136, "Country", "Kenya")):
        marks.write(50, y, label)
        marks.write(200, y, value)
    assert labels(marks.understood()) == {"Airt": "Client name", "Kaps": "Client address", "Kenya": "Country"}


def test_a_remark_in_brackets_is_wording_of_the_form():
    marks = HandmadeMarks()
    marks.write(50, 100, "合計金額")
    marks.write(250, 100, "（税込）")
    marks.write(50, 130, "Name:")
    marks.write(100, 130, "(Lee)")
    assert labels(marks.understood()) == {"(Lee)": "Name"}


def test_a_japanese_company_is_a_value():
    marks = HandmadeMarks()
    marks.write(50, 100, "御見積書", size=18)
    marks.write(350, 160, "北川学習株式会社")
    marks.write(50, 160, "株式会社青木商事")
    assert labels(marks.understood()).keys() == {"北川学習株式会社", "株式会社青木商事"}


def test_a_line_of_labels_names_the_line_of_values_below_it_whatever_one_of_the_labels_says():
    marks = HandmadeMarks()
    for x, label, value in ((50, "Name", "Jayson Mulwa"), (220, "Function", "Engineer"), (450, "Department", "12345")):
        marks.write(x, 150, label, size=14)
        marks.write(x, 172, value, size=14)
    assert labels(marks.understood()) == {"Jayson Mulwa": "Name", "Engineer": "Function", "12345": "Department"}


def test_labels_beside_their_values_are_no_line_of_labels():
    marks = HandmadeMarks()
    for y, texts in (
        (150, ("Name:", "Jayson Mulwa", "Date:", "12/31/2026")),
        (166, ("Town:", "Nairobi", "No.:", "77")),
    ):
        for x, text in zip((50, 120, 300, 380), texts, strict=True):
            marks.write(x, y, text)
    found = labels(marks.understood())
    assert (found["Jayson Mulwa"], found["Nairobi"], found["77"]) == ("Name", "Town", "No.")


def test_wording_below_a_label_that_has_its_figure_is_the_next_part_of_the_form():
    marks = HandmadeMarks()
    marks.write(110, 314, "Gross pay", size=12, bold=True)
    marks.write(400, 314, "200.00", size=12, bold=True)
    marks.write(110, 338, "Deductions", size=12)
    assert labels(marks.understood()) == {"200.00": "Gross pay"}


def test_a_bold_label_beside_one_in_regular_type_is_no_value_of_it():
    marks = HandmadeMarks()
    marks.write(220, 432, "Trailer loaded:")
    marks.write(414, 432, "Recipient Signature/Date", bold=True)
    assert "Recipient Signature/Date" not in labels(marks.understood())


@pytest.mark.parametrize("text", ["JAMB EXAMINATION NUMBER", "Seal Number(s)", "統一編號", "電話"])
def test_wording_that_asks_for_a_number_is_a_label_also_in_traditional_characters(text: str):
    assert is_label(text)


def test_a_label_below_one_that_has_its_value_is_no_second_value():
    marks = HandmadeMarks()
    marks.write(25, 164, "Sent by:", size=12, bold=True)
    marks.write(80, 166, "Dean Rick of Pikes Peak Steel")
    marks.write(23, 180, "Vendor", size=12, bold=True)
    found = labels(marks.understood())
    assert found["Dean Rick of Pikes Peak Steel"] == "Sent by" and "Vendor" not in found


def test_a_label_beside_one_that_has_its_figure_below_it_is_no_value():
    marks = HandmadeMarks()
    marks.write(398, 112, "Number:", size=10)
    marks.write(398, 126, "530519", size=10)
    marks.write(487, 112, "Seal number(s)", size=10)
    assert [*labels(marks.understood())] == ["530519"]


def test_a_value_that_stands_a_little_higher_than_its_label_with_a_colon_is_named_by_it():
    marks = HandmadeMarks()
    marks.write(195, 128, "Employee name:", size=8, bold=True)
    marks.write(313, 124.5, "2008233", size=7.5)
    assert labels(marks.understood()) == {"2008233": "Employee name"}


@pytest.mark.parametrize("text", ["Please call this number", "This is my lucky number", "Your number"])
def test_a_sentence_that_ends_in_number_is_no_label(text: str):
    assert not is_label(text)


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Payment method:", "Cash on delivery"),
        ("Status:", "Paid"),
        ("Department:", "Sales"),
        ("Position:", "Manager"),
        ("Terms:", "Due on receipt"),
        ("付款方式：", "对公账户"),
    ],
)
def test_a_bold_value_beside_a_label_with_a_colon_is_its_value(label: str, value: str):
    marks = HandmadeMarks()
    marks.write(50, 160, label)
    marks.write(150, 160, value, bold=True)
    marks.write(50, 174, "Order date:")
    marks.write(150, 174, "12/31/2026")
    assert labels(marks.understood())[value] == label.rstrip(":：")


def test_a_bold_label_with_a_figure_of_its_own_is_no_value_of_the_label_beside_it():
    marks = HandmadeMarks()
    marks.write(50, 160, "Department:")
    marks.write(150, 160, "Amount due", bold=True)
    marks.write(150, 173, "120.50")
    assert labels(marks.understood()) == {"120.50": "Amount due"}


def test_a_date_below_a_label_that_asks_for_no_figure_leaves_it_the_value_beside_it():
    marks = HandmadeMarks()
    marks.write(50, 160, "Department:")
    marks.write(120, 160, "Accounts")
    marks.write(50, 173, "12/31/2026")
    assert labels(marks.understood())["Accounts"] == "Department"
