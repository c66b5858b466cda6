"""Similarity and ink, measured on pictures made for the test."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from skimage import metrics

from bandsmith.services.validator.compare_image import draw
from bandsmith.services.validator.pictures import PX, PagePicture, Pixels, ssim, structural_similarity
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.turns.verdict import Likeness, Verdict


def page(*boxes: tuple[float, float, float, float], ink: int = 0, paper: int = 255) -> PagePicture:
    """A page of 200 x 100 points with filled boxes on it, in points."""
    pixels = np.full((round(100 * PX), round(200 * PX), 3), paper, np.uint8)
    for x, y, width, height in boxes:
        cv2.rectangle(
            pixels, (round(x * PX), round(y * PX)), (round((x + width) * PX) - 1, round((y + height) * PX) - 1),
            (ink,) * 3, -1,
        )  # fmt: skip
    return PagePicture(pixels)


def blurred(pixels: np.ndarray, sigma: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), np.uint8)


def test_similarity_equals_that_of_scikit_image():
    random = np.random.default_rng(1)
    a = blurred(random.integers(0, 255, (90, 120), np.uint8), 2)
    b = blurred(cv2.add(a, random.integers(0, 60, (90, 120), np.uint8)), 1)
    assert structural_similarity(a, b) == pytest.approx(metrics.structural_similarity(a, b), abs=1e-4)
    assert structural_similarity(a, a) == 1.0


def test_a_page_of_another_size_is_put_on_the_forms_canvas():
    small, form = PagePicture(page((20, 20, 30, 10)).pixels[:150, :300]), page((20, 20, 30, 10))
    assert ssim(form, small) == 1.0


@pytest.mark.parametrize(("ink", "paper"), [(0, 255), (255, 40)], ids=["dark on light", "light on dark"])
def test_ink_is_found_on_any_paper(ink: int, paper: int):
    found = page((50, 40, 12, 6), ink=ink, paper=paper).ink_in(Box(x=45, y=35, width=60, height=20))
    assert found is not None
    for side, wanted in (("x", 50), ("y", 40), ("right", 62), ("bottom", 46)):
        assert getattr(found, side) == pytest.approx(wanted, abs=0.5)


def test_the_first_pixels_of_what_stands_beside_a_text_are_not_its_ink():
    found = page((50, 40, 12, 6), (90.4, 40, 12, 6)).ink_in(Box(x=49, y=35, width=41.5, height=20))
    assert found is not None and found.right == pytest.approx(62, abs=0.5)


def test_ruling_lines_and_short_borders_are_not_text_ink():
    cell = [(40, 30, 60, 1), (40, 50, 60, 1), (40, 30, 1, 21), (99, 30, 1, 21)]
    found = page((60, 38, 8, 6), *cell).ink_in(Box(x=40, y=30, width=60, height=21))
    assert found is not None
    assert found.width == pytest.approx(8, abs=0.6) and found.height == pytest.approx(6, abs=0.6)
    assert page(*cell).ink_in(Box(x=40, y=30, width=60, height=21)) is None


def test_differences_are_marked_on_their_own_page():
    png = draw(
        page((20, 20, 30, 5)), page((120, 70, 30, 5)), Verdict(passed=False, likeness=Likeness(ssim=0.9, texts=0.5))
    )
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    half = pixels.shape[1] // 2
    blue, _, red = (pixels[120:-60, :, channel].astype(int) for channel in range(3))
    assert ((red - blue)[:, :half] > 100).any() and not ((blue - red)[:, :half] > 100).any()
    assert ((blue - red)[:, half:] > 100).any() and not ((red - blue)[:, half:] > 100).any()


def test_tiny_changes_are_marked_beside_a_previous_version():
    """Two prints of the engine are identical to the pixel, which a scan never is."""
    old, new = page((20, 20, 30, 5)), page((20, 20, 30, 5.9))
    assert not marked(draw(old, new, Verdict(passed=True, likeness=Likeness(ssim=1, texts=1))))
    assert marked(draw(old, new, Verdict(passed=True)))


def marked(png: bytes) -> bool:
    """Whether anything between header and legend is in colour."""
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)[120:-60].astype(int)
    return bool((np.ptp(pixels, axis=2) > 60).any())


def test_a_file_that_is_no_picture_is_refused():
    with pytest.raises(ValueError, match="not a picture"):
        PagePicture.of_png(b"text")
