"""Documents of every format: what is read from them, and what is refused."""

import io
import re
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from bandsmith.services.ocr.documents import decode_document, image, read_document
from bandsmith.services.ocr.documents.pdf import characters
from bandsmith.services.ocr.documents.picture_margins import without_margins
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import SCALE, Page, Word, pixel_shape
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.document import MEDIA
from bandsmith.shared.model.geometry import Box
from tests.ocr.sample_forms import (
    SAMPLES,
    annotated_pdf,
    displacements,
    filled_pdf,
    form,
    jpeg,
    order,
    pdf,
    pdf_page,
    photo,
    png,
    sales,
)

from .office_files import A4, repacked, words_of


def header_of_png(width: int, height: int) -> bytes:
    """A PNG whose header states a size and whose data is almost empty."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100))


def with_entity(content: bytes) -> bytes:
    declared = b'<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document'
    return content.replace(b"<w:document", declared, 1).replace(b"Purchase", b"&x;", 1)


BLANK = np.full((1754, 1240, 3), 255, np.uint8)
BAD = {  # a name, what draws the content, and the code of the refusal
    "an empty file": ("form.png", lambda: b"", "empty"),
    "an unknown suffix": ("form.xyz", lambda: png(form()), "suffix"),
    "no suffix": ("form", lambda: png(form()), "suffix"),
    "XML with an external entity": (
        "form.xml",
        lambda: b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///x">]><a>&x;</a>',
        "suffix",
    ),
    "a text file called .png": ("form.png", lambda: b"Dear Sir or Madam,\n" * 50, "content"),
    "a text file called .pdf": ("form.pdf", lambda: b"Dear Sir or Madam,\n" * 50, "content"),
    "a PDF called .docx": ("form.docx", lambda: pdf("Hello"), "content"),
    "a workbook called .docx": ("form.docx", sales, "content"),
    "a JPEG cut short": ("form.jpg", lambda: jpeg(form())[:30_000], "picture"),
    "a PNG cut short": ("form.png", lambda: png(form())[:10_000], "picture"),
    "a picture of 1 by 1": ("form.png", lambda: png(np.zeros((1, 1, 3), np.uint8)), "small"),
    "a picture of 30,000 by 30,000": ("form.png", lambda: header_of_png(30_000, 30_000), "large"),
    "a picture of 11,000 by 11,000": ("form.png", lambda: header_of_png(11_000, 11_000), "large"),
    "a blank picture": ("form.png", lambda: png(BLANK), "blank"),
    "a blank scan": (
        "form.jpg",
        lambda: jpeg(np.clip(BLANK - np.random.default_rng(1).integers(0, 9, BLANK.shape), 0, 255).astype(np.uint8)),
        "blank",
    ),
    "a photo of a blank sheet": ("form.jpg", lambda: jpeg(photo(BLANK)), "blank"),
    "a blank PDF": ("form.pdf", lambda: pdf(""), "blank"),
    "a PDF with a password": ("form.pdf", lambda: pdf("Hello", locked=True), "password"),
    "a broken PDF": ("form.pdf", lambda: b"%PDF-1.7\n" + b"\x00garbage" * 100, "pdf"),
    "a DOCX with a password": ("form.docx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
    "a DOCX that is a zip bomb": (
        "form.docx",
        lambda: repacked(order(), "word/document.xml", lambda content: content + b" " * 50_000_000),
        "bomb",
    ),
    "a DOCX with an external entity": (
        "form.docx",
        lambda: repacked(order(), "word/document.xml", with_entity),
        "entity",
    ),
    "a DOCX of a page of a mile": (
        "form.docx",
        lambda: repacked(
            order(), "word/document.xml", lambda part: re.sub(rb'w:w="\d+" w:h', b'w:w="2000000" w:h', part)
        ),
        "sheet",
    ),
    "a DOCX of a page as thin as a line": (
        "form.docx",
        lambda: repacked(order(), "word/document.xml", lambda part: re.sub(rb'w:w="\d+" w:h', b'w:w="40" w:h', part)),
        "small",
    ),
    "a DOCX cut short": ("form.docx", lambda: order().getvalue()[:5_000], "office"),
    "a DOCX whose document is broken": (
        "form.docx",
        lambda: repacked(order(), "word/document.xml", lambda content: content[:200]),
        "office",
    ),
    "an empty workbook": (
        "form.xlsx",
        lambda: repacked(
            io.BytesIO(sales()),
            "xl/worksheets/sheet1.xml",
            lambda content: content.split(b"<sheetData>")[0] + b"<sheetData/></worksheet>",
        ),
        "blank",
    ),
}
SLOW_TO_REFUSE = {"a blank scan", "a photo of a blank sheet"}
"""A blank picture and a blank PDF are refused in the fast tests."""


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow if case in SLOW_TO_REFUSE else ()) for case in BAD]
)
def test_bad_input_is_refused_with_a_clear_message(case: str, engine: OcrEngine):
    name, draw, code = BAD[case]
    with pytest.raises(BadInput) as refused:
        read_document(name, draw(), None, engine)
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


def test_a_hyphen_at_the_end_of_a_line_is_a_hyphen():
    assert characters([0x54, 0x41, 0x02]) == ["T", "A", "-"]


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


def pdf_image(x: float, y: float, width: float, height: float, rows: str) -> str:
    """An image as a PDF draws it; its left half shows rows of pixels: dark ones are ``\x7f``, white ones ``\x00``."""
    entries = f"/W 2 /H {len(rows)} /CS /G /BPC 8 /D [1 0]"
    data = "".join(f"{row}\x00" for row in rows)
    return f"q {width} 0 0 {height} {x} {y} cm BI {entries} ID {data} EI Q "


def test_a_logo_above_a_line_that_is_an_image_too_is_a_picture_of_its_own(engine: OcrEngine):
    words = "BT /Helv 10 Tf 150 740 Td (Charlene Secondary School, Kampala road, Bweyale) Tj ET"
    images = pdf_image(40, 700, 96, 96, "\x7f") + pdf_image(40, 686, 500, 13.2, "\x7f")
    page = read_document("form.pdf", pdf_page(images + words), None, engine)
    assert sorted((round(each.width), round(each.height)) for each in page.pictures) == [(96, 96), (500, 13)]


def test_a_logo_with_an_address_on_its_empty_margin_is_a_picture_above_the_address(engine: OcrEngine):
    address = "BT /Helv 10 Tf 42 640 Td (Lighting Company of the North, Harbour Street 12) Tj ET"
    page = read_document(
        "form.pdf", pdf_page(pdf_image(40, 600, 240, 100, 9 * "\x7f" + 11 * "\x00") + address), None, engine
    )
    (logo,) = page.pictures
    assert logo.height == pytest.approx(45, abs=2)


def test_words_on_the_empty_margin_of_a_picture_are_words_of_the_page():
    pixels = np.full((300, 300, 3), 255, np.uint8)
    pixels[20:120, 20:280] = 90
    pixels[200:220, 60:160] = 0
    word = Word("Total", Box.between(60 / SCALE, 200 / SCALE, 160 / SCALE, 220 / SCALE))
    logo = Box.between(10 / SCALE, 10 / SCALE, 290 / SCALE, 230 / SCALE)
    (found,) = without_margins([logo], [word], pixels)
    assert found.bottom == pytest.approx(120 / SCALE, abs=1)
    assert without_margins([logo], [], pixels) == [logo]


def test_words_that_a_pdf_paints_several_times_in_one_place_are_there_once(engine: OcrEngine):
    words = [f"Line{number}" for number in range(40)]
    letterhead = " ".join(f"BT /Helv 9 Tf 60 {800 - 15 * n} Td ({word}) Tj ET" for n, word in enumerate(words))
    page = read_document("form.pdf", pdf_page(f"{letterhead} " * 3), None, engine)
    assert [line.text for line in find_marks(page, engine).lines] == words


def test_the_letters_of_a_ligature_are_letters_of_one_word():
    page = decode_document("form.pdf", pdf_page(r"BT /Helv 12 Tf 60 700 Td (In\256nity, Of\257ine) Tj ET"), None)
    assert isinstance(page, Page) and page.words is not None
    assert [word.text for word in page.words] == ["Infinity,", "Offline"]


@pytest.mark.parametrize("size", [8, 30])
def test_upright_letters_that_a_pdf_slants_are_words_in_italics(size: int):
    page = decode_document("form.pdf", pdf_page(f"BT /Helv {size} Tf 1 0 0.25 1 60 700 Tm (Delivery note) Tj ET"), None)
    assert isinstance(page, Page) and page.words is not None
    assert [word.text for word in page.words] == ["Delivery", "note"]
    assert all(word.style is not None and word.style.italic for word in page.words)


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


def test_each_page_of_a_pdf_can_be_read():
    content = pdf("Invoice", pages=3)

    assert words_of("form.pdf", content, 3) == ["Invoice"]
    with pytest.raises(BadInput):
        decode_document("form.pdf", content, None, 4)
