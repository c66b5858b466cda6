"""Find tables by their ruled cells: a row of headings, and rows below it with the same cells.

Where rules divide every record, the cells tell which texts belong together, however many lines each has and wherever
these stand. A heading may be many words, and a record may have no figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid, TextLine

from .ending_sums import without_ending_sums
from .row_groups import is_totals_row, with_groups
from .table_model import HeadedTable, Heading, TableRecord
from .text_classifier import is_statement, split_prefix, text_kind

MIN_COLUMNS = 3
"""Two columns are as likely labels beside their values."""
MAX_HEADING_CHARS = 80
MIN_BLANK_ROWS = 2
"""Empty rows below filled ones, from which on they say that the rows repeat."""


def find_ruled_tables(lines: Sequence[TextLine], grids: Sequence[Grid]) -> Iterator[HeadedTable]:
    """Yield the table below every row of headings in a grid. Tables may overlap; the caller chooses among them."""
    for grid in grids:
        texts = _texts_by_cell(lines, grid)
        for row in heading_rows(grid, lines):
            head = _cells_in(grid, row)
            records, ends_in_total = _records(grid, head, row + 1, texts)
            if records:
                headings = [Heading(texts[cell.box], cell.box.x, cell.box.right, ruled=True) for cell in head]
                is_open = not ends_in_total and _has_blank_rows(grid, head, row + 1 + len(records), texts)
                table = without_ending_sums(HeadedTable(headings, records, ends_in_total, has_blank_rows=is_open))
                yield with_groups(table, lambda _: False)


def heading_rows(grid: Grid, lines: Sequence[TextLine]) -> list[int]:
    """Return the rows of a grid, above others, whose cells all hold headings."""
    texts = _texts_by_cell(lines, grid)
    heads = ((row, _cells_in(grid, row)) for row in range(len(grid.rows) - 2))
    return [row for row, head in heads if len(head) >= MIN_COLUMNS and _are_headings(head, texts)]


def _texts_by_cell(lines: Sequence[TextLine], grid: Grid) -> Mapping[Box, list[TextLine]]:
    return {cell.box: [line for line in lines if cell.box.holds(*line.box.middle)] for cell in grid.cells}


def _cells_in(grid: Grid, row: int) -> list[Cell]:
    """Return the cells of a row from left to right; none if one of them spans rows."""
    across = [cell for cell in grid.cells if cell.row <= row < cell.row + cell.row_span]
    return sorted(across, key=lambda cell: cell.column) if all(cell.row_span == 1 for cell in across) else []


def _are_headings(cells: Sequence[Cell], texts: Mapping[Box, list[TextLine]]) -> bool:
    """Whether every cell holds wording, as headings do, and none a label for a value beside or below it."""
    return all(texts[cell.box] and _is_heading(" ".join(n.text for n in texts[cell.box])) for cell in cells)


def _is_heading(text: str) -> bool:
    plain = text.strip()
    if len(plain) > MAX_HEADING_CHARS or text_kind(plain) != "text" or plain.endswith((":", "：")):
        return False
    return any(char.isalpha() for char in plain) and not split_prefix(plain)[0] and not is_statement(plain)


def _has_blank_rows(grid: Grid, head: Sequence[Cell], first: int, texts: Mapping[Box, list[TextLine]]) -> bool:
    """Whether the rows from `first` on have the cells of the headings, and no text."""
    shape = [(cell.column, cell.column_span) for cell in head]
    rows = [_cells_in(grid, row) for row in range(first, min(first + MIN_BLANK_ROWS, len(grid.rows) - 1))]
    are_alike = all([(cell.column, cell.column_span) for cell in cells] == shape for cells in rows)
    return len(rows) == MIN_BLANK_ROWS and are_alike and not any(texts[cell.box] for cells in rows for cell in cells)


def _records(
    grid: Grid, head: Sequence[Cell], first: int, texts: Mapping[Box, list[TextLine]]
) -> tuple[list[TableRecord], bool]:
    """Return the rows below the headings that have the same cells, and whether a total ended them.

    Rows without text at the end are blank lines of the form.
    """
    shape = [(cell.column, cell.column_span) for cell in head]
    records = list[TableRecord]()
    for row in range(first, len(grid.rows) - 1):
        cells = _cells_in(grid, row)
        inside = [line for cell in cells for line in texts[cell.box]]
        if is_totals_row(sorted(inside, key=lambda n: n.box.x)):
            return records, bool(records)
        if [(cell.column, cell.column_span) for cell in cells] != shape or not inside:
            break
        record = TableRecord()
        record.add({n: texts[cell.box] for n, cell in enumerate(cells) if texts[cell.box]})
        records.append(record)
    return records, False
