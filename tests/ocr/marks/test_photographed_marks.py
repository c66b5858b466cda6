"""Marks that blur and grain make hard to tell from others, on photos of pages that the tests draw."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.flatten.light import sharpen
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.marks.paper import make_raster
from bandsmith.services.ocr.marks.rules import find_strokes
from bandsmith.services.ocr.page import Page
from bandsmith.services.ocr.page_marks import PageMarks
from tests.ocr.marks.test_marks import SIZE, DrawnPage, text_of


def seen_by_a_camera(page: DrawnPage, engine: OcrEngine, blur: float = 1.3) -> PageMarks:
    grain = np.random.default_rng(3).normal(0, 3, page.pixels.shape)
    shot = np.clip(cv2.GaussianBlur(page.pixels, (0, 0), blur) + grain, 0, 255).astype(np.uint8)
    return find_marks(Page(sharpen(cv2.bilateralFilter(shot, 5, 20, 1.5)), SIZE), engine)


def test_a_dark_bar_reaches_to_the_end_of_the_text_at_its_end(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.fill(40, 80, 380, 92, "#323232")
    page.write(50, 89.5, "Order", 9, ink="#FFFFFF")
    page.write(344, 89.5, "Freight", 9, ink="#FFFFFF")
    (fill,) = seen_by_a_camera(page, engine).fills
    assert (fill.box.x, fill.box.right) == pytest.approx((40, 380), abs=4)


def test_small_letters_that_touch_each_other_are_no_rule(engine: OcrEngine) -> None:
    page = DrawnPage()
    for n, text in enumerate(("Insurance", "Commission", "maximum rate", "common name")):
        page.write(50 + 80 * n, 100, text, 6)
    marks = seen_by_a_camera(page, engine)
    assert marks.rules == []
    assert len(marks.lines) == 4


def test_numbers_close_to_the_texts_beside_them_are_texts_of_their_own(engine: OcrEngine) -> None:
    page = DrawnPage()
    rows = {"LINE": "DESC", "2525.": "[Printer paper] Tom", "3537.": "[checked] Alice", "2473.": "[Green tea] Daniel"}
    for n, (number, text) in enumerate(rows.items()):
        page.write(40, 60 + 24 * n, number, 9)
        page.write(69, 60 + 24 * n, text, 9)
    assert set(text_of(page.marks(engine))) == {*rows, *rows.values()}


@pytest.mark.parametrize("apart", [2, 6])
def test_the_sides_of_low_cells_are_rules_however_close_their_texts_stand(engine: OcrEngine, apart: float) -> None:
    page = DrawnPage()
    page.table([40, 120, 200, 260], [80, 100])
    page.write(120 + apart, 93, "90", 11)
    page.write(200 + apart, 93, "电话", 11)
    marks = seen_by_a_camera(page, engine)
    assert sorted(text_of(marks)) == ["90", "电话"]
    assert [len(grid.cells) for grid in marks.grids] == [3]


def test_letters_that_nearly_reach_the_rules_of_a_low_cell_are_no_sides_of_cells() -> None:
    pixels = np.full((200, 600, 3), 255, np.uint8)
    pixels[60:62, 40:560] = pixels[87:89, 40:560] = 0
    pixels[62:87, 200:260] = 220  # what blur leaves between the letters and the rules
    for x in (200, 206, 212):
        pixels[67:82, x : x + 3] = 0

    found = find_strokes(
        make_raster(pixels, np.full_like(pixels, 255), (255, 255, 255), 2.5),
        [(196, 64, 70, 22)],
        np.zeros(pixels.shape[:2], np.uint8),
    )

    assert all(stroke.horizontal for stroke in found)
