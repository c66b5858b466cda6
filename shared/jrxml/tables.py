"""The table that the rows make: its columns, with their headers above and their totals beneath."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml import etree

from ..replies import Text
from .bands import elements_in
from .dom import TEXT_ELEMENTS, child, content_of, int_attribute, local_name, report_element, tag
from .draft import Draft, ElementBox
from .expressions import references
from .refusals import EditRefused, no_column

EDGE_TOLERANCE_PT = 3
"""Points within which an edge stands at a column's edge."""
MAX_RULE_WIDTH_PT = 3
"""What is no wider than so many points is a vertical rule."""
_WHOLE = 0.6
"""A rule or area behind the row that is as long as this share of it shows where the table begins and ends."""
_CONTENT = TEXT_ELEMENTS | {"image", "componentElement"}
_DARK = 384
"""Red, green and blue that make less than this together are a dark colour."""
_BENEATH = ("groupFooter", "columnFooter", "summary")


@dataclass
class TableColumn:
    """One column: what is in its row, its header, and the slot from its left to its right edge."""

    cells: list[etree._Element]
    place: ElementBox
    header: etree._Element | None = None
    left: int = 0
    right: int = 0

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def cell(self) -> etree._Element:
        """What stands for the column: the first of its cells that prints something."""
        return next((cell for cell in self.cells if local_name(cell) == "textField"), self.cells[0])

    @property
    def fields(self) -> set[str]:
        return {name for cell in self.cells for letter, name in references(content_of(cell)) if letter == "F"}

    @property
    def names(self) -> set[str]:
        """The fields that it prints, and the variables that reckon what it prints."""
        return {name for cell in self.cells for letter, name in references(content_of(cell)) if letter in "FV"}


@dataclass
class DetailTable:
    """The columns from left to right, and where their headers stand."""

    detail: etree._Element
    row: ElementBox
    """How far the line of cells reaches down its band."""
    columns: list[TableColumn]
    head: etree._Element | None = None
    head_row: tuple[int, int] = (0, 0)
    rules: list[etree._Element] = field(default_factory=list)

    @property
    def bounds(self) -> list[int]:
        return [column.left for column in self.columns] + [self.columns[-1].right]

    def edge(self, x: int) -> int | None:
        """The number of the column's edge that stands at x."""
        near = min(range(len(self.bounds)), key=lambda k: abs(self.bounds[k] - x))
        return near if abs(self.bounds[near] - x) <= EDGE_TOLERANCE_PT else None

    def slot(self, x: float) -> int | None:
        """The number of the column at x."""
        return next((n for n, column in enumerate(self.columns) if column.left <= x < column.right), None)


def find_column(draft: Draft, name: str) -> tuple[DetailTable, int]:
    """The table, and the number of the column that prints a field. Raises ``Refused`` where there is none."""
    node = _cell_of(draft, name)
    if node is None:
        raise no_column(name)
    table = _table(draft, node)
    return table, next(n for n, column in enumerate(table.columns) if node in column.cells)


def column_number(columns: Sequence[TableColumn], name: str) -> int:
    """Return the number of the column that prints a field, or one of whose cells has this key.

    Raises ``EditRefused`` if there is none.
    """
    for n, column in enumerate(columns):
        if name in column.names or any(report_element(cell).get("key") == name for cell in column.cells):
            return n
    raise no_column(name)


def main_table(draft: Draft) -> DetailTable:
    """The table of the rows. Raises ``Refused`` where the rows have no texts."""
    text_lines = [_line(draft, band, node) for band in _details(draft) for node in draft.texts(band)]
    if not text_lines:
        raise EditRefused("column", Text.of("edits.refused.rows"))
    return _table(draft, max(text_lines, key=len)[0])


def _details(draft: Draft) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "detail"]


def _cell_of(draft: Draft, name: str) -> etree._Element | None:
    """The element of the rows that prints a field: it alone, else among others, else the one that is called so."""
    nodes = [node for band in _details(draft) for node in elements_in(band) if local_name(node) in _CONTENT]
    wanted = (f"$F{{{name}}}", f"$V{{{name}}}")
    ways: tuple[Callable[[etree._Element], bool], ...] = (
        lambda node: content_of(node) in wanted,
        lambda node: any(one in content_of(node) for one in wanted),
        lambda node: draft.element(name) is node,
    )
    return next((node for is_it in ways for node in nodes if is_it(node)), None)


def _table(draft: Draft, node: etree._Element) -> DetailTable:
    band = draft.band_of(node)
    columns: list[TableColumn] = []
    for cell in sorted(_line(draft, band, node), key=lambda one: (one is not node, draft.box_of(one).width)):
        place = draft.box_of(cell)
        same = [column for column in columns if _most(place, column.place)]
        if not same:
            columns.append(TableColumn([cell], place))
        elif len(same) == 1:
            same[0].cells.append(cell)
    columns.sort(key=lambda column: column.place.left)
    table = DetailTable(band, draft.box_of(node), columns)
    _find_headers(draft, table)
    _find_edges(draft, table)
    return table


