"""Later pages of a document that are no rows of its table become further pages of the same template."""

from __future__ import annotations

import numpy as np
import pytest

from bandsmith.services.ocr.further_pages import (
    FurtherPages,
    read_further_pages,
    understand_page,
    with_further_pages,
)
from bandsmith.services.ocr.later_pages import LaterPage, LaterPages
from bandsmith.services.ocr.page import Page, pixel_shape
from bandsmith.services.ocr.page_notes import about_pages, about_tables
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.stacked_pages import stacked

from .structure.handmade import A4, HandmadeMarks

LABELS = ("Surname:", "First name:", "Street:", "Town:", "Telephone:", "Occupation:")


def sheet(size: Size = A4) -> Page:
    return Page(np.full((*pixel_shape(size), 3), 255, np.uint8), size, words=[])


def form(*labels: str, answer: str = "Marlow") -> HandmadeMarks:
    page = HandmadeMarks()
    for number, label in enumerate(labels):
        page.write(50, 80 + 40 * number, label, bold=True)
        page.write(200, 80 + 40 * number, f"{answer} {number}")
    return page


def application() -> HandmadeMarks:
    return form(*LABELS)


def page_of_terms(number: int) -> HandmadeMarks:
    return form(f"Clause {number}:", f"Notice {number}:", f"Term {number}:")


def read(first: HandmadeMarks, *later: HandmadeMarks, sizes: tuple[Size, ...] = ()) -> tuple[Layout, FurtherPages]:
    """Return the layout of the pages, and what was read of the later ones."""

    def page(number: int) -> LaterPage:
        if number - 2 >= len(later):
            raise BadInput.of("documents.blank")
        return LaterPage(sheet(sizes[number - 2] if sizes else A4), later[number - 2])

    layout, count = understand_page(A4, first, []).layout, 1 + len(later)
    found = read_further_pages(layout, sheet().pixels, LaterPages(count, page), count)
    return with_further_pages(layout, found.layouts), found


def said(layout: Layout, found: FurtherPages, count: int) -> list[str]:
    page = Page(sheet().pixels, A4, pages=count)
    return [note.en for note in about_pages(layout, page, 0, found.note, found.lost_rows)]


def test_pages_with_content_of_their_own_are_further_pages_and_the_reply_says_so():
    layout, found = read(application(), page_of_terms(2), page_of_terms(3))

    assert (layout.pages, len(layout.later)) == (3, 2)
    assert layout.later[1].lines[0].text == "Clause 3:"
    assert said(layout, found, 3) == [
        "Pages 2 to 3 are further pages of the report: their values are in the same data."
    ]


def test_a_mark_of_a_later_page_has_an_id_that_no_other_page_has():
    layout, _ = read(application(), page_of_terms(2))
    pages = (layout, *layout.later)
    ids = [{line.id for line in page.lines} | {block.id for block in page.blocks} for page in pages]

    assert not ids[0] & ids[1]
    assert {name for block in layout.later[0].blocks for name in block.lines} <= ids[1]


def test_another_copy_of_the_form_is_no_further_page():
    layout, found = read(application(), form(*LABELS, answer="Harper"))

    assert layout.later == []
    assert said(layout, found, 2)[0].startswith("Page 2 is another copy of the same form")


def pay_slip(name: str, *days: str) -> HandmadeMarks:
    """Return a slip on which people with the same pay differ in name and days only."""
    page = HandmadeMarks()
    values = (name, "2500.00", "310.00", "125.00", "2065.00", "March 2026", "Monthly", *days)
    labels = (
        "Employee:",
        "Gross pay:",
        "Tax:",
        "Pension:",
        "Net pay:",
        "Period:",
        "Rate:",
        "Worked:",
        "Leave:",
        "Sick:",
    )
    for number, (label, value) in enumerate(zip(labels, values, strict=True)):
        page.write(50, 80 + 30 * number, label, bold=True)
        page.write(200, 80 + 30 * number, value)
    return page


def test_slips_for_people_with_mostly_the_same_values_are_copies():
    layout, found = read(pay_slip("Ada Marlow", "20", "1", "0"), pay_slip("Ben Harper", "19", "2", "0"))

    assert layout.later == []
    assert "another copy" in said(layout, found, 2)[0]


def test_a_page_that_repeats_the_head_of_page_1_is_no_copy_of_it():
    second = application()
    for number in range(9):
        second.write(50, 400 + 30 * number, f"Clause {number}: to be observed")

    layout, _ = read(application(), second)

    assert layout.pages == 2


