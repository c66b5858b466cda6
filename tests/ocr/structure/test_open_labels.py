"""A label with a colon and nothing behind it asks for a value, although no cell and no line shows where."""

from __future__ import annotations

from .handmade import HandmadeMarks


def blanks(page: HandmadeMarks) -> list[str]:
    return [blank.label for blank in page.understood().blanks]


def test_labels_below_each_other_in_one_cell_have_blanks_to_their_right():
    page = HandmadeMarks()
    page.table(50, 100, [240, 240], [["", ""]], height=60)
    for row, label in enumerate(["Bank name:", "IFSC code:", "Account number:"]):
        page.write(54, 106 + 17 * row, label)

    layout = page.understood()

    assert [blank.label for blank in layout.blanks] == ["Bank name", "IFSC code", "Account number"]
    assert all(blank.box.x > 54 and blank.box.right < 290 for blank in layout.blanks)


def test_a_label_at_the_end_of_the_page_has_a_blank_behind_it():
    page = HandmadeMarks()
    page.write(50, 60, "We have received the goods listed above in good order.")
    page.write(50, 120, "验收日期：")
    assert blanks(page) == ["验收日期"]


def test_wording_that_introduces_what_stands_below_it_has_no_blank():
    page = HandmadeMarks()
    page.write(50, 100, "Notes:")
    page.write(50, 112, "1. Goods remain ours until they are paid for in full.")
    page.write(50, 160, "How to fill in:")
    assert blanks(page) == []


def test_a_label_with_a_value_beside_or_below_it_has_no_blank():
    page = HandmadeMarks()
    page.write(50, 100, "Contact:")
    page.write(120, 100, "Ada Miles")
    page.write(50, 140, "Account number:")
    page.write(50, 153, "0042-118-77")
    assert blanks(page) == []


def test_labels_below_one_that_has_its_value_have_blanks_though_their_words_are_unknown():
    page = HandmadeMarks()
    for row, label in enumerate(["Kundennummer:", "Vertragsnummer:", "Name des Einkäufers:"]):
        page.write(305, 169 + 12 * row, label, size=8, bold=True)
    page.write(419, 169, "978175832", size=8)
    assert blanks(page) == ["Vertragsnummer", "Name des Einkäufers"]


def test_a_label_between_texts_with_labels_and_values_of_their_own_has_a_blank():
    page = HandmadeMarks()
    for row, text in enumerate(["Customer Job No.: 5547", "Customer P/O No.:", "Cisco Code: TQAE"]):
        page.write(50, 160 + 16 * row, text, size=10)
    assert blanks(page) == ["Customer P/O No."]
