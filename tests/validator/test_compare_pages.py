"""Each page of a report is compared with its page of the form, and the worst one decides."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.services.validator.compare_pages import ComparedPages, compare_pages
from bandsmith.services.validator.engine.client import PrintedElement, Printout
from bandsmith.services.validator.pictures import PX, PagePicture
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import parse_template
from bandsmith.shared.fonts import font_file, measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout, TextLine, TextStyle

from .reports import report, static

PAGE = Size(width=300, height=200)
WORDS = ("Surname", "First name", "Street", "Town", "Telephone")
STYLE = TextStyle(family="Liberation Sans", size=12)


def boxes() -> list[Box]:
    widths = [measure(word, STYLE.family, STYLE.size).advance for word in WORDS]
    return [Box(x=40, y=30 + 25 * number, width=width + 2, height=14) for number, width in enumerate(widths)]


def drawn(*words: str) -> Image.Image:
    picture = Image.new("RGB", (round(PAGE.width * PX), round(PAGE.height * PX)), "white")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.truetype(str(font_file("LiberationSans-Regular.ttf")), round(12 * PX))
    for word, box in zip(words, boxes(), strict=False):
        pen.text((box.x * PX, box.y * PX), word, "black", font)
    return picture


def page_layout(prefix: str) -> Layout:
    lines = [
        TextLine(id=f"{prefix}{number}", text=word, box=box, style=STYLE)
        for number, (word, box) in enumerate(zip(WORDS, boxes(), strict=True))
    ]
    return Layout(page=PAGE, lines=lines)


def printed(*words: str) -> list[PrintedElement]:
    pairs = zip(words, boxes(), strict=False)
    return [PrintedElement(key=word, kind="text", box=box, row=0, text=word) for word, box in pairs]


def compared(*second_page: str) -> ComparedPages:
    """Compare a report, whose second page has these words, with a form of two pages that have all."""
    form = PagePicture(np.vstack([np.asarray(drawn(*WORDS)), np.asarray(drawn(*WORDS))]))
    pictures = []
    for words in (WORDS, second_page):
        target = io.BytesIO()
        drawn(*words).save(target, "PNG")
        pictures.append(target.getvalue())
    printout = Printout(pages=2, size=PAGE, elements=printed(*WORDS), later=[printed(*second_page)], pictures=pictures)
    printable, _ = parse_template(report(static("Surname")))
    assert printable is not None
    layout = page_layout("a").model_copy(update={"later": [page_layout("b")]})
    return compare_pages(form, layout, printout, printable.template, ValidatorSettings())


def test_pages_that_are_all_as_on_the_form_are_alike():
    found = compared(*WORDS)

    assert found.likeness.texts == 1
    assert not [finding for finding in found.findings if finding.code == "picture.missing"]


def test_texts_that_only_the_second_page_lacks_make_the_report_worse_and_name_the_page():
    whole, found = compared(*WORDS), compared("Surname", "First name")

    assert found.likeness.texts == 0.4
    assert found.grade == "start_over"
    missing = [finding for finding in found.findings if finding.code == "picture.missing"]
    assert len(missing) == 3
    assert all(finding.message.startswith("Page 2: ") for finding in missing)
    assert whole.likeness.ssim > found.likeness.ssim


def test_the_pages_are_shown_below_each_other():
    assert compared(*WORDS).picture.shape == (2 * round(PAGE.height * PX), round(PAGE.width * PX))
