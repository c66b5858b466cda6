"""Spaces between words, and texts that stand apart on one line."""

import numpy as np
import pytest

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.marks.gaps import locate_gaps
from bandsmith.services.ocr.marks.line_segmentation import TextSegment
from bandsmith.services.ocr.marks.spaces import may_begin_word
from tests.ocr.marks.test_marks import DrawnPage


def page_of(texts: list[str], size: float) -> DrawnPage:
    """Return a page with each text on a line of its own, far from the others."""
    page = DrawnPage()
    for n, text in enumerate(texts):
        page.write(40, 60 + 60 * n, text, size)
    return page


def test_spaces_are_read_exactly_where_they_are_printed(engine: OcrEngine) -> None:
    texts = ["冲击钻头 10mm", "送货地址：文苑路 88 号", "内六角扳手9件套", "数量合计"]
    assert [line.text for line in page_of(texts, 12).marks(engine).lines] == texts


def test_a_spaced_title_keeps_its_spaces(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.write(40, 60, "销 售 单", 16)
    (line,) = page.marks(engine).lines
    assert line.text.split() == ["销", "售", "单"]


def test_a_label_whose_characters_stand_apart_keeps_its_spaces_before_a_colon(engine: OcrEngine) -> None:
    (line,) = page_of(["名   称："], 18).marks(engine).lines
    assert line.text.split() == ["名", "称："]


@pytest.mark.parametrize(
    "text", ["Fri, Nov 20, 2026  23:59:59", "Total  SAR  1,873.06", "Order 11 of 2026", "Mar 19, 2024"]
)
def test_words_that_stand_apart_are_not_read_as_one(engine: OcrEngine, text: str) -> None:
    assert [line.text.split() for line in page_of([text], 11).marks(engine).lines] == [text.split()]


@pytest.mark.parametrize("text", ["$266.73", "$1,910.75", "$ 1,910.75", "£48.50", "€ 12.00"])
def test_an_amount_has_a_space_after_its_sign_only_where_one_is_printed(engine: OcrEngine, text: str) -> None:
    assert [line.text for line in page_of([text], 11).marks(engine).lines] == [text]


def test_a_text_of_characters_without_a_width_has_no_place_for_a_space() -> None:
    segment = TextSegment(0, 0, 40, 10, np.array([0, 1]))
    assert locate_gaps([(10.0, 15.0)], "\u0301\u0301", segment) == [0]


@pytest.mark.parametrize("gap", [" " * 4, "　"])
def test_labels_that_follow_values_on_one_line_begin_texts_of_their_own(engine: OcrEngine, gap: str) -> None:
    page = DrawnPage()
    page.write(40, 60, gap.join(["白联：存根", "红联：客户", "黄联：回单"]), 10)
    assert [line.text for line in page.marks(engine).lines] == ["白联：存根", "红联：客户", "黄联：回单"]


def test_a_clock_time_in_a_value_begins_no_label(engine: OcrEngine) -> None:
    texts = ["时间：08:30", "备注：请于 10:30 前送到"]
    assert len(page_of(texts, 11).marks(engine).lines) == len(texts)


@pytest.mark.parametrize("text", ["224.29", "1,873.06", "12,000", "2024-10-19", "0123456789", "29/01/2024", "08:30:15"])
def test_a_number_stays_whole_where_its_digits_stand_apart(text: str) -> None:
    assert not any(may_begin_word(text, n) for n in range(1, len(text)))


@pytest.mark.parametrize(
    ("text", "starts"), [("19,2024", {3}), ("202600:00:00", {4}), ("6622.10100.00%", {7}), ("33Daniel", {2})]
)
def test_a_year_a_time_and_a_second_amount_may_begin(text: str, starts: set[int]) -> None:
    assert starts <= {n for n in range(1, len(text)) if may_begin_word(text, n)}
