"""XLSX: a page of the first sheet that has content, drawn as a page with its exact words."""

from __future__ import annotations

import colorsys
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import accumulate
from typing import Any

import openpyxl
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.styles.colors import COLOR_INDEX
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared import replies
from bandsmith.shared.errors import BadInput
from bandsmith.shared.fonts import measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

from ..flatten.size import PAPER_SIZES, rotated
from ..page import Page
from . import package
from .drawing import (
    Align,
    CellSide,
    FilledBox,
    Item,
    LoopArea,
    PlacedPicture,
    StrokedLine,
    draw_page,
    lay_out_paragraph,
)
from .font_mapping import match_family
from .numbers import format_value
from .sheet_pictures import CellPoint, corner_cells, picture_box, picture_pixels
from .xlsx_loops import mark_loops

SUFFIXES = (".xlsx",)
looks_like = package.looks_like

_MAX_ROWS, _MAX_COLUMNS = 400, 100
"""More than fits on any page."""
_PAPER_NAMES = {1: "Letter", 5: "Legal", 8: "A3", 9: "A4", 11: "A5"}
_DECIMAL = re.compile(r"-?\d+\.\d+")
_PADDING_PT = 2.0
"""Distance between a cell's edge and its text."""
_ALIGN: dict[str | None, Align] = {
    "left": "Left",
    "center": "Center",
    "centerContinuous": "Center",
    "right": "Right",
}
_RULE_WIDTHS_PT = {"hair": 0.25, "thin": 0.5, "dotted": 0.5, "dashed": 0.5, "medium": 1.0, "double": 1.5, "thick": 1.75}
_THEME_COLOURS = ("FFFFFF", "000000", "EEECE1", "1F497D", "4F81BD", "C0504D", "9BBB59", "8064A2", "4BACC6", "F79646")
"""Colours of the default theme, by index."""


def read(content: bytes, size: Size | None, number: int = 1) -> Page:
    """Return a page of an XLSX, counted from 1.

    Raises ``BadInput`` when it is damaged, protected, empty or unsafe to open.
    """
    package.check(content, "xl/workbook.xml")
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, keep_links=False)
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible" and (used := _used_area(sheet)):
                page = _page(sheet, used, size, number)
                if len(book.worksheets) > 1:
                    page.notes.append(replies.Text.of("documents.notes.xlsx_sheets"))
                if uncomputed := _uncomputed_formulas(content, sheet):
                    page.notes.append(replies.Text.of("documents.notes.xlsx_formulas", count=uncomputed))
                return page
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, OSError):
        # openpyxl reports missing or malformed parts by any of these.
        raise BadInput.of("documents.office") from None
    raise BadInput.of("documents.blank")


