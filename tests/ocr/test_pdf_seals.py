"""A seal over the title of a PDF covers nothing: the title is read whole, and the seal is printed over it again."""

from __future__ import annotations

import base64
import io

import numpy as np
from PIL import Image

from bandsmith.services.ocr.documents import pdf, read_document
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import SCALE, Page, Word
from bandsmith.services.ocr.reader.wire import decode, encode
from bandsmith.shared.model.geometry import Box, Size

from .sample_forms import pdf_page

RING = (
    "1 0 0 RG 3 w 340 720 m 340 742 318 760 290 760 c 262 760 240 742 240 720 c 240 698 262 680 290 680 c"
    " 318 680 340 698 340 720 c S"
)
LETTERS = "1 0 0 rg BT /Helv 8 Tf 0.9 0.4 -0.4 0.9 262 738 Tm (OFFICE) Tj ET BT /Helv 8 Tf 270 700 Td (PAID) Tj ET"
TITLE = "0 0 0 rg BT /Helv 24 Tf 170 715 Td (Electronic invoice) Tj ET BT /Helv 10 Tf 60 600 Td (Number 4711) Tj ET"


def sealed() -> Page:
    page = pdf.read(pdf_page(f"{TITLE} {RING} {LETTERS}"), None)
    assert isinstance(page, Page)
    return page


def test_a_title_below_a_seal_is_read_whole_and_without_the_letters_of_the_seal(engine: OcrEngine):
    page = read_document("invoice.pdf", pdf_page(f"{TITLE} {RING} {LETTERS}"), None, engine)
    assert sorted(line.text for line in find_marks(page, engine).lines) == ["Electronic invoice", "Number 4711"]


def test_the_picture_of_a_seal_shows_its_letters_and_nothing_of_the_title(engine: OcrEngine):
    (picture,) = find_marks(sealed(), engine).pictures
    assert picture.kind == "seal" and abs(picture.box.width - 103) < 4 and picture.content
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture.content))))
    shown = pixels[pixels[:, :, 3] > 128]
    assert len(shown) > 500 and (shown[:, 0] > 200).mean() > 0.95  # edges over letters are mixed


def test_a_drawing_beside_the_text_stays_a_picture():
    page = pdf.read(pdf_page(f"BT /Helv 24 Tf 370 715 Td (Invoice) Tj ET {RING}"), None)
    assert isinstance(page, Page) and not page.seals and len(page.pictures) == 1


def test_seals_come_out_of_the_reader_as_they_were_found():
    page = sealed()
    again = decode(*encode(page))
    assert isinstance(again, Page) and again.seals == page.seals
    assert np.array_equal(again.seals_faded, page.seals_faded)


def test_a_figure_that_the_document_draws_without_its_word_is_read(engine: OcrEngine):
    page = pdf.read(pdf_page("BT /Helv 12 Tf 60 737 Td (Quantity of boxes) Tj 140 0 Td (38) Tj ET"), None)
    assert isinstance(page, Page) and page.words is not None
    page.words[:] = [word for word in page.words if word.text != "38"]
    assert [line.text for line in find_marks(page, engine).lines] == ["Quantity of boxes", "38"]


def test_a_drawing_is_no_text(engine: OcrEngine):
    white = np.full((1000, 1000, 3), 255, np.uint8)
    white[100:118, 100:130] = 40
    page = Page(white, Size(width=1000 / SCALE, height=1000 / SCALE), [Word("A", Box(x=10, y=10, width=8, height=8))])
    assert [line.text for line in find_marks(page, engine).lines if line.text != "A"] == []
