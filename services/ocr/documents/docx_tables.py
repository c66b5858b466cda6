"""Tables of a DOCX: the widths of their columns, and their cells with borders and shading."""

from __future__ import annotations

from typing import Any

import docx
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.oxml.ns import qn
from docx.table import Table

from bandsmith.shared.model.geometry import Box

from .drawing import FilledBox, Fragment, Item, StrokedLine

CELL_MARGIN_PT = 5.4
"""Left and right margin of a cell, in points: Word's default."""


class CellBox:
    """A cell with its position in the table's grid."""

    def __init__(self, tc: Any, left: int, top: int, edges: list[float], table: Table) -> None:
        right = min(left + tc.grid_span, len(edges) - 1)
        left = min(left, len(edges) - 2)
        self.content = docx.table._Cell(tc, table)
        self.top, self.bottom = top, top + 1
        self._x = edges[left]
        self.width = edges[right] - edges[left]
        properties = tc.tcPr
        shading = properties.find(qn("w:shd")) if properties is not None else None
        fill = shading.get(qn("w:fill")) if shading is not None else None
        self._fill = f"#{fill}" if fill and len(fill) == 6 else None
        self._middle = str(self.content.vertical_alignment or "").split(" ")[0]
        self._borders = _borders(properties, table)

    def items(self, text: Fragment, height: float) -> list[Item]:
        left, right = self._x, self._x + self.width
        items: list[Item] = []
        if self._fill:
            items.append(FilledBox(Box.between(left, 0, right, height), self._fill))
        sides = {
            "top": (left, 0.0, right, 0.0),
            "bottom": (left, height, right, height),
            "left": (left, 0.0, left, height),
            "right": (right, 0.0, right, height),
        }
        items += [StrokedLine(*sides[side], *border) for side, border in self._borders.items()]
        free = max(0.0, height - text.height)
        down = {"CENTER": free / 2, "BOTTOM": free}.get(self._middle, 0.0)
        return items + text.at(left + CELL_MARGIN_PT, down)


def cells_of(table: Table, edges: list[float]) -> list[CellBox]:
    """Return the cells of a table, row by row; a cell that continues the one above is a part of it.

    python-docx gives up where rows have different columns and a merged cell ends beside them. Word opens such tables,
    and draws a cell that continues none as one of its own.
    """
    cells: list[CellBox] = []
    above: dict[int, CellBox] = {}
    for number, row in enumerate(table._tbl.tr_lst):
        left, merged = row.grid_before, dict[int, CellBox]()
        for tc in row.tc_lst:
            cell = above.get(left) if tc.vMerge == "continue" else None
            if cell is None:
                cell = CellBox(tc, left, number, edges, table)
                cells.append(cell)
            cell.bottom = number + 1
            if tc.vMerge is not None:
                merged[left] = cell
            left += tc.grid_span
        above = merged
    return cells


def column_edges(table: Table, width: float) -> list[float]:
    """Return the x of each column edge."""
    columns = _column_widths(table, width)
    known = [column for column in columns if column]
    default_width = sum(known) / len(known) if known else width / max(1, len(columns))
    columns = [column or default_width for column in columns]
    # Word shrinks a table that is too wide for the page.
    scale = min(1.0, (width + 2 * CELL_MARGIN_PT) / sum(columns)) if columns else 1.0
    centred = table.alignment == WD_TABLE_ALIGNMENT.CENTER
    edges = [max((width - sum(columns) * scale) / 2, -CELL_MARGIN_PT) if centred else -CELL_MARGIN_PT]
    for column in columns:
        edges.append(edges[-1] + column * scale)
    return edges if len(edges) > 1 else [0.0, width]


def _column_widths(table: Table, width: float) -> list[float]:
    """Return each column's width in points, 0 where unknown: the widest preferred width of its cells, else the grid's.

    Word lays a table out by its cells' widths; the grid is often left over from before the last change.
    """
    columns = [points(column.width) or 0.0 for column in table.columns]
    preferred = [0.0] * len(columns)
    for cell in table._tbl.iter_tcs():
        limit = cell.tcPr.find(qn("w:tcW")) if cell.tcPr is not None else None
        if limit is None or cell.grid_span != 1 or cell.left >= len(columns):
            continue
        number, unit = float((limit.get(qn("w:w")) or "0").rstrip("%")), limit.get(qn("w:type"), "dxa")
        length = number / 20 if unit == "dxa" else number / 5000 * width if unit == "pct" else 0.0
        preferred[cell.left] = max(preferred[cell.left], length)
    return [cell_width or column for cell_width, column in zip(preferred, columns, strict=True)]


def _borders(properties: Any, table: Table) -> dict[str, tuple[float, str]]:
    """Return the width and colour of each ruled side of a cell: its own, the table's or the table style's."""
    table_level = table._tbl.tblPr.find(qn("w:tblBorders"))
    style = table.style
    while table_level is None and style is not None:
        style_borders = style.element.xpath("./w:tblPr/w:tblBorders")
        table_level = style_borders[0] if style_borders else None
        style = style.base_style
    cell_level = properties.find(qn("w:tcBorders")) if properties is not None else None
    borders = {}
    for side in ("top", "bottom", "left", "right"):
        inside = "insideH" if side in ("top", "bottom") else "insideV"
        candidates = [cell_level.find(qn(f"w:{side}"))] if cell_level is not None else []
        if table_level is not None:
            candidates += [table_level.find(qn(f"w:{inside}")), table_level.find(qn(f"w:{side}"))]
        border = next((candidate for candidate in candidates if candidate is not None), None)
        if border is None or border.get(qn("w:val")) in (None, "nil", "none"):
            continue
        colour = border.get(qn("w:color"), "auto")
        eighths = float(border.get(qn("w:sz"), "4"))
        borders[side] = (eighths / 8, f"#{colour}" if len(colour) == 6 else "#000000")
    return borders


def row_height(row: Any) -> float:
    return points(row.trHeight_val) or 0.0


def points(length: Any) -> float | None:
    """Return a length in points."""
    return None if length is None else length.pt
