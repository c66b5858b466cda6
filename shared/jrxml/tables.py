"""Find the table that the detail rows form: its columns, their headers above, their totals below.

Theory of operation
===================

A JRXML template has no table. It has bands with texts at absolute positions: the rows of a report are the elements of
its ``detail`` band, printed once per record, and a header is a text in another band that happens to be above them.
Edits such as "delete the price column" need the table that a person sees, so it is reconstructed in four steps:

1. *The row.* Elements of the detail band are on the same line if they share half of the lower one's height. The line
   with the most elements is the row of the main table (``main_table``); ``find_column`` starts from the element that
   prints a field instead, because a detail band may hold several lines.
2. *The columns.* Elements of the row that share more than half of the narrower one's width form one column (a value
   with its label, for example). An element that overlaps several columns belongs to none.
3. *The headers.* Of the bands above the rows, from the nearest up, the one wins whose texts stand above the most
   columns. A text heads a column if it shares more than half of the width, and no other column more than half of its
   own: a text over two columns is a title, not a header. Outside the ``columnHeader`` band a single match is a
   coincidence and does not count.
4. *The edges.* Two columns meet at a vertical rule between them if there is one; else where their cells touch; else in
   the gap between their texts, on the side that the alignment leaves free: left-aligned texts begin at their column's
   left edge, right-aligned texts end at its right edge. The table ends at the outermost rule or area behind the row.

From then on a column is a *slot* from edge to edge, and everything in it can be moved together (``column_layout``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml import etree

from ..replies import Text
from .bands import elements_in
from .dom import TEXT_ELEMENTS, child, child_text, content_of, local_name, report_element, tag
from .draft import Draft
from .element_box import ElementBox
from .expressions import reference, referenced_names, references
from .refusals import EditRefused, no_column

EDGE_TOLERANCE_PT = 3
"""An element stands at a column's edge if it is at most this far from it."""
MAX_RULE_WIDTH_PT = 3
"""A line or rectangle of at most this width is a vertical rule."""
MIN_TABLE_SHARE = 0.6
"""A rule or area behind the row shows where the table begins and ends if it is at least this share of its width."""
_CELLS = TEXT_ELEMENTS | {"image", "componentElement"}
_SECTIONS_BELOW = ("groupFooter", "columnFooter", "summary")


@dataclass
class RowColumn:
    """A column: what is in its row, its header, and the slot from its left to its right edge."""

    cells: list[etree._Element]
    box: ElementBox
    """Of its first cell: the one that was asked for, else the narrowest."""
    header: etree._Element | None = None
    left: int = 0
    right: int = 0

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def cell(self) -> etree._Element:
        """The cell that represents the column: the first that prints a value."""
        return next((cell for cell in self.cells if local_name(cell) == "textField"), self.cells[0])

    @property
    def fields(self) -> set[str]:
        return {name for cell in self.cells for name in referenced_names(content_of(cell), "F")}

    @property
    def names(self) -> set[str]:
        """The fields and variables that it prints."""
        return {name for cell in self.cells for name in referenced_names(content_of(cell), "FV")}


@dataclass
class DetailTable:
    """The columns from left to right, and the band with their headers."""

    detail: etree._Element
    row: ElementBox
    """The height that the cells take in the detail band."""
    columns: list[RowColumn]
    head: etree._Element | None = None
    head_row: tuple[int, int] = (0, 0)
    """Top and bottom of the headers in their band."""
    rules: list[etree._Element] = field(default_factory=list)

    @property
    def bounds(self) -> list[int]:
        """The edges of all columns, from left to right."""
        return [column.left for column in self.columns] + [self.columns[-1].right]

    def edge(self, x: int) -> int | None:
        """Return the number of the edge at x."""
        nearest = min(range(len(self.bounds)), key=lambda k: abs(self.bounds[k] - x))
        return nearest if abs(self.bounds[nearest] - x) <= EDGE_TOLERANCE_PT else None

    def slot(self, x: float) -> int | None:
        """Return the number of the column at x."""
        return next((n for n, column in enumerate(self.columns) if column.left <= x < column.right), None)


