"""Word and Excel documents: what is read from them, where it stands, and what is said of the rest."""

import io
import zipfile

import docx
import openpyxl
import pytest
from docx.oxml import OxmlElement

from bandsmith.services.ocr.documents import decode_document, read_document
from bandsmith.services.ocr.documents.numbers import format_value
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import SCALE, Page
from bandsmith.shared.errors import BadInput
from tests.ocr.sample_forms import (
    SAMPLES,
    order,
    sales,
)

from .office_files import A4, saved_logo, saved_office, words_of


def test_a_docx_becomes_a_page_of_paragraphs_and_tables(engine: OcrEngine):
    page = read_document("order.docx", order().getvalue(), A4, engine)
    assert page.size == A4
    texts = [word.text for word in page.words]
    assert texts == ["Purchase", "order", "供应商:", "上海某某有限公司", "Item", "Price", "Green", "tea", "12.50"]
    assert page.words[0].style.bold
    item, price, green = (page.words[texts.index(text)].box for text in ("Item", "Price", "Green"))
    assert item.y == price.y < green.y
    assert item.x == green.x < price.x


def test_a_docx_whose_main_part_has_another_name_is_read(engine: OcrEngine):
    """Word on the web may call it `document2.xml`; the package's relations name it."""
    renamed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SAMPLES[".docx"]())) as old, zipfile.ZipFile(renamed, "w") as new:
        for name in old.namelist():
            part = old.read(name).replace(b"word/document.xml", b"word/document2.xml")
            new.writestr(name.replace("word/document.xml", "word/document2.xml").replace(
                "_rels/document.xml.rels", "_rels/document2.xml.rels"), part)  # fmt: skip
    assert read_document("form.docx", renamed.getvalue(), A4, engine).words


def test_a_workbook_with_html_in_the_drawing_of_a_comment_is_read():
    """Excel writes it; nothing reads these drawings, so that they need not be XML, but they hide no entities."""
    drawing = b'<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><br></v:shape></xml>'
    book = io.BytesIO(SAMPLES[".xlsx"]())
    with zipfile.ZipFile(book, "a") as package:
        package.writestr("xl/drawings/vmlDrawing1.vml", drawing)
    assert words_of("form.xlsx", book.getvalue(), 1)
    with zipfile.ZipFile(book, "a") as package:
        package.writestr("xl/drawings/vmlDrawing2.vml", b'<!DOCTYPE a [<!ENTITY b "c">]><a/>')
    with pytest.raises(BadInput) as refused:
        decode_document("form.xlsx", book.getvalue(), A4, 1)
    assert refused.value.code == "entity"


def test_a_sentence_between_tables_of_a_docx_is_one_text_wherever_their_columns_end(engine: OcrEngine):
    document = docx.Document()
    sentence = "Replaced flame sensor and gasket, cleaned burner, checked gas pressure, ran it for one hour"
    for above in (False, True):
        table = document.add_table(rows=0, cols=6)
        for _ in range(4):
            for cell, text in zip(table.add_row().cells, ("Part", "Sensor", "1", "84.20", "GBP", "new"), strict=True):
                cell.text = text
        if not above:
            document.add_paragraph(sentence)
    page = read_document("note.docx", saved_office(document), None, engine)

    texts = [line.text for line in find_marks(page, engine).lines]

    assert any(text.startswith("Replaced") and sentence.startswith(text) and len(text) > 60 for text in texts)
    assert texts.count("Sensor") == 8


@pytest.mark.parametrize(("fill", "colour"), [("000000", "#FFFFFF"), ("1F3864", "#FFFFFF"), ("D9D9D9", "#000000")])
def test_text_without_a_colour_is_white_on_dark_shading_as_in_word(fill: str, colour: str):
    document = docx.Document()
    table = document.add_table(rows=1, cols=2)
    for cell, text in zip(table.rows[0].cells, ("Article", "Price"), strict=True):
        cell.text = text
        shading = OxmlElement("w:shd")
        shading.set(docx.oxml.ns.qn("w:fill"), fill)
        cell._tc.get_or_add_tcPr().append(shading)
    table.rows[0].cells[1].paragraphs[0].runs[0].font.color.rgb = docx.shared.RGBColor(0xC0, 0, 0)
    page = decode_document("note.docx", saved_office(document), None)
    assert isinstance(page, Page) and page.words is not None
    colours = {word.text: word.style.colour for word in page.words if word.style}
    assert colours == {"Article": colour, "Price": "#C00000"}