def price_list(*headings: str, rows: int = 8) -> HandmadeMarks:
    page = HandmadeMarks()
    page.write(50, 60, "Invoice", size=16, bold=True)
    for x, heading in zip((50, 150, 420), headings, strict=False):
        page.write(x, 140, heading, bold=True)
    for row in range(rows):
        for x, text in ((50, f"2026-03-0{row + 1}"), (150, f"Oak desk {row}"), (420, f"{row + 1}0.50")):
            page.write(x, 160 + 20 * row, text)
    return page


def test_a_list_with_other_rows_on_the_next_page_may_be_a_copy_or_go_on_and_the_reply_says_both():
    second = price_list("Date", "Description", "Amount")
    first = price_list("Date", "Description", "Amount")
    for page in (first, second):
        for number, label in enumerate(LABELS):
            page.write(50, 500 + 30 * number, label)
    second.lines = [
        line.model_copy(update={"text": line.text.replace("Oak desk", "Pine bench")}) for line in second.lines
    ]

    layout, found = read(first, second)

    assert layout.later == []
    assert "if the rows of page 1 go on there, put them into its data" in said(layout, found, 2)[0]


def test_a_blank_page_between_a_table_and_terms_leaves_the_table_as_it_is_and_the_reply_names_both_pages():
    layout, found = read(price_list("Date", "Description", "Amount"), HandmadeMarks(), page_of_terms(3))

    assert layout.repeat is not None and layout.repeat.rows == 8
    assert layout.pages == 1
    assert said(layout, found, 3)[0].startswith("Page 2 is blank and left out. The template does not contain page 3")


def test_a_table_without_headings_keeps_its_rows_before_a_page_of_terms():
    first = HandmadeMarks()
    first.write(50, 60, "Rota", size=16, bold=True)
    names = [f"{name} {family}" for name in ("Ada", "Ben", "Cleo", "Dan") for family in ("Marlow", "Harper", "Stone")]
    first.table(50, 120, [150, 150, 150], [[name, ("Bar", "Hall")[len(name) % 2], "Monday"] for name in names])

    layout, _ = read(first, page_of_terms(2))

    assert [table.rows for table in layout.tables] == [12]


def test_a_few_rows_without_headings_are_a_list_where_pages_follow():
    layout, _ = read(price_list(rows=4), page_of_terms(2))

    assert layout.pages == 2
    assert [table.rows for table in layout.tables] == [4]


def contract() -> HandmadeMarks:
    page = HandmadeMarks()
    page.write(50, 60, "Service agreement", size=16, bold=True)
    for number, subject in enumerate(("Payment", "Delivery", "Warranty", "Liability", "Term", "Notice", "Venue"), 1):
        page.write(50, 90 + 44 * number, f"{number}. {subject}", bold=True)
        page.write(50, 104 + 44 * number, f"The {subject.lower()} follows what both sides agreed on")
        page.write(50, 118 + 44 * number, "in writing before the work begins.")
    return page


def test_clauses_of_several_lines_are_no_rows_so_pages_follow_and_the_reply_says_that_they_stay():
    assert contract().understood().repeat is not None

    layout, _ = read(contract(), page_of_terms(2))

    assert layout.pages == 2
    assert not layout.tables

    layout, found = read(application(), contract())

    assert not layout.later[0].tables
    assert said(layout, found, 2)[1].startswith("What looks like rows on page 2 is taken for numbered clauses")


def test_points_with_bullets_are_no_rows_of_a_list():
    second = HandmadeMarks()
    for number in range(8):
        for line, mark in enumerate(("•", "")):
            if mark:
                second.write(60, 100 + 30 * number, mark)
            second.write(75, 100 + 30 * number + 12 * line, f"People who are over {number + 60} years")
    rows = second.understood().repeat
    assert rows is not None and rows.rows >= 5

    layout, _ = read(application(), second)

    assert not layout.later[0].tables


def test_a_page_of_another_size_ends_the_template_and_the_reply_says_why():
    across = Size(width=842, height=595)
    layout, found = read(application(), page_of_terms(2), page_of_terms(3), sizes=(A4, across))

    assert layout.pages == 2
    assert said(layout, found, 3)[-1].startswith("The template does not contain page 3")
    assert "another size" in said(layout, found, 3)[-1]


def test_at_most_twelve_pages_are_added_and_the_reply_says_where_it_ends():
    layout, found = read(application(), *(page_of_terms(number) for number in range(2, 19)))

    assert layout.pages == 13
    assert said(layout, found, 18)[-1].startswith("The template does not contain page 14")


def test_a_blank_page_in_the_middle_stays_and_one_at_the_end_is_left_out():
    layout, found = read(application(), HandmadeMarks(), page_of_terms(3), HandmadeMarks())

    assert [len(page.lines) for page in layout.later] == [0, 6]
    assert said(layout, found, 4) == [
        "Page 3 is a further page of the report: its values are in the same data.",
        "Page 2 is blank on the form, and in the report.",
        "Page 4 is blank and left out.",
    ]


