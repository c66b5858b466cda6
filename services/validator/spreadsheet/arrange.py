"""The lines of a report as rows of cells: titles, heading, records, group headers and totals, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from bandsmith.shared.jrxml.dom import EXPRESSION_TAGS, child_text
from bandsmith.shared.jrxml.template import Template

from ..engine import PrintedCell
from .columns import (
    COLUMN_OVERLAP,
    SheetColumn,
    absolute,
    add_headings,
    columns_of_texts,
    field_columns,
    is_fixed,
    lines,
    overlap,
    span,
)

PAGE_BANDS = frozenset({"background", "pageFooter"})
"""Bands that belong to pages."""
PAGE_VARIABLES = ("PAGE_NUMBER", "PAGE_COUNT", "COLUMN_NUMBER", "COLUMN_COUNT")
"""Variables of the engine that number pages."""
HEADING_SHARE = 0.6
"""A line above the rows is their heading where it names this share of the columns."""

Kind = Literal["line", "heading", "record"]


@dataclass(slots=True)
class SheetRow:
    kind: Kind
    cells: dict[int, PrintedCell] = field(default_factory=dict)
    """By number of the column."""
    groups: dict[str, PrintedCell] = field(default_factory=dict)
    """What the headers of the record's groups say, by the key of the text."""


@dataclass
class Sheet:
    columns: list[SheetColumn]
    rows: list[SheetRow]
    group_titles: dict[str, str] = field(default_factory=dict)
    """Headings of what group headers say, by the key of the text."""

    @property
    def records(self) -> list[SheetRow]:
        return [row for row in self.rows if row.kind == "record"]


def arrange(template: Template, printed: Sequence[PrintedCell]) -> Sheet:
    """Arrange what a report printed in rows and columns."""
    cells = [_in_band(template, cell) for cell in _with_fills(printed) if not is_furniture(template, cell)]
    columns = field_columns(template, {cell.key for cell in cells if cell.band == "detail"})
    if not columns:
        columns = columns_of_texts(cell for cell in cells if cell.text)
        return Sheet(columns, [_line(columns, row) for row in lines(cell for cell in cells if cell.text)])
    return _Arranger(template, columns, cells).sheet()


def _with_fills(printed: Iterable[PrintedCell]) -> list[PrintedCell]:
    """Return the texts, each with the colour of the area behind it."""
    texts: list[PrintedCell] = []
    for _, run in groupby(printed, key=lambda cell: (cell.band, cell.group)):
        areas: list[PrintedCell] = []
        for cell in run:
            if cell.text is None:
                areas.append(cell)
            else:
                behind = cell.fill or next((area.fill for area in reversed(areas) if _covers(area, cell)), None)
                texts.append(cell if behind == cell.fill else cell._replace(fill=behind))
    return texts


def _covers(area: PrintedCell, cell: PrintedCell) -> bool:
    x, y, width, height = area.box
    across, down = cell.box[0] + cell.box[2] / 2, cell.box[1] + cell.box[3] / 2
    return x <= across <= x + width and y <= down <= y + height


def is_furniture(template: Template, cell: PrintedCell) -> bool:
    """Whether a text belongs to the page and not to what is reported."""
    if cell.band in PAGE_BANDS:
        return True
    element = template.by_key.get(cell.key or "")
    if element is None or element.kind not in EXPRESSION_TAGS:
        return False
    expression = child_text(element.node, EXPRESSION_TAGS[element.kind])
    return any(f"{{{name}}}" in expression for name in PAGE_VARIABLES)


def _in_band(template: Template, cell: PrintedCell) -> PrintedCell:
    """Move a text to where it stands in its band: a report in several columns prints its rows beside each other."""
    element = template.by_key.get(cell.key or "")
    if element is None or element.band.section != cell.band:
        return cell
    return cell._replace(box=(absolute(element)[0], *cell.box[1:]))


def _line(columns: Sequence[SheetColumn], cells: Sequence[PrintedCell]) -> SheetRow:
    """Put each text of a line into the column that it stands in, or the next free one; a text alone into the first."""
    row = SheetRow("line")
    for cell in cells:
        number = 0 if len(cells) == 1 and not (cell.number or cell.date) else _column_of(columns, cell)
        while number in row.cells:
            number += 1
        row.cells[number] = cell
    return row