def _used_area(sheet: Worksheet) -> tuple[int, int, int, int] | None:
    """Return the first column and row, and the last, of the print area or of the visible cells."""
    if sheet.print_area:
        left, top, right, bottom = range_boundaries(sheet.print_area.split(",")[0].split("!")[-1].replace("$", ""))
        return left, top, min(right, left + _MAX_COLUMNS - 1), min(bottom, top + _MAX_ROWS - 1)
    drawn = [(c.column, c.row) for c in _cells(sheet, (1, 1, _MAX_COLUMNS, _MAX_ROWS)) if _is_visible(c)]
    drawn += [corner for picture in sheet._images for corner in corner_cells(picture.anchor)]
    if not drawn:
        return None
    columns, rows = zip(*drawn, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def _uncomputed_formulas(content: bytes, sheet: Worksheet) -> int:
    """Return the number of cells whose formula has no saved value, as programs other than Excel often leave them."""
    formulas = openpyxl.load_workbook(io.BytesIO(content), keep_links=False)[sheet.title]
    cells = [cell for cell in _cells(formulas, (1, 1, _MAX_COLUMNS, _MAX_ROWS)) if cell.data_type == "f"]
    return sum(sheet.cell(cell.row, cell.column).value is None for cell in cells)


def _cells(sheet: Worksheet, area: tuple[int, int, int, int]) -> Iterator[Any]:
    left, top, right, bottom = area
    right, bottom = min(right, sheet.max_column), min(bottom, sheet.max_row)
    for row in sheet.iter_rows(min_row=top, max_row=bottom, min_col=left, max_col=right):
        yield from row


def _is_visible(cell: Cell | MergedCell) -> bool:
    sides = (cell.border.left, cell.border.right, cell.border.top, cell.border.bottom)
    return cell.value not in (None, "") or cell.fill.fill_type == "solid" or any(side and side.style for side in sides)


def _page(sheet: Worksheet, used: tuple[int, int, int, int], size: Size | None, number: int) -> Page:
    """Draw a page of a sheet, counted from 1. Raises ``IndexError`` where there is none."""
    left, top, right, bottom = used
    setup, margins = sheet.page_setup, sheet.page_margins
    size = size or _paper_size(sheet)
    widths = [_column_width(sheet, column) for column in range(left, right + 1)]
    available = size.width - (margins.left + margins.right) * 72
    # A sheet that is too wide is printed smaller, as most people set it; a smaller scale that is set is kept.
    scale = min(max((setup.scale or 100) / 100, 0.1), 1.0, available / max(1.0, sum(widths)))
    heights = [_row_height(sheet, row) for row in range(top, bottom + 1)]
    x = [margins.left * 72 + width for width in accumulate((w * scale for w in widths), initial=0.0)]
    if sheet.print_options.horizontalCentered:
        x = [edge + (available - sum(widths) * scale) / 2 for edge in x]
    y = [margins.top * 72 + height for height in accumulate((h * scale for h in heights), initial=0.0)]
    starts = [*_page_starts(y, size.height - (margins.top + margins.bottom) * 72 + 1), len(heights)]
    first, last = starts[number - 1], starts[number]
    y = [edge - y[first] + margins.top * 72 for edge in y]
    merged = {(m.min_row, m.min_col): m for m in sheet.merged_cells.ranges}
    items: list[Item] = []
    area = (left, top + first, right, top + last - 1)
    for loop, (begin, end) in enumerate(mark_loops(_cells(sheet, area)), 1):
        inside = Box.between(x[0], y[begin - top], x[-1], y[min(end, top + last - 1) - top + 1])
        items.append(LoopArea(inside, loop))
    for cell in _cells(sheet, area):
        merge = merged.get((cell.row, cell.column))
        end_column, end_row = (merge.max_col, merge.max_row) if merge else (cell.column, cell.row)
        box = Box.between(
            x[cell.column - left],
            y[cell.row - top],
            x[min(end_column, right) - left + 1],
            y[min(end_row, top + last - 1) - top + 1],
        )
        items += _cell_items(cell, box, scale, _has_neighbour(sheet, cell, end_column))
    pictures = _pictures(sheet, lambda column, row: (_edge(x, column - left), _edge(y, row - top)), scale)
    items += [picture for picture in pictures if picture is not None]
    notes = []
    if lost := len(sheet._charts) + pictures.count(None):
        notes.append(replies.Text.of("documents.notes.pictures", count=lost))
    pages = len(starts) - 1
    left_out = replies.Text.of("documents.notes.xlsx_pages") if pages > 1 else None
    return replace(draw_page(items, size, notes), pages=pages, left_out=left_out)


def _paper_size(sheet: Worksheet) -> Size:
    """Return the size that the sheet is set to be printed on."""
    size = PAPER_SIZES[_PAPER_NAMES.get(int(sheet.page_setup.paperSize or 9), "A4")]
    return rotated(size) if sheet.page_setup.orientation == "landscape" else size


def _page_starts(edges: list[float], available: float) -> list[int]:
    """Return the index of the first row of each page. A row that is higher than a page has one for itself."""
    starts = [0]
    for row, bottom in enumerate(edges[1:]):
        if bottom - edges[starts[-1]] > available and row > starts[-1]:
            starts.append(row)
    return starts


def _edge(edges: list[float], number: int) -> float:
    """Return the position of a row or column, which may lie outside the printed area."""
    return edges[min(max(number, 0), len(edges) - 1)]


def _pictures(sheet: Worksheet, cell_point: CellPoint, scale: float) -> list[PlacedPicture | None]:
    """Return the sheet's pictures at their positions on the page; None for each that cannot be drawn."""
    placed: list[PlacedPicture | None] = []
    for picture in sheet._images:
        box, pixels = picture_box(picture.anchor, cell_point, scale), picture_pixels(picture)
        placed.append(PlacedPicture(box, pixels) if box and pixels is not None else None)
    return placed


def _has_neighbour(sheet: Worksheet, cell: Any, last_column: int) -> bool:
    """Whether a cell is filled into which a long text would spill: that at the right, or else at the left."""
    beside = cell.column - 1 if _align(cell) == "Right" else last_column + 1
    return beside > 0 and sheet.cell(cell.row, beside).value not in (None, "")


def _align(cell: Any) -> Align:
    return _ALIGN.get(cell.alignment.horizontal, "Left" if isinstance(cell.value, str) else "Right")


def _cell_items(cell: Any, box: Box, scale: float, is_crowded: bool) -> Iterator[Item]:
    """Yield a cell's fill, its rules and its text."""
    border = cell.border
    sides = [
        (border.top, box.x, box.y, box.right, box.y),
        (border.bottom, box.x, box.bottom, box.right, box.bottom),
        (border.left, box.x, box.y, box.x, box.bottom),
        (border.right, box.right, box.y, box.right, box.bottom),
    ]
    if isinstance(cell, MergedCell):
        # The rules around a merged area belong to its hidden cells; each draws its own sides.
        yield from _rules(sides)
        return
    if cell.fill.fill_type == "solid" and (colour := _colour(cell.fill.fgColor)):
        yield FilledBox(box, colour)
    yield from _rules(sides)
    if text := format_value(cell.value, cell.number_format):
        yield from _text_items(cell, text, box, scale, is_crowded)


def _text_items(cell: Any, text: str, box: Box, scale: float, is_crowded: bool) -> Iterator[Item]:
    """Yield a cell's text, placed as its alignment says, and the sides of the cell that it does not cross."""
    font, alignment = cell.font, cell.alignment
    style = TextStyle(
        family=match_family(font.name or ""),
        size=min(max((font.sz or 11) * scale, 1.0), 400.0),
        bold=bool(font.b),
        italic=bool(font.i),
        underline=bool(font.u),
        colour=_colour(font.color) or "#000000",
    )
    align = _align(cell)
    padding = _PADDING_PT * scale + (alignment.indent or 0) * 6 * scale * (align == "Left")
    wrap = bool(alignment.wrap_text) or "\n" in text
    width = max(1.0, box.width - 2 * padding)
    is_number = not isinstance(cell.value, str)
    if is_number and cell.number_format == "General":
        text = _rounded(text, lambda shorter: _advance(shorter, style) <= width)
    advance = _advance(text, style)
    fits = wrap or advance <= width
    if not fits and (alignment.shrink_to_fit or is_number or is_crowded):
        # Our fonts may be wider than the document's, for which the columns were made wide enough.
        style = style.model_copy(update={"size": max(1.0, style.size * width / advance)})
    fragment = lay_out_paragraph([(text, style)], width, align, wrap=wrap)
    free = box.height - fragment.height
    down = {"top": 0.0, "center": free / 2}.get(alignment.vertical, free)
    yield from fragment.at(box.x + padding, box.y + max(0.0, down))
    if fits or is_crowded:
        yield from (CellSide(x, box.y, box.bottom) for x in (box.x, box.right))


def _advance(text: str, style: TextStyle) -> float:
    return measure(text, style.family, style.size, style.bold, style.italic).advance


def _rounded(text: str, fits: Callable[[str], bool]) -> str:
    """Return a number with as many decimals as its cell shows, as the format General does; all where none helps."""
    if not _DECIMAL.fullmatch(text) or fits(text):
        return text
    decimals = len(text.split(".")[1])
    shorter = (f"{Decimal(text):.{count}f}" for count in range(decimals - 1, -1, -1))
    return next((one for one in shorter if fits(one)), text)


def _rules(sides: Any) -> Iterator[Item]:
    for side, x1, y1, x2, y2 in sides:
        if side is not None and side.style:
            yield StrokedLine(x1, y1, x2, y2, _RULE_WIDTHS_PT.get(side.style, 0.75), _colour(side.color) or "#000000")


def _column_width(sheet: Worksheet, column: int) -> float:
    """Return a column's width in points; the file gives characters of the default font: 7 pixels each, plus 5."""
    letter = get_column_letter(column)
    dimension = sheet.column_dimensions.get(letter)
    if dimension is None:
        # One entry may stand for a group of columns.
        groups = (d for d in sheet.column_dimensions.values() if d.min and d.max and d.min <= column <= d.max)
        dimension = next(groups, None)
    if dimension is not None and dimension.hidden:
        return 0.0
    characters = (
        dimension.width
        if dimension is not None and dimension.customWidth
        else sheet.sheet_format.defaultColWidth or 8.43
    )
    return (float(characters) * 7 + 5) * 0.75


def _row_height(sheet: Worksheet, row: int) -> float:
    dimension = sheet.row_dimensions.get(row)
    if dimension is not None and dimension.hidden:
        return 0.0
    if dimension is not None and dimension.height:
        return float(dimension.height)
    default_height = float(sheet.sheet_format.defaultRowHeight or 15)
    # A row without a height is as high as its text.
    lines = [(str(c.value).count("\n") + 1) * (c.font.sz or 11) * 1.36 for c in sheet[row][:_MAX_COLUMNS] if c.value]
    return max(default_height, *lines) if lines else default_height


def _colour(colour: Any) -> str | None:
    """Return a colour as #RRGGBB; None for the automatic colour."""
    if colour is None:
        return None
    if colour.type == "rgb" and isinstance(colour.rgb, str) and len(colour.rgb) >= 6:
        return _tinted(colour.rgb[-6:], colour.tint)
    if colour.type == "theme" and 0 <= colour.theme < len(_THEME_COLOURS):
        return _tinted(_THEME_COLOURS[colour.theme], colour.tint)
    if colour.type == "indexed" and 0 <= colour.indexed < 64:
        return f"#{COLOR_INDEX[colour.indexed][-6:]}"
    return None


def _tinted(rgb: str, tint: float) -> str:
    """Lighten a colour (tint above 0) or darken it (below 0)."""
    red, green, blue = (int(rgb[i : i + 2], 16) / 255 for i in (0, 2, 4))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "#" + "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, min(1.0, light), saturation))