def _line(draft: Draft, band: etree._Element, node: etree._Element) -> list[etree._Element]:
    """What stands in one line with an element."""
    place = draft.box_of(node)
    return [one for one in elements_in(band) if local_name(one) in _CONTENT and draft.box_of(one).on_same_line(place)]


def _most(a: ElementBox, b: ElementBox) -> bool:
    """Whether two places share more than half of the narrower one's width."""
    return 2 * a.overlap_x(b) > max(1, min(a.width, b.width))


def _find_headers(draft: Draft, table: DetailTable) -> None:
    """Of the bands above the rows, the one whose words stand over the most columns; the nearest of equals."""
    best: list[tuple[TableColumn, etree._Element]] = []
    for band in _above(draft):
        found = _headers(draft, table, band)
        if len(found) > len(best):
            best, table.head = found, band
    for column, node in best:
        column.header = node
    if best:
        places = [draft.box_of(node) for _, node in best]
        table.head_row = min(place.top for place in places), max(place.bottom for place in places)


def _above(draft: Draft) -> list[etree._Element]:
    """The bands above the rows, from the nearest up."""
    groups = [band for name, band in draft.bands() if name == "groupHeader"]
    found = groups[::-1]
    for name in ("columnHeader", "pageHeader", "title"):
        section = child(draft.root, name)
        found += section.findall(tag("band"))[::-1] if section is not None else []
    return found


def _headers(draft: Draft, table: DetailTable, band: etree._Element) -> list[tuple[TableColumn, etree._Element]]:
    """The words of one line of a band, each with the column that it stands over."""
    found: list[tuple[TableColumn, etree._Element]] = []
    for texts in text_lines(draft, band):
        line = []
        for column in table.columns:
            over = [
                (node, place)
                for node, place in texts
                if _most(place, column.place) and not _merged(table, column, place)
            ]
            if over:
                line.append((column, max(over, key=lambda one: one[1].overlap_x(column.place))[0]))
        if len(line) > len(found):
            found = line
    return found if local_name(band.getparent()) == "columnHeader" or len(found) > 1 or len(table.columns) == 1 else []


def text_lines(draft: Draft, band: etree._Element) -> list[list[tuple[etree._Element, ElementBox]]]:
    """The texts of a band line by line, from the lowest up, each with its place."""
    rest = sorted(((node, draft.box_of(node)) for node in draft.texts(band)), key=lambda one: -one[1].bottom)
    found: list[list[tuple[etree._Element, ElementBox]]] = []
    for node, place in rest:
        if found and place.on_same_line(found[-1][0][1]):
            found[-1].append((node, place))
        else:
            found.append([(node, place)])
    return found


def _merged(table: DetailTable, column: TableColumn, place: ElementBox) -> bool:
    """Whether words stand over another column as well."""
    return any(2 * place.overlap_x(one.place) > one.place.width for one in table.columns if one is not column)


def _find_edges(draft: Draft, table: DetailTable) -> None:
    """Where each column begins and ends: at a rule, where cells touch, else where the gap between their texts lies."""
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
        edge = _between(draft, columns[n], columns[n + 1], spans[n][1], spans[n + 1][0], rules)
        columns[n].right = columns[n + 1].left = edge
    first, last = spans[0][0], spans[-1][1]
    marks = [
        place
        for node in elements_in(table.detail)
        if local_name(node) in ("line", "rectangle", "frame")
        and (place := draft.box_of(node)).width >= _WHOLE * (last - first)
    ]
    lefts = [x for x in (*rules, *(place.left for place in marks)) if x <= first + EDGE_TOLERANCE_PT]
    rights = [x for x in (*rules, *(place.right for place in marks)) if x >= last - EDGE_TOLERANCE_PT]
    columns[0].left, columns[-1].right = max(lefts, default=first), min(rights, default=last)


def _span(draft: Draft, column: TableColumn) -> tuple[int, int]:
    """From the left of what stands in a column, or above it, to the right."""
    places = [draft.box_of(node) for node in (*column.cells, column.header) if node is not None]
    return min(place.left for place in places), max(place.right for place in places)


def _between(draft: Draft, a: TableColumn, b: TableColumn, right: int, left: int, rules: Sequence[int]) -> int:
    """Where a column ends and the next begins: `right` is where the one's words end, `left` where the other's do."""
    low, high = a.place.right - EDGE_TOLERANCE_PT, b.place.left + EDGE_TOLERANCE_PT
    between = [x for x in rules if low <= x <= high]
    if between:
        return min(between, key=lambda x: abs(x - (low + high) / 2))
    if abs(b.place.left - a.place.right) <= EDGE_TOLERANCE_PT:
        return b.place.left
    if left <= right:
        return (a.place.right + b.place.left) // 2
    if draft.style_of(b.cell).align in ("Left", "Justified"):
        return left
    return right if draft.style_of(a.cell).align == "Right" else (left + right) // 2


def bands_below_rows(draft: Draft) -> list[etree._Element]:
    """The bands under the rows in which totals stand."""
    return [band for name, band in draft.bands() if name in _BENEATH]