def test_a_label_and_its_value_in_one_paragraph_have_their_place_together(engine: OcrEngine):
    document = docx.Document()
    document.styles["Normal"].font.size = docx.shared.Pt(10.5)
    for text in (
        "收货单位：无锡新联电子厂\t\t\t单号：HY20260915-03",
        "送货地址：无锡市锡山区友谊北路 88 号\t日期：2026-09-15",
    ):
        document.add_paragraph(text)
    table = document.add_table(rows=0, cols=6)
    table.style = "Table Grid"
    for row in (
        ["序号", "货物名称", "规格型号", "单位", "数量", "备注"],
        ["1", "气泡袋", "250×300", "个", "2000", "加厚"],
    ):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
            cell.paragraphs[0].alignment = 1
    page = read_document("note.docx", saved_office(document), None, engine)

    labelled = [line for line in find_marks(page, engine).lines if line.text.startswith(("收货单位", "送货地址"))]

    assert len(labelled) == 2
    assert all(line.box.x < page.words[0].box.x + 3 for line in labelled)


def test_pictures_of_a_docx_stand_where_word_puts_them(engine: OcrEngine):
    document = docx.Document()
    file = io.BytesIO(saved_logo())
    document.add_paragraph().add_run().add_picture(file, width=docx.shared.Pt(120))
    document.add_paragraph("Delivery note")
    page = read_document("note.docx", saved_office(document), None, engine)
    (picture,) = page.pictures
    assert (picture.width, picture.height) == (120, 60)
    assert picture.bottom <= page.words[0].box.y
    middle = page.pixels[round((picture.y + 2) * SCALE), round((picture.x + 2) * SCALE)]
    assert middle.tolist() == [128, 0, 0]


def test_a_docx_lays_its_columns_out_by_the_widths_of_their_cells(engine: OcrEngine):
    document = docx.Document()
    table = document.add_table(1, 3)
    for cell, text, width in zip(table._cells, ("No", "Article", "Price"), (40, 280, 80), strict=True):
        cell.text = text
        cell.width = docx.shared.Pt(width)
    page = read_document("table.docx", saved_office(document), None, engine)
    number, article, price = (word.box.x for word in page.words)
    assert article - number == pytest.approx(40, abs=1)
    assert price - article == pytest.approx(280, abs=1)


def test_text_in_content_controls_of_a_docx_is_read(engine: OcrEngine):
    document = docx.Document()
    paragraph = document.add_paragraph("Name: ")
    control = OxmlElement("w:sdt")
    content = OxmlElement("w:sdtContent")
    content.append(paragraph.add_run("Ada")._r)
    control.append(content)
    paragraph._p.append(control)
    page = read_document("form.docx", saved_office(document), None, engine)
    assert [word.text for word in page.words] == ["Name:", "Ada"]


def test_only_the_first_page_of_a_docx_is_read_with_a_note(engine: OcrEngine):
    document = docx.Document()
    for number in range(200):
        document.add_paragraph(f"Paragraph {number}")
    file = io.BytesIO()
    document.save(file)
    page = read_document("long.docx", file.getvalue(), None, engine)
    assert max(word.box.bottom for word in page.words) < page.size.height
    note = page.left_out
    assert note.en.startswith("Only the first page of the document became the template.")


def test_a_word_table_without_the_grid_of_its_columns_is_read():
    document = docx.Document()
    table = document.add_table(2, 3)
    table.cell(1, 2).text = "Total"
    table._tbl.remove(table._tbl.tblGrid)

    assert words_of("table.docx", saved_office(document), 1) == ["Total"]


