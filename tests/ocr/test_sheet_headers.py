"""The page header and footer of a worksheet stand on the page as Excel prints them."""

from datetime import date

import pytest
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import PatternFill

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.page import Page

from .office_files import saved_office
from .test_printed_sheets import page_of, price_list


def sheet_with(header: str = "", footer: str = "", rows: int = 4):
    """A price list whose left header and footer are texts with codes."""
    book = price_list(rows)
    sheet = book.active
    sheet.title = "Prices 2026"
    sheet.oddHeader.left.text, sheet.oddFooter.left.text = header or None, footer or None
    return book


def printed(book, number: int = 1) -> Page:
    page = decode_document("form.xlsx", saved_office(book), None, number)
    assert isinstance(page, Page)
    return page


def line(page: Page, *, at_top: bool) -> list[str]:
    """The words above or below the cells."""
    cells = [word.box.y for word in page.words if word.text in ("Article", "Lamp1")]
    return [word.text for word in page.words if (word.box.y < min(cells) if at_top else word.box.y > max(cells) + 300)]


def test_header_and_footer_stand_above_and_below_the_cells():
    page = printed(sheet_with("Price list", "Subject to change"))

    assert line(page, at_top=True) == ["Price", "list"]
    assert line(page, at_top=False) == ["Subject", "to", "change"]


def test_the_three_parts_stand_at_the_left_in_the_middle_and_at_the_right():
    book = sheet_with("Left")
    book.active.oddHeader.center.text, book.active.oddHeader.right.text = "Middle", "Right"
    page = printed(book)

    left, middle, right = (
        next(word.box for word in page.words if word.text == text) for text in ("Left", "Middle", "Right")
    )
    assert left.y == middle.y == right.y
    assert middle.middle[0] == pytest.approx(page.size.width / 2, abs=1)
    assert left.x == pytest.approx(page.size.width - right.right, abs=1)


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ("Page &P of &N", "Page 1 of 1"),
        ("&P+4", "5"),
        ("&A", "Prices 2026"),
        ("Bolts && Nuts", "Bolts & Nuts"),
        ("&D", date.today().isoformat()),
    ],
)
def test_codes_are_printed_as_what_they_stand_for(codes: str, words: str):
    assert " ".join(line(printed(sheet_with(codes)), at_top=True)) == words


def test_later_pages_have_their_number():
    book = sheet_with(footer="Page &P of &N", rows=90)
    assert [" ".join(line(printed(book, 1), at_top=False))[-11:]] == ["Page 1 of 2"]
    assert [word.text for word in printed(book, 2).words][-4:] == ["Page", "2", "of", "2"]


def test_codes_for_fonts_change_the_look_and_no_words_are_lost():
    page = printed(sheet_with('&"Times New Roman,Bold"&16Offer &"Arial,Regular"&8&KFF0000list&I 2026'))
    price, small, italic = (
        next(word.style for word in page.words if word.text == text) for text in ("Offer", "list", "2026")
    )

    assert (price.family, price.size, price.bold) == ("Liberation Serif", 16, True)
    assert (small.family, small.size, small.bold, small.colour) == ("Liberation Sans", 8, False, "#FF0000")
    assert italic.italic and not small.italic


def test_the_first_page_has_a_header_of_its_own_where_the_sheet_has_one():
    book = sheet_with("Continued", rows=90)
    book.active.HeaderFooter.differentFirst = True
    book.active.firstHeader.left.text = "Welcome"

    assert line(printed(book), at_top=True) == ["Welcome"]
    assert "Continued" in [word.text for word in printed(book, 2).words]


def test_the_name_of_the_file_is_left_out_and_said():
    page = printed(sheet_with("&F"))

    assert line(page, at_top=True) == []
    assert [note.en for note in page.notes] == [
        "The page header or footer of the sheet holds the name of its file or folder, or a picture; it is left out."
    ]


def test_conditional_formats_are_left_out_and_said():
    book = price_list()
    red = PatternFill("solid", bgColor="FF0000")
    book.active.conditional_formatting.add("B2:B4", CellIsRule(operator="greaterThan", formula=["11"], fill=red))

    assert [note.en for note in page_of(book).notes] == [
        "The sheet has a conditional format; its cells look as they do without it."
    ]
