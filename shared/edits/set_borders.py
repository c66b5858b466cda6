"""Draw or remove the borders of cells as a set: a grid, lines between the rows, a frame."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.cells import Part, header_cells, join_cells, keep_off_edges, lines_of_totals, row_cells, total_cells
from ..jrxml.dom import ensure_child, int_attribute, local_name, new_node, set_value
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, value_refused
from ..jrxml.tables import DetailTable, main_table
from ..replies import Text, text
from .base import Edit, EditClause

Lines = Literal["all", "rows", "columns", "outside", "below", "above", "none"]
Side = Literal["top", "left", "bottom", "right"]
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_SIDES: dict[str, tuple[Side, ...]] = {
    "all": ("top", "left", "bottom", "right"),
    "rows": ("bottom",),
    "columns": ("left", "right"),
    "below": ("bottom",),
    "above": ("top",),
    "none": ("top", "left", "bottom", "right"),
}
MAX_LINE_PT = 10.0
BLACK = "#000000"


class SetBorders(Edit):
    """Draw the borders of the cells of a part of the report as a set, draw all of them otherwise (thinner, in another
    colour), or remove them."""

    do: Literal["borders"] = "borders"
    part: Part = "table"
    """The header, the rows, the totals, or the table, which is header and rows."""
    lines: Lines = "all"
    """A full grid, lines between the rows, lines between the columns, the outside, a line below or above. What is drawn
    besides stays: for a thicker frame, first all, then outside."""
    width: float = 0.5
    """In points."""
    colour: str | None = None
    """Null: as the lines are, black where there are none."""
    style: Literal["Solid", "Dashed", "Dotted", "Double"] = "Solid"

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.colour is not None and not _COLOUR.fullmatch(self.colour):
            raise value_refused("colour", self.colour)
        if not 0 < self.width <= MAX_LINE_PT:
            raise value_refused("line_width", f"{self.width:g}")
        table = main_table(draft)
        rows = _rows_of_cells(draft, table, self.part)
        if not any(rows):
            raise EditRefused("kind", Text.of(f"edits.set_borders.no_{self.part}"))
        if self.lines == "none":
            drawn = self.removes(draft)
            for node in drawn:
                draft.remove(node)
            return any([self._set_pen(cell, side) for row in rows for cell in row for side in _SIDES["none"]] + drawn)
        if self.part != "totals":
            join_cells(draft, table)
        if self.part == "table" and self.lines in ("above", "below"):
            return self._close(draft, table) if self.lines == "below" else self._draw(draft, rows[0], True, False)
        changed = any([self._draw(draft, row, n == 0, n == len(rows) - 1) for n, row in enumerate(rows)])
        if self.lines == "rows":
            changed |= self._give_way(rows)
        if (self.part, self.lines) == ("table", "all"):
            changed |= self._match_totals(draft, table)
        if self.lines == "outside" and self.part in ("table", "rows"):
            changed |= self._close(draft, table)
        return changed

    def _give_way(self, rows: list[list[etree._Element]]) -> bool:
        """Draw the line above the first row, and the upper edge of the other rows as the line that meets it there.

        A line between two rows is the lower edge of one and the upper edge of the next: a heavier one would cover it.
        """
        below = [cell for row in rows[1 if self.part == "table" else 0 :] for cell in row if _has_top(cell)]
        above = rows[0] if len(rows) > 1 else []
        return any([self._set_pen(cell, "top") for cell in [*above, *below]])

    def _match_totals(self, draft: Draft, table: DetailTable) -> bool:
        """Draw the borders that the totals below the rows have like the table's."""
        changed = [self._set_line(line) for line in lines_of_totals(draft, table)]
        cells = total_cells(draft)
        changed += [self._set_pen(cell, side) for cell in cells for side in _SIDES["all"] if _has_pen(cell, side)]
        return any(changed)

    def _close(self, draft: Draft, table: DetailTable) -> bool:
        """Draw the line below the last row: it is printed once, where the summary begins."""
        summary, left, right = draft.ensure_band("summary"), table.bounds[0], table.bounds[-1]
        for node in elements_in(summary):
            box = draft.box_of(node)
            if local_name(node) == "line" and box.top == 0 and (box.left, box.right) == (left, right):
                return False
        if int_attribute(summary, "height") < 1:
            draft.grow_band(summary, 0, 1)
        line = new_node("line")
        line.append(new_node("reportElement"))
        self._set_line(line)
        draft.add_element(summary, line, "table_end")
        return draft.set_box(line, ElementBox(left, 0, right, 1))

    def _set_line(self, line: etree._Element) -> bool:
        """Set the pen of a drawn line. Return whether that changes it."""
        pen = ensure_child(ensure_child(line, "graphicElement"), "pen")
        colour = self.colour or pen.get("lineColor") or BLACK
        wanted = {"lineWidth": f"{self.width:g}", "lineColor": colour, "lineStyle": self.style}
        return any([set_value(pen, name, value) for name, value in wanted.items()])

    def _draw(self, draft: Draft, row: list[etree._Element], is_first: bool, is_last: bool) -> bool:
        """Draw the borders of one row of cells."""
        changed = False
        for n, cell in enumerate(row):
            # Below the last row there is one line of its own: a cell of the rows is printed once for each row.
            has_end = is_last and self.part in ("header", "totals")
            sides = _SIDES.get(self.lines) or _outer_sides(n == 0, n == len(row) - 1, is_first, has_end)
            changed |= any([self._set_pen(cell, side) for side in sides])
            if {"left", "right"} & set(sides):
                keep_off_edges(draft, cell)
        return changed

    def _set_pen(self, cell: etree._Element, side: Side) -> bool:
        """Set the pen of one side of a cell. Return whether that changes what is drawn."""
        width = 0.0 if self.lines == "none" else self.width
        box = ensure_child(cell, "box")
        if not width and box.find(f"{{*}}{side}Pen") is None and box.find("{*}pen") is None and not _is_styled(cell):
            return False
        pen = ensure_child(box, f"{side}Pen")
        changed = set_value(pen, "lineWidth", f"{width:g}")
        if width:
            changed |= set_value(pen, "lineColor", self.colour or pen.get("lineColor") or BLACK)
            changed |= (
                set_value(pen, "lineStyle", self.style) if self.style != (pen.get("lineStyle") or "Solid") else False
            )
        return changed

    def removes(self, draft: Draft) -> list[etree._Element]:
        """The lines that are drawn between the cells, where borders are removed."""
        if self.lines != "none" or self.part == "totals":
            return []
        try:
            table = main_table(draft)
        except EditRefused:
            return []
        bands = {"header": [table.head], "rows": [table.detail], "table": [table.head, table.detail]}[self.part]
        return [node for band in bands if band is not None for node in elements_in(band) if local_name(node) == "line"]

    def describe(self, labels: TemplateLabels) -> EditClause:
        part = text(f"edits.set_borders.part.{self.part}", labels.language)
        return EditClause(f"edits.set_borders.done_{self.lines}", part)


