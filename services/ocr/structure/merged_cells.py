"""Divide the cells of a ruled table that span several of its rows, so that every row has the cells of its columns.

A cell that spans rows names the group that they belong to. Its text moves into the first of them, as it has to stand in
one row to repeat with it, and a rule divides it where the other cells of these rows end. A cell that is as wide as its
heading, where other rows below the heading have a cell for their group and one for their text, is divided as these are.

A cell counts as spanning rows only below a row of headings, and beside cells with texts of their own: elsewhere it may
be any part of a form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid, RulingLine, TextLine

from ..page_marks import PageMarks
from .ruled_tables import heading_rows

MIN_CELLS_BESIDE, MIN_FILLED_ROWS = 2, 2
"""Rows that a cell spans have at least this many cells of their own; at least this many have texts in them."""
CENTRE_TOLERANCE_PT = 2.0
"""Distance from the middle of its cell up to which a text is centred."""
RULE_TOLERANCE_PT = 2.0
"""Distance between an edge of a cell and the rule that draws it."""


def with_divided_cells(marks: PageMarks) -> PageMarks:
    """Return the marks with the cells that span rows of a table divided, and their texts in the first row."""
    for grid in marks.grids:
        for head, end in _bodies(grid, marks.lines):
            wide = _group_columns(grid, head, end, marks.lines)
            for cell in _spanning(grid, head, end, marks.lines):
                marks = _divided(marks, grid.id, cell, [_part(grid, cell, row) for row in _rows_of(cell)], 0)
            for cell in _body_cells(grid, head, end):
                if cell.row_span == 1 and (cell.column, cell.column_span) in wide:
                    left, right = (_column_part(grid, cell, column) for column in (cell.column, cell.column + 1))
                    marks = _divided(marks, grid.id, cell, [left, right], 1)
    return marks


def _bodies(grid: Grid, lines: Sequence[TextLine]) -> Iterator[tuple[int, int]]:
    """Yield each row of headings, and the row that ends what is below it: others, or a cell as wide as the table."""
    heads = heading_rows(grid, lines)
    width = len(grid.columns) - 1
    banners = {cell.row for cell in grid.cells if cell.column_span == width}
    for head in heads:
        ends = [row for row in (*banners, *heads) if row > head]
        yield head, min(ends, default=len(grid.rows) - 1)


def _body_cells(grid: Grid, head: int, end: int) -> list[Cell]:
    return [cell for cell in grid.cells if head < cell.row and cell.row + cell.row_span <= end]


def _rows_of(cell: Cell) -> range:
    return range(cell.row, cell.row + cell.row_span)


def _spanning(grid: Grid, head: int, end: int, lines: Sequence[TextLine]) -> list[Cell]:
    """Return the cells between two rows that span rows with cells and texts of their own."""
    body = _body_cells(grid, head, end)
    single = [cell for cell in body if cell.row_span == 1]

    def spans_rows(cell: Cell) -> bool:
        beside = [[other for other in single if other.row == row] for row in _rows_of(cell)]
        filled = [row for row in beside if any(_texts(other.box, lines) for other in row)]
        return all(len(row) >= MIN_CELLS_BESIDE for row in beside) and len(filled) >= MIN_FILLED_ROWS

    return [cell for cell in body if cell.row_span > 1 and spans_rows(cell)]


def _group_columns(grid: Grid, head: int, end: int, lines: Sequence[TextLine]) -> set[tuple[int, int]]:
    """Return the headings over two columns of which the first one names groups, as column and span.

    Its cells span rows, or several rows have a text in both columns.
    """
    filled = {(cell.row, cell.column) for cell in _body_cells(grid, head, end) if _texts(cell.box, lines)}
    groups = {cell.column for cell in _spanning(grid, head, end, lines) if (cell.row, cell.column) in filled}
    found = set[tuple[int, int]]()
    for cell in grid.cells:
        pairs = [row for row, column in filled if column == cell.column and (row, column + 1) in filled]
        if cell.row == head and cell.column_span == 2 and (cell.column in groups or len(pairs) >= MIN_FILLED_ROWS):
            found.add((cell.column, cell.column_span))
    return found


def _texts(area: Box, lines: Sequence[TextLine]) -> list[TextLine]:
    return [line for line in lines if area.holds(*line.box.middle)]


def _part(grid: Grid, cell: Cell, row: int) -> Cell:
    box = Box.between(cell.box.x, grid.rows[row], cell.box.right, grid.rows[row + 1])
    return cell.model_copy(update={"row": row, "row_span": 1, "box": box})


def _column_part(grid: Grid, cell: Cell, column: int) -> Cell:
    box = Box.between(grid.columns[column], cell.box.y, grid.columns[column + 1], cell.box.bottom)
    return cell.model_copy(update={"column": column, "column_span": 1, "box": box})


def _divided(marks: PageMarks, grid_id: str, cell: Cell, parts: Sequence[Cell], filled: int) -> PageMarks:
    """Return the marks with the parts of a cell in its place, its texts in one of them, and rules between them."""
    inside = _texts(cell.box, marks.lines)
    moved = {line.id: line for line in _moved(inside, cell.box, parts[filled].box)}
    cells = [[*parts] if old == cell else [old] for grid in marks.grids if grid.id == grid_id for old in grid.cells]
    known = [one for found in cells for one in found]
    return replace(
        marks,
        lines=[moved.get(line.id, line) for line in marks.lines],
        rules=[*marks.rules, *_dividers(cell, parts, marks.rules)],
        grids=[grid.model_copy(update={"cells": known}) if grid.id == grid_id else grid for grid in marks.grids],
    )


def _moved(lines: Sequence[TextLine], old: Box, new: Box) -> list[TextLine]:
    """Return the texts of a cell at the same side of its part, half-way down or, where they are higher, at its top."""
    if not lines:
        return []
    text = Box.around(line.box for line in lines)
    off_centre = text.middle[0] - old.middle[0]
    is_central = abs(off_centre) <= CENTRE_TOLERANCE_PT
    x = new.middle[0] - old.middle[0] if is_central else new.x - old.x if off_centre < 0 else new.right - old.right
    y = max(new.middle[1] - text.height / 2, new.y + 1) - text.y
    return [line.model_copy(update={"box": line.box.moved(x, y)}) for line in lines]


def _dividers(cell: Cell, parts: Sequence[Cell], rules: Sequence[RulingLine]) -> list[RulingLine]:
    """Return rules between the parts of a cell, as the one that draws its left or upper edge."""
    box, down = cell.box, parts[0].column != parts[1].column
    drawn = [rule for rule in rules if rule.horizontal != down and _touches(rule, box)]
    if not drawn:
        return []
    found = []
    for part in parts[1:]:
        ends = (part.box.x, box.y, part.box.x, box.bottom) if down else (box.x, part.box.y, box.right, part.box.y)
        edges = dict(zip(("x1", "y1", "x2", "y2"), ends, strict=True))
        found.append(drawn[0].model_copy(update={"id": f"{drawn[0].id}.{part.row}.{part.column}", **edges}))
    return found


def _touches(rule: RulingLine, box: Box) -> bool:
    """Whether a rule draws an edge of a box, or a part of it."""
    if rule.horizontal:
        across = min(rule.x2, box.right) - max(rule.x1, box.x)
        return across > 0 and min(abs(rule.y1 - box.y), abs(rule.y1 - box.bottom)) <= RULE_TOLERANCE_PT
    along = min(rule.y2, box.bottom) - max(rule.y1, box.y)
    return along > 0 and min(abs(rule.x1 - box.x), abs(rule.x1 - box.right)) <= RULE_TOLERANCE_PT
