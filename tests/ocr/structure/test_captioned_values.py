"""Values on lines with their labels below, as official forms print them."""

from __future__ import annotations

from bandsmith.shared.model.layout import Layout, RulingLine

from .handmade import HandmadeMarks


def form(values: list[str], captions: list[str], small: float = 7) -> HandmadeMarks:
    """A line across the page, with values on it and captions below them."""
    marks = HandmadeMarks()
    for x, value, caption in zip((50, 200, 350), values, captions, strict=True):
        marks.write(x, 103, value, size=11)
        marks.write(x, 114, caption, size=small)
    marks.rules.append(RulingLine(id="r1", x1=48, y1=112, x2=520, y2=112, thickness=0.5))
    return marks


def labels(layout: Layout) -> dict[str, str | None]:
    return {block.text: block.label for block in layout.blocks if block.role == "value"}


def test_values_on_a_line_are_named_by_the_captions_below_it():
    marks = form(["Cage", "Jamie", "Harlow"], ["Last name", "First name", "Middle name"])
    marks.write(50, 130, "434 Main Street", size=11)

    found = labels(marks.understood())

    assert found["Cage"] == "Last name" and found["Jamie"] == "First name" and found["Harlow"] == "Middle name"
    assert found.get("434 Main Street") != "Last name"


def test_headings_above_a_rule_are_not_named_by_what_is_below_it():
    marks = form(["Name", "Date", "City"], ["Berg", "Monday", "Malmo"], small=9)

    assert not set(labels(marks.understood())) & {"Name", "Date", "City"}


def test_a_single_line_between_texts_is_a_divider():
    marks = HandmadeMarks()
    marks.write(50, 103, "Harbour Foods", size=11)
    marks.write(50, 114, "Delivery note", size=7)
    marks.rules.append(RulingLine(id="r1", x1=48, y1=112, x2=520, y2=112, thickness=0.5))

    assert labels(marks.understood()).get("Harbour Foods") != "Delivery note"