def find_column(draft: Draft, name: str) -> tuple[DetailTable, int]:
    """Return the table and the number of the column that prints a field. Raises ``EditRefused`` if there is none."""
    node = _cell_of(draft, name)
    if node is None:
        raise no_column(name)
    table = _table_with(draft, node)
    return table, next(n for n, column in enumerate(table.columns) if node in column.cells)


def column_number(columns: Sequence[RowColumn], name: str) -> int:
    """Return the number of the column that prints a field, or one of whose cells has this key.

    Raises ``EditRefused`` if there is none.
    """
    for n, column in enumerate(columns):
        if name in column.names or any(report_element(cell).get("key") == name for cell in column.cells):
            return n
    raise no_column(name)


def main_table(draft: Draft) -> DetailTable:
    """Return the table of the rows. Raises ``EditRefused`` if the rows contain no texts."""
    rows = [_cells_on_line(draft, band, node) for band in _detail_bands(draft) for node in draft.texts(band)]
    if not rows:
        raise EditRefused("column", Text.of("edits.refused.rows"))
    return _table_with(draft, max(rows, key=len)[0])


# --- the row and its columns -----------------------------------------------------------------------------------------


def _detail_bands(draft: Draft) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "detail"]


def _cell_of(draft: Draft, name: str) -> etree._Element | None:
    """Return the element of the rows that prints only this field; else one that prints it with others; else the
    element of this name."""
    nodes = [node for band in _detail_bands(draft) for node in elements_in(band) if local_name(node) in _CELLS]
    wanted = (reference("F", name), reference("V", name))
    matches: tuple[Callable[[etree._Element], bool], ...] = (
        lambda node: content_of(node) in wanted,
        lambda node: any(one in content_of(node) for one in wanted),
        lambda node: draft.element(name) is node,
    )
    return next((node for match in matches for node in nodes if match(node)), None)


def _table_with(draft: Draft, node: etree._Element) -> DetailTable:
    """Return the table in whose row an element is."""
    band = draft.band_of(node)
    columns: list[RowColumn] = []
    for cell in sorted(_cells_on_line(draft, band, node), key=lambda one: (one is not node, draft.box_of(one).width)):
        box = draft.box_of(cell)
        overlapping = [column for column in columns if box.shares_width(column.box)]
        if not overlapping:
            columns.append(RowColumn([cell], box))
        elif len(overlapping) == 1:
            overlapping[0].cells.append(cell)
    columns.sort(key=lambda column: column.box.left)
    table = DetailTable(band, draft.box_of(node), columns)
    _find_headers(draft, table)
    _find_edges(draft, table)
    return table


def _cells_on_line(draft: Draft, band: etree._Element, node: etree._Element) -> list[etree._Element]:
    box = draft.box_of(node)
    return [one for one in elements_in(band) if local_name(one) in _CELLS and draft.box_of(one).on_same_line(box)]


# --- headers ---------------------------------------------------------------------------------------------------------


def _find_headers(draft: Draft, table: DetailTable) -> None:
    """Take the headers from the band above the rows whose texts head the most columns; of equals, the nearest."""
    best: list[tuple[RowColumn, etree._Element]] = []
    for band in _bands_above(draft):
        headers = _headers_in(draft, table, band)
        if len(headers) > len(best):
            best, table.head = headers, band
    for column, node in best:
        column.header = node
    if best:
        boxes = [draft.box_of(node) for _, node in best]
        table.head_row = min(box.top for box in boxes), max(box.bottom for box in boxes)


def _bands_above(draft: Draft) -> list[etree._Element]:
    """Return the bands above the rows, from the nearest up."""
    groups = [band for name, band in draft.bands() if name == "groupHeader"]
    found = groups[::-1]
    for name in ("columnHeader", "pageHeader", "title"):
        section = child(draft.root, name)
        found += section.findall(tag("band"))[::-1] if section is not None else []
    return found


