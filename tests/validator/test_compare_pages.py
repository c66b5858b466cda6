"""Each page of a report is compared with its page of the form, and the worst one decides."""

from __future__ import annotations

import io
from typing import Literal

import numpy as np
import orjson
import pytest
from PIL import Image, ImageDraw, ImageFont

from bandsmith.services.validator.checks import Stage, run_checks
from bandsmith.services.validator.checks.printout import FilledReport
from bandsmith.services.validator.compare_pages import ComparedPages, compare_pages
from bandsmith.services.validator.engine.client import PrintedElement, Printout
from bandsmith.services.validator.pictures import PX, PagePicture
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import Validation, parse_template, placed_elements, with_side_effects
from bandsmith.shared.fonts import font_file, measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Layout, TextLine, TextStyle
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Verdict

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


def keyed(prefix: str, *words: str) -> list[PrintedElement]:
    return [one.model_copy(update={"key": f"{prefix}-{one.key}"}) for one in printed(*words)]


def two_bands() -> bytes:
    """A template with a band for page 2, whose elements have keys of their own."""
    texts = "".join(static(word, f"second-{word}", y=20 * number) for number, word in enumerate(WORDS))
    group = f'<group name="further_pages"><groupExpression><![CDATA["x"]]></groupExpression><groupFooter>\
<band height="180">{texts}</band></groupFooter></group>'
    return report(static("Surname"), declared=group)


def compared(*second_page: str, more: tuple[str, ...] = (), layout: Layout | None = None) -> ComparedPages:
    """Compare a report with a form of two pages that have all words.

    Its second page has these words, and belongs to the first one where `more` are the words of a third page.
    """
    form = PagePicture(np.vstack([np.asarray(drawn(*WORDS)), np.asarray(drawn(*WORDS))]))
    pages = [WORDS, second_page, *([more] if more else [])]
    pictures = []
    for words in pages:
        target = io.BytesIO()
        drawn(*words).save(target, "PNG")
        pictures.append(target.getvalue())
    last = keyed("second", *pages[-1])
    later = [keyed("first", *second_page), last] if more else [last]
    count = len(pages)
    printout = Printout(pages=count, size=PAGE, elements=keyed("first", *WORDS), later=later, pictures=pictures)
    printable, _ = parse_template(two_bands())
    assert printable is not None
    layout = layout or page_layout("a").model_copy(update={"later": [page_layout("b")]})
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


def test_a_cover_of_wording_alone_does_not_make_a_report_with_values_worse():
    def blocks(role: Literal["fixed", "value"]) -> list[Block]:
        pairs = enumerate(zip(WORDS, boxes(), strict=True))
        label = "Name" if role == "value" else None
        return [
            Block(id=f"{role}{n}", text=word, lines=[], box=box, style=STYLE, role=role, label=label)
            for n, (word, box) in pairs
        ]

    def grade(first: Literal["fixed", "value"], second: Literal["fixed", "value"]) -> str:
        layout = page_layout("a").model_copy(update={"blocks": blocks(first)})
        later = page_layout("b").model_copy(update={"blocks": blocks(second)})
        return compared(*WORDS, layout=layout.model_copy(update={"later": [later]})).grade

    # The values read like labels here, which is another matter.
    assert grade("fixed", "value") == grade("value", "fixed") == "small_edits"
    assert grade("fixed", "fixed") == "start_over"


def test_a_later_page_is_found_where_it_is_printed_though_a_list_before_it_takes_two_pages():
    found = compared("Surname", "First name", more=WORDS)

    assert not [finding for finding in found.findings if finding.code == "picture.missing"]
    assert found.likeness.texts == 1


def test_the_pages_are_shown_below_each_other():
    assert compared(*WORDS).picture.shape == (2 * round(PAGE.height * PX), round(PAGE.width * PX))


@pytest.mark.parametrize(("pages", "codes"), [(2, []), (3, ["fill.number"]), (1, ["fill.number"])])
def test_a_report_with_more_or_fewer_pages_than_its_form_is_reported(pages: int, codes: list[str]):
    printable, _ = parse_template(two_bands())
    assert printable is not None
    printout = Printout(pages=pages, size=PAGE, elements=[], pictures=[])

    found = run_checks(Stage.PRINTOUT, FilledReport(printable.template, Data(), printout, False, form_pages=2))

    assert [finding.code for finding in found] == codes


def test_a_change_that_prints_texts_over_each_other_on_a_later_page_is_reported():
    def printout(second: str) -> Printout:
        apart = [PrintedElement(key=f"first-{n}", kind="text", box=boxes()[n], row=0, text="x") for n in (0, 1)]
        over = [
            PrintedElement(key="second-Surname", kind="text", box=boxes()[0], row=0, text="Surname"),
            PrintedElement(key="second-Town", kind="text", box=boxes()[int(second)], row=0, text="Town"),
        ]
        return Printout(pages=2, size=PAGE, elements=apart, later=[over], pictures=[])

    before = orjson.dumps([one.model_dump() for one in placed_elements(printout("3"))])
    done = Validation(Verdict(passed=True, findings=[]), printout("0"))

    found = with_side_effects(done, two_bands(), two_bands(), before).verdict.findings

    assert [finding.code for finding in found] == ["change.overlap"]
