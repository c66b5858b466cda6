"""Bold and italic text of a PDF whose font names tell neither: from the font files, and from how letters are drawn."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.documents.pdf_weights import face_of_file
from bandsmith.services.ocr.page import Page
from bandsmith.shared.fonts import font_file

from .sample_forms import pdf_file, pdf_page, pdf_stream


def styles_of(content: bytes) -> dict[str, tuple[bool, bool]]:
    """Return whether each word of a PDF is bold, and whether it is italic."""
    page = decode_document("form.pdf", content, None)
    assert isinstance(page, Page) and page.words is not None
    return {word.text: (word.style.bold, word.style.italic) for word in page.words if word.style}


def with_embedded_font(file: str, text: str) -> bytes:
    """A PDF as a printer driver writes it: its font is named F1, and what it states of the weight is nonsense."""
    font = font_file(file).read_bytes()
    widths = " ".join(["600"] * 95).encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>>>",
        pdf_stream(f"BT /F1 12 Tf 60 700 Td ({text}) Tj ET"),
        b"<</Type/Page/Parent 2 0 R/Contents 3 0 R>>",
        b"<</Type/Font/Subtype/TrueType/BaseFont/CIDFont+F1/FirstChar 32/LastChar 126/Widths[%s]"
        b"/Encoding/WinAnsiEncoding/FontDescriptor 6 0 R>>" % widths,
        b"<</Type/FontDescriptor/FontName/CIDFont+F1/Flags 32/StemV 1015/ItalicAngle 0/Ascent 900/Descent -200"
        b"/CapHeight 700/FontBBox[0 -200 1000 900]/FontFile2 7 0 R>>",
        b"<</Length %d/Length1 %d>>stream\n%s\nendstream" % (len(font), len(font), font),
    ]
    return pdf_file(objects)


@pytest.mark.parametrize(
    ("face", "style"),
    [
        ("Regular", (False, False)),
        ("Bold", (True, False)),
        ("Italic", (False, True)),
        ("BoldItalic", (True, True)),
    ],
)
def test_a_font_without_a_telling_name_is_as_bold_and_italic_as_its_file_states(face: str, style: tuple[bool, bool]):
    assert styles_of(with_embedded_font(f"LiberationSans-{face}.ttf", "Total")) == {"Total": style}


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x00\x00", b"\x00\x01\x00\x00\xff\xff" + b"\x00" * 40, b"%!PS" * 9])
def test_a_damaged_font_file_states_no_weight(content: bytes):
    assert face_of_file(content) is None


def test_every_cut_of_a_font_file_is_read_without_an_error():
    content = font_file("LiberationSans-Bold.ttf").read_bytes()
    assert face_of_file(content) == (700, False)
    assert all(face_of_file(content[:end]) in (None, (700, False)) for end in range(0, 2000, 7))


def test_letters_that_are_drawn_again_a_little_to_the_right_are_bold():
    drawn = "BT /Helv 18 Tf {x} {y} Td ({text}) Tj ET"
    heavy = " ".join(drawn.format(x=x, y=700, text="Quotation") for x in (60, 60.3))
    twice = " ".join(drawn.format(x=60, y=600, text="Customer") for _ in range(2))
    shadow = " ".join(drawn.format(x=x, y=500, text="Shadow") for x in (60, 63))
    found = styles_of(pdf_page(f"{heavy} {twice} {shadow}"))
    assert {text: bold for text, (bold, _) in found.items()} == {"Quotation": True, "Customer": False, "Shadow": False}


def test_letters_with_an_outline_in_their_own_colour_are_bold():
    outlined = "BT 2 Tr {width} w {stroke} RG 0 0 0 rg /Helv 12 Tf 60 {y} Td ({text}) Tj ET"
    content = " ".join(
        outlined.format(width=width, stroke=stroke, y=y, text=text)
        for width, stroke, y, text in [
            (0.4, "0 0 0", 700, "Heavy"),
            (0.4, "1 0 0", 650, "Edged"),
            (0, "0 0 0", 600, "Hair"),
        ]
    )
    found = styles_of(pdf_page(content))
    assert {text: bold for text, (bold, _) in found.items()} == {"Heavy": True, "Edged": False, "Hair": False}
