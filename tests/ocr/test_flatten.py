"""Photos, scans and prints of a page become the same flat page."""

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.flatten import flatten
from bandsmith.services.ocr.flatten.seal import fade_seals
from bandsmith.services.ocr.flatten.size import guess_size
from bandsmith.services.ocr.marks.pictures import find_seals
from bandsmith.shared.model.geometry import Size
from tests.ocr.sample_forms import displacements, form, photo, write

A4 = Size(width=595, height=842)


@pytest.fixture(scope="module")
def printed() -> np.ndarray:
    return form()


def test_a_clean_print_is_unchanged(printed: np.ndarray, engine: OcrEngine):
    page = flatten(printed, A4, engine)
    assert np.array_equal(page.pixels, printed)
    assert page.notes == []


def test_a_print_one_row_too_high_loses_only_that_row(printed: np.ndarray, engine: OcrEngine):
    page = flatten(np.vstack([printed, printed[-1:]]), A4, engine)
    assert np.array_equal(page.pixels, printed)


@pytest.mark.slow
def test_a_dark_page_stays_dark(engine: OcrEngine):
    dark = form(ink="white", paper="#1e2430")
    assert np.array_equal(flatten(dark, A4, engine).pixels, dark)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(A4, id="size given", marks=pytest.mark.slow),
        pytest.param(None, id="size guessed from its proportions"),
    ],
)
def test_a_photo_is_flattened_back_to_the_print(printed: np.ndarray, engine: OcrEngine, given: Size | None):
    page = flatten(photo(printed), given, engine)

    far = displacements(printed, page.pixels)
    assert page.size == A4
    assert len(far) > 50
    assert far.mean() < 0.5
    assert np.percentile(far, 95) < 1.0


@pytest.mark.slow
def test_paper_of_a_photo_is_white_and_fills_keep_colour(printed: np.ndarray, engine: OcrEngine):
    printed = printed.copy()
    printed[1150:1350, 150:1000] = (235, 200, 120)

    pixels = flatten(photo(printed), A4, engine).pixels

    assert np.median(pixels[1450:1700], axis=(0, 1)).tolist() == [255, 255, 255]
    fill = np.median(pixels[1170:1330, 170:980], axis=(0, 1))
    assert np.abs(fill - (235, 200, 120)).max() < 14


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, *(pytest.param(turns, marks=pytest.mark.slow) for turns in (2, 3))])
def test_a_turned_photo_is_set_upright_with_a_note(printed: np.ndarray, engine: OcrEngine, turns: int):
    page = flatten(photo(printed, turns), A4, engine)
    assert displacements(printed, page.pixels).mean() < 0.5
    assert len(page.notes) == 1
    assert "turned upright" in page.notes[0].en


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_print_is_set_upright_without_loss(printed: np.ndarray, engine: OcrEngine, turns: int):
    page = flatten(np.ascontiguousarray(np.rot90(printed, turns)), None, engine)
    assert page.size == A4
    assert np.array_equal(page.pixels, printed)


@pytest.mark.slow
def test_a_few_level_texts_do_not_hold_a_page_on_its_side(printed: np.ndarray, engine: OcrEngine):
    page = Image.fromarray(np.ascontiguousarray(np.rot90(printed)[:, :, ::-1]))
    pen = ImageDraw.Draw(page)
    for row, text in enumerate(("Receiver", "Cashier", "Checked")):
        write(pen, 20, 30 + 40 * row, 12, text)
    page_on_its_side = np.asarray(page)[:, :, ::-1].copy()
    assert any("turned upright" in note.en for note in flatten(page_on_its_side, None, engine).notes)


def test_a_skewed_scan_is_straightened(printed: np.ndarray, engine: OcrEngine):
    middle = (printed.shape[1] / 2, printed.shape[0] / 2)
    askew = cv2.warpAffine(
        printed, cv2.getRotationMatrix2D(middle, 2.5, 1), printed.shape[1::-1], borderValue=(255, 255, 255)
    )
    assert displacements(printed, flatten(askew, A4, engine).pixels).mean() < 0.5


def test_a_straight_page_is_not_turned_by_its_columns_or_a_watermark(engine: OcrEngine):
    page = Image.new("RGB", (1240, 1754), "white")
    pen = ImageDraw.Draw(page)
    for row in range(20):
        write(pen, 60, 100 + 30 * row, 9, f"Item number {row}")
        write(pen, 330, 115 + 30 * row, 9, f"{row}.50")
    for line in range(60):
        pen.line((100 + line, 1600, 1100 + line, 200), fill="#c8c8c8")
    drawn = np.asarray(page)[:, :, ::-1].copy()
    assert np.array_equal(flatten(drawn, A4, engine).pixels, drawn)


@pytest.mark.slow
def test_a_photo_between_black_bars_is_flattened_like_a_photo(printed: np.ndarray, engine: OcrEngine):
    shot = photo(printed)
    bars = np.zeros((shot.shape[0], shot.shape[1], 3), np.uint8)
    page = flatten(np.hstack([bars, shot, bars]), A4, engine)
    assert displacements(printed, page.pixels).mean() < 0.5


