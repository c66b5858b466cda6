"""Addresses that are filled in, of which some lines look like wording."""

import pytest

from .handmade import HandmadeMarks


def values(marks: HandmadeMarks) -> dict[str, str | None]:
    return {block.text: block.label for block in marks.understood().blocks if block.role == "value"}


def test_a_place_and_a_person_between_the_lines_of_an_address_are_values():
    marks = HandmadeMarks()
    for number, line in enumerate(["Birke GmbH", "Ida", "Lindenweg 12", "30159", "Hannover"]):
        marks.write(60, 200 + 15 * number, line)
    found = values(marks)
    assert set(found) >= {"Birke GmbH", "Ida", "Lindenweg 12", "30159", "Hannover"}
    assert {found["Ida"], found["30159"], found["Hannover"]} == {"Address"}


def test_a_letterhead_that_is_all_wording_stays_wording():
    marks = HandmadeMarks()
    for number, line in enumerate(["Our shop", "At the bridge", "Open all week"]):
        marks.write(60, 200 + 15 * number, line)
    assert not values(marks)


def test_a_unit_between_street_and_postcode_is_part_of_the_address_of_whom_stands_above():
    marks = HandmadeMarks()
    marks.write(24, 200, "Bill To: Maple Drugs")
    for number, line in enumerate(["88 Upper Lake Avenue", "UNIT 6", "Hamilton ON L8W 1E7"]):
        marks.write(61, 215 + 15 * number, line)
    found = values(marks)
    assert [found[text] for text in ("88 Upper Lake Avenue", "UNIT 6", "Hamilton ON L8W 1E7")] == [
        "Bill To address"
    ] * 3


@pytest.mark.parametrize(
    ("confidence", "sizes"), [(0.9, {10.5}), (1.0, {10, 11.5, 10.5})], ids=["of a scan", "of a document"]
)
def test_the_lines_of_an_address_are_set_in_one_size_where_they_were_recognised(confidence: float, sizes: set[float]):
    marks = HandmadeMarks()
    for number, (line, size) in enumerate([("Lindenweg 12", 10), ("30159", 11.5), ("Hannover", 10.5)]):
        marks.write(60, 200 + 15 * number, line, size=size)
    marks.lines = [line.model_copy(update={"confidence": confidence}) for line in marks.lines]
    assert {block.style.size for block in marks.understood().blocks} == sizes