def _headers_in(draft: Draft, table: DetailTable, band: etree._Element) -> list[tuple[RowColumn, etree._Element]]:
    """Return the texts of one line of a band, each with the column that it heads."""
    best: list[tuple[RowColumn, etree._Element]] = []
    for texts in text_lines(draft, band):
        headers = []
        for column in table.columns:
            above = [
                (node, box)
                for node, box in texts
                if box.shares_width(column.box) and not _heads_another(table, column, box)
            ]
            if above:
                headers.append((column, max(above, key=lambda one: one[1].overlap_x(column.box))[0]))
        if len(headers) > len(best):
            best = headers
    in_header_band = local_name(band.getparent()) == "columnHeader"
    return best if in_header_band or len(best) > 1 or len(table.columns) == 1 else []


def text_lines(draft: Draft, band: etree._Element) -> list[list[tuple[etree._Element, ElementBox]]]:
    """Return the texts of a band line by line, from the lowest up, each with its box."""
    texts = sorted(((node, draft.box_of(node)) for node in draft.texts(band)), key=lambda one: -one[1].bottom)
    found: list[list[tuple[etree._Element, ElementBox]]] = []
    for node, box in texts:
        if found and box.on_same_line(found[-1][0][1]):
            found[-1].append((node, box))
        else:
            found.append([(node, box)])
    return found


def _heads_another(table: DetailTable, column: RowColumn, box: ElementBox) -> bool:
    """Whether a text covers more than half of another column as well."""
    return any(2 * box.overlap_x(one.box) > one.box.width for one in table.columns if one is not column)


# --- edges -----------------------------------------------------------------------------------------------------------


def _find_edges(draft: Draft, table: DetailTable) -> None:
    """Set where each column begins and ends."""
    table.rules = [
        node
        for band in (table.detail, table.head)
        if band is not None
        for node in elements_in(band)
        if local_name(node) in ("line", "rectangle")
        and draft.box_of(node).width <= MAX_RULE_WIDTH_PT < draft.box_of(node).height
    ]
    rules = sorted({draft.box_of(node).left for node in table.rules})
    spans = [_span(draft, column) for column in table.columns]
    columns = table.columns
    for n in range(len(columns) - 1):
        edge = _edge_between(draft, columns[n], columns[n + 1], spans[n][1], spans[n + 1][0], rules)
        columns[n].right = columns[n + 1].left = edge
    first, last = spans[0][0], spans[-1][1]
    outlines = [
        box
        for node in elements_in(table.detail)
        if local_name(node) in ("line", "rectangle", "frame")
        and (box := draft.box_of(node)).width >= MIN_TABLE_SHARE * (last - first)
    ]
    lefts = [x for x in (*rules, *(box.left for box in outlines)) if x <= first + EDGE_TOLERANCE_PT]
    rights = [x for x in (*rules, *(box.right for box in outlines)) if x >= last - EDGE_TOLERANCE_PT]
    columns[0].left, columns[-1].right = max(lefts, default=first), min(rights, default=last)


def _span(draft: Draft, column: RowColumn) -> tuple[int, int]:
    """Return the left and right ends of a column's cells and header together."""
    boxes = [draft.box_of(node) for node in (*column.cells, column.header) if node is not None]
    return min(box.left for box in boxes), max(box.right for box in boxes)


def _edge_between(draft: Draft, a: RowColumn, b: RowColumn, a_end: int, b_start: int, rules: Sequence[int]) -> int:
    """Return the edge between two columns; `a_end` and `b_start` are the ends of their spans."""
    low, high = a.box.right - EDGE_TOLERANCE_PT, b.box.left + EDGE_TOLERANCE_PT
    between = [x for x in rules if low <= x <= high]
    if between:
        return min(between, key=lambda x: abs(x - (low + high) / 2))
    if abs(b.box.left - a.box.right) <= EDGE_TOLERANCE_PT:
        return b.box.left
    if b_start <= a_end:
        return (a.box.right + b.box.left) // 2
    if draft.style_of(b.cell).align in ("Left", "Justified"):
        return b_start
    return a_end if draft.style_of(a.cell).align == "Right" else (a_end + b_start) // 2


# --- what belongs to the table ---------------------------------------------------------------------------------------