def test_a_banner_as_wide_as_a_scan_is_part_of_the_page(printed: np.ndarray, engine: OcrEngine):
    drawn = printed.copy()
    drawn[:90] = (150, 70, 20)
    random = np.random.default_rng(3)
    scan = np.clip(drawn + random.normal(-4, 2, drawn.shape), 0, 255).astype(np.uint8)
    page = flatten(scan, A4, engine)
    assert displacements(printed, page.pixels).mean() < 0.3
    banner = np.median(page.pixels[10:80, 100:1100], axis=(0, 1))
    assert np.abs(banner - (150, 70, 20)).max() < 25


def test_a_stated_resolution_at_which_nobody_could_read_is_not_believed(printed: np.ndarray, engine: OcrEngine):
    odd = np.ascontiguousarray(printed[:1500])
    assert flatten(odd, None, engine, resolution=150).size == Size(width=595, height=720)
    assert flatten(odd, None, engine, resolution=400).size == Size(width=595, height=720)


def test_a_seal_is_faded_for_ocr_and_stays_on_the_form(printed: np.ndarray, engine: OcrEngine):
    sealed = printed.copy()
    cv2.circle(sealed, (400, 900), 130, (40, 30, 220), 9)
    cv2.putText(sealed, "SEAL", (330, 920), cv2.FONT_HERSHEY_SIMPLEX, 2, (40, 30, 220), 6)
    red = (sealed == (40, 30, 220)).all(axis=2)

    page = flatten(sealed, A4, engine)

    assert np.array_equal(page.pixels, sealed)
    assert page.ocr_pixels[red].min() > 200
    assert (page.ocr_pixels == printed).all(axis=2)[(printed.max(axis=2) < 100) & ~red].all()


def test_pale_ink_of_a_seal_on_a_photo_leaves_no_trace_and_the_print_below_it_stays():
    paper, pale = 237, (140, 130, 205)
    sealed = np.full((1754, 1240, 3), paper, np.uint8)
    cv2.circle(sealed, (400, 900), 130, pale, 9)
    cv2.putText(sealed, "SEAL", (330, 880), cv2.FONT_HERSHEY_SIMPLEX, 2, pale, 6)
    cv2.putText(sealed, "Mill", (340, 930), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (30, 30, 30), 4)
    is_print = (sealed == 30).all(axis=2)

    faded = fade_seals(sealed)

    assert faded is not None
    area = np.s_[765:1035, 265:535]
    assert faded[area][~is_print[area]].min() > 0.9 * paper
    assert faded[area][is_print[area]].max() < 60


def test_the_ring_the_letters_and_the_star_of_a_seal_are_one_picture(printed: np.ndarray, engine: OcrEngine):
    sealed = printed.copy()
    cv2.circle(sealed, (400, 900), 105, (40, 30, 220), 5)
    cv2.circle(sealed, (400, 900), 22, (40, 30, 220), -1)
    for angle in range(0, 360, 45):
        x, y = (round(middle + 72 * turn(np.radians(angle))) for middle, turn in ((400, np.cos), (900, np.sin)))
        cv2.rectangle(sealed, (x - 9, y - 9), (x + 9, y + 9), (40, 30, 220), 3)
    page = flatten(sealed, A4, engine)
    (seal,) = find_seals(page.pixels, page.seals_faded)
    assert (seal.left, seal.right) == pytest.approx((292, 508), abs=4)


@pytest.mark.parametrize(
    ("pixels", "resolution", "points"),
    [
        ((1240, 1755), None, (595, 842)),
        ((2550, 3300), None, (612, 792)),
        ((1754, 1240), None, (842, 595)),
        ((1240, 1380), None, (595, 662)),
        ((900, 1200), 150.0, (432, 576)),
        ((10_000, 500), None, (842, 42)),
    ],
    ids=["A4", "Letter", "A4 across", "as wide as A4", "resolution known", "a strip"],
)
def test_a_page_size_is_guessed_from_its_pixels(
    pixels: tuple[int, int], resolution: float | None, points: tuple[int, int]
):
    size = guess_size(*pixels, resolution)
    assert (size.width, size.height) == points


def test_a_seal_on_a_brownish_title_is_told_from_it():
    page = np.full((700, 1200, 3), 255, np.uint8)
    for left in range(150, 1000, 75):  # a title in the brown of Chinese invoices
        cv2.rectangle(page, (left, 200), (left + 60, 260), (60, 90, 190), 8)
    cv2.ellipse(page, (570, 260), (110, 75), 0, 0, 360, (60, 60, 235), 7)
    cv2.rectangle(page, (520, 290), (620, 300), (60, 60, 235), -1)
    faded = fade_seals(page)
    assert faded is not None
    assert faded[300, 480:660].min() > 200
    assert (faded[200:205, 155:200] == page[200:205, 155:200]).all()
