"""Addresses and contact details without a label are values however many words they have."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.structure.text_classifier import is_address

from .handmade import HandmadeMarks


def roles(*lines: str) -> list[str]:
    page = HandmadeMarks()
    for number, text in enumerate(lines):
        page.write(60, 100 + 9.9 * number, text)
    return [block.role for block in page.understood().blocks]


@pytest.mark.parametrize(
    "lines",
    [
        ("48 Harbour Road", "305 Elm Avenue", "12 Market Street"),
        ("Am Lindenweg 12", "30159 Hannover"),
        ("Hofgut 3", "8400 Winterthur"),
    ],
)
def test_an_address_of_several_lines_is_one_value(lines: tuple[str, ...]):
    assert roles(*lines) == ["value"]


@pytest.mark.parametrize(
    "lines", [("Table 4", "Guests 2"), ("Step 1", "Step 2"), ("Box 4", "1200"), ("Court 1", "Court 2")]
)
def test_numbered_wording_of_several_lines_is_no_address(lines: tuple[str, ...]):
    assert not is_address("\n".join(lines))


def test_a_note_of_several_lines_is_wording():
    assert roles("Please quote your number", "with every payment that", "you make within 30 days") == ["fixed"]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("7 Mill Lane | 061-2076368 | info@example.org", "value"),
        ("Open from Monday | Closed on Sundays and holidays", "fixed"),
    ],
)
def test_a_line_with_a_telephone_number_or_an_email_address_between_bars_is_a_value(text: str, role: str):
    assert roles(text) == [role]