def variables_computed_from(draft: Draft, name: str) -> set[str]:
    """The variables that are reckoned from a field, straight or by way of others."""
    found: set[str] = set()
    asked = {("F", name), ("V", name)}
    while True:
        more = {
            node.get("name") or ""
            for node in draft.root.findall(tag("variable"))
            if asked & set(references(node.findtext(tag("variableExpression")) or ""))
        } - found
        if not more:
            return found
        found |= more
        asked |= {("V", one) for one in more}


def column_totals(draft: Draft, table: DetailTable, column: TableColumn) -> list[etree._Element]:
    """What stands under a column and prints a total of one of its fields, or is a cell of just its width."""
    names = {("V", name) for one in column.names for name in variables_computed_from(draft, one)}
    found = []
    for band in bands_below_rows(draft):
        for node in elements_in(band):
            place = draft.box_of(node)
            if local_name(node) not in TEXT_ELEMENTS or not column.left <= place.center_x < column.right:
                continue
            exact = (
                abs(place.left - column.left) <= EDGE_TOLERANCE_PT
                and abs(place.right - column.right) <= EDGE_TOLERANCE_PT
            )
            near = place.top < max(1, table.row.height)
            if names & set(references(content_of(node))) or (exact and near and draft.style_of(node).is_cell):
                found.append(node)
        found += _labels(draft, band, found)
    return found


def _labels(draft: Draft, band: etree._Element, totals: Sequence[etree._Element]) -> list[etree._Element]:
    """The one label, and the empty cells, of a row that has no other values than these totals."""
    found = []
    for total in [one for one in totals if draft.band_of(one) is band and local_name(one) == "textField"]:
        row = [
            one
            for one in draft.texts(band)
            if one not in totals and draft.box_of(one).on_same_line(draft.box_of(total))
        ]
        if all(local_name(one) == "staticText" for one in row) and sum(bool(content_of(one)) for one in row) <= 1:
            found += [one for one in row if one not in found]
    return found


def header_tint(table: DetailTable) -> str | None:
    """A light tint of the headers' own background; None where they have none."""
    headers = [report_element(column.header) for column in table.columns if column.header is not None]
    colour = next((one.get("backcolor", "") for one in headers if one.get("mode") == "Opaque"), "")
    if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
        return None
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    share = 0.13 if sum(parts) < _DARK else 0.6
    return "#" + "".join(f"{round(255 - share * (255 - part)):02X}" for part in parts)


def draw_row_rules(draft: Draft, table: DetailTable, band: etree._Element, row: ElementBox, inner: bool) -> None:
    """Draw around a new row the lines that are drawn around the others; with `inner` between its cells as well."""
    high = int_attribute(table.detail, "height")
    for line in [node for node in elements_in(table.detail) if local_name(node) == "line"]:
        place = draft.box_of(line)
        if place.width <= MAX_RULE_WIDTH_PT < place.height:
            outer = min(abs(place.left - table.bounds[0]), abs(place.left - table.bounds[-1])) <= EDGE_TOLERANCE_PT
            if not (inner or outer):
                continue
            place = place._replace(top=row.top, bottom=row.bottom)
        elif place.width >= _WHOLE * (table.bounds[-1] - table.bounds[0]):
            by = row.bottom - high if place.top > high / 2 else row.top
            place = place._replace(top=place.top + by, bottom=place.bottom + by)
        else:
            continue
        twin = copy.deepcopy(line)
        report = report_element(twin)
        for made_from in [*report]:
            report.remove(made_from)
        draft.add_element(band, twin, report.get("key") or "rule")
        draft.set_box(twin, place)


def printed_sides(draft: Draft, band: etree._Element) -> tuple[int, int]:
    """From where to where the report reaches, as the eye sees it: the table's sides, else those of its texts."""
    width = draft.band_width(band)
    try:
        bounds = main_table(draft).bounds
    except EditRefused:
        bounds = [0]
    if bounds[-1] - bounds[0] >= _WHOLE * width:
        return bounds[0], min(width, bounds[-1])
    texts = [node for name, one in draft.bands() if name != "background" for node in draft.texts(one)]
    left = min((draft.box_of(node).left for node in texts), default=0)
    right = max((_end(draft, node) for node in texts), default=width)
    return max(0, min(left, width // 4)), min(width, max(right, 3 * width // 4))


def _end(draft: Draft, node: etree._Element) -> int:
    """Where fixed words end, which may have more room than they need; a value's room may be all used."""
    place, look = draft.box_of(node), draft.style_of(node)
    if local_name(node) != "staticText" or look.is_cell or look.align != "Left":
        return place.right
    return min(place.right, place.left + look.width_of(content_of(node)))


def column_label(draft: Draft, table: DetailTable, name: str) -> str:
    """The wording over a field's column; the field's name in words where there is none."""
    for column in table.columns:
        if name in column.names and column.header is not None and local_name(column.header) == "staticText":
            return " ".join(content_of(column.header).split())
    return humanize(name)


def humanize(name: str) -> str:
    """``unit_price`` and ``unitPrice`` as words: Unit price."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", name).strip()
    return words[:1].upper() + words[1:].lower() if words.isascii() else words


def row_height(table: DetailTable) -> int:
    return max(1, min(table.row.height, int_attribute(table.detail, "height")))
