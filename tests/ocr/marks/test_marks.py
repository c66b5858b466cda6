"""Marks found on pages that the tests draw, in points."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.marks.fills import find_patches
from bandsmith.services.ocr.page import SCALE, Page, Word
from bandsmith.services.ocr.page_marks import PageMarks
from bandsmith.shared.fonts import CJK_FILE, FAMILIES, font_file, is_cjk, measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

SIZE = Size(width=420, height=300)


class DrawnPage:
    """A page to draw on; positions, sizes and thicknesses are in points."""

    def __init__(self, paper: str = "#FFFFFF") -> None:
        self.image = Image.new("RGB", (round(SIZE.width * SCALE), round(SIZE.height * SCALE)), paper)
        self.pen = ImageDraw.Draw(self.image)

    def write(
        self, x: float, baseline: float, text: str, size: float = 10, face: str = "", ink: str = "#000000"
    ) -> None:
        x *= SCALE
        for char in text:
            name = CJK_FILE if is_cjk(char) else face or FAMILIES["Liberation Sans"].regular
            font = ImageFont.truetype(str(font_file(name)), size * SCALE)
            self.pen.text((x, baseline * SCALE), char, fill=ink, font=font, anchor="ls")
            x += font.getlength(char)

    def rule(self, x1: float, y1: float, x2: float, y2: float, width: float = 1, ink: str = "#000000") -> None:
        half = width / 2
        left, top = (x1, y1 - half) if y1 == y2 else (x1 - half, y1)
        right, bottom = (x2, y2 + half) if y1 == y2 else (x2 + half, y2)
        self.fill(left, top, right, bottom, ink)

    def fill(self, left: float, top: float, right: float, bottom: float, ink: str, radius: float = 0) -> None:
        box = tuple(round(v * SCALE) for v in (left, top, right, bottom))
        self.pen.rounded_rectangle((box[0], box[1], box[2] - 1, box[3] - 1), radius * SCALE, ink)

    def table(self, xs: list[float], ys: list[float]) -> None:
        for x in xs:
            self.rule(x, ys[0], x, ys[-1])
        for y in ys:
            self.rule(xs[0], y, xs[-1], y)

    @property
    def pixels(self) -> np.ndarray:
        return np.asarray(self.image)[:, :, ::-1].copy()

    def marks(self, engine: OcrEngine, words: list[Word] | None = None) -> PageMarks:
        return find_marks(Page(self.pixels, SIZE, words), engine)


def photographed(pixels: np.ndarray) -> np.ndarray:
    """Blur, add grain and compress, as a camera does."""
    grain = np.random.default_rng(3).normal(0, 4, pixels.shape)
    shot = np.clip(cv2.GaussianBlur(pixels, (0, 0), 1.0) * 0.96 + grain, 0, 255).astype(np.uint8)
    return cv2.imdecode(cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], cv2.IMREAD_COLOR)


def text_of(marks: PageMarks) -> list[str]:
    return [line.text for line in marks.lines]


def line(marks: PageMarks, text: str):
    found = [each for each in marks.lines if each.text == text]
    assert found, f"{text!r} is not among {text_of(marks)}"
    return found[0]


def test_a_table_with_merged_cells_is_one_grid(engine: OcrEngine) -> None:
    # Given a table of three columns whose header's last two columns are one cell
    page = DrawnPage()
    page.table([40, 140, 260, 380], [40, 64, 88, 112])
    page.fill(258, 41, 262, 63, "#FFFFFF")
    page.write(50, 56, "Article")
    page.write(240, 56, "Quantity")
    for row, cells in enumerate([("Green tea", "14", "Y"), ("Elm board", "7", "N")]):
        for x, text in zip((50, 150, 270), cells, strict=True):
            page.write(x, 80 + 24 * row, text)
    # When its marks are found
    marks = page.marks(engine)
    # Then the grid's edges are the rules' middles, and the merged cell spans two columns
    (grid,) = marks.grids
    assert grid.columns == pytest.approx([40, 140, 260, 380], abs=0.5)
    assert grid.rows == pytest.approx([40, 64, 88, 112], abs=0.5)
    assert {(c.row, c.column): c.column_span for c in grid.cells if c.row == 0} == {(0, 0): 1, (0, 1): 2}
    assert len(grid.cells) == 8
    # And even single characters, which detectors overlook, are read
    assert sorted(text_of(marks)) == sorted(["Article", "Quantity", "Green tea", "14", "Y", "Elm board", "7", "N"])


def test_text_of_two_cells_is_never_one_line(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.table([40, 96, 150], [40, 60, 80])
    for y in (54, 74):
        page.write(42, y, "B40312-AB", 10)
        page.write(98, y, "N70155")
    marks = page.marks(engine)
    assert text_of(marks) == ["B40312-AB", "N70155"] * 2


def test_the_spaces_of_a_typewritten_receipt_are_no_columns(engine: OcrEngine) -> None:
    page, face = DrawnPage(), FAMILIES["Liberation Mono"].regular
    goods = ["Sourdough loaf", "Oat milk 1L", "Free range eggs x12", "Cheddar mature 350g", "Tomatoes vine 0.48 kg"]
    page.write(40, 60, "05/10/2026      Till 2  Ana", 12, face)
    for row, text in enumerate(goods):
        page.write(40, 80 + 18 * row, text, 12, face)
        page.write(300, 80 + 18 * row, f"{row}.80", 12, face)
    found = text_of(page.marks(engine))
    assert set(goods) <= set(found), found


@pytest.mark.parametrize(("on", "off", "dash"), [(5, 3, "Dashed"), (1, 1, "Dotted"), (400, 0, "Solid")])
def test_a_broken_rule_is_one_rule_with_its_dash(engine: OcrEngine, on: float, off: float, dash: str) -> None:
    page = DrawnPage()
    x = 50.0
    while x < 350:
        page.rule(x, 100, min(350, x + on), 100)
        x += on + off
    (rule,) = page.marks(engine).rules
    assert rule.dash == dash
    assert (rule.x1, rule.x2) == pytest.approx((50, 350), abs=2.5)
    assert rule.y1 == rule.y2 == pytest.approx(100, abs=0.3)
    assert rule.thickness == pytest.approx(1, abs=0.3)


def test_two_rules_close_together_are_one_double_rule(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.rule(200, 100, 350, 100, 0.5)
    page.rule(200, 102, 350, 102, 0.5)
    (rule,) = page.marks(engine).rules
    assert rule.dash == "Double"
    assert rule.thickness == pytest.approx(2.5, abs=0.5)


def test_a_rule_keeps_its_colour_and_thickness(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.rule(50, 100, 350, 100, 2, "#2060D0")
    (rule,) = page.marks(engine).rules
    assert rule.colour == "#2060D0"
    assert rule.thickness == pytest.approx(2, abs=0.3)


def test_an_underline_belongs_to_its_text(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.write(50, 100, "Target Date")
    width = measure("Target Date", "Liberation Sans", 10).advance
    page.rule(50, 101.6, 50 + width, 101.6, 0.5)
    page.write(50, 150, "Signature")
    page.rule(100, 151, 300, 151, 0.5)
    marks = page.marks(engine)
    assert line(marks, "Target Date").style.underline
    assert not line(marks, "Signature").style.underline
    assert [rule.y1 for rule in marks.rules] == pytest.approx([151], abs=0.5)


def test_fills_have_colour_and_corners_outer_ones_first(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.fill(40, 40, 380, 140, "#F0F4FF", radius=10)
    page.fill(60, 60, 360, 80, "#1E3A6E")
    page.write(70, 74, "Order number", 10, ink="#FFFFFF")
    page.write(70, 110, "L20881")
    marks = page.marks(engine)
    card, bar = marks.fills
    assert (card.colour, bar.colour) == ("#F0F4FF", "#1E3A6E")
    assert card.radius == pytest.approx(10, abs=2)
    assert bar.radius == 0
    for fill, box in ((card, (40, 40, 340, 100)), (bar, (60, 60, 300, 20))):
        assert (fill.box.x, fill.box.y, fill.box.width, fill.box.height) == pytest.approx(box, abs=1)
    assert line(marks, "Order number").style.colour == "#FFFFFF"
    assert marks.rules == []


def test_printing_text_in_its_style_gives_its_width(engine: OcrEngine) -> None:
    page = DrawnPage()
    faces = FAMILIES["Liberation Sans"]
    page.write(40, 50, "Green Hill Foods", 18, faces.face(True, False))
    page.write(40, 90, "Payment is due within thirty days", 9, ink="#D02020")
    page.write(40, 120, "All amounts are stated in dollars", 9, faces.face(False, True))
    page.write(40, 150, "Received by the warehouse", 9)
    page.write(40, 180, "合同编号与结算日期", 12)
    marks = page.marks(engine)
    styles = {each.text: each.style for each in marks.lines}
    assert {s.family for s in styles.values()} == {"Liberation Sans"}
    assert (styles["Green Hill Foods"].size, styles["Green Hill Foods"].bold) == (18, True)
    assert (styles["Received by the warehouse"].size, styles["Received by the warehouse"].bold) == (9, False)
    red = bytes.fromhex(styles["Payment is due within thirty days"].colour[1:])
    assert tuple(red) == pytest.approx((0xD0, 0x20, 0x20), abs=8)
    assert [text for text, style in styles.items() if style.italic] == ["All amounts are stated in dollars"]
    assert styles["合同编号与结算日期"].size == 12
    for each in marks.lines:
        s = each.style
        printed = measure(each.text, s.family, s.size, s.bold, s.italic).ink
        assert each.box.width == pytest.approx(printed.width, rel=0.03)


def test_letter_spacing_does_not_enlarge_a_chinese_title(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.write(60, 60, "销    售    单", 16)
    page.write(40, 100, "合同编号与结算日期", 12)
    (title, _) = page.marks(engine).lines
    assert title.style.size == pytest.approx(16, rel=0.08)


def test_a_bar_ends_at_its_edge_where_a_text_begins_with_it() -> None:
    # Given a heading that begins with its bar, in a text area that reaches beyond the bar
    page = DrawnPage()
    page.fill(40, 60, 380, 80, "#CCCCCC")
    page.write(40, 74, "Date range", 12)
    area = (36 * SCALE, 60 * SCALE, 66 * SCALE, 20 * SCALE)
    # Then the bar has its own width, and what lies beside it is paper
    (bar,) = find_patches(page.pixels, (255, 255, 255), 0, [area])
    assert (bar.left / SCALE, bar.right / SCALE) == pytest.approx((40, 380), abs=0.5)


def test_a_barcode_is_a_picture_and_its_digits_are_text(engine: OcrEngine) -> None:
    page = DrawnPage()
    x, chance = 60.0, np.random.default_rng(1)
    while x < 160:
        width = float(chance.choice([1, 1, 2, 3]))
        page.fill(x, 60, x + width, 90, "#000000")
        x += width + float(chance.choice([1, 1, 2]))
    page.write(80, 106, "0123456789")
    marks = page.marks(engine)
    (picture,) = marks.pictures
    assert picture.kind == "barcode"
    assert picture.box.overlap(Box.between(60, 60, x, 90)) > 0.95 * picture.box.area
    assert marks.rules == []
    assert text_of(marks) == ["0123456789"]


def test_a_code_with_a_picture_in_its_middle_is_one_picture(engine: OcrEngine) -> None:
    page, chance = DrawnPage(), np.random.default_rng(2)
    for row in range(45):
        for column in range(45):
            x, y = 60 + 2.4 * column, 60 + 2.4 * row
            if chance.random() < 0.5:
                page.fill(x, y, x + 2.4, y + 2.4, "#000000")
    page.fill(106, 106, 122, 122, "#000000")
    emblem = Box(x=106, y=106, width=16, height=16)
    marks = find_marks(Page(page.pixels, SIZE, [], pictures=[emblem]), engine)
    (picture,) = marks.pictures
    assert picture.kind == "barcode" and picture.box.width > 100
    assert marks.fills == []


def test_a_page_with_a_dark_background_has_dark_paper(engine: OcrEngine) -> None:
    page = DrawnPage("#202830")
    page.write(50, 80, "Quarterly statement", 14, ink="#FFFFFF")
    page.rule(50, 100, 350, 100, 1, "#FFFFFF")
    marks = page.marks(engine)
    assert marks.paper == "#202830"
    assert text_of(marks) == ["Quarterly statement"]
    assert [rule.colour for rule in marks.rules] == ["#FFFFFF"]
    assert marks.fills == []


def test_marks_survive_grain_and_blur(engine: OcrEngine) -> None:
    # Given a table with a pale zebra row, as a camera sees it
    page = DrawnPage()
    page.fill(40, 64, 380, 88, "#E4E4E4")
    page.table([40, 140, 260, 380], [40, 64, 88, 112])
    for y, cells in zip(
        (56, 80, 104),
        [("Article", "Unit", "Price"), ("Green tea", "box", "12.50"), ("Elm board", "piece", "80.00")],
        strict=True,
    ):
        for x, text in zip((50, 150, 270), cells, strict=True):
            page.write(x, y, text)
    # When its marks are found
    marks = find_marks(Page(photographed(page.pixels), SIZE), engine)
    # Then they are those of the clean page, and grain is neither fills nor rules
    assert len(marks.lines) == 9
    assert len(marks.rules) == 8
    (grid,) = marks.grids
    assert grid.columns == pytest.approx([40, 140, 260, 380], abs=0.8)
    assert len(grid.cells) == 9
    (fill,) = marks.fills
    assert (fill.box.x, fill.box.y, fill.box.right, fill.box.bottom) == pytest.approx((40, 64, 380, 88), abs=1.5)


class NoEngine:
    """An engine that must not be called."""

    def start(self) -> None: ...

    def detect(self, pixels):
        raise AssertionError("the document carries its words, so no engine may be called")

    read = detect


def test_words_of_the_document_are_used_unchanged() -> None:
    # Given a page whose words are known, in two cells
    page = DrawnPage()
    page.table([40, 96, 200], [40, 60, 80])
    words = []
    for x, text in ((44, "0O1lI"), (100, "Acme"), (130, "Supplies")):
        page.write(x, 54, text)
        words.append(Word(text, Box(x=x, y=45, width=measure(text, "Liberation Sans", 10).advance, height=11.5)))
    # Then they are joined within their cell only, and nothing is read
    assert text_of(page.marks(NoEngine(), words)) == ["0O1lI", "Acme Supplies"]


def test_an_underline_belongs_to_its_text_where_the_document_gives_its_style() -> None:
    page = DrawnPage()
    page.write(40, 60, "Minutes", 12)
    width = measure("Minutes", "Liberation Sans", 12).advance
    page.rule(40, 62, 40 + width, 62, 0.6)
    word = Word("Minutes", Box(x=40, y=49, width=width, height=13.5), TextStyle(family="Liberation Sans", size=12))

    marks = page.marks(NoEngine(), [word])

    assert line(marks, "Minutes").style == TextStyle(family="Liberation Sans", size=12, underline=True)
    assert not marks.rules


def test_small_labels_drawn_as_curves_are_read_where_only_a_large_title_is_known(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.write(40, 60, "Application", 30)
    for n, label in enumerate(("Full name", "Home address", "Mobile phone")):
        page.write(40, 120 + 30 * n, label, 9)
    width = measure("Application", "Liberation Sans", 30).advance
    words = [Word("Application", Box(x=40, y=33, width=width, height=34), TextStyle(family="Liberation Sans", size=30))]

    assert text_of(page.marks(engine, words)) == ["Application", "Full name", "Home address", "Mobile phone"]


def test_an_empty_page_has_no_marks(engine: OcrEngine) -> None:
    marks = DrawnPage().marks(engine)
    assert (marks.lines, marks.rules, marks.fills, marks.pictures, marks.grids) == ([], [], [], [], [])