def _column_of(columns: Sequence[SheetColumn], cell: PrintedCell) -> int:
    """Return the number of the first column that the text stands in, for a number the one nearest to its end."""
    box = span(cell)
    if cell.number or cell.align == "Right":
        fits = [(overlap(box, (c.left, c.right)) > 0, -abs(c.right - box[1])) for c in columns]
    else:
        fits = [(overlap(box, (c.left, c.right)) >= COLUMN_OVERLAP, -abs(c.left - box[0])) for c in columns]
    return max(range(len(columns)), key=fits.__getitem__)


class _Arranger:
    """Arranges a report with rows: reads the printed texts in their order, band by band."""

    def __init__(self, template: Template, columns: list[SheetColumn], cells: Sequence[PrintedCell]) -> None:
        self._template = template
        self._columns = columns
        self._runs = [list(run) for _, run in groupby(cells, key=lambda cell: (cell.band, cell.group))]
        self._heading: list[PrintedCell] = []
        self._groups: dict[str, PrintedCell] = {}
        self._sheet = Sheet(columns, [])

    def sheet(self) -> Sheet:
        self._heading = self._find_heading()
        above = add_headings(self._template, self._columns, self._heading)
        placed = False
        headings = {cell.key for cell in self._heading}
        for run in self._runs:
            if run[0].band == "detail":
                if not placed:
                    placed = self._place_heading(above)
                self._add_records(run)
                continue
            rest = [cell for cell in run if cell.text and cell.key not in headings]
            if run[0].band == "groupHeader":
                self._note_group(rest)
            self._sheet.rows += [_line(self._columns, line) for line in lines(rest)]
        return self._sheet

    def _find_heading(self) -> list[PrintedCell]:
        """Return the texts of the column header; where there is none, of the line above that names the columns."""
        for run in self._runs:
            if run[0].band == "columnHeader":
                return [cell for cell in run if cell.text]
        above: list[PrintedCell] = []
        for run in self._runs:
            if run[0].band == "detail":
                break
            above += run
        for line in reversed(lines(cell for cell in above if cell.text)):
            named = [
                c for c in self._columns if any(overlap(span(t), (c.left, c.right)) >= COLUMN_OVERLAP for t in line)
            ]
            enough = len(line) > 1 and len(named) >= max(2, HEADING_SHARE * len(self._columns))
            if enough and all(is_fixed(self._template, cell) for cell in line):
                return line
        return []

    def _place_heading(self, above: Sequence[PrintedCell]) -> bool:
        """Add the heading above the first record, below the group header that may come before it."""
        self._sheet.rows += [_line(self._columns, line) for line in lines(above)]
        row = SheetRow("heading", {n: column.title for n, column in enumerate(self._columns) if column.title})
        self._sheet.rows.append(row)
        return True

    def _add_records(self, run: Sequence[PrintedCell]) -> None:
        """Add a record each time that a column comes again, or that the printed rows go on below."""
        row, bottom, line = SheetRow("record"), 0, -1
        for cell in run:
            number = next((n for n, column in enumerate(self._columns) if cell.key in column.keys), None)
            if number is None:
                continue
            below = cell.box[1] >= bottom
            if row.cells and below and (number in row.cells or self._columns[number].line <= line):
                self._end_record(row)
                row, bottom, line = SheetRow("record"), 0, -1
            if number not in row.cells or not row.cells[number].text:
                row.cells[number] = cell
            bottom = max(bottom, cell.box[1] + 1)
            line = max(line, self._columns[number].line)
        self._end_record(row)

    def _end_record(self, row: SheetRow) -> None:
        row.groups = self._groups
        if any(cell.text for cell in row.cells.values()):
            self._sheet.rows.append(row)

    def _note_group(self, cells: Sequence[PrintedCell]) -> None:
        """Remember what a group's header says of the records below it."""
        for line in lines(cells):
            label = ""
            for cell in line:
                if is_fixed(self._template, cell) or not cell.key:
                    label = (cell.text or "").strip().rstrip(":：").strip()
                    continue
                self._sheet.group_titles.setdefault(cell.key, label or cell.group or "")
                self._groups = {**self._groups, cell.key: cell}  # the records before keep theirs
                label = ""
