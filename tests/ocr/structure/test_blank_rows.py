"""Blank tables: ruled rows that are not filled in are rows, with a field for each column."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, RulingLine

from .handmade import HandmadeMarks

WIDTHS = [60.0, 120.0, 80.0, 80.0]
HEADINGS = ["No.", "Item", "Quantity", "Price"]


def test_empty_ruled_rows_below_headings_are_rows():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, *[["", "", "", ""]] * 5])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 5
    assert [blank.label for blank in layout.blanks] == HEADINGS
    assert all(blank.box.y == layout.repeat.tops[0] for blank in layout.blanks)


def test_a_column_that_counts_the_rows_keeps_its_texts():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, *[[str(row), "", "", ""] for row in range(1, 5)]])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 4
    assert [slot.label for slot in layout.repeat.slots] == ["No."]
    assert [blank.label for blank in layout.blanks] == HEADINGS[1:]


def test_an_empty_column_of_filled_rows_is_a_field():
    marks = HandmadeMarks()
    rows = [[str(n), f"Part {n}", str(3 * n), ""] for n in range(1, 5)]
    marks.table(50, 100, WIDTHS, [["No.", "Item", "Quantity", "Remarks"], *rows])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 4
    assert [blank.label for blank in layout.blanks] == ["Remarks"]


def test_blank_cells_beside_their_labels_are_no_rows():
    marks = HandmadeMarks()
    marks.table(50, 100, [80, 120, 80, 120], [["Name", "", "Date", ""], ["Phone", "", "Address", ""]])
    layout = marks.understood()
    assert layout.repeat is None
    assert [blank.label for blank in layout.blanks] == ["Name", "Date", "Phone", "Address"]


def test_empty_lines_below_filled_rows_are_rows_of_the_same_table():
    marks = HandmadeMarks()
    rows = [["1", "Rope", "3", "4.50"], ["2", "Hook", "1", "2.00"], *[["", "", "", ""]] * 4]
    marks.table(50, 100, WIDTHS, [HEADINGS, *rows, ["", "Total", "", "6.50"]])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 6 and not layout.further
    assert layout.total_rows == 2, "what is told is how many are filled in"


def test_one_filled_row_above_empty_ones_repeats_whatever_its_headings_say():
    marks = HandmadeMarks()
    headings, row = ["Date", "Work", "Amount", "Paid by", "Receipt"], ["2025-06-01", "Polish", "50.00", "cash", "none"]
    marks.table(50, 100, [80.0] * 5, [headings, row, *[[""] * 5] * 6])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 7
    assert [slot.label for slot in layout.repeat.slots] == headings


def test_an_empty_box_below_rows_is_no_row():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, ["1", "Rope", "3", "4.50"], ["2", "Hook", "1", "2.00"]])
    marks.table(50, 160, [sum(WIDTHS)], [[""]], height=60)
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 2


def test_a_blank_table_below_the_main_one_has_rows_of_its_own():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, ["1", "Rope", "3", "4.50"], ["2", "Hook", "1", "2.00"]])
    marks.table(50, 400, [110, 110, 110], [["Date", "Checked by", "Signature"], *[["", "", ""]] * 3])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 2
    assert [rows.rows for rows in layout.further] == [3]


def test_one_empty_row_repeats_where_its_headings_name_items():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, ["", "", "", ""]])
    assert marks.understood().repeat is not None
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [["Name", "Department", "Position", "Manager"], ["", "", "", ""]])
    assert marks.understood().repeat is None


def test_a_heading_without_text_below_it_is_a_field_of_the_rows():
    marks = HandmadeMarks()
    for x, heading in [(40, "项目名称"), (130, "规格型号"), (220, "数量"), (300, "单价"), (380, "金额"), (470, "税额")]:
        marks.write(x, 100, heading)
    for top, item, amount, tax in [(120, "服务费", "551.89", "33.11"), (136, "代订机票", "20.00", "1.20")]:
        marks.write(40, top, item)
        marks.write(400, top, amount, right=True)
        marks.write(490, top, tax, right=True)
    layout = marks.understood()
    assert layout.repeat is not None and [slot.label for slot in layout.repeat.slots] == ["项目名称", "金额", "税额"]
    assert [blank.label for blank in layout.blanks] == ["规格型号", "数量", "单价"]
    assert all(blank.box.y == layout.repeat.tops[0] for blank in layout.blanks)
    assert all(one.box.right <= other.box.x for one, other in pairwise(layout.blanks))


def test_a_column_as_high_as_its_table_is_a_field_of_each_row():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [["", "", "", ""]], height=150)
    for x, heading in [(54, "No."), (114, "Item"), (234, "Quantity"), (314, "Price")]:
        marks.write(x, 106, heading)
    for top, number, item, price in [(122, "1", "Rope", "4.50"), (138, "2", "Hook", "2.00")]:
        marks.write(54, top, number)
        marks.write(114, top, item)
        marks.write(380, top, price, right=True)
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 2
    assert {blank.label for blank in layout.blanks} >= {"Quantity"}
    assert all(blank.box.height < 30 for blank in layout.blanks)


def test_a_first_row_that_says_how_to_fill_it_in_is_one_of_the_blank_rows():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, ["after order", "", "", ""], *[["", "", "", ""]] * 5])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 6
    assert [slot.label for slot in layout.repeat.slots] == ["No."]
    assert [blank.label for blank in layout.blanks] == HEADINGS[1:]


def test_a_label_with_its_value_above_one_empty_row_is_no_blank_table():
    marks = HandmadeMarks()
    marks.table(50, 100, WIDTHS, [HEADINGS, ["see list", "", "", ""], ["", "", "", ""]])
    assert marks.understood().repeat is None


def test_totals_of_a_blank_table_are_fields_where_one_empty_cell_stands_beside_them():
    marks = HandmadeMarks()
    rows = [HEADINGS, *[["", "", "", ""]] * 4, ["", "", "Tax", ""], ["", "", "Total", ""]]
    marks.table(50, 100, WIDTHS, rows)
    grid = marks.grids[0]
    ending = [cell for cell in grid.cells if cell.row < 5 or cell.column > 1]
    marks.grids[0] = grid.model_copy(update={"cells": ending})
    assert [blank.label for blank in marks.understood().blanks] == ["Tax", "Total", *HEADINGS]


def test_numbers_below_a_line_of_headings_are_rows_without_rules():
    marks = HandmadeMarks()
    for x, heading in ((50, "No."), (100, "Item"), (250, "Quantity"), (330, "Supplier")):
        marks.write(x, 100, heading)
    for row in range(8):
        marks.write(54, 115 + 15 * row, str(row + 1))
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 8
    assert [slot.label for slot in layout.repeat.slots] == ["No."]
    assert [blank.label for blank in layout.blanks] == ["Item", "Quantity", "Supplier"]


def test_numbered_notes_are_no_rows_of_a_blank_table():
    marks = HandmadeMarks()
    for x, heading in ((50, "No."), (100, "Item"), (250, "Quantity")):
        marks.write(x, 100, heading)
    for row in range(8):
        marks.write(54, 115 + 15 * row, str(row + 1))
        marks.write(100, 115 + 15 * row, "Please read before you order.")
    layout = marks.understood()
    assert layout.repeat is None or layout.repeat.slots[0].label != "No." or len(layout.repeat.slots) > 1


@pytest.mark.parametrize("first", [["", "", "", ""], ["Lamp", "4", "12.50", "50.00"]], ids=["blank", "filled"])
def test_a_total_with_several_empty_cells_is_a_field_of_each_column_that_adds_up(first: list[str]):
    marks = HandmadeMarks()
    headings = ["Item", "Quantity", "Unit price", "Amount"]
    marks.table(50, 100, WIDTHS, [headings, first, *[["", "", "", ""]] * 3, ["Total", "", "", ""]])
    layout = marks.understood()
    totals = {blank.label: blank.box for blank in layout.blanks if blank.box.y > marks.grids[0].rows[-2] - 1}
    assert list(totals) == ["Total Quantity", "Total Amount"]
    assert totals["Total Amount"].right == marks.grids[0].columns[-1]


def test_a_high_cell_beside_a_blank_table_is_no_column_of_it():
    marks = HandmadeMarks()
    marks.table(50, 100, [*WIDTHS, 120], [[*HEADINGS, "Signature"], *[["", "", "", "", ""]] * 3])
    grid = marks.grids[0]
    box = Box.between(grid.columns[4], grid.rows[0], grid.columns[5], grid.rows[4])
    high = Cell(row=0, column=4, row_span=4, box=box)
    marks.grids[0] = grid.model_copy(update={"cells": [*(cell for cell in grid.cells if cell.column < 4), high]})
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 3 and layout.repeat.box.right == grid.columns[4]


def test_dates_below_headings_one_of_which_is_a_sign_count_the_rows():
    marks = HandmadeMarks()
    dates = [f"{day}.11.2023" for day in (1, 2, 3, 6, 7)]
    marks.table(50, 100, [80.0] * 4, [["Datum", "Beginn", "Feierabend", "+/-"], *[[day, "", "", ""] for day in dates]])
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 5
    assert [slot.label for slot in layout.repeat.slots] == ["Datum"]
    assert [blank.label for blank in layout.blanks] == ["Beginn", "Feierabend", "+/-"]


@pytest.mark.parametrize("has_lines", [True, False])
def test_numbers_with_a_line_to_write_on_below_each_are_rows_whatever_their_headings(has_lines: bool):
    marks = HandmadeMarks()
    for x, text in ((50, "Pos."), (100, "Artikelnummer"), (250, "Titel des Bildes")):
        marks.write(x, 100, text)
    for number in range(1, 7):
        y = 100 + 25 * number
        marks.write(50, y, str(number))
        if has_lines:
            marks.rules.append(RulingLine(id=f"r{number}", x1=50, y1=y - 9, x2=540, y2=y - 9, thickness=0.5))
    layout = marks.understood()
    assert (layout.repeat is not None) == has_lines
    if layout.repeat:
        assert layout.repeat.rows == 6
        assert [blank.label for blank in layout.blanks] == ["Artikelnummer", "Titel des Bildes"]


def test_a_column_of_remarks_with_nothing_below_its_heading_is_a_field():
    marks = HandmadeMarks()
    for x, text in ((50, "序号"), (100, "名称"), (250, "数量"), (330, "金额"), (430, "备注")):
        marks.write(x, 100, text)
    for number in range(1, 5):
        for x, text in ((50, str(number)), (100, f"货物{number}"), (250, str(3 * number)), (330, f"{number}.50")):
            marks.write(x, 100 + 20 * number, text)
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 4
    assert [blank.label for blank in layout.blanks] == ["备注"]


def test_an_empty_column_looks_like_the_filled_ones_and_never_white_like_headings_on_a_bar():
    marks = HandmadeMarks()
    rows = [[str(n), f"Part {n}", str(3 * n), ""] for n in range(1, 5)]
    marks.table(50, 100, WIDTHS, [["No.", "Item", "Quantity", "Price"], *rows])
    marks.table(50, 400, WIDTHS, [HEADINGS, *[["", "", "", ""]] * 4])
    for n, line in enumerate(marks.lines):
        if line.text in HEADINGS:
            style = line.style.model_copy(update={"colour": "#FFFFFF", "size": 11.0})
            marks.lines[n] = line.model_copy(update={"style": style})
    blanks = marks.understood().blanks
    assert len(blanks) == 5 and {blank.style.colour for blank in blanks} == {"#000000"}
    assert [blank.style.size for blank in blanks if blank.box.y < 400] == [9]
