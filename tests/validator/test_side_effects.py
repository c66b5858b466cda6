"""What a change made worse on page 1: what was so before, and what does not show in ink, is not held against it."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.checks.side_effects import PrintedTemplate, side_effects
from bandsmith.shared.fonts import DEFAULT_FAMILY, measure
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.turns.verdict import Printed

from .reports import report, static
from .single_finding import only, template


def page(*texts: tuple[str, str, int, int, int]) -> PrintedTemplate:
    """A page of texts: key, wording, left, top and width."""
    elements = [static(words, key, x, y, width) for key, words, x, y, width in texts]
    printed = [
        Printed(key=key, box=Box(x=x, y=y, width=width, height=20), text=words) for key, words, x, y, width in texts
    ]
    return PrintedTemplate(template(report(*elements)), printed)


LABEL = ("label", "Amount due:", 10, 10, 80)
SPACED = "D e l i v e r y   n o t e"
WIDTH = measure(SPACED, DEFAULT_FAMILY, 10).advance
TITLE = ("title", SPACED, round(200 - WIDTH / 2), 40, 150)
"""A left-aligned text whose ink is in the middle of a page of 400 points."""


def test_texts_printed_over_each_other_now_are_reported():
    before, after = page(LABEL, ("value", "1,280.00", 90, 10, 60)), page(LABEL, ("value", "1,280.00", 40, 10, 60))
    found = only(side_effects(before, after))
    assert found.code == "change.overlap" and found.severity == "warning"
    assert "Amount due:" in found.message and "1,280.00" in found.message


def test_a_picture_that_is_moved_onto_a_text_is_reported():
    def with_picture(x: int) -> PrintedTemplate:
        image = f'<image><reportElement key="logo" x="{x}" y="5" width="40" height="40"/></image>'
        printed = [
            Printed(key="logo", box=Box(x=x, y=5, width=40, height=40)),
            Printed(key=LABEL[0], box=Box(x=10, y=10, width=80, height=20), text=LABEL[1]),
        ]
        return PrintedTemplate(template(report(static(LABEL[1], "label", 10, 10, 80), image)), printed)

    found = only(side_effects(with_picture(200), with_picture(30)))
    assert found.code == "change.picture" and found.element == "logo" and "Amount due:" in found.message
    assert side_effects(with_picture(30), with_picture(30)) == []


def test_texts_that_overlapped_before_are_not_reported():
    both = page(LABEL, ("value", "1,280.00", 40, 10, 60))
    assert side_effects(both, both) == []


def test_boxes_that_overlap_without_ink_are_not_reported():
    before, after = page(LABEL, ("value", "9", 100, 10, 60)), page(LABEL, ("value", "9", 82, 10, 60))
    assert side_effects(before, after) == []


@pytest.mark.parametrize("words", ["Note", "Delivery note"])
def test_a_text_that_lost_the_middle_of_the_page_by_its_wording_is_reported(words: str):
    found = only(side_effects(page(TITLE), page(("title", words, *TITLE[2:]))))
    assert found.code == "change.centre" and words in found.message


def test_a_text_that_was_moved_is_not_reported():
    assert side_effects(page(TITLE), page(("title", "Note", 10, 40, 150))) == []


def test_a_text_that_keeps_its_wording_or_was_never_centred_is_not_reported():
    assert side_effects(page(TITLE), page(TITLE)) == []
    assert side_effects(page(("title", "Note", 10, 40, 150)), page(("title", "Sheet", 10, 40, 150))) == []
