"""The grid of a worksheet: widths of columns and heights of rows as printed, and what of it is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared.model.geometry import Size

from ..flatten.size import PAPER_SIZES, rotated
from .sheet_text import align_of, cell_text

MAX_ROWS, MAX_COLUMNS = 400, 100
"""More than fits on any page."""
MIN_READABLE_SCALE = 0.6
"""The usual 11 points are printed in 6.6 at this scale; below it, they are hardly read."""
Area = tuple[int, int, int, int]
"""The first column and row, and the last, counted from 1."""
_PAPER_NAMES = {1: "Letter", 5: "Legal", 8: "A3", 9: "A4", 11: "A5"}
_ROW_MARGIN_PT = 2.0
"""Height of a row beyond that of a wrapped text."""
_MAX_CUT = 0.5
"""How much of a line, in sizes of its text, a row of a height of its own may cut off a wrapped text."""
_LINE_SHARE = 1.36
"""Height of a row for a text of one line, in sizes of its font."""


def cells_in(sheet: Worksheet, area: Area) -> Iterator[Any]:
    """Yield the cells of an area, row by row, as far as the sheet goes."""
    left, top, right, bottom = area
    right, bottom = min(right, sheet.max_column), min(bottom, sheet.max_row)
    for row in sheet.iter_rows(min_row=top, max_row=bottom, min_col=left, max_col=right):
        yield from row


def paper_size(sheet: Worksheet) -> Size:
    """Return the size that the sheet is set to be printed on."""
    size = PAPER_SIZES[_PAPER_NAMES.get(int(sheet.page_setup.paperSize or 9), "A4")]
    return rotated(size) if sheet.page_setup.orientation == "landscape" else size


def readable_size(sheet: Worksheet, width: float) -> Size:
    """Return the size of the page that a sheet of a width is printed on.

    A sheet with a smaller scale or a number of pages keeps its paper. Any other gets the first of these on which it is
    large enough to be read: its paper, its paper in landscape, A3, A3 in landscape.
    """
    size, page = paper_size(sheet), sheet.sheet_properties.pageSetUpPr
    if (page is not None and page.fitToPage) or (sheet.page_setup.scale or 100) < 100:
        return size
    larger = PAPER_SIZES["A3"]
    sizes = [size, max(size, rotated(size), key=lambda one: one.width), larger, rotated(larger)]
    return next((one for one in sizes if free_size(sheet, one).width >= MIN_READABLE_SCALE * width), sizes[-1])


def free_size(sheet: Worksheet, size: Size) -> Size:
    """Return what a sheet's margins leave of a page."""
    margins = sheet.page_margins
    return Size(
        width=size.width - (margins.left + margins.right) * 72, height=size.height - (margins.top + margins.bottom) * 72
    )


def print_scale(sheet: Worksheet, width: float, height: float, available: Size) -> float:
    """Return the scale at which a sheet of a width and a height is printed.

    A sheet that is too wide is printed smaller, as most people set it; a smaller scale that is set is kept.
    """
    setup = sheet.page_setup
    wanted = [1.0, available.width / max(1.0, width)]
    page = sheet.sheet_properties.pageSetUpPr
    if page is not None and page.fitToPage:
        # 0 stands for as many pages as are needed.
        pages = 1 if setup.fitToHeight is None else int(setup.fitToHeight)
        wanted += [available.height * pages / max(1.0, height)] if pages else []
    else:
        wanted.append(max((setup.scale or 100) / 100, 0.1))
    return max(0.1, min(wanted))


def page_starts(edges: list[float], available: float) -> list[int]:
    """Return the index of the first row of each page. A row that is higher than a page has one for itself."""
    starts = [0]
    for row, bottom in enumerate(edges[1:]):
        if bottom - edges[starts[-1]] > available and row > starts[-1]:
            starts.append(row)
    return starts


def column_width(sheet: Worksheet, column: int) -> float:
    """Return a column's width in points; the file gives characters of the default font: 7 pixels each, plus 5."""
    dimension = _column(sheet, column)
    if dimension is not None and dimension.hidden:
        return 0.0
    characters = (
        dimension.width
        if dimension is not None and dimension.customWidth
        else sheet.sheet_format.defaultColWidth or 8.43
    )
    return (float(characters) * 7 + 5) * 0.75


def _column(sheet: Worksheet, column: int) -> Any:
    """Return what the sheet says of a column; one entry may stand for a group of them."""
    own = sheet.column_dimensions.get(get_column_letter(column))
    groups = (d for d in sheet.column_dimensions.values() if d.min and d.max and d.min <= column <= d.max)
    return own if own is not None else next(groups, None)


class RowHeight(NamedTuple):
    """How high a row is printed."""

    points: float
    is_raised: bool = False
    """Whether it is higher than in Excel, for a text that is cut off there."""


def row_heights(sheet: Worksheet, rows: range) -> list[RowHeight]:
    """Return the heights of rows: what is set, or as high as their texts; wrapped ones may need more."""
    merged = {(area.min_row, area.min_col) for area in sheet.merged_cells.ranges}
    return [_row_height(sheet, row, merged) for row in rows]


def _row_height(sheet: Worksheet, row: int, merged: set[tuple[int, int]]) -> RowHeight:
    dimension = sheet.row_dimensions.get(row)
    if dimension is not None and dimension.hidden:
        return RowHeight(0.0)
    own = float(dimension.height) if dimension is not None and dimension.height else None
    height = own or float(sheet.sheet_format.defaultRowHeight or 15)
    is_raised = False
    for cell in sheet[row][:MAX_COLUMNS]:
        if cell.value in (None, "") or (row, cell.column) in merged:
            continue
        if own is None:
            height = max(height, (cell.font.sz or 11) * _LINE_SHARE)
        text = cell_text(cell, column_width(sheet, cell.column), 1.0, is_crowded(sheet, cell, cell.column))
        if text is None:
            continue
        is_cut = own is not None and text.fragment.height > own + _MAX_CUT * (cell.font.sz or 11)
        needed = text.fragment.height + _ROW_MARGIN_PT if own is None or text.is_squeezed or is_cut else 0.0
        if needed > height:
            height, is_raised = needed, is_raised or text.is_squeezed or is_cut
    return RowHeight(height, is_raised)


def is_crowded(sheet: Worksheet, cell: Any, last_column: int) -> bool:
    """Whether a cell is filled into which a long text would spill: that at the right, or else at the left."""
    step = -1 if align_of(cell) == "Right" else 1
    beside = (cell.column if step < 0 else last_column) + step
    while 0 < beside <= sheet.max_column and not column_width(sheet, beside):
        beside += step
    return beside > 0 and sheet.cell(cell.row, beside).value not in (None, "")


def hidden_data(sheet: Worksheet, area: Area) -> int:
    """Return the number of hidden rows and columns of an area that hold values."""
    rows, columns = set[int](), set[int]()
    for cell in cells_in(sheet, area):
        if cell.value in (None, ""):
            continue
        row, column = sheet.row_dimensions.get(cell.row), _column(sheet, cell.column)
        if row is not None and row.hidden:
            rows.add(cell.row)
        elif column is not None and column.hidden:
            columns.add(cell.column)
    return len(rows) + len(columns)
