"""What asks for something else in every row is no table: labels and values in a grid never repeat."""

from __future__ import annotations

import pytest

from .handmade import HandmadeMarks


@pytest.mark.parametrize(
    "rows",
    [
        [["Ort", "Bremen", "Gewicht", "62"], ["Fach", "1200", "Rang", "Gold"], ["Ziel", "Bonn", "Wert", "7"]],
        [["普通话", "二级甲等", "英语", "四级"], ["计算机", "二级", "驾照", "有"], ["其他", "制图", "爱好", "游泳"]],
    ],
    ids=["words beside figures and words", "words alone"],
)  # fmt: skip
def test_labels_beside_their_values_in_a_grid_do_not_repeat(rows):
    marks = HandmadeMarks()
    marks.table(50, 100, [90, 90, 90, 90], rows)
    assert marks.understood().repeat is None


def test_texts_of_different_ruled_rows_are_no_row_together():
    marks = HandmadeMarks()
    marks.table(50, 100, [30, 200, 200], [["1.", "Waehrung", "Rubel"], ["2.", "Betrag", "120"]], height=20)
    marks.table(50, 140, [30, 200, 200], [["3.", "Bank", "Nordbank Bremen"]], height=38)
    layout = marks.understood()
    assert layout.repeat is None or layout.repeat.pitch == pytest.approx(20)


def test_an_item_of_several_lines_repeats_as_one_row():
    marks = HandmadeMarks()
    marks.write(360, 260, "Quantity")
    marks.write(470, 260, "Rate")
    for top, name, count, price, total, work in (
        (290, "Service A", "12", "10.00", "120.00", "Repair"),
        (375, "Service B", "5", "1.50", "7.50", "Cleaning"),
    ):
        marks.write(45, top, name, bold=True)
        for x, text in ((385, count), (490, price), (560, total)):
            marks.write(x, top, text, right=True)
        for line, text in enumerate((f"Description: {work}", f"Notes: {work} done", "Tax: 0.2%"), 1):
            marks.write(45, top + 15 * line, text)
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 2
    labels = {slot.label for slot in layout.repeat.slots}
    assert {"Quantity", "Rate", "Description", "Notes", "Tax"} <= labels and len(layout.repeat.slots) == 7
