"""Photos in which no edge of the sheet is seen: the page is levelled by its text, and none of it is cut off."""

from __future__ import annotations

import cv2
import numpy as np

from bandsmith.services.ocr.flatten.paper import find_sheet
from bandsmith.services.ocr.flatten.straight import find_straightening, is_crooked


def seen_at_an_angle(page: np.ndarray, shift: float) -> np.ndarray:
    """A page that fills the picture, photographed from one side: its lines run together towards the bottom."""
    height, width = page.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + np.array([[-40, -40], [40, -40 - shift * width], [40, 40 + shift * width], [-40, 40]], np.float32)
    shot = cv2.warpPerspective(page, cv2.getPerspectiveTransform(corners, moved), (width, height))
    noise = np.random.default_rng(1).normal(0, 3, shot.shape)
    return np.clip(shot * 0.9 + noise, 0, 255).astype(np.uint8)


def letter() -> np.ndarray:
    """A page of text without rules."""
    page = np.full((1754, 1240, 3), 255, np.uint8)
    for line in range(34):
        text = f"{line} The delivery of item {line * 37 % 91} will arrive"
        cv2.putText(page, text, (110, 150 + line * 44), cv2.FONT_HERSHEY_COMPLEX, 0.75, (20, 20, 20), 1, cv2.LINE_AA)
    return page


def test_lines_of_text_that_run_together_are_made_level():
    shot = seen_at_an_angle(letter(), 0.05)
    assert is_crooked(shot)
    for _ in range(2):
        if (change := find_straightening(shot)) is not None:
            shot = cv2.warpPerspective(shot, change, shot.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    assert not is_crooked(shot)


def test_a_page_that_goes_on_beyond_what_looks_like_a_sheet_is_not_cut():
    page = letter()
    cv2.rectangle(page, (0, 1050), (1240, 1120), (150, 150, 150), -1)
    assert find_sheet(seen_at_an_angle(page, 0.03)) is None
