"""Large, pale letters across a page are a watermark, which is no part of the form."""

import cv2
import numpy as np
import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont

from bandsmith.services.ocr.flatten.watermark import erase_watermark, without_watermark
from bandsmith.services.ocr.page import SCALE, Page
from bandsmith.shared.fonts import CJK_FILE, FAMILIES, font_file
from bandsmith.shared.model.geometry import Size

from .sample_forms import form


def with_words_across(words: str, colour: str, angle: float, size: float = 80) -> np.ndarray:
    """The sample form with large words behind its print, turned by an angle."""
    file = font_file(FAMILIES["Liberation Sans"].face(True, False) if words.isascii() else CJK_FILE)
    font = ImageFont.truetype(str(file), round(size * SCALE))
    written = Image.new("L", (round(font.getlength(words)) + 20, round(1.5 * size * SCALE)))
    ImageDraw.Draw(written).text((10, 0), words, font=font, fill=255)
    turned = written.rotate(angle, expand=True)
    page = Image.fromarray(form()[:, :, ::-1])
    behind = Image.new("RGB", page.size, "white")
    corner = (page.width - turned.width) // 2, (page.height - turned.height) // 2
    behind.paste(Image.new("RGB", turned.size, colour), corner, turned)
    return np.asarray(ImageChops.multiply(page, behind))[:, :, ::-1].copy()


def is_form(pixels: np.ndarray) -> bool:
    """Whether a page looks like the form, apart from the edges of its print."""
    apart = cv2.absdiff(pixels, form()).max(axis=2)
    return int(apart.max()) < 128 and float((apart > 40).mean()) < 0.001


@pytest.mark.parametrize(
    "words, colour, angle",
    [("CONFIDENTIAL", "#DDDDDD", 45), ("DRAFT", "#C8C8C8", 30), ("样张作废", "#F0D0D0", 35), ("COPY", "#E6E6F4", -50)],
)
def test_a_watermark_is_erased_and_the_print_over_it_stays(words: str, colour: str, angle: float):
    erased = erase_watermark(with_words_across(words, colour, angle))

    assert erased is not None
    assert is_form(erased)


@pytest.mark.parametrize(
    "words, colour, angle",
    [("DRAFT", "#C8C8C8", 0), ("DRAFT", "#C8C8C8", 90), ("DRAFT", "#303030", 30)],
)
def test_straight_words_and_dark_ones_are_print(words: str, colour: str, angle: float):
    assert erase_watermark(with_words_across(words, colour, angle)) is None


def test_a_page_without_a_watermark_stays_as_it_is():
    page = Page(form(), Size(width=595, height=842))

    assert without_watermark(page) is page


def test_the_reply_says_that_a_watermark_was_left_out():
    page = without_watermark(Page(with_words_across("DRAFT", "#D0D0D0", 40), Size(width=595, height=842)))

    (note,) = page.notes
    assert "watermark" in note.in_language("en")
