"""Pens, holes and scratches are no print: they are dropped, or stay a picture."""

from __future__ import annotations

import numpy as np
import pytest

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import SCALE, Page
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