def bands_below_rows(draft: Draft) -> list[etree._Element]:
    """Return the bands that may hold totals."""
    return [band for name, band in draft.bands() if name in _SECTIONS_BELOW]


def variables_computed_from(draft: Draft, name: str) -> set[str]:
    """Return the variables that are computed from a field or variable, directly or through others."""
    found: set[str] = set()
    sources = {("F", name), ("V", name)}
    while True:
        more = {
            node.get("name") or ""
            for node in draft.root.findall(tag("variable"))
            if sources & set(references(child_text(node, "variableExpression")))
        } - found
        if not more:
            return found
        found |= more
        sources |= {("V", one) for one in more}


def column_totals(draft: Draft, table: DetailTable, column: RowColumn) -> list[etree._Element]:
    """Return the texts below a column that print a total of it or are cells of its exact width, with their labels."""
    variables = {("V", one) for name in column.names for one in variables_computed_from(draft, name)}
    found = []
    for band in bands_below_rows(draft):
        for node in elements_in(band):
            box = draft.box_of(node)
            style = draft.style_of(node)
            # A number may begin left of its column, with room for a larger total.
            at = box.right - EDGE_TOLERANCE_PT if style.align == "Right" and not style.is_cell else box.center_x
            if local_name(node) not in TEXT_ELEMENTS or not column.left <= at < column.right:
                continue
            same_width = (
                abs(box.left - column.left) <= EDGE_TOLERANCE_PT and abs(box.right - column.right) <= EDGE_TOLERANCE_PT
            )
            in_first_row = box.top < max(1, table.row.height)
            is_total = variables & set(references(content_of(node)))
            if is_total or (same_width and in_first_row and style.is_cell):
                found.append(node)
        found += _labels(draft, band, found)
    return found


def _labels(draft: Draft, band: etree._Element, totals: Sequence[etree._Element]) -> list[etree._Element]:
    """Return the label and the empty cells of each row whose only values are these totals."""
    found = []
    for total in [one for one in totals if draft.band_of(one) is band and local_name(one) == "textField"]:
        box = draft.box_of(total)
        row = [one for one in draft.texts(band) if one not in totals and draft.box_of(one).on_same_line(box)]
        has_one_label = sum(bool(content_of(one)) for one in row) <= 1
        if has_one_label and all(local_name(one) == "staticText" for one in row):
            found += [one for one in row if one not in found]
    return found


def column_label(draft: Draft, table: DetailTable, name: str) -> str:
    """Return the header of a field's column; the field's name in words if it has none."""
    return column_header(table, name) or humanize(name)


def column_header(table: DetailTable, name: str) -> str:
    """Return the fixed text over the column that prints a field; empty if there is none."""
    headers = (column.header for column in table.columns if name in column.names and column.header is not None)
    return next((" ".join(content_of(one).split()) for one in headers if local_name(one) == "staticText"), "")


def humanize(name: str) -> str:
    """Return ``unit_price`` and ``unitPrice`` as words: Unit price."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", name).strip()
    return words[:1].upper() + words[1:].lower() if words.isascii() else words


def printed_sides(draft: Draft, band: etree._Element) -> tuple[int, int]:
    """Return the left and right ends of what is printed: the table's sides, else those of all texts."""
    width = draft.band_width(band)
    try:
        bounds = main_table(draft).bounds
    except EditRefused:
        bounds = [0]
    if bounds[-1] - bounds[0] >= MIN_TABLE_SHARE * width:
        return bounds[0], min(width, bounds[-1])
    texts = [node for name, one in draft.bands() if name != "background" for node in draft.texts(one)]
    left = min((draft.box_of(node).left for node in texts), default=0)
    right = max((_visible_end(draft, node) for node in texts), default=width)
    return max(0, min(left, width // 4)), min(width, max(right, 3 * width // 4))


def _visible_end(draft: Draft, node: etree._Element) -> int:
    """Return where a text ends. A fixed text may be shorter than its element; a value may need all of it."""
    box, style = draft.box_of(node), draft.style_of(node)
    if local_name(node) != "staticText" or style.is_cell or style.align != "Left":
        return box.right
    return min(box.right, box.left + style.width_of(content_of(node)))
