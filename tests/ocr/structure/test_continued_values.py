"""Lines below a named value belong to it; labels in a column of labels name what is beside them."""

import pytest

from bandsmith.shared.model.layout import Layout

from .handmade import HandmadeMarks


def values(layout: Layout) -> dict[str, str | None]:
    """The labels of the values, by text."""
    return {block.text: block.label for block in layout.blocks if block.role == "value"}


def address(*lines: str, label: str = "Bill to:") -> dict[str, str | None]:
    page = HandmadeMarks()
    page.write(50, 100, label, size=7.5, bold=True)
    for number, line in enumerate(lines):
        page.write(50, 113 + 14 * number, line)
    return values(page.understood())


def test_the_address_below_a_name_is_filled_in_with_it():
    found = address("Mrs Helen Ashdown", "The Old Dairy, Mill Lane", "Wexcombe")

    assert found == {
        "Mrs Helen Ashdown": "Bill to",
        "The Old Dairy, Mill Lane": "Bill to line 2",
        "Wexcombe": "Bill to line 3",
    }


def test_a_label_ends_the_address():
    page = HandmadeMarks()
    for number, text in enumerate(("Bill to:", "Mrs Helen Ashdown", "The Old Dairy", "Delivery date:", "Mill Lane")):
        page.write(50, 100 + 13 * number, text, bold=number == 0)

    assert "Delivery date:" not in values(page.understood())
    assert values(page.understood())["The Old Dairy"] == "Bill to line 2"


def test_a_sentence_below_a_name_stays_what_the_form_prints():
    sentence = "We thank you for your order and hope to see you again"

    assert sentence not in address("Mrs Helen Ashdown", sentence)


def test_the_next_label_of_a_column_is_not_the_value_of_the_one_above():
    page = HandmadeMarks()
    rows = (("Invoice No.", "LM-2026-0147"), ("Invoice date", "12/05/2026"), ("Due date", "11/06/2026"))
    for number, (label, value) in enumerate(rows):
        page.write(400, 100 + 16 * number, label, size=8.5 if number else 9)
        page.write(500, 100 + 16 * number, value)

    assert values(page.understood()) == {value: label for label, value in rows}


def test_labels_without_colons_close_below_each_other_name_what_is_beside_each():
    page = HandmadeMarks()
    rows = (
        ("Date", "3 November 2026", "Contact", "Helen Prowse"),
        ("Valid until", "3 December 2026", "Telephone", "0114 555 0122"),
    )
    for number, texts in enumerate(rows):
        for x, text in zip((50, 160, 300, 410), texts, strict=True):
            page.write(x, 100 + 10 * number, text, bold=x in (50, 300))

    assert values(page.understood()) == {
        "3 November 2026": "Date", "Helen Prowse": "Contact",
        "3 December 2026": "Valid until", "0114 555 0122": "Telephone",
    }  # fmt: skip


def test_the_rest_of_a_value_that_had_no_more_room_belongs_to_it():
    page = HandmadeMarks()
    page.write(50, 100, "联系人：郭铃丽")
    page.write(300, 100, "地址：深圳市福田区中航路新亚洲电子商城一期")
    page.write(328, 112, "4B027A")
    assert values(page.understood())["4B027A"] == "地址 line 2"

    page.write(50, 140, "A text that reaches much farther to the right than the address does " * 2)
    assert values(page.understood())["4B027A"] is None


def test_a_name_that_is_repeated_to_sign_below_is_the_same_value():
    page = HandmadeMarks()
    page.write(50, 100, "甲方：松山湖材料实验室")
    page.write(50, 600, "甲方（盖章）：")
    page.write(50, 614, "松山湖材料实验室")
    assert values(page.understood())["松山湖材料实验室"] == "甲方"


@pytest.mark.parametrize("bold", [True, False])
def test_an_address_below_a_heading_in_bold_is_named_by_it_line_by_line(bold: bool):
    marks = HandmadeMarks()
    marks.write(50, 100, "Afleveradres", bold=bold)
    lines = ["Jansen", "t.n.v. Bakker", "Kerkstraat 46", "3500 MJ Utrecht", "Postbus 12", "Nederland"]
    for y, text in zip(range(118, 200, 11), lines, strict=False):
        marks.write(50, y, text)
    found = {block.text: block.label for block in marks.understood().blocks if block.role == "value"}
    named = {text: f"Afleveradres line {n}" for n, text in enumerate(lines, 1)} | {"Jansen": "Afleveradres"}
    assert (found == named) == bold


def test_notes_below_a_heading_in_bold_stay_wording():
    marks = HandmadeMarks()
    marks.write(50, 100, "Opmerkingen", bold=True)
    for y, text in ((118, "Betaling per bank"), (129, "Levering aan huis"), (140, "Ruilen binnen 14 dagen")):
        marks.write(50, y, text)
    layout = marks.understood()
    assert not any(block.label for block in layout.blocks)


def test_a_figure_alone_below_a_line_of_text_is_a_value_of_its_own():
    page = HandmadeMarks()
    page.write(300, 100, "Springfield depot, gate")
    page.write(300, 109, "37")

    assert [block.text for block in page.understood().blocks] == ["Springfield depot, gate", "37"]
