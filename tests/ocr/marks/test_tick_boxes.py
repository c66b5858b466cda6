"""Small squares that stand alone are boxes to tick; letters, cells and boxes for single characters are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks.tick_boxes import find_tick_squares, without_ideographs, without_signs
from bandsmith.services.ocr.page import SCALE, Word
from bandsmith.shared.fonts import font_file
from bandsmith.shared.model.geometry import Box
from tests.each_case import each

from ..sample_forms import write

SIDE, INK = 20, (1,)
DARK = 140


def page(*squares: tuple[int, int, bool], side: int = SIDE) -> np.ndarray:
    """Draw squares at (x, y) in pixels, some with a cross."""
    ink = np.zeros((300, 600), np.uint8)
    for x, y, ticked in squares:
        cv2.rectangle(ink, (x, y), (x + side, y + side), INK, 2)
        if ticked:
            cv2.line(ink, (x + 5, y + 5), (x + side - 5, y + side - 5), INK, 2)
            cv2.line(ink, (x + side - 5, y + 5), (x + 5, y + side - 5), INK, 2)
    return ink


def test_an_empty_square_and_one_with_a_cross_are_found():
    found = find_tick_squares(page((50, 50, False), (250, 50, True)), None)

    assert [(round(one.left, -1), one.ticked) for one in found] == [(50, False), (250, True)]


def test_letters_and_filled_squares_are_no_boxes():
    ink = np.zeros((300, 900), np.uint8)
    cv2.putText(ink, "DO B8 0Q", (20, 100), cv2.FONT_HERSHEY_SIMPLEX, 0.9, INK, 2)
    cv2.rectangle(ink, (500, 50), (520, 70), INK, cv2.FILLED)

    assert find_tick_squares(ink, None) == []


@each("character", "国回园固圆围")
@each("size", [18, 21, 25, 30])
def test_a_character_with_strokes_inside_a_frame_is_no_box(character: str, size: int):
    picture = Image.new("L", (100, 100), 255)
    face = ImageFont.truetype(str(font_file("DroidSansFallbackFull.ttf")), size)
    ImageDraw.Draw(picture).text((20, 20), character, font=face, fill=0)

    assert find_tick_squares((np.asarray(picture) < 128).astype(np.uint8), None) == []


@pytest.mark.parametrize("side", [14, 20, 30])
@pytest.mark.parametrize("thickness", [2, 3, 4])
def test_a_box_with_a_tick_is_found_however_thick_it_is(thickness: int, side: int):
    ink = page((50, 50, False), side=side)
    tick = np.array([(0.25, 0.55), (0.4, 0.75), (0.75, 0.3)]) * side + 50
    cv2.polylines(ink, [tick.astype(int)], isClosed=False, color=INK, thickness=thickness)

    assert [square.ticked for square in find_tick_squares(ink, None)] == [True]


def test_squares_side_by_side_are_for_single_characters():
    assert find_tick_squares(page((50, 50, False), (76, 50, False), (102, 50, False)), None) == []


def test_a_square_that_is_a_letter_of_a_word_is_none():
    for text in ("出口", "口座番号:"):
        word = Word(text, Box.between(40 / SCALE, 45 / SCALE, 75 / SCALE, 75 / SCALE))
        assert find_tick_squares(page((50, 50, False)), [word]) == []


def test_the_sign_of_a_box_is_taken_out_of_the_words():
    ink = page((50, 50, False))
    sign = Word("☐Male", Box.between(50 / SCALE, 48 / SCALE, 150 / SCALE, 74 / SCALE))
    squares = find_tick_squares(ink, [sign])

    (word,) = without_signs([sign], squares)
    assert word.text == "Male"
    assert word.box.x >= squares[0].box.right


@pytest.mark.parametrize("text", ["张建国", "国籍", "图号", "收回", "困难", "团队", "因此", "公园", "四", "田"])
def test_ideographs_that_look_like_a_ticked_square_are_letters(text: str, engine: OcrEngine):
    sheet = Image.new("RGB", (400, 120), "white")
    write(ImageDraw.Draw(sheet), 20, 30, 10, text)
    pixels = np.asarray(sheet)
    squares = find_tick_squares((pixels[:, :, 0] < DARK).astype(np.uint8), None)

    assert without_ideographs(squares, pixels, engine) == []


def test_squares_of_a_picture_stay_boxes(engine: OcrEngine):
    ink = page((50, 50, False), (250, 50, True), (450, 50, True))
    pixels = cv2.cvtColor(255 * (1 - ink), cv2.COLOR_GRAY2BGR)

    assert len(without_ideographs(find_tick_squares(ink, None), pixels, engine)) == 3
