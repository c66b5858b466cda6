"""A Chinese label that is set upright beside a block is read, character by character."""

from __future__ import annotations

import numpy as np

from bandsmith.services.ocr.engines import OcrEngine

from .test_marks import DrawnPage


def test_the_characters_of_an_upright_label_are_read_as_large_as_they_are(engine: OcrEngine):
    page = DrawnPage()
    page.rule(30, 40, 60, 40)
    for baseline, char in [(62, "购"), (82, "买"), (102, "方")]:
        page.write(40, baseline, char, 11)
    page.write(90, 62, "校验数据 4711", 11)
    lines = [line for line in page.marks(engine).lines if line.box.x < 60]
    assert [line.text for line in lines] == ["购", "买", "方"]
    assert all(line.style.size < 16 for line in lines)


def test_a_square_code_is_one_picture_without_text_in_it(engine: OcrEngine):
    page = DrawnPage()
    modules = np.random.default_rng(4).random((25, 25)) < 0.5
    modules[:6, 6:19] &= np.random.default_rng(5).random((6, 13)) < 0.6  # the upper part is looser
    for row, column in np.argwhere(modules):
        page.fill(40 + 2.4 * column, 40 + 2.4 * row, 42.4 + 2.4 * column, 42.4 + 2.4 * row, "#000000")
    for left, top in [(40, 40), (85.6, 40), (40, 85.6)]:
        page.fill(left, top, left + 14.4, top + 14.4, "#000000")
        page.fill(left + 2.4, top + 2.4, left + 12, top + 12, "#FFFFFF")
        page.fill(left + 4.8, top + 4.8, left + 9.6, top + 9.6, "#000000")
    page.write(140, 60, "Invoice 4711", 11)
    marks = page.marks(engine)
    assert [line.text for line in marks.lines] == ["Invoice 4711"]
    (code,) = marks.pictures
    assert code.kind == "barcode" and abs(code.box.width - code.box.height) < 4
