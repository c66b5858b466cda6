"""Remarks drawn on a form are read as requests, and the form is read as if they were not there."""

import math
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PIL import Image

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.flatten import flatten
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.overlay import draw_overlay
from bandsmith.services.ocr.page import SCALE, Page
from bandsmith.services.ocr.remarks import attach_remarks, extract_remarks
from bandsmith.services.ocr.remarks.ink import find_pens
from bandsmith.services.ocr.remarks.shapes import find_shapes
from bandsmith.services.ocr.structure import understand
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Layout
from samples import draw
from samples.pen import MarkerPen
from samples.sheet import FormCanvas
from tests.each_case import each
from tests.ocr.sample_forms import form, photo

A4 = Size(width=595, height=842)
COLOURS = ["#e02020", "#1d4ed8", "#15963c", "#d0219c", "#f07800"]


def drawn_on(page: np.ndarray, draw_it: Callable[[MarkerPen], object], colour: str = COLOURS[0], **hand) -> np.ndarray:
    image = Image.fromarray(page[:, :, ::-1].copy())
    draw_it(MarkerPen(image, SCALE, colour, **hand))
    return np.asarray(image)[:, :, ::-1].copy()


def remarked() -> np.ndarray:
    """The form with remarks in five colours, handwritten and typed."""

    def by_hand(pen: MarkerPen) -> None:
        pen.write(330, 50, "改成大写", 14)
        pen.arrow((325, 47), (290, 53))
        pen.strike(58, 270, 436)

    def typed(pen: MarkerPen) -> None:
        pen.write(400, 320, "make this bigger", 12)
        pen.arrow((440, 306), (440, 252), filled=True)

    def circled(pen: MarkerPen) -> None:
        pen.loop(320, 96, 150, 20)
        pen.write(480, 95, "右对齐", 13)

    def bent(pen: MarkerPen) -> None:
        pen.write(250, 600, "add a total row", 14)
        pen.arrow((300, 585), (250, 275), bend=0.2)

    def underlined(pen: MarkerPen) -> None:
        pen.write(160, 690, "delete this", 13)
        pen.line((60, 704), (165, 704))

    page = drawn_on(form(), by_hand, COLOURS[0])
    page = drawn_on(page, typed, COLOURS[1], shake=0)
    page = drawn_on(page, circled, COLOURS[2], seed=3)
    page = drawn_on(page, bent, COLOURS[3], seed=4)
    return drawn_on(page, underlined, COLOURS[4], seed=5)


def read(page: Page, engine: OcrEngine) -> tuple[Page, Layout]:
    clean, drawn = extract_remarks(page, engine)
    return clean, attach_remarks(drawn, understand(page.size, find_marks(clean, engine), []))


def about(layout: Layout) -> set[tuple[str, str, str]]:
    """Each remark as its words, its shape and the text at its target."""
    blocks = {block.id: block.text for block in layout.blocks}
    return {(remark.text, remark.shape, blocks.get(remark.block or "", "")) for remark in layout.remarks}


def unread(pixels: np.ndarray) -> Page:
    return Page(pixels, Size(width=pixels.shape[1] / SCALE, height=pixels.shape[0] / SCALE))


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["print", pytest.param("photo", marks=pytest.mark.slow)])
def test_remarks_in_five_colours_get_their_targets(seen: str, engine: OcrEngine):
    page = Page(remarked(), A4) if seen == "print" else flatten(photo(remarked()), A4, engine)

    clean, layout = read(page, engine)

    found = about(layout)
    assert {
        ("改成大写", "arrow", "Delivery note 送货单"),
        ("右对齐", "circle", "Number: DN-20417"),
        ("make this bigger", "arrow", "120"),
        ("add a total row", "arrow", "办公用纸"),
        ("delete this", "underline", "Signed by the driver:"),
    } <= found
    (strike,) = [remark for remark in layout.remarks if not remark.text]
    assert strike.shape == "strike"
    assert strike.target is not None and strike.target.holds(160, 436)
    assert len(layout.remarks) == 6
    # No ink of a pen is left, and the form is read as without it.
    assert find_pens(clean.pixels) == []
    assert {"Customer: Eastgate Traders", "Number: DN-20417", "Black tea 200g"} <= {line.text for line in layout.lines}
    assert len(layout.grids) == 1
    assert draw_overlay(clean.pixels, layout).shape[1] == clean.pixels.shape[1]


def test_a_page_without_remarks_is_unchanged(engine: OcrEngine):
    page = Page(form(), A4)
    assert extract_remarks(page, engine) == (page, [])
    assert extract_remarks(page, engine)[0] is page


@pytest.mark.slow
def test_text_beside_a_strike_replaces_what_is_struck(engine: OcrEngine):
    def replace(pen: MarkerPen) -> None:
        pen.strike(403, 442, 182)
        pen.write(462, 189, "Pieces", 12)

    _, layout = read(Page(drawn_on(form(), replace), A4), engine)
    (remark,) = layout.remarks
    assert (remark.text, remark.shape) == ("Pieces", "strike")
    assert remark.target is not None and remark.target.holds(420, 182)


@pytest.mark.slow
def test_text_alone_is_about_the_nearest_print(engine: OcrEngine):
    _, layout = read(Page(drawn_on(form(), lambda pen: pen.write(260, 60, "标题放大", 14)), A4), engine)
    assert about(layout) == {("标题放大", "none", "Delivery note 送货单")}


