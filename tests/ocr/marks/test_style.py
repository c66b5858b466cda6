"""A line's colour and weight are told by its own ink and the darkest ink of the page, also where that has grain."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from bandsmith.services.ocr.marks.line_segmentation import TextSegment
from bandsmith.services.ocr.marks.paper import make_raster
from bandsmith.services.ocr.marks.style import LineAppearance, measure_appearances, measure_styles
from bandsmith.services.ocr.marks.type_size import fit_size
from bandsmith.services.ocr.page import DPI, SCALE
from bandsmith.shared.fonts import font_file
from bandsmith.shared.model.layout import TextStyle

BLACK, GREY, PALE = "#000000", "#5B6770", "#8A8A8A"
WORDS = ("Invoice number", "Date of delivery", "Customer reference", "Terms of payment")


def styles(
    lines: list[tuple[str, str, bool]], noise: float, blur: float = 0, face: str = "LiberationSans"
) -> list[TextStyle]:
    """Draw a page of (text, colour, bold) with this much grain and blur, and measure the style of its lines."""
    return [measured.style for measured in measure_styles(appearances(lines, noise, blur, face))]


def appearances(
    lines: list[tuple[str, str, bool]], noise: float, blur: float = 0, face: str = "LiberationSans"
) -> list[LineAppearance]:
    """Draw a page of (text, colour, bold) with this much grain and blur, and measure its lines."""
    image = Image.new("RGB", (900, 60 * len(lines) + 40), "white")
    draw, boxes = ImageDraw.Draw(image), []
    for number, (text, colour, bold) in enumerate(lines):
        font = ImageFont.truetype(str(font_file(f"{face}-{'Bold' if bold else 'Regular'}.ttf")), 10 * DPI // 72)
        draw.text((20, 20 + 60 * number), text, fill=colour, font=font)
        boxes.append(draw.textbbox((20, 20 + 60 * number), text, font=font))
    grain = np.random.default_rng(1).normal(0, noise, (image.height, image.width, 1)) if noise else 0
    drawn = cv2.GaussianBlur(np.asarray(image), (0, 0), blur) if blur else np.asarray(image)
    pixels = np.clip(drawn[:, :, ::-1] + grain, 0, 255).astype(np.uint8)
    raster = make_raster(pixels, np.full_like(pixels, 255), (255, 255, 255), noise)
    segments = []
    for box in boxes:
        left, top, right, bottom = map(round, box)
        segments.append(TextSegment(left, top, right, bottom, np.zeros(0, int)))
    masks = [raster.ink[one.top : one.bottom, one.left : one.right] > 0 for one in segments]
    texts = [text for text, *_ in lines]
    measured = list(zip(segments, masks, texts, [False] * len(lines), strict=True))
    return measure_appearances(raster, measured)


@pytest.mark.parametrize("noise", [0.0, 2.5], ids=["drawn", "grained"])
@pytest.mark.parametrize("colour", [GREY, PALE])
def test_grey_wording_beside_black_is_grey_and_not_bold(noise: float, colour: str) -> None:
    found = styles([(text, BLACK, False) for text in WORDS] + [(text, colour, False) for text in WORDS], noise)

    assert [style.colour for style in found[:4]] == [BLACK] * 4
    assert BLACK not in [style.colour for style in found[4:]]
    assert not any(style.bold for style in found)


@pytest.mark.parametrize("noise", [0.0, 2.5], ids=["drawn", "grained"])
def test_bold_grey_wording_is_bold(noise: float) -> None:
    lines = [(text, BLACK, False) for text in WORDS] + [(text, GREY, n == 1) for n, text in enumerate(WORDS)]

    assert [style.bold for style in styles(lines, noise)] == [False] * 5 + [True] + [False] * 2


def test_bold_black_wording_is_bold_on_a_photo_where_most_wording_is_grey() -> None:
    lines = [(text, BLACK, n < 4) for n, text in enumerate(WORDS * 3)] + [(text, PALE, False) for text in WORDS * 3]

    assert [style.bold for style in styles(lines, 2.5, 1.0)] == [True] * 4 + [False] * 20


def test_lines_are_not_bold_because_others_look_light_with_a_drawing_in_their_boxes() -> None:
    measured = appearances([(text, BLACK, False) for text in WORDS * 4], 2.5, 1.0)
    for line in measured[:9]:
        line.coverage, line.height = np.pad(line.coverage, ((40, 0), (0, 0))), line.height + 40 / SCALE

    assert not any(one.style.bold for one in measure_styles(measured)[9:])


def test_lines_of_a_poor_till_receipt_have_one_face_and_size() -> None:
    goods = ("ROQUEFORT AOP", "Cheddar mature", "Rundungsvorteil", "Oat milk 1L", "10 x 0,65", "Espèces", "18:57:03")
    lines = [(text, BLACK, False) for text in (*goods, *WORDS, "Total")]
    found = styles(lines, 2.5, 2.0, "LiberationMono")

    assert len({(style.family, style.size, style.italic) for style in found}) == 1
    assert found[0].family == "Liberation Mono"


@pytest.mark.parametrize("text", ["62", "2025年8月12日", "VAT"])
def test_a_text_much_wider_than_what_was_read_is_no_larger_than_its_height(text: str) -> None:
    line = LineAppearance(text, 100.0, 8.0, np.ones((17, 208), np.float32), BLACK, False, "coloured")

    assert fit_size(line, ("Liberation Sans", False, False))[0] < 12


def test_the_height_of_an_underlined_text_is_no_measure_of_its_size() -> None:
    """The line that crosses its letters was taken out of them, so that they are lower than they were printed."""
    ink = np.ones((11, 110), np.float32)
    plain, underlined = (LineAppearance("Target Date", 53.0, 5.0, ink, BLACK, line, "black") for line in (False, True))
    face = ("Liberation Sans", False, False)

    assert fit_size(plain, face)[0] < 8 < fit_size(underlined, face)[0]
