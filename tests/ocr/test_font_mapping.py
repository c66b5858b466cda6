"""A font whose name says nothing gets the family whose characters are as wide."""

from __future__ import annotations

import string

import pytest

from bandsmith.services.ocr.documents.font_mapping import family_by_name, family_by_widths
from bandsmith.services.ocr.documents.pdf import is_bold
from bandsmith.shared.fonts import measure


@pytest.mark.parametrize("family", ["Liberation Sans", "Liberation Serif", "Liberation Mono"])
def test_a_font_without_a_telling_name_is_known_by_the_widths_of_its_characters(family):
    widths = {char: measure(char, family, 1.0).advance * 1.02 for char in string.ascii_letters}

    assert family_by_name("ABCDEF+CIDFont+F1") is None
    assert family_by_widths(widths, bold=False) == family


def test_a_few_characters_do_not_tell_a_font():
    assert family_by_widths({"1": 0.55, "2": 0.55}, bold=False) is None


@pytest.mark.parametrize(
    ("name", "weight", "bold"),
    [
        ("HelveticaNeue-Roman", 665, False),
        ("HelveticaNeue-Light", 665, False),
        ("HelveticaNeue-Medium", 665, True),
        ("ABCDEF+Calibri-Bold", 400, True),
        ("F1", 700, True),
        ("F1", 400, False),
        ("F1", 5000, False),
    ],
)
def test_the_name_of_a_font_counts_more_than_the_weight_that_it_states(name: str, weight: int, bold: bool) -> None:
    assert is_bold(name, weight) is bold
