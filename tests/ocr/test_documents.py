"""Documents of every format: what is read from them, and what is refused."""

import io
import re
import struct
import zipfile
import zlib

import docx
import numpy as np
import openpyxl
import pytest
from docx.oxml import OxmlElement
from PIL import Image

from bandsmith.services.ocr.documents import decode_document, image, read_document
from bandsmith.services.ocr.documents.numbers import format_value
from bandsmith.services.ocr.documents.pdf import characters
from bandsmith.services.ocr.documents.picture_margins import without_margins
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import SCALE, Page, Word, pixel_shape
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.document import MEDIA
from bandsmith.shared.model.geometry import Box, Size
from tests.ocr.sample_forms import (
    SAMPLES,
    annotated_pdf,
    displacements,
    filled_pdf,
    form,
    jpeg,
    logo,
    order,
    pdf,
    pdf_page,
    photo,
    png,
    sales,
)

A4 = Size(width=595, height=842)


def header_of_png(width: int, height: int) -> bytes:
    """A PNG whose header states a size and whose data is almost empty."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100))


def repacked(package: io.BytesIO, part: str, change) -> bytes:
    """An office document with one part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name == part else content)
    return out.getvalue()


def saved_office(document) -> bytes:
    """A document of python-docx or openpyxl as a file."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def saved_logo() -> bytes:
    file = io.BytesIO()
    logo().save(file, "PNG")
    return file.getvalue()


def with_entity(content: bytes) -> bytes:
    declared = b'<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document'
    return content.replace(b"<w:document", declared, 1).replace(b"Purchase", b"&x;", 1)


BLANK = np.full((1754, 1240, 3), 255, np.uint8)
BAD = {
    "an empty file": ("form.png", b"", "empty"),
    "an unknown suffix": ("form.xyz", png(form()), "suffix"),
    "no suffix": ("form", png(form()), "suffix"),
    "XML with an external entity": ("form.xml", b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///x">]><a>&x;</a>', "suffix"),
    "a text file called .png": ("form.png", b"Dear Sir or Madam,\n" * 50, "content"),
    "a text file called .pdf": ("form.pdf", b"Dear Sir or Madam,\n" * 50, "content"),
    "a PDF called .docx": ("form.docx", pdf("Hello"), "content"),
    "a workbook called .docx": ("form.docx", sales(), "content"),
    "a JPEG cut short": ("form.jpg", jpeg(form())[:30_000], "picture"),
    "a PNG cut short": ("form.png", png(form())[:10_000], "picture"),
    "a picture of 1 by 1": ("form.png", png(np.zeros((1, 1, 3), np.uint8)), "small"),
    "a picture of 30,000 by 30,000": ("form.png", header_of_png(30_000, 30_000), "large"),
    "a picture of 11,000 by 11,000": ("form.png", header_of_png(11_000, 11_000), "large"),
    "a blank picture": ("form.png", png(BLANK), "blank"),
    "a blank scan": (
        "form.jpg",
        jpeg(np.clip(BLANK - np.random.default_rng(1).integers(0, 9, BLANK.shape), 0, 255).astype(np.uint8)),
        "blank",
    ),
    "a photo of a blank sheet": ("form.jpg", jpeg(photo(BLANK)), "blank"),
    "a blank PDF": ("form.pdf", pdf(""), "blank"),
    "a PDF with a password": ("form.pdf", pdf("Hello", locked=True), "password"),
    "a broken PDF": ("form.pdf", b"%PDF-1.7\n" + b"\x00garbage" * 100, "pdf"),
    "a DOCX with a password": ("form.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
    "a DOCX that is a zip bomb": (
        "form.docx",
        repacked(order(), "word/document.xml", lambda content: content + b" " * 50_000_000),
        "bomb",
    ),
    "a DOCX with an external entity": (
        "form.docx",
        repacked(order(), "word/document.xml", with_entity),
        "entity",
    ),
    "a DOCX of a page of a mile": (
        "form.docx",
        repacked(order(), "word/document.xml", lambda part: re.sub(rb'w:w="\d+" w:h', b'w:w="2000000" w:h', part)),
        "sheet",
    ),
    "a DOCX of a page as thin as a line": (
        "form.docx",
        repacked(order(), "word/document.xml", lambda part: re.sub(rb'w:w="\d+" w:h', b'w:w="40" w:h', part)),
        "small",
    ),
    "a DOCX cut short": ("form.docx", order().getvalue()[:5_000], "office"),
    "a DOCX whose document is broken": (
        "form.docx",
        repacked(order(), "word/document.xml", lambda content: content[:200]),
        "office",
    ),
    "an empty workbook": (
        "form.xlsx",
        repacked(io.BytesIO(sales()), "xl/worksheets/sheet1.xml", lambda content: content.split(b"<sheetData>")[0]
        + b"<sheetData/></worksheet>"),
        "blank",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_with_a_clear_message(case: str, engine: OcrEngine):
    name, content, code = BAD[case]
    with pytest.raises(BadInput) as refused:
        read_document(name, content, None, engine)
    error = refused.value
    assert error.code == code
    assert error.message.endswith(".")
    assert error.message_zh.endswith("。")
    assert error.message_zh != error.message
    assert not any(secret in error.message for secret in ("/", "Traceback", "passwd", "Dear"))


@pytest.mark.parametrize("suffix", MEDIA)
def test_each_supported_format_is_read(suffix: str, engine: OcrEngine):
    # A DOCX states its own size.
    page = read_document(f"form{suffix}", SAMPLES[suffix](), A4 if suffix == ".docx" else None, engine)
    assert page.size == A4
    if suffix in image.SUFFIXES:
        assert page.words is None
        assert np.abs(page.pixels.astype(int) - form()).mean() < 3
    else:
        assert page.words


def test_a_photo_is_rotated_as_its_exif_says(engine: OcrEngine):
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # rotate the image clockwise
    Image.fromarray(np.rot90(form()[:, :, ::-1])).save(file, "JPEG", exif=exif)
    page = read_document("form.jpg", file.getvalue(), None, engine)
    assert displacements(form(), page.pixels).mean() < 0.2
    assert page.notes == []


def test_a_transparent_image_gets_white_paper(engine: OcrEngine):
    file = io.BytesIO()
    ink = 255 - form().min(axis=2)
    Image.fromarray(np.dstack([np.zeros((*ink.shape, 3), np.uint8), ink])).save(file, "PNG")
    page = read_document("form.png", file.getvalue(), None, engine)
    assert page.pixels[0, 0].tolist() == [255, 255, 255]
    assert displacements(form(), page.pixels).mean() < 0.1


def test_words_of_a_pdf_are_exact_and_in_position(engine: OcrEngine):
    page = read_document("form.pdf", pdf("Invoice No. 20417"), None, engine)
    assert page.size == A4
    assert page.pixels.shape == (*pixel_shape(A4), 3)
    assert [word.text for word in page.words] == ["Invoice", "No.", "20417"]
    first = page.words[0]
    assert (first.box.x, first.style.size, first.style.family) == (pytest.approx(60, abs=0.6), 12, "Liberation Sans")
    assert first.box.y < 100 < first.box.bottom


def test_a_character_beyond_16_bits_is_one_character_and_half_of_one_is_none():
    assert characters([0x41, 0xD83D, 0xDE00, 0x42]) == ["A", "😀", "", "B"]
    assert characters([0xD83D, 0x41, 0xDE00, 0x110000]) == ["\ufffd", "A", "\ufffd", "\ufffd"]


def test_text_too_small_to_see_is_not_read(engine: OcrEngine):
    tiny = " ".join(f"{n % 500} {n} Td (x) Tj {-(n % 500)} {-n} Td" for n in range(1, 300))
    page = read_document(
        "form.pdf", pdf_page(f"BT /Helv 12 Tf 60 737 Td (Seen) Tj /Helv 0.01 Tf {tiny} ET"), None, engine
    )
    assert [word.text for word in page.words or []] == ["Seen"]


def test_a_page_of_too_many_drawing_operations_is_refused(engine: OcrEngine):
    with pytest.raises(BadInput, match="takes too long"):
        read_document("form.pdf", pdf_page("0 0 m 9 9 l S " * 400_001), None, engine)


@pytest.mark.parametrize(("document", "answer"), [(filled_pdf, ["Ada", "Lovelace"]), (annotated_pdf, ["Ada"])])
def test_answers_typed_into_a_pdf_are_words_of_its_page(document, answer: list[str], engine: OcrEngine):
    page = read_document("form.pdf", document(), None, engine)
    assert [word.text for word in page.words] == ["Name", *answer]
    typed = page.words[1].box
    assert page.pixels[round(typed.y * SCALE) : round(typed.bottom * SCALE)].min() < 100


def test_a_drawing_on_a_pdf_is_one_picture_and_its_rules_and_boxes_are_none(engine: OcrEngine):
    drawing = "1 0 0 rg 60 700 m 60 740 110 760 130 740 c 120 720 l 60 700 l f"
    straight = "0 g 60 600 200 1 re f 60 500 200 30 re S BT /Helv 12 Tf 60 400 Td (Invoice) Tj ET"
    page = read_document("form.pdf", pdf_page(f"{drawing} {straight}"), None, engine)
    (picture,) = page.pictures
    assert picture.x == pytest.approx(60, abs=2)
    assert picture.bottom == pytest.approx(142, abs=2)


def test_words_on_the_empty_margin_of_a_picture_are_words_of_the_page():
    pixels = np.full((300, 300, 3), 255, np.uint8)
    pixels[20:120, 20:280] = 90
    pixels[200:220, 60:160] = 0
    word = Word("Total", Box.between(60 / SCALE, 200 / SCALE, 160 / SCALE, 220 / SCALE))
    logo = Box.between(10 / SCALE, 10 / SCALE, 290 / SCALE, 230 / SCALE)
    (found,) = without_margins([logo], [word], pixels)
    assert found.bottom == pytest.approx(120 / SCALE, abs=1)
    assert without_margins([logo], [], pixels) == [logo]


def test_justified_text_of_a_pdf_is_one_line_and_columns_are_two(engine: OcrEngine):
    justified = "BT /Helv 12 Tf 7 Tw 60 700 Td (Loan will be provided) Tj ET"
    columns = "BT /Helv 12 Tf 60 600 Td (Rate) Tj 34 0 Td (Limit) Tj ET"
    page = read_document("form.pdf", pdf_page(f"{justified} {columns}"), None, engine)
    assert [line.text for line in find_marks(page, engine).lines] == ["Loan will be provided", "Rate", "Limit"]


def test_the_further_pages_of_a_tiff_are_said_to_be_left_out():
    pages = [Image.new("RGB", (620, 877), "white") for _ in range(3)]
    file = io.BytesIO()
    pages[0].save(file, "TIFF", save_all=True, append_images=pages[1:])

    note = image.read(file.getvalue(), None).left_out

    assert note.en.startswith("Only page 1 of 3 became the template.")


def test_only_the_first_page_of_a_pdf_is_read_with_a_note(engine: OcrEngine):
    page = read_document("form.pdf", pdf("Invoice", pages=500), None, engine)
    assert [word.text for word in page.words] == ["Invoice"]
    note = page.left_out
    assert note.en.startswith("Only page 1 of 500 became the template.")


def test_a_scanned_pdf_is_read_like_an_image(engine: OcrEngine):
    file = io.BytesIO()
    Image.fromarray(form()[:, :, ::-1]).save(file, "PDF", resolution=150)
    page = read_document("form.pdf", file.getvalue(), None, engine)
    assert page.words is None
    assert page.size == A4
    assert displacements(form(), page.pixels).mean() < 0.2


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


def words_of(name: str, content: bytes, number: int) -> list[str]:
    page = decode_document(name, content, None, number)
    assert isinstance(page, Page)
    return [word.text for word in page.words or []]


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


def test_each_page_of_a_pdf_can_be_read():
    content = pdf("Invoice", pages=3)

    assert words_of("form.pdf", content, 3) == ["Invoice"]
    with pytest.raises(BadInput):
        decode_document("form.pdf", content, None, 4)


def test_a_workbook_shows_values_in_their_number_formats(engine: OcrEngine):
    page = read_document("sales.xlsx", sales(), None, engine)
    assert [word.text for word in page.words] == [
        "Item", "Sold", "on", "Amount", "Green", "tea", "2024-03-05", "1,234.50",
    ]  # fmt: skip


def test_texts_in_neighbouring_cells_of_a_workbook_are_two(engine: OcrEngine):
    book = openpyxl.Workbook()
    book.active.append([1, "Book", 0.98219095512])
    page = read_document("items.xlsx", saved_office(book), None, engine)
    assert {line.text for line in find_marks(page, engine).lines} == {"1", "Book", "0.98219"}


def test_pictures_of_a_workbook_stand_at_their_cells(engine: OcrEngine):
    book = openpyxl.load_workbook(io.BytesIO(sales()))
    book.active.add_image(openpyxl.drawing.image.Image(io.BytesIO(saved_logo())), "B4")
    page = read_document("sales.xlsx", saved_office(book), None, engine)
    (picture,) = page.pictures
    assert picture.x == pytest.approx(next(word for word in page.words if word.text == "Sold").box.x, abs=3)
    assert (picture.width, picture.height) == (150, 75)


def test_what_a_workbook_cannot_show_is_said(engine: OcrEngine):
    book = openpyxl.load_workbook(io.BytesIO(sales()))
    book.active["D2"] = "=C2*2"
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
