"""Cells of a table that span several of its rows name the group of these rows, and stand in the first of them."""

from __future__ import annotations

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid, Layout, RulingLine

from .handmade import HandmadeMarks
from .test_headed_tables import rows_of

COLUMNS = [50.0, 90.0, 170.0, 290.0, 370.0, 450.0]
TOP, HEIGHT = 100.0, 20.0


class MergedTable(HandmadeMarks):
    """A ruled table whose cells are written by their first row, first column, rows and columns."""

    def cells(self, *written: tuple[int, int, int, int, str]) -> MergedTable:
        rows = [TOP + HEIGHT * row for row in range(1 + max(row + high for row, _, high, _, _ in written))]
        cells = []
        for row, column, high, wide, text in written:
            box = Box.between(COLUMNS[column], rows[row], COLUMNS[column + wide], rows[row + high])
            cells.append(Cell(row=row, column=column, row_span=high, column_span=wide, box=box))
            self._draw(box)
            if text:
                self.write(box.x + 4, box.middle[1] - 3, text)
        area = Box.between(COLUMNS[0], rows[0], COLUMNS[-1], rows[-1])
        self.grids.append(Grid(id="g", box=area, columns=COLUMNS, rows=rows, cells=cells))
        return self

    def _draw(self, box: Box) -> None:
        for x1, y1, x2, y2 in (
            (box.x, box.y, box.right, box.y),
            (box.x, box.bottom, box.right, box.bottom),
            (box.x, box.y, box.x, box.bottom),
            (box.right, box.y, box.right, box.bottom),
        ):
            self.rules.append(RulingLine(id=f"r{len(self.rules)}", x1=x1, y1=y1, x2=x2, y2=y2, thickness=0.5))


def row(number: int, *texts: str, first: int = 0) -> list[tuple[int, int, int, int, str]]:
    return [(number, first + column, 1, 1, text) for column, text in enumerate(texts)]


def parts_list() -> Layout:
    """A list whose parts are in two groups, with one part that is in none."""
    head = [(0, 0, 1, 1, "No"), (0, 1, 1, 2, "Description"), (0, 3, 1, 1, "Quantity"), (0, 4, 1, 1, "Price")]
    groups = [(1, 1, 3, 1, "Glued"), (4, 1, 2, 1, "Screwed")]
    parts = [("Chip", "4", "1.50"), ("Coil", "2", "3.00"), ("Diode", "9", "0.20"), ("Socket", "1", "7.00")]
    cells = [one for n, texts in enumerate([*parts, ("Plug", "3", "2.00")], 1) for one in row(n, *texts, first=2)]
    numbers = [(n, 0, 1, 1, str(n)) for n in range(1, 7)]
    last = [(6, 1, 1, 2, "Packing"), (6, 3, 1, 1, "1"), (6, 4, 1, 1, "5.00")]
    return MergedTable().cells(*head, *groups, *numbers, *cells, *last).understood()


def test_a_cell_beside_several_rows_is_the_group_of_the_first_in_a_column_of_its_own():
    assert rows_of(parts_list()) == [
        ["1", "Glued", "Chip", "4", "1.50"],
        ["2", None, "Coil", "2", "3.00"],
        ["3", None, "Diode", "9", "0.20"],
        ["4", "Screwed", "Socket", "1", "7.00"],
        ["5", None, "Plug", "3", "2.00"],
        ["6", None, "Packing", "1", "5.00"],
    ]


def test_the_column_of_groups_is_called_so_and_the_other_keeps_the_heading():
    repeat = parts_list().repeat
    assert repeat is not None
    assert [slot.label for slot in repeat.slots] == ["No", "Group", "Description", "Quantity", "Price"]


def test_rows_that_name_stages_repeat_as_the_tasks_below_them_do():
    head = row(0, "Stage", "Task", "Description", "Hours", "Remark")
    stages = [(1, 0, 1, 1, "Design"), (1, 1, 1, 4, ""), (4, 0, 1, 1, "Building"), (4, 1, 1, 4, "")]
    blank = [(2, 0, 2, 1, ""), (5, 0, 2, 1, "")]
    tasks = [(n, ("Draw", "all pages", "5", "yes")) for n in (2, 3, 5, 6)]
    cells = [one for n, texts in tasks for one in row(n, *texts, first=1)]
    rows = rows_of(MergedTable().cells(*head, *stages, *blank, *cells).understood())
    task = [None, "Draw", "all pages", "5", "yes"]
    assert rows == [["Design", *[None] * 4], task, task, ["Building", *[None] * 4], task, task]


def test_a_cell_beside_labels_is_no_group():
    cells = [(0, 0, 2, 1, "Photo"), *row(0, "Name", "Anna Berg", first=1), *row(1, "Town", "Graz", first=1)]
    marks = MergedTable().cells(*cells)
    before = [line.box for line in marks.lines]
    assert [line.box for line in marks.understood().lines] == before


def test_rows_of_a_ruled_table_may_be_far_from_each_other():
    page = HandmadeMarks()
    rows = [["No", "Item", "Description", "Amount"], *([str(n), "Design", f"page {n}", f"{n}0.00"] for n in (1, 2, 3))]
    page.table(50, 100, [60, 120, 150, 80], rows, height=80)
    assert rows_of(page.understood()) == rows[1:]