def test_a_blank_page_of_another_size_between_pages_ends_the_template():
    across = Size(width=842, height=595)
    layout, found = read(application(), HandmadeMarks(), page_of_terms(3), sizes=(across, A4))

    assert layout.pages == 1
    assert said(layout, found, 3)[0].startswith("Page 2 is blank and left out. The template does not contain page 2 ")


def test_the_only_list_of_a_document_is_no_second_table():
    second = HandmadeMarks()
    second.table(50, 100, [150, 150, 150], [["Employer", "From", "To"], ["", "", ""], ["", "", ""], ["", "", ""]])
    layout, _ = read(application(), second)

    notes = [note.en for note in about_tables(stacked(layout, layout.later))]

    assert notes == ["The table has its own rows: those under “lists” in data.json."]


@pytest.mark.parametrize("headings", [("Date", "Description", "Amount"), ()])
def test_one_page_of_terms_follows_the_rows_of_a_table_which_stay_the_rows_of_the_report(headings: tuple[str, ...]):
    layout, found = read(price_list(*headings), page_of_terms(2))

    assert layout.pages == 2
    assert layout.repeat is not None and layout.repeat.rows == 8
    assert said(layout, found, 2) == ["Page 2 is a further page of the report: its values are in the same data."]


def test_a_second_page_after_rows_is_left_out_and_the_reply_says_why():
    layout, found = read(price_list("Date", "Description", "Amount"), page_of_terms(2), page_of_terms(3))

    assert layout.pages == 2
    assert said(layout, found, 3)[-1].startswith("The template does not contain page 3")
    assert "only one page can follow the rows" in said(layout, found, 3)[-1]


def test_the_empty_back_of_an_invoice_is_no_page_that_follows_its_rows():
    layout, found = read(price_list("Date", "Description", "Amount"), HandmadeMarks(), page_of_terms(3))

    assert layout.pages == 1
    assert "The template does not contain page 3" in said(layout, found, 3)[0]


@pytest.mark.parametrize("end", ["This holds for all the parts of an order.", "Terms apply."])
def test_clauses_of_a_sentence_each_are_no_table_on_the_page_after_the_rows(end: str):
    terms = HandmadeMarks()
    terms.write(50, 60, "Terms of sale", size=16, bold=True)
    clauses = ("Offers are valid for thirty days from their date.", "Delivery is free from a value of 500 euros.")
    for number in range(6):
        terms.write(50, 120 + 36 * number, f"{number + 1}. {clauses[number % 2]}")
        terms.write(62, 134 + 36 * number, end)

    layout, _ = read(price_list("Date", "Description", "Amount"), terms)

    assert layout.later[0].tables == []


def test_two_lines_that_begin_with_a_label_are_no_table_so_any_number_of_pages_may_follow():
    first = HandmadeMarks()
    first.write(50, 60, "Travel expenses", size=16, bold=True)
    lines = [("Period:", "09.07.2026", ""), ("Reference:", "42389", "Order"), ("Reference:", "42390", "Order")]
    for number, (label, value, kind) in enumerate(lines):
        for x, text in ((50, label), (200, value), (350, kind)):
            if text:
                first.write(x, 120 + 30 * number, text)

    assert first.understood().repeat is not None

    layout, _ = read(first, page_of_terms(2), page_of_terms(3))

    assert layout.pages == 3


def test_boxes_with_a_label_in_each_are_no_rows_so_a_page_may_follow():
    first = HandmadeMarks()
    first.write(50, 60, "Application for membership", size=16, bold=True)
    answers = [
        ("Surname", "Marlow", "First name", "Ada"),
        ("Date of birth", "1984-03-12", "Nationality", "British"),
        ("Street", "12 Mill Lane", "Town", "Norwich"),
        ("Telephone", "01603 555 210", "E-mail", "a@b.org"),
    ]
    for row, (left, answer, right, other) in enumerate(answers):
        y = 120 + 50 * row
        first.table(60, y, [235, 240], [["", ""]], height=44)
        for x, label, value in ((64, left, answer), (299, right, other)):
            first.write(x, y + 6, label, size=8)
            first.write(x, y + 24, value, size=11)

    layout, _ = read(first, page_of_terms(2))

    assert layout.pages == 2


def test_rows_to_fill_in_are_those_of_a_list_on_a_form_of_several_pages():
    first = application()
    first.table(50, 400, [150, 150, 150], [["Employer", "From", "To"], ["", "", ""], ["", "", ""], ["", "", ""]])
    assert first.understood().repeat is not None

    layout, _ = read(first, page_of_terms(2))

    assert layout.repeat is None
    assert [table.rows for table in layout.further] == [3]
