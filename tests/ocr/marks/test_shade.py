"""Paper in the shade is paper, and what lies beside the paper is no picture of the form."""

import cv2
import numpy as np
import pytest

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.marks.paper import make_raster
from bandsmith.services.ocr.marks.shade import follow_shade
from bandsmith.services.ocr.page import SCALE, Page
from tests.ocr.marks.test_marks import SIZE, DrawnPage, photographed

WHITE = (255, 255, 255)
TEXTS = [(100, 100, 120, 20), (500, 100, 80, 20), (100, 150, 160, 20), (500, 150, 80, 20)]
"""Where the detector sees text: two columns of two lines."""


def photo() -> np.ndarray:
    """A page with strokes where its texts are, of which the part below 125 pixels is in the shade."""
    pixels = np.full((400, 700, 3), 255, np.uint8)
    pixels[125:] = 150
    for x, y, w, h in TEXTS:
        for at in range(x, x + w, 12):
            cv2.line(pixels, (at, y), (at, y + h), (30, 30, 30), 3)
    return pixels


def ink_of(pixels: np.ndarray) -> np.ndarray:
    ground = np.full_like(pixels, 255)
    return make_raster(pixels, follow_shade(pixels, ground, WHITE, TEXTS), WHITE, 2.0).ink


def test_print_in_the_shade_is_ink_and_the_shade_is_none():
    ink = ink_of(photo())
    assert ink[160, 101] == 1
    assert not ink[160, 280:480].any(), "the shade between the columns"
    assert ink[155:165, 100:260].mean() < 0.6, "the shade between the strokes"


def test_what_is_dark_away_from_the_texts_stays_ink():
    assert ink_of(photo())[300:380].all()


def test_a_coloured_area_between_texts_is_no_shade():
    pixels = photo()
    pixels[90:180, 300:450] = (40, 40, 200)
    assert ink_of(pixels)[100:170, 310:440].all()


def test_a_soft_shadow_is_no_fill_and_pale_rows_of_a_table_are(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.fill(40, 40, 380, 60, "#E4E4E4")
    page.fill(40, 80, 380, 100, "#F0F0F0")
    page.write(50, 55, "Description")
    page.write(50, 95, "Envelopes")
    y, x = np.mgrid[: page.pixels.shape[0], : page.pixels.shape[1]] / SCALE
    shadow = 34 * np.exp(-(((x - 220) / 60) ** 2) - ((y - 210) / 40) ** 2)
    marks = find_marks(Page(photographed((page.pixels - shadow[:, :, None]).astype(np.uint8)), SIZE), engine)
    assert sorted(fill.box.y for fill in marks.fills) == pytest.approx([40, 80], abs=1)


def test_a_text_beside_a_finger_at_the_edge_of_the_photo_is_read_whole(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.fill(0, 0, 150, 90, "#7A6A5A")
    page.fill(0, 90, 80, 300, "#7A6A5A")
    for n, text in enumerate(
        ("Terminal: POS 4 of the market", "Receipt No.: 2022032000652", "Cashier: Roland of Newmarket")
    ):
        page.write(100, 150 + 20 * n, text, 12)
    marks = find_marks(Page(photographed(page.pixels), SIZE), engine)
    assert [line.text.split(" ")[0] for line in marks.lines][:3] == ["Terminal:", "Receipt", "Cashier:"]
