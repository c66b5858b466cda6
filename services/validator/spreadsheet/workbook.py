"""A report as a workbook with one sheet, in which numbers and dates can be computed with."""

from __future__ import annotations

import io
from datetime import datetime
from unicodedata import east_asian_width

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from ..engine import PrintedCell
from .arrange import Sheet, SheetRow
from .number_formats import date_format, is_time, number_format

MAX_SHEET_NAME_CHARS = 31
MAX_CELL_CHARS = 32_767
MAX_DIGITS = 15
"""A workbook computes with this many digits; a longer number stays a text."""
POINTS_PER_CHARACTER = 5.5
"""Width of a digit, in which a workbook measures columns."""
MIN_WIDTH, MAX_WIDTH = 8.0, 60.0
_FORBIDDEN_IN_SHEET_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))


def as_workbook(sheet: Sheet, name: str, locale: str = "", landscape: bool = False) -> bytes:
    """Write every line of a report; the heading stays in view and is repeated on each printed page."""
    book = Workbook(write_only=True)
    page = book.create_sheet(name.translate(_FORBIDDEN_IN_SHEET_NAMES).strip()[:MAX_SHEET_NAME_CHARS] or "report")
    assert isinstance(page, WriteOnlyWorksheet)
    for number, width in _widths(sheet).items():
        page.column_dimensions[get_column_letter(number + 1)].width = width
    heading = next((number for number, row in enumerate(sheet.rows, 1) if row.kind == "heading"), None)
    if heading:
        page.freeze_panes = f"A{heading + 1}"
        page.print_title_rows = f"{heading}:{heading}"
    page.page_setup.orientation = "landscape" if landscape else "portrait"
    page.page_setup.fitToHeight = 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    for row in sheet.rows:
        page.append(_cells(page, sheet, row, locale))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _cells(page: WriteOnlyWorksheet, sheet: Sheet, row: SheetRow, locale: str) -> list[WriteOnlyCell | None]:
    width = max(row.cells, default=-1) + 1
    cells: list[WriteOnlyCell | None] = [None] * (max(width, len(sheet.columns)) if row.kind == "heading" else width)
    for number, printed in row.cells.items():
        cells[number] = _cell(page, printed, locale)
    if row.kind == "heading":
        for number, column in enumerate(sheet.columns):
            title = cells[number] or WriteOnlyCell(page)
            title.value, title.data_type = _plain(column.heading), "s"
            title.font = Font(bold=True, color=title.font.color if title.fill.fill_type else None)
            cells[number] = title
    return cells


def _cell(page: WriteOnlyWorksheet, printed: PrintedCell, locale: str) -> WriteOnlyCell:
    cell = WriteOnlyCell(page)
    _set_value(cell, printed, locale)
    on_white = printed.fill in (None, "FFFFFF")
    colour = None if on_white and printed.colour in (None, "000000", "FFFFFF") else printed.colour
    cell.font = Font(bold=printed.bold, italic=printed.italic, color=colour)
    if not on_white:
        cell.fill = PatternFill("solid", fgColor=printed.fill)
    if printed.align in ("Center", "Right") and cell.data_type == "s":
        cell.alignment = Alignment(horizontal=printed.align.lower())
    return cell


def _set_value(cell: WriteOnlyCell, printed: PrintedCell, locale: str) -> None:
    """Set a number, a date or a text. A text that begins with = must not become a formula."""
    if printed.number is not None and printed.text and sum(map(str.isdigit, printed.number)) <= MAX_DIGITS:
        cell.value = float(printed.number) if "." in printed.number or "E" in printed.number else int(printed.number)
        cell.number_format = number_format(printed.pattern, locale)
    elif printed.date is not None and printed.text:
        moment = datetime.fromisoformat(printed.date)
        cell.value = moment.time() if is_time(printed.pattern) else moment
        cell.number_format = date_format(printed.pattern)
    else:
        cell.value, cell.data_type = _plain(printed.text or ""), "s"


def _plain(text: str) -> str:
    return ILLEGAL_CHARACTERS_RE.sub("", text)[:MAX_CELL_CHARS]


def _widths(sheet: Sheet) -> dict[int, float]:
    """Return the width of each column in characters: as in the report, and wide enough for its values."""
    widths = {n: (c.right - c.left) / POINTS_PER_CHARACTER for n, c in enumerate(sheet.columns)}
    for row in sheet.rows:
        for number, cell in row.cells.items():
            if row.kind == "record" or cell.number or cell.date:
                widths[number] = max(widths.get(number, 0), _characters(cell.text or "") + 2)
    for number, column in enumerate(sheet.columns):
        widths[number] = max(widths[number], _characters(column.heading) + 2)
    return {number: min(MAX_WIDTH, max(MIN_WIDTH, width)) for number, width in widths.items()}


def _characters(text: str) -> int:
    longest = max(text.splitlines(), key=len, default="")
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in longest)
