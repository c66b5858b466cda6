"""Columns of a table that stand as close as words are columns, and a date is one text wherever columns meet."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.structure.close_columns import with_close_columns

from .handmade import HandmadeMarks
from .headed import rows_of


def close_table(rows: list[tuple[str, str]], second: float = 102, step: float = 16) -> HandmadeMarks:
    """A table whose first two columns were read as one text in each row; the second begins at `second`."""
    page = HandmadeMarks()
    for x, heading in ((60, "Campus"), (110, "Program"), (300, "Qty"), (380, "Price"), (480, "Amount")):
        page.write(x, 100, heading, bold=True)
    for number, (both, quantity) in enumerate(rows):
        top = 116 + step * number
        page.write(second, top, both.rsplit("|", maxsplit=1)[1].strip())
        end = page.lines.pop().box.right
        page.write(60, top, both.replace(" | ", " ").replace("|", ""))
        line = page.lines.pop()
        page.lines.append(line.model_copy(update={"box": line.box.model_copy(update={"width": end - 60})}))
        for x, text in ((300, quantity), (380, "2.00"), (480, "4.00")):
            page.write(x, top, text)
    return page


def first_two(page: HandmadeMarks) -> list[list[str | None]]:
    return [row[:2] for row in rows_of(page.understood())]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["North Hall | Physics B", "South Hall | Music"], [["North Hall", "Physics B"], ["South Hall", "Music"]]),
        (["North Hall|Physics B", "South Hall | Music"], [["North Hall", "Physics B"], ["South Hall", "Music"]]),
    ],
    ids=["with a space between", "without a space in one row"],
)
def test_a_text_that_was_read_over_two_columns_is_one_text_in_each(rows: list[str], found: list[list[str]]):
    page = close_table([*((row, str(number)) for number, row in enumerate(rows, 1)), ("North Hill | Art", "3")])
    assert first_two(page) == [*found, ["North Hill", "Art"]]


def test_a_text_over_three_columns_has_a_name_of_its_own_in_each():
    page = HandmadeMarks()
    for x, heading in ((60, "Site"), (105, "Class"), (150, "Level"), (300, "Qty"), (380, "Price"), (480, "Amount")):
        page.write(x, 100, heading, bold=True)
    rows = [
        ("South Hall Biology Third term", "Third term"),
        ("South Hall Law First year", "First year"),
        ("East Music Second", "Second"),
    ]
    for number, (text, last) in enumerate(rows):
        top = 116 + 16 * number
        page.write(150, top, last)
        end = page.lines.pop().box.right
        page.write(60, top, text)
        line = page.lines.pop()
        page.lines.append(line.model_copy(update={"box": line.box.model_copy(update={"width": end - 60})}))
        for x, amount in ((300, str(number + 1)), (380, "2.00"), (480, "4.00")):
            page.write(x, top, amount)
    page.lines = [line.model_copy(update={"id": f"t{number}"}) for number, line in enumerate(page.lines)]

    lines = with_close_columns(page).lines

    assert {"South Hall", "Biology", "Third term", "Law", "First year"} <= {line.text for line in lines}
    assert len({line.id for line in lines}) == len(lines)


def test_a_text_over_two_columns_whose_words_end_elsewhere_in_each_row_is_one_text():
    page = HandmadeMarks()
    for x, heading in ((60, "Item"), (110, "Code"), (300, "Qty"), (380, "Price")):
        page.write(x, 100, heading, bold=True)
    for number, text in enumerate(("A very long oak shelf", "Enormous desk lamps", "Notebooks made of paper")):
        top = 116 + 16 * number
        page.write(60, top, text)
        page.write(300, top, str(number + 1))
        page.write(380, top, "2.00")
    texts = [block.text for block in page.understood().blocks]
    assert {"A very long oak shelf", "Enormous desk lamps", "Notebooks made of paper"} <= set(texts)


def test_records_that_stand_far_apart_are_one_table_if_their_texts_stand_below_each_other():
    page = close_table([("North Hall | Physics", "1"), ("South Hall | Music", "2"), ("North Hill | Art", "3")], step=43)
    assert first_two(page) == [["North Hall", "Physics"], ["South Hall", "Music"], ["North Hill", "Art"]]


def test_a_date_that_was_cut_where_columns_meet_is_one_value():
    page = HandmadeMarks()
    page.write(60, 100, "Tue, Mar")
    page.write(101, 100, "19, 2024")
    page.write(60, 140, "March")
    page.write(101, 140, "Total")
    assert [block.text for block in page.understood().blocks] == ["Tue, Mar 19, 2024", "March", "Total"]
