"""Workbooks are printed as Excel does: hidden rows and columns are left out, and no text is lost for want of room."""

import io

import openpyxl
import pytest
from openpyxl.styles import Alignment, Border, Font, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import Page

from .office_files import NoEngine, repacked, saved_logo, saved_office


def page_of(book) -> Page:
    page = decode_document("form.xlsx", saved_office(book), None)
    assert isinstance(page, Page)
    return page


def price_list(rows: int = 4):
    book = openpyxl.Workbook()
    book.active.append(["Article", "Cost", "Price"])
    for number in range(1, rows):
        book.active.append([f"Lamp{number}", 10 + number, 20 + number])
    return book


def test_hidden_rows_and_columns_are_left_out_and_said():
    book = price_list()
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["B"].hidden = True
    page = page_of(book)

    assert [word.text for word in page.words] == ["Article", "Price", "Lamp1", "21", "Lamp3", "23"]
    assert [note.en.partition(";")[0] for note in page.notes] == ["2 hidden rows and columns of the sheet hold values"]


def test_hidden_rows_without_values_are_not_mentioned():
    book = price_list()
    book.active.row_dimensions[9].hidden = True
    book.active["A10"] = "Total"

    assert page_of(book).notes == []


def test_a_text_spills_over_a_hidden_column_only_where_the_next_one_is_empty():
    book = openpyxl.Workbook()
    book.active.append(["A long text about the lamp", None, "Price"])
    book.active.column_dimensions["B"].hidden = True
    text, price = page_of(book).words[0], page_of(book).words[-1]

    assert price.text == "Price"
    assert max(word.box.right for word in page_of(book).words[:-1]) <= price.box.x
    assert text.text == "A"


def test_a_text_that_excel_cuts_off_is_wrapped_in_a_higher_row():
    book = price_list()
    book.active["A2"] = "Reading lamp of brass with a green glass shade and a switch at its foot"
    book.active.row_dimensions[2].height = 15
    page = page_of(book)

    lamp = [word for word in page.words if word.text in ("Reading", "foot")]
    cost = next(word for word in page.words if word.text == "11")
    assert lamp[1].box.y > lamp[0].box.bottom
    assert lamp[1].box.right < cost.box.right
    assert lamp[0].style.size == cost.style.size
    # The row begins on one line.
    assert lamp[0].box.y == pytest.approx(cost.box.y, abs=1)


def test_a_wrapped_text_with_more_lines_than_its_row_holds_does_not_run_over_the_row_below():
    book = openpyxl.Workbook()
    for row in (1, 2):
        cell = book.active.cell(row, 1, "Deliver in the morning only, by the gate at the back of the yard")
        cell.alignment = Alignment(wrap_text=True, vertical="center")
        book.active.row_dimensions[row].height = 29
    words = page_of(book).words
    second = next(n for n, word in enumerate(words) if n and word.text == "Deliver")

    assert max(word.box.bottom for word in words[:second]) <= min(word.box.y for word in words[second:]) + 1


def test_columns_made_for_a_narrow_font_keep_their_texts_in_one_size():
    book = openpyxl.Workbook()
    book.active.append(["Learning and Exploration", "Team Meeting", 1])
    book.active.append(["Team Meeting", "Learning and Exploration", 2])
    for column in "AB":
        book.active.column_dimensions[column].width = 23
    for row in book.active.iter_rows():
        for cell in row:
            cell.font = Font(name="Calibri", size=11)
    page = page_of(book)

    assert len({word.style.size for word in page.words}) == 1
    assert len({round(word.box.y) for word in page.words}) == 2


def test_sizes_of_a_sheet_that_is_printed_smaller_are_half_points():
    book = price_list()
    book.active.page_setup.scale = 63

    assert {word.style.size * 2 % 1 for word in page_of(book).words} == {0}


def wide_list(columns: int):
    book = openpyxl.Workbook()
    for row in range(4):
        book.active.append([f"Cell {row} {column}" for column in range(columns)])
    for column in range(columns):
        book.active.column_dimensions[get_column_letter(column + 1)].width = 15
    return book


@pytest.mark.parametrize(
    ("columns", "size", "noted"), [(6, (595, 842), False), (12, (842, 595), True), (20, (1191, 842), True)]
)
def test_a_sheet_too_wide_to_be_read_gets_a_wider_page_and_that_is_said(columns: int, size: object, noted: bool):
    page = page_of(wide_list(columns))
    assert (page.size.width, page.size.height) == size
    assert any("too wide" in note.en for note in page.notes) == noted


def test_a_sheet_that_is_set_to_be_smaller_keeps_its_paper():
    book = wide_list(20)
    book.active.page_setup.scale = 40

    assert page_of(book).size.width == 595


def test_a_sheet_that_is_fitted_to_one_page_has_one():
    book = price_list(100)
    assert page_of(book).pages > 1
    book.active.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)

    assert page_of(book).pages == 1


def test_other_sheets_are_named_only_if_they_have_content():
    book = price_list()
    book.create_sheet("Empty")
    assert page_of(book).notes == []
    book.create_sheet("Invoice").append(["Total", 12])

    (note,) = page_of(book).notes
    assert "“Sheet” became the template; “Invoice” has content, too." in note.en


def test_a_text_box_stands_over_its_cells():
    book = price_list()
    book.active.add_image(openpyxl.drawing.image.Image(io.BytesIO(saved_logo())), "B6")
    shape = (
        b'<xdr:sp xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
        b'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:spPr/><xdr:txBody><a:bodyPr/>'
        b'<a:p><a:r><a:rPr sz="1000" b="1"/><a:t>Approved by</a:t></a:r></a:p></xdr:txBody></xdr:sp>'
    )

    def in_place_of_the_picture(drawing: bytes) -> bytes:
        return drawing[: drawing.index(b"<pic>")] + shape + drawing[drawing.index(b"</pic>") + len(b"</pic>") :]

    content = repacked(io.BytesIO(saved_office(book)), "xl/drawings/drawing1.xml", in_place_of_the_picture)
    page = decode_document("form.xlsx", content, None)
    assert isinstance(page, Page)
    approved = next(word for word in page.words if word.text == "Approved")
    cost = next(word for word in page.words if word.text == "Cost")
    last = next(word for word in page.words if word.text == "Lamp3")
    assert approved.style.bold
    assert approved.box.x == pytest.approx(cost.box.x, abs=40)
    assert approved.box.y > last.box.bottom


def test_figures_of_a_sheet_that_is_printed_very_small_are_read():
    book = price_list()
    for row in book.active.iter_rows():
        for cell in row:
            cell.font = Font(size=4)
    lines = find_marks(page_of(book), NoEngine()).lines

    assert [line.text for line in lines if line.text.isdigit()] == ["11", "21", "12", "22", "13", "23"]


def test_a_text_that_runs_over_the_side_of_its_cell_is_read_once(engine: OcrEngine):
    book = price_list()
    for row in range(6, 12):
        book.active[f"A{row}"] = "Lamps-with-stand"
        book.active[f"A{row}"].border = Border(right=Side("thin"))
    texts = [line.text for line in find_marks(page_of(book), engine).lines]

    assert texts[12:] == ["Lamps-with-stand"] * 6


def test_pale_areas_of_a_sheet_are_no_watermark():
    assert not page_of(price_list()).may_have_watermark