def test_a_merged_cell_of_a_word_table_whose_rows_have_different_columns_is_read():
    document = docx.Document()
    table = document.add_table(3, 3)
    table.cell(0, 1).merge(table.cell(1, 1)).text = "Merged"
    table.cell(2, 0).merge(table.cell(2, 2)).text = "Wide"
    continued = OxmlElement("w:vMerge")
    table.cell(2, 0)._tc.get_or_add_tcPr().append(continued)

    assert words_of("table.docx", saved_office(document), 1) == ["Merged", "Wide"]


def long_docx() -> bytes:
    document = docx.Document()
    for number in range(200):
        document.add_paragraph(f"Paragraph {number}")
    return saved_office(document)


def long_workbook() -> bytes:
    book = openpyxl.Workbook()
    for number in range(200):
        book.active.append([f"Paragraph {number}"])
    return saved_office(book)


@pytest.mark.slow
@pytest.mark.parametrize("name, make", [("long.docx", long_docx), ("long.xlsx", long_workbook)])
def test_each_page_of_an_office_document_goes_on_where_the_one_before_ended(name, make):
    content, numbers = make(), []
    pages = decode_document(name, content, None).pages
    for number in range(1, pages + 1):
        numbers += [int(word) for word in words_of(name, content, number) if word != "Paragraph"]

    assert pages > 1
    assert numbers == list(range(200))
    with pytest.raises(BadInput):
        decode_document(name, content, None, pages + 1)


def test_a_workbook_shows_values_in_their_number_formats(engine: OcrEngine):
    page = read_document("sales.xlsx", sales(), None, engine)
    assert [word.text for word in page.words] == [
        "Item", "Sold", "on", "Amount", "Green", "tea", "2024-03-05", "1,234.50",
    ]  # fmt: skip


def test_texts_in_neighbouring_cells_of_a_workbook_are_two(engine: OcrEngine):
    book = openpyxl.Workbook()
    book.active.append([1, "Book", 0.98219095512])
    page = read_document("items.xlsx", saved_office(book), None, engine)
    assert {line.text for line in find_marks(page, engine).lines} == {"1", "Book", "0.982191"}


def test_pictures_of_a_workbook_stand_at_their_cells(engine: OcrEngine):
    book = openpyxl.load_workbook(io.BytesIO(sales()))
    book.active.add_image(openpyxl.drawing.image.Image(io.BytesIO(saved_logo())), "B4")
    page = read_document("sales.xlsx", saved_office(book), None, engine)
    (picture,) = page.pictures
    assert picture.x == pytest.approx(next(word for word in page.words if word.text == "Sold").box.x, abs=3)
    assert (picture.width, picture.height) == (150, 75)


def test_a_picture_of_a_workbook_whose_rows_were_deleted_is_not_seen(engine: OcrEngine):
    book = openpyxl.load_workbook(io.BytesIO(sales()))
    for height in (1, 100):
        logo = openpyxl.drawing.image.Image(io.BytesIO(saved_logo()))
        logo.width, logo.height = 200, height
        book.active.add_image(logo, "B4")
    page = read_document("sales.xlsx", saved_office(book), None, engine)
    (picture,) = page.pictures
    assert (picture.width, picture.height) == (150, 75) and not page.notes


def test_what_a_workbook_cannot_show_is_said(engine: OcrEngine):
    book = openpyxl.load_workbook(io.BytesIO(sales()))
    book.active["D2"] = "=IF(C2>1,C2,0)"
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(book.active, min_col=3, min_row=1, max_row=2))
    book.active.add_chart(chart, "F5")
    page = read_document("sales.xlsx", saved_office(book), None, engine)
    assert [note.en for note in page.notes] == [
        "A picture or chart of the document could not be drawn; its place is empty.",
        "One formula has no saved value, so its cell is empty. "
        "Open the workbook in a spreadsheet program, save it and try again.",
    ]


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "#,##0.00", "1,234.50"),
        (-3, "0.00;(0.00)", "(3.00)"),
        (0.256, "0.0%", "25.6%"),
        (5, "000", "005"),
        (0.1 + 0.2, "General", "0.3"),
        (12, '"No. "0', "No. 12"),
        (1234.5, "[$€-2] #,##0.00", "€ 1,234.50"),
    ],
)
def test_numbers_follow_their_number_format(value: float, code: str, text: str):
    assert format_value(value, code) == text
