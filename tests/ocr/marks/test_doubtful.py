"""Pens, holes and scratches are no print: they are dropped, or stay a picture."""

from __future__ import annotations

import numpy as np
import pytest

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.marks.doubtful import drop_free_strokes
from bandsmith.services.ocr.marks.paper import make_raster
from bandsmith.services.ocr.marks.rules import find_strokes
from bandsmith.services.ocr.marks.strokes import Stroke
from bandsmith.services.ocr.page import SCALE, Page, pixel_shape
from bandsmith.shared.model.geometry import Box
from tests.ocr.marks.test_marks import SIZE, DrawnPage, photographed, text_of


def page_with_words() -> DrawnPage:
    page = DrawnPage()
    for row, text in enumerate(("Delivery note", "Customer: Eastgate Traders", "Signed by the driver:")):
        page.write(40, 60 + 40 * row, text)
    return page


def test_a_signature_is_one_picture_and_no_text(engine: OcrEngine) -> None:
    page = page_with_words()
    at = [(190 + 1.5 * k, 140 + 17 * np.sin(k / 4) + 6 * np.sin(k / 1.7)) for k in range(100)]
    page.pen.line([(x * SCALE, y * SCALE) for x, y in at], fill="#0a2878", width=3)
    marks = page.marks(engine)
    (picture,) = marks.pictures
    assert picture.box.overlap(Box.between(190, 118, 338, 162)) > 0.9 * picture.box.area
    assert text_of(marks) == ["Delivery note", "Customer: Eastgate Traders", "Signed by the driver:"]
    assert marks.rules == []


def test_a_scratch_on_a_photo_is_no_rule_and_a_ruled_line_is_one(engine: OcrEngine) -> None:
    page = page_with_words()
    page.rule(300, 40, 300, 60)
    page.rule(40, 200, 380, 200)
    marks = find_marks(Page(photographed(page.pixels), SIZE), engine)
    (rule,) = marks.rules
    assert (rule.x1, rule.x2) == (pytest.approx(40, abs=1), pytest.approx(380, abs=1))


def test_the_edge_of_the_paper_is_no_rule_and_a_frame_inside_is_four(engine: OcrEngine) -> None:
    page = page_with_words()
    page.rule(0, 3, 300, 3)
    page.rule(416, 0, 416, 250)
    page.table([30, 390], [30, 280])
    marks = find_marks(Page(photographed(page.pixels), SIZE), engine)
    assert sorted(rule.x1 for rule in marks.rules) == pytest.approx([30, 30, 30, 390], abs=1)


def test_scraps_of_a_seal_that_meet_each_other_are_no_rules_and_a_row_of_cells_is() -> None:
    scraps = [line_at(90, 300, 314), line_at(307, 80, 102, horizontal=False)]
    cells = [line_at(200, 40, 96), line_at(216, 40, 96)]
    cells += [line_at(x, 200, 216, horizontal=False) for x in (40, 54, 68, 82, 96)]
    kept = drop_free_strokes([*scraps, *cells], pixel_shape(SIZE))
    assert len(kept) == len(cells)
    assert not set(scraps) & set(kept)


def line_at(position: float, start: float, end: float, horizontal: bool = True) -> Stroke:
    """Return a black rule given in points."""
    return Stroke(horizontal, position * SCALE, start * SCALE, end * SCALE, 2, (0, 0, 0))


@pytest.mark.parametrize(("has_stems", "expected"), [(True, 0), (False, 1)], ids=["letters", "dashes"])
def test_the_feet_of_blurred_letters_are_no_dashed_rule(has_stems: bool, expected: int) -> None:
    pixels = np.full((80, 300, 3), 255, np.uint8)
    pixels[50:53, 40:239] = 190
    for left in range(40, 240, 17):
        pixels[50:53, left : left + 12] = 0
        if has_stems:
            pixels[30:50, left : left + 7 : 3] = 0
    raster = make_raster(pixels, np.full_like(pixels, 255), (255, 255, 255), 2.0)
    found = find_strokes(raster, [(38, 28, 205, 27)], np.zeros((80, 300), np.uint8))
    assert len([stroke for stroke in found if stroke.horizontal]) == expected
