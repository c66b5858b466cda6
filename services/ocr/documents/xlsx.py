"""XLSX: a page of the first sheet that has content, drawn as a page with its exact words."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import Any

import openpyxl
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.utils import range_boundaries
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.sheet import CellFormula, SheetCell
from bandsmith.shared.replies import Text

from ..page import Page
from . import package
from .drawing import FilledBox, Item, LoopArea, PlacedPicture, StrokedLine, draw_page
from .numbers import fixed_decimals
from .sheet_areas import At, covered_cells
from .sheet_colours import hex_colour
from .sheet_formulas import written_formulas
from .sheet_grid import (
    MAX_COLUMNS,
    MAX_ROWS,
    Area,
    cells_in,
    column_width,
    free_size,
    hidden_data,
    is_crowded,
    page_starts,
    paper_size,
    print_scale,
    readable_size,
    row_heights,
)
from .sheet_headers import SheetHeaders, header_items, header_notes, read_headers
from .sheet_pictures import CellPoint, corner_cells, is_squashed, picture_box, picture_pixels
from .sheet_references import UnseenCells
from .sheet_shapes import SheetShape, sheet_shapes
from .sheet_text import text_items
from .sheet_values import compute_missing_values
from .xlsx_loops import mark_loops

SUFFIXES = (".xlsx",)
looks_like = package.looks_like

_RULE_WIDTHS_PT = {"hair": 0.25, "thin": 0.5, "dotted": 0.5, "dashed": 0.5, "medium": 1.0, "double": 1.5, "thick": 1.75}
_MAX_NAMED_SHEETS = 3
MAX_CELLS = 2_000
"""Cells of a page with a formula, or named by one."""


def read(content: bytes, size: Size | None, number: int = 1) -> Page:
    """Return a page of an XLSX, counted from 1.

    Raises ``BadInput`` when it is damaged, protected, empty or unsafe to open.
    """
    package.check(content, "xl/workbook.xml")
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, keep_links=False)
        computing = openpyxl.load_workbook(io.BytesIO(content), keep_links=False)
        for sheet in book.worksheets:
            if sheet.sheet_state != "visible":
                continue
            formulas = written_formulas(computing[sheet.title])
            computed = compute_missing_values(sheet, formulas)
            shapes = sheet_shapes(sheet, content)
            if used := _used_area(sheet, shapes):
                headers = read_headers(sheet, content)
                page = _page(sheet, used, size, number, shapes, headers, formulas)
                page.notes.extend([*_notes(book, sheet, used, formulas, computed), *header_notes(headers, number)])
                return page
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError):
        # openpyxl reports missing or malformed parts by any of these.
        raise BadInput.of("documents.office") from None
    raise BadInput.of("documents.blank")


def _notes(book: Workbook, sheet: Worksheet, used: Area, formulas: Collection[At], computed: int) -> Iterator[Text]:
    """Yield what to tell the user about what the workbook holds beside the printed sheet."""
    others = [one.title for one in book.worksheets if one is not sheet and _used_area(one)]
    if others:
        names = Text("; ".join(others[:_MAX_NAMED_SHEETS]), "；".join(others[:_MAX_NAMED_SHEETS]))
        yield Text.of("documents.notes.xlsx_sheets", count=len(others), sheet=sheet.title, names=names)
    if hidden := hidden_data(sheet, used):
        yield Text.of("documents.notes.xlsx_hidden", count=hidden)
    if conditional := sum(len(one.rules) for one in sheet.conditional_formatting):
        yield Text.of("documents.notes.xlsx_conditional", count=conditional)
    if uncomputed := sum(sheet.cell(*at).value is None for at in formulas):
        yield Text.of("documents.notes.xlsx_formulas", count=uncomputed)
    if computed:
        yield Text.of("documents.notes.xlsx_computed", count=computed)


def _used_area(sheet: Worksheet, shapes: Sequence[SheetShape] = ()) -> Area | None:
    """Return the first column and row, and the last, of the print area or of the visible cells."""
    if sheet.print_area:
        left, top, right, bottom = range_boundaries(sheet.print_area.split(",")[0].split("!")[-1].replace("$", ""))
        return left, top, min(right, left + MAX_COLUMNS - 1), min(bottom, top + MAX_ROWS - 1)
    drawn = [(c.column, c.row) for c in cells_in(sheet, (1, 1, MAX_COLUMNS, MAX_ROWS)) if _is_visible(c)]
    drawn += [corner for one in (*sheet._images, *shapes) for corner in corner_cells(one.anchor)]
    if not drawn:
        return None
    columns, rows = zip(*drawn, strict=True)
    left, top = min(columns), min(rows)
    return left, top, min(max(columns), left + MAX_COLUMNS - 1), min(max(rows), top + MAX_ROWS - 1)


def _is_visible(cell: Cell | MergedCell) -> bool:
    sides = (cell.border.left, cell.border.right, cell.border.top, cell.border.bottom)
    return cell.value not in (None, "") or cell.fill.fill_type == "solid" or any(side and side.style for side in sides)


def _page(
    sheet: Worksheet,
    used: Area,
    size: Size | None,
    number: int,
    shapes: Sequence[SheetShape],
    headers: SheetHeaders,
    formulas: Mapping[At, CellFormula | None],
) -> Page:
    """Draw a page of a sheet, counted from 1. Raises ``IndexError`` where there is none."""
    grid = _PrintedGrid(sheet, used, size, number)
    items = [*grid.loops(), *grid.cells(), *header_items(headers, sheet, grid.size, grid.scale, number, grid.pages)]
    pictures = _pictures(sheet, grid.corner, grid.scale)
    items += [picture for picture in pictures if picture is not None]
    for shape in shapes:
        if (box := picture_box(shape.anchor, grid.corner, grid.scale)) is not None:
            items += shape.items(box, grid.scale)
    notes = []
    if lost := len(sheet._charts) + pictures.count(None):
        notes.append(Text.of("documents.notes.pictures", count=lost))
    if size is None and grid.size != paper_size(sheet):
        notes.append(
            Text.of("documents.notes.xlsx_paper", width=round(grid.size.width), height=round(grid.size.height))
        )
    left_out = Text.of("documents.notes.xlsx_pages") if grid.pages > 1 else None
    cells = [*grid.computing_cells(formulas)]
    return replace(
        draw_page(items, grid.size, notes),
        pages=grid.pages,
        left_out=left_out,
        sheet_cells=cells,
        may_have_watermark=False,
    )


class _PrintedGrid:
    """The rows and columns of a sheet that are on one page, with their positions in points."""

    def __init__(self, sheet: Worksheet, used: Area, size: Size | None, number: int) -> None:
        self._left, top, right, bottom = used
        margins = sheet.page_margins
        widths = [column_width(sheet, column) for column in range(self._left, right + 1)]
        self._sheet, self.size = sheet, size or readable_size(sheet, sum(widths))
        free = free_size(sheet, self.size)
        rows = row_heights(sheet, range(top, bottom + 1))
        heights = [row.points for row in rows]
        self._raised = {number for number, row in enumerate(rows, top) if row.is_raised}
        self.scale = print_scale(sheet, sum(widths), sum(heights), free)
        begin = margins.left * 72
        if sheet.print_options.horizontalCentered:
            begin += (free.width - sum(widths) * self.scale) / 2
        self._x = [begin + width for width in accumulate((w * self.scale for w in widths), initial=0.0)]
        y = list(accumulate((height * self.scale for height in heights), initial=0.0))
        starts = [*page_starts(y, free.height + 1), len(heights)]
        self.pages = len(starts) - 1
        first, last = starts[number - 1], starts[number]
        self._y = [edge - y[first] + margins.top * 72 for edge in y]
        self._top = top
        self._area = (self._left, top + first, right, top + last - 1)

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """Return the upper left corner of a cell, which may lie outside the printed area."""
        return _edge(self._x, column - self._left), _edge(self._y, row - self._top)

    def loops(self) -> Iterator[Item]:
        """Yield the areas that the sheet, a template, repeats."""
        last = self._area[3]
        for loop, (begin, end) in enumerate(mark_loops(cells_in(self._sheet, self._area)), 1):
            top, bottom = self._y[begin - self._top], self._y[min(end, last) - self._top + 1]
            yield LoopArea(Box.between(self._x[0], top, self._x[-1], bottom), loop)

    def cells(self) -> Iterator[Item]:
        """Yield what is drawn of the cells. Nothing is drawn of those in hidden rows and columns."""
        for cell, box, end_column in self._boxes():
            yield from _cell_items(cell, box)
            if not isinstance(cell, MergedCell):
                crowded = is_crowded(self._sheet, cell, end_column)
                yield from text_items(cell, box, self.scale, crowded, cell.row in self._raised)

    def computing_cells(self, formulas: Mapping[At, CellFormula | None]) -> Iterator[SheetCell]:
        """Yield the printed cells that have a formula or are named by one."""
        carried = UnseenCells(self._sheet, formulas, self._is_seen).written_out()
        named = covered_cells({area for formula in carried.values() for area in formula.operands})
        boxes = {(cell.row, cell.column): box for cell, box, _ in self._boxes() if not isinstance(cell, MergedCell)}
        for row, column in islice((at for at in boxes if at in named or at in carried), MAX_CELLS):
            yield SheetCell(
                row=row,
                column=column,
                box=boxes[row, column],
                formula=carried.get((row, column)),
                decimals=fixed_decimals(self._sheet.cell(row, column).number_format),
            )

    def _is_seen(self, at: At) -> bool:
        """Whether a cell is printed, on this page or on another one."""
        row, column = at[0] - self._top, at[1] - self._left
        if not (0 <= row < len(self._y) - 1 and 0 <= column < len(self._x) - 1):
            return False
        return self._y[row + 1] > self._y[row] and self._x[column + 1] > self._x[column]

    def _boxes(self) -> Iterator[tuple[Any, Box, int]]:
        """Yield the cells that are seen with their boxes, merged cells as one, and the last column of each."""
        merged = {(m.min_row, m.min_col): m for m in self._sheet.merged_cells.ranges}
        _, _, right, bottom = self._area
        for cell in cells_in(self._sheet, self._area):
            merge = merged.get((cell.row, cell.column))
            end_column, end_row = (merge.max_col, merge.max_row) if merge else (cell.column, cell.row)
            box = Box.between(
                *self.corner(cell.column, cell.row),
                *self.corner(min(end_column, right) + 1, min(end_row, bottom) + 1),
            )
            if box.width > 0 and box.height > 0:
                yield cell, box, end_column


def _edge(edges: list[float], number: int) -> float:
    """Return the position of a row or column, which may lie outside the printed area."""
    return edges[min(max(number, 0), len(edges) - 1)]


def _pictures(sheet: Worksheet, cell_point: CellPoint, scale: float) -> list[PlacedPicture | None]:
    """Return the sheet's pictures at their positions on the page; None for each that cannot be drawn.

    One that has collapsed to a line is left out: it is not seen.
    """
    placed: list[PlacedPicture | None] = []
    for picture in sheet._images:
        box, pixels = picture_box(picture.anchor, cell_point, scale), picture_pixels(picture)
        if box is None or pixels is None:
            placed.append(None)
        elif not is_squashed(box, pixels):
            placed.append(PlacedPicture(box, pixels))
    return placed


def _cell_items(cell: Any, box: Box) -> Iterator[Item]:
    """Yield a cell's fill and its rules."""
    border = cell.border
    sides = [
        (border.top, box.x, box.y, box.right, box.y),
        (border.bottom, box.x, box.bottom, box.right, box.bottom),
        (border.left, box.x, box.y, box.x, box.bottom),
        (border.right, box.right, box.y, box.right, box.bottom),
    ]
    # The rules around a merged area belong to its hidden cells; each draws its own sides.
    if (
        not isinstance(cell, MergedCell)
        and cell.fill.fill_type == "solid"
        and (colour := hex_colour(cell.fill.fgColor))
    ):
        yield FilledBox(box, colour)
    yield from _rules(sides)


def _rules(sides: Any) -> Iterator[Item]:
    for side, x1, y1, x2, y2 in sides:
        if side is not None and side.style:
            yield StrokedLine(
                x1, y1, x2, y2, _RULE_WIDTHS_PT.get(side.style, 0.75), hex_colour(side.color) or "#000000"
            )