def test_a_circle_tick_or_note_alone_is_not_a_request(engine: OcrEngine):
    def mark(pen: MarkerPen) -> None:
        pen.loop(320, 96, 150, 20)
        pen.line((300, 232), (306, 240), (320, 222))
        pen.write(330, 50, "已付 张三", 14)
        pen.strike(62, 250, 425)

    page = Page(drawn_on(form(), mark), A4)
    assert extract_remarks(page, engine)[0] is page


def test_a_stroke_as_small_as_the_letters_beside_it_is_one_of_them(engine: OcrEngine):
    def title(pen: MarkerPen) -> None:
        pen.write(200, 130, "增值税普通发票", 26)
        pen.arrow((198, 121), (178, 121), head=7)

    white = np.full_like(form(), 255)
    below = drawn_on(white, lambda pen: pen.write(120, 128, "No. 48", 14), "#202020", shake=0)
    page = unread(drawn_on(below, title, "#b07830", shake=0))
    assert extract_remarks(page, engine)[0] is page


def coloured_form() -> np.ndarray:
    """Coloured bars, headings, totals, links in every row, a logo with an arrow in it, a seal, a signature."""
    canvas = FormCanvas(595, 842)
    canvas.bar(40, 40, 515, 26, "#1d4ed8")
    canvas.text(50, 58, "销售订单 Sales order", 13, bold=True, colour="#ffffff")
    canvas.bar(40, 80, 30, 30, "#e07800", radius=6)
    logo = MarkerPen(canvas.image, 300 / 72, "#e07800", shake=0)
    logo.arrow((80, 100), (104, 88), head=7)
    canvas.text(110, 100, "Northway Freight", 14, bold=True, colour="#e07800")
    canvas.text(555, 100, "No. 0048213", 12, align="right", colour="#c01f1f")
    edges = [40.0, 140, 300, 400, 470, 555]
    canvas.row(edges, 130, 24, ["Code", "Name", "Amount", "", ""], "lrrcc", 10, bold=True, colour="#1d4ed8")
    for row in range(4):
        texts = [f"K-10{row}", "Oak shelf", f"{row * 31 + 7}.50"]
        canvas.row(edges[:4], 154 + 24 * row, 24, texts, "lrr", 10)
        canvas.text(420, 170 + 24 * row, "编辑", 10, colour="#2563eb")
        canvas.text(490, 170 + 24 * row, "删除", 10, colour="#dc2626")
    for row in range(6):
        canvas.line(40, 130 + 24 * row, 555, 130 + 24 * row, 0.8, "#c01f1f")
    canvas.text(400, 290, "-1,204.50", 12, bold=True, align="right", colour="#dc2626")
    canvas.line(330, 294, 402, 294, 1, "#dc2626")
    canvas.text(40, 330, "请勿涂改，如需更正请重新填写。 Do not remove this slip.", 9, colour="#dc2626")
    draw._seal(canvas, 470, 420, 50, "海宁市星河五金商行", "合同专用章")
    canvas.text(40, 430, "经办人签字：", 10)
    hand = MarkerPen(canvas.image, 300 / 72, "#1e3a9f", width=1.2, seed=9)
    hand.write(105, 432, "沈晓岚", 17)
    hand.line((100, 440), (130, 432), (150, 441), (190, 428))
    return np.asarray(canvas.picture())[:, :, ::-1].copy()


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["print", pytest.param("photo", marks=pytest.mark.slow)])
def test_coloured_parts_of_a_form_are_not_remarks(seen: str, engine: OcrEngine):
    page = unread(coloured_form()) if seen == "print" else flatten(photo(coloured_form()), A4, engine)
    assert extract_remarks(page, engine)[0] is page


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sales-slip.jpg", marks=pytest.mark.slow),
        "invoice.png",
        pytest.param("delivery-note.jpg", marks=pytest.mark.slow),
    ],
)
def test_the_samples_have_no_remarks(name: str, engine: OcrEngine):
    page = flatten(cv2.imread(str(draw.FOLDER / name)), None, engine)
    assert extract_remarks(page, engine)[1] == []


@pytest.mark.slow
def test_the_remarks_of_the_sample_are_read(engine: OcrEngine):
    page = flatten(cv2.imread(str(draw.FOLDER / "invoice-remarks.png")), None, engine)
    _, layout = read(page, engine)
    assert about(layout) >= {
        ("make this smaller", "arrow", "INVOICE"),
        ("改成大写", "circle", "BILL TO"),
        ("rename to Service", "arrow", "Description"),
    }
    assert len(layout.remarks) == 4


@each("degrees", range(0, 360, 40))
@each("filled", [False, True])
def test_arrows_are_recognised_in_any_direction(degrees: int, filled: bool):
    turn = math.radians(degrees)
    tip, tail = (300, 330), (300 - 60 * math.cos(turn), 330 - 60 * math.sin(turn))
    colour = COLOURS[degrees // 40 % 5]
    page = drawn_on(form(), lambda pen: pen.arrow(tail, tip, bend=0.15, filled=filled), colour, seed=degrees)
    (shape,) = [shape for pen in find_pens(page) for shape in find_shapes(pen)]
    assert shape.kind == "arrow"
    assert shape.end is not None and math.dist(shape.end, tip) < 4


def test_fringes_of_subpixel_rendering_are_not_ink():
    grey = form()[:, :, 0]
    wide = cv2.resize(grey, None, fx=3, fy=1, interpolation=cv2.INTER_LINEAR)
    page = cv2.blur(wide, (3, 1)).reshape(*grey.shape, 3)[150:1000]
    assert sum(len(pen.parts()) for pen in find_pens(np.ascontiguousarray(page))) < 30
