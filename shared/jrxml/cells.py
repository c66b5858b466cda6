"""The cells of a table as one set: which parts it has, and cells that meet so that borders and stripes have no gaps."""

from __future__ import annotations

from typing import Literal

from lxml import etree

from .bands import elements_in
from .dom import TEXT_ELEMENTS, content_of, ensure_child, int_attribute, local_name, report_element, set_value
from .draft import Draft
from .element_box import ElementBox
from .refusals import EditRefused
from .tables import EDGE_TOLERANCE_PT, DetailTable, bands_below_rows, main_table
from .totals import prints_variable
from .value_labels import text_before

MIN_TEXT_INSET_PT, MAX_TEXT_INSET_PT = 2, 6
"""How far a text without borders stays from the sides of its column."""
Part = Literal["table", "header", "rows", "totals"]
"""A part of a report that consists of cells; the table is its header with its rows."""


def header_cells(table: DetailTable) -> list[etree._Element]:
    """Return the texts above the columns, from left to right."""
    found = [column.header for column in table.columns if column.header is not None]
    return list(dict.fromkeys(found))


def row_cells(table: DetailTable) -> list[etree._Element]:
    """Return the texts of the rows, from left to right."""
    return [cell for column in table.columns for cell in column.cells if local_name(cell) in TEXT_ELEMENTS]


def total_cells(draft: Draft) -> list[etree._Element]:
    """Return the totals below the rows, each with its label and the empty cells beside it."""
    found = []
    for band in bands_below_rows(draft):
        texts = draft.texts(band)
        for total in [node for node in texts if prints_variable(node)]:
            box = draft.box_of(total)
            beside = [node for node in texts if node is not total and draft.box_of(node).on_same_line(box)]
            label = text_before(draft, total)
            empty = [node for node in beside if not content_of(node)]
            found += [total, *empty, *([label] if label is not None else [])]
    return sorted(dict.fromkeys(found), key=lambda node: draft.box_of(node).left)


def lines_of_totals(draft: Draft, table: DetailTable) -> list[etree._Element]:
    """Return the drawn lines that carry the table's frame on around the totals right below its rows."""
    left, right, found = table.bounds[0] - EDGE_TOLERANCE_PT, table.bounds[-1] + EDGE_TOLERANCE_PT, []
    for band in bands_below_rows(draft):
        lines = {node: draft.box_of(node) for node in elements_in(band) if local_name(node) == "line"}
        lines = {node: box for node, box in lines.items() if left <= box.left and box.right <= right}
        sides = [node for node, box in lines.items() if box.top <= EDGE_TOLERANCE_PT and box.height > box.width]
        ends = {lines[node].bottom for node in sides}
        across = [
            node for node, box in lines.items()
            if node not in sides and any(abs(box.top - end) <= EDGE_TOLERANCE_PT for end in ends)
        ]  # fmt: skip
        found += [*sides, *across]
    return found


def cells_of(draft: Draft, part: Part) -> list[etree._Element]:
    """Return the cells of a part of the report. Raises ``EditRefused`` if the rows contain no texts."""
    table = main_table(draft)
    if part == "totals":
        return total_cells(draft)
    header, rows = header_cells(table), row_cells(table)
    return {"header": header, "rows": rows, "table": [*header, *rows]}[part]


def join_cells(draft: Draft, table: DetailTable) -> None:
    """Make the cells of the header and of the rows meet, without moving their texts.

    A cell is widened to the edges of its column and to the height of its row; padding keeps its text in its place.
    """
    height = int_attribute(table.detail, "height")
    alone = _is_one_line(draft, table)
    for column in table.columns:
        cells = [cell for cell in column.cells if local_name(cell) in TEXT_ELEMENTS]
        if len(cells) == 1 and len(column.cells) == 1:
            top, bottom = (0, height) if alone else (table.row.top, table.row.bottom)
            _widen(draft, cells[0], ElementBox(column.left, top, column.right, bottom))
    counts = [column.header for column in table.columns]
    for column in table.columns:
        if column.header is not None and counts.count(column.header) == 1:
            top, bottom = table.head_row
            _widen(draft, column.header, ElementBox(column.left, top, column.right, bottom))
    if any(cell.get("textAdjust") == "StretchHeight" for cell in row_cells(table)):
        for cell in row_cells(table):  # a row is as high as its highest cell
            report_element(cell).set("stretchType", "ContainerHeight")


