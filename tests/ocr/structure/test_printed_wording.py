"""Wording with figures that a form prints, and values that only seem to belong to a label."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Layout

from .handmade import HandmadeMarks


def values(layout: Layout) -> dict[str, str | None]:
    return {block.text: block.label for block in layout.blocks if block.role == "value"}


@pytest.mark.parametrize("choice", ["Yes / No", "Yes/No", "(M / F)", "是/否", "Ja / Nein", "Yes/No/NA"])
def test_answers_to_choose_from_are_no_value_of_the_label_beside_them(choice: str):
    marks = HandmadeMarks()
    marks.write(50, 100, "Questions:")
    marks.write(200, 100, choice)

    assert choice not in values(marks.understood())


def test_numbers_of_the_parts_of_a_form_make_no_values_of_their_headings():
    marks = HandmadeMarks()
    for y, text in ((100, "2. Guardians of the pupil"), (140, "Emergency contact 1"), (180, "Emergency contact 2")):
        marks.write(50, y, text)

    assert not values(marks.understood())


def test_the_mark_of_a_footnote_is_no_value():
    marks = HandmadeMarks()
    marks.write(50, 100, "Are you in a risk group", size=12)
    end = marks.lines[-1].box.right
    marks.write(end + 1, 97, "1", size=7)

    assert "1" not in values(marks.understood())


def test_a_wording_behind_an_empty_box_is_no_value_of_the_label_before_the_box():
    marks = HandmadeMarks()
    for y in (100, 130):
        marks.write(50, y, "Mobile phone")
        marks.fills.append(Fill(id=f"f{y}", box=Box(x=110, y=y - 4, width=120, height=16), colour="#EEF4FB"))
        marks.write(236, y, "Home phone")

    assert "Home phone" not in values(marks.understood())


def test_a_label_names_the_text_right_below_it_rather_than_one_at_the_other_side_of_the_page():
    marks = HandmadeMarks()
    marks.write(50, 100, "Invoice to:")
    marks.write(50, 112, "Gastro Nord GmbH")
    marks.write(330, 100, "48 Harbour Road")
    marks.write(330, 112, "21120 Malmo")

    found = values(marks.understood())

    assert not any(label == "Invoice to" for text, label in found.items() if "Harbour" in text)


def test_letters_of_an_order_number_behind_its_sign_are_a_value():
    marks = HandmadeMarks()
    marks.write(50, 100, "LPO # DU/PO/3462")

    (block,) = [one for one in marks.understood().blocks if one.text == "LPO # DU/PO/3462"]
    assert block.label == "LPO" and block.prefix == "LPO # "


def test_a_label_with_a_box_of_its_own_does_not_name_the_label_below_it():
    marks = HandmadeMarks()
    for n, label in enumerate(("Mobile phone", "Home Address")):
        y = 100 + 12 * n
        marks.write(50, y, label, bold=n == 1)
        marks.fills.append(Fill(id=f"f{n}", box=Box(x=115, y=y - 2, width=200, height=10), colour="#EEF4FB"))

    assert "Home Address" not in values(marks.understood())


def test_capitals_do_not_make_a_name_of_an_address_that_is_asked_for():
    marks = HandmadeMarks()
    marks.write(50, 100, "Home Address")

    assert not values(marks.understood())