def _rows_of_cells(draft: Draft, table: DetailTable, part: Part) -> list[list[etree._Element]]:
    """Return the cells of a part of the report, row by row from the top."""
    header, rows = header_cells(table), row_cells(table)
    found = {"header": [header], "rows": [rows], "table": [header, rows], "totals": [total_cells(draft)]}[part]
    return [row for row in found if row]


def _outer_sides(is_first_cell: bool, is_last_cell: bool, is_first_row: bool, is_last_row: bool) -> tuple[Side, ...]:
    """Return the sides of a cell that are on the outside of the set."""
    sides: list[tuple[Side, bool]] = [
        ("top", is_first_row), ("left", is_first_cell), ("right", is_last_cell), ("bottom", is_last_row),
    ]  # fmt: skip
    return tuple(side for side, is_outside in sides if is_outside)


def _has_pen(cell: etree._Element, side: Side) -> bool:
    pen = cell.find(f"{{*}}box/{{*}}{side}Pen")
    return pen is not None and float(pen.get("lineWidth") or 0) > 0


def _has_top(cell: etree._Element) -> bool:
    """Whether a cell may have a line on its upper edge."""
    return cell.find("{*}box/{*}topPen") is not None or cell.find("{*}box/{*}pen") is not None or _is_styled(cell)


def _is_styled(cell: etree._Element) -> bool:
    """Whether a cell may have borders from a style."""
    return bool(cell.find("{*}reportElement").get("style"))