def fill_column(draft: Draft, node: etree._Element) -> bool:
    """Widen a text of the table's header or rows to its column, so that it is aligned with the column's sides.

    Texts that share their column with others keep their width, and so do cells, whose edges are seen. Return whether
    that changed anything.
    """
    try:
        table = main_table(draft)
    except EditRefused:
        return False
    column = next((one for one in table.columns if node is one.header or [node] == one.cells), None)
    if column is None or local_name(node) not in TEXT_ELEMENTS or local_name(node.getparent()) == "frame":
        return False
    changed = _limit_padding(draft, node)
    if draft.style_of(node).is_cell:
        return keep_off_edges(draft, node) or changed
    box = draft.box_of(node)
    gap = min(MAX_TEXT_INSET_PT, max(MIN_TEXT_INSET_PT, box.left - column.left))
    left, right = min(box.left, column.left + gap), max(box.right, column.right - gap)
    beside = [draft.box_of(one) for one in draft.texts(draft.band_of(node)) if one is not node]
    wide = box._replace(left=left, right=right)
    if any(other.on_same_line(box) and other.overlap_x(wide) > 0 for other in beside):
        return changed
    return draft.set_box(node, wide) or changed


def _limit_padding(draft: Draft, node: etree._Element) -> bool:
    """Take away padding that keeps a text at its former place within a wide cell."""
    padding = draft.style_of(node).padding
    wide = [side for side in ("left", "right") if padding[side] > MAX_TEXT_INSET_PT]
    return any([set_value(ensure_child(node, "box"), f"{side}Padding", str(MAX_TEXT_INSET_PT)) for side in wide])


def _is_one_line(draft: Draft, table: DetailTable) -> bool:
    """Whether the detail band holds nothing but one line of cells, so that they may take all of its height."""
    cells = row_cells(table)
    others = [node for node in draft.texts(table.detail) if node not in cells]
    gaps = table.row.top + int_attribute(table.detail, "height") - table.row.bottom
    return not others and gaps <= table.row.height


def _widen(draft: Draft, node: etree._Element, wanted: ElementBox) -> None:
    """Give an element a larger box; padding keeps its text where it is."""
    if local_name(node.getparent()) == "frame":
        return
    old, padding = draft.box_of(node), draft.style_of(node).padding
    left, top = min(old.left, wanted.left), min(old.top, wanted.top)
    new = ElementBox(left, top, max(old.right, wanted.right), max(old.bottom, wanted.bottom))
    if new == old:
        return
    added = {
        "top": old.top - new.top, "left": old.left - new.left, "bottom": new.bottom - old.bottom,
        "right": new.right - old.right,
    }  # fmt: skip
    box = ensure_child(node, "box")
    for side, more in added.items():
        if more > 0:
            set_value(box, f"{side}Padding", str(padding[side] + more))
    draft.set_box(node, new)


def keep_off_edges(draft: Draft, node: etree._Element, points: int = 2) -> bool:
    """Give a cell the padding that keeps its text off its borders. Return whether that changed anything."""
    padding = draft.style_of(node).padding
    box = draft.box_of(node)
    if box.width <= EDGE_TOLERANCE_PT * 4:
        return False
    narrow = [side for side in ("left", "right") if padding[side] < points]
    return any([set_value(ensure_child(node, "box"), f"{side}Padding", str(points)) for side in narrow])
