"""A speck of dirt beside a line of text does not make the line longer; a mark that was read stays."""

from __future__ import annotations

import numpy as np
import pytest

from bandsmith.services.ocr.marks.end_specks import without_end_specks
from bandsmith.services.ocr.marks.line_segmentation import Components, TextSegment

LETTERS = [(60, 10, 78, 30), (82, 10, 100, 30), (104, 10, 122, 30)]
"""Three letters of 20 pixels, four pixels apart."""


def line(*marks: tuple[int, int, int, int]) -> tuple[Components, TextSegment]:
    boxes = np.array([*marks, *LETTERS])
    parts = Components(np.zeros((50, 200), int), boxes, np.full(len(boxes), 9))
    return parts, parts.segment(np.arange(len(boxes)))


@pytest.mark.parametrize(
    ("marks", "text", "ends"),
    [
        ([(40, 24, 43, 27)], "送货人", (60, 122)),
        ([(30, 12, 33, 15), (42, 24, 45, 27)], "送货人", (60, 122)),
        ([(140, 12, 144, 16)], "送货人", (60, 122)),
        ([(40, 24, 43, 27)], "·送货人", (40, 122)),
        ([(140, 26, 144, 30)], "送货人.", (60, 144)),
        ([(56, 24, 59, 27)], "送货人", (56, 122)),
        ([(40, 10, 44, 30)], "1送货", (40, 122)),
    ],
    ids=[
        "before the words", "two before the words", "behind the words", "read as a dot", "a full stop",
        "part of a letter", "as tall as a letter",
    ],
)  # fmt: skip
def test_a_line_ends_where_its_words_do(
    marks: list[tuple[int, int, int, int]], text: str, ends: tuple[int, int]
) -> None:
    parts, segment = line(*marks)
    found = without_end_specks(parts, segment, text)
    assert (found.left, found.right) == ends


def test_words_of_dots_alone_stay() -> None:
    boxes = np.array([(0, 0, 3, 3), (20, 0, 23, 3), (40, 0, 43, 30)])
    parts = Components(np.zeros((50, 200), int), boxes, np.full(3, 9))
    segment = parts.segment(np.arange(2))
    assert without_end_specks(parts, segment, "一") is segment
