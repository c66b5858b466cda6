"""The table that the rows make: its columns, with their headers above and their totals beneath."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml import etree

from .draft import Draft, Place
from .outcome import Refused
from .tree import TEXTS, child, inside, local, number, references, report_element, tag, wording

SNAP = 3
"""Points within which an edge stands at a column's edge."""
THIN = 3
"""What is no wider than so many points is a vertical rule."""
_WHOLE = 0.6
"""A rule or area behind the row that is as long as this share of it shows where the table begins and ends."""
_CONTENT = TEXTS | {"image", "componentElement"}
_DARK = 384
"""Red, green and blue that make less than this together are a dark colour."""
_BENEATH = ("groupFooter", "columnFooter", "summary")


@dataclass
class Column:
    """One column: what is in its row, its header, and the slot from its left to its right edge."""

    cells: list[etree._Element]
    place: Place
    header: etree._Element | None = None
    left: int = 0
    right: int = 0

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def cell(self) -> etree._Element:
        """What stands for the column: the first of its cells that prints something."""
        return next((cell for cell in self.cells if local(cell) == "textField"), self.cells[0])

    @property
    def fields(self) -> set[str]:
        return {name for cell in self.cells for letter, name in references(wording(cell)) if letter == "F"}

    @property
    def names(self) -> set[str]:
        """The fields that it prints, and the variables that reckon what it prints."""
        return {name for cell in self.cells for letter, name in references(wording(cell)) if letter in "FV"}


@dataclass
class Table:
    """The columns from left to right, and where their headers stand."""

    detail: etree._Element
    row: Place
    """How far the line of cells reaches down its band."""
    columns: list[Column]
    head: etree._Element | None = None
    head_row: tuple[int, int] = (0, 0)
    rules: list[etree._Element] = field(default_factory=list)

    @property
    def bounds(self) -> list[int]:
        return [column.left for column in self.columns] + [self.columns[-1].right]

    def edge(self, x: int) -> int | None:
        """The number of the column's edge that stands at x."""
        near = min(range(len(self.bounds)), key=lambda k: abs(self.bounds[k] - x))
        return near if abs(self.bounds[near] - x) <= SNAP else None

    def slot(self, x: float) -> int | None:
        """The number of the column at x."""
        return next((n for n, column in enumerate(self.columns) if column.left <= x < column.right), None)


def find(draft: Draft, name: str) -> tuple[Table, int]:
    """The table, and the number of the column that prints a field. Raises ``Refused`` where there is none."""
    node = _cell_of(draft, name)
    if node is None:
        raise Refused("column", f"No column of the rows shows {name}.", f"明细行中没有显示 {name} 的列。")
    table = _table(draft, node)
    return table, next(n for n, column in enumerate(table.columns) if node in column.cells)


def main(draft: Draft) -> Table:
    """The table of the rows. Raises ``Refused`` where the rows have no texts."""
    lines = [_line(draft, band, node) for band in _details(draft) for node in draft.texts(band)]
    if not lines:
        raise Refused("column", "The report has no rows.", "报表没有明细行。")
    return _table(draft, max(lines, key=len)[0])


def _details(draft: Draft) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "detail"]


def _cell_of(draft: Draft, name: str) -> etree._Element | None:
    """The element of the rows that prints a field: it alone, else among others, else the one that is called so."""
    nodes = [node for band in _details(draft) for node in inside(band) if local(node) in _CONTENT]
    wanted = (f"$F{{{name}}}", f"$V{{{name}}}")
    ways: tuple[Callable[[etree._Element], bool], ...] = (
        lambda node: wording(node) in wanted,
        lambda node: any(one in wording(node) for one in wanted),
        lambda node: draft.element(name) is node,
    )
    return next((node for is_it in ways for node in nodes if is_it(node)), None)


def _table(draft: Draft, node: etree._Element) -> Table:
    band = draft.band_of(node)
    columns: list[Column] = []
    for cell in sorted(_line(draft, band, node), key=lambda one: (one is not node, draft.place(one).width)):
        place = draft.place(cell)
        same = [column for column in columns if _most(place, column.place)]
        if not same:
            columns.append(Column([cell], place))
        elif len(same) == 1:
            same[0].cells.append(cell)
    columns.sort(key=lambda column: column.place.left)
    table = Table(band, draft.place(node), columns)
    _find_headers(draft, table)
    _find_edges(draft, table)
    return table


def _line(draft: Draft, band: etree._Element, node: etree._Element) -> list[etree._Element]:
    """What stands in one line with an element."""
    place = draft.place(node)
    return [one for one in inside(band) if local(one) in _CONTENT and draft.place(one).beside(place)]


def _most(a: Place, b: Place) -> bool:
    """Whether two places share more than half of the narrower one's width."""
    return 2 * a.across(b) > max(1, min(a.width, b.width))


def _find_headers(draft: Draft, table: Table) -> None:
    """Of the bands above the rows, the one whose words stand over the most columns; the nearest of equals."""
    best: list[tuple[Column, etree._Element]] = []
    for band in _above(draft):
        found = _headers(draft, table, band)
        if len(found) > len(best):
            best, table.head = found, band
    for column, node in best:
        column.header = node
    if best:
        places = [draft.place(node) for _, node in best]
        table.head_row = min(place.top for place in places), max(place.bottom for place in places)


def _above(draft: Draft) -> list[etree._Element]:
    """The bands above the rows, from the nearest up."""
    groups = [band for name, band in draft.bands() if name == "groupHeader"]
    found = groups[::-1]
    for name in ("columnHeader", "pageHeader", "title"):
        section = child(draft.root, name)
        found += section.findall(tag("band"))[::-1] if section is not None else []
    return found


def _headers(draft: Draft, table: Table, band: etree._Element) -> list[tuple[Column, etree._Element]]:
    """The words of one line of a band, each with the column that it stands over."""
    found: list[tuple[Column, etree._Element]] = []
    for texts in lines(draft, band):
        line = []
        for column in table.columns:
            over = [
                (node, place)
                for node, place in texts
                if _most(place, column.place) and not _merged(table, column, place)
            ]
            if over:
                line.append((column, max(over, key=lambda one: one[1].across(column.place))[0]))
        if len(line) > len(found):
            found = line
    return found if local(band.getparent()) == "columnHeader" or len(found) > 1 or len(table.columns) == 1 else []


def lines(draft: Draft, band: etree._Element) -> list[list[tuple[etree._Element, Place]]]:
    """The texts of a band line by line, from the lowest up, each with its place."""
    rest = sorted(((node, draft.place(node)) for node in draft.texts(band)), key=lambda one: -one[1].bottom)
    found: list[list[tuple[etree._Element, Place]]] = []
    for node, place in rest:
        if found and place.beside(found[-1][0][1]):
            found[-1].append((node, place))
        else:
            found.append([(node, place)])
    return found


def _merged(table: Table, column: Column, place: Place) -> bool:
    """Whether words stand over another column as well."""
    return any(2 * place.across(one.place) > one.place.width for one in table.columns if one is not column)


def _find_edges(draft: Draft, table: Table) -> None:
    """Where each column begins and ends: at a rule, where cells touch, else where the gap between their texts lies."""
    table.rules = [
        node
        for band in (table.detail, table.head)
        if band is not None
        for node in inside(band)
        if local(node) in ("line", "rectangle") and draft.place(node).width <= THIN < draft.place(node).height
    ]
    rules = sorted({draft.place(node).left for node in table.rules})
    spans = [_span(draft, column) for column in table.columns]
    columns = table.columns
    for n in range(len(columns) - 1):
        edge = _between(draft, columns[n], columns[n + 1], spans[n][1], spans[n + 1][0], rules)
        columns[n].right = columns[n + 1].left = edge
    first, last = spans[0][0], spans[-1][1]
    marks = [
        place
        for node in inside(table.detail)
        if local(node) in ("line", "rectangle", "frame")
        and (place := draft.place(node)).width >= _WHOLE * (last - first)
    ]
    lefts = [x for x in (*rules, *(place.left for place in marks)) if x <= first + SNAP]
    rights = [x for x in (*rules, *(place.right for place in marks)) if x >= last - SNAP]
    columns[0].left, columns[-1].right = max(lefts, default=first), min(rights, default=last)


def _span(draft: Draft, column: Column) -> tuple[int, int]:
    """From the left of what stands in a column, or above it, to the right."""
    places = [draft.place(node) for node in (*column.cells, column.header) if node is not None]
    return min(place.left for place in places), max(place.right for place in places)


def _between(draft: Draft, a: Column, b: Column, right: int, left: int, rules: Sequence[int]) -> int:
    """Where a column ends and the next begins: `right` is where the one's words end, `left` where the other's do."""
    low, high = a.place.right - SNAP, b.place.left + SNAP
    between = [x for x in rules if low <= x <= high]
    if between:
        return min(between, key=lambda x: abs(x - (low + high) / 2))
    if abs(b.place.left - a.place.right) <= SNAP:
        return b.place.left
    if left <= right:
        return (a.place.right + b.place.left) // 2
    if draft.look(b.cell).align in ("Left", "Justified"):
        return left
    return right if draft.look(a.cell).align == "Right" else (left + right) // 2


def beneath(draft: Draft) -> list[etree._Element]:
    """The bands under the rows in which totals stand."""
    return [band for name, band in draft.bands() if name in _BENEATH]


def variables_of(draft: Draft, name: str) -> set[str]:
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


def totals_of(draft: Draft, table: Table, column: Column) -> list[etree._Element]:
    """What stands under a column and prints a total of one of its fields, or is a cell of just its width."""
    names = {("V", name) for one in column.names for name in variables_of(draft, one)}
    found = []
    for band in beneath(draft):
        for node in inside(band):
            place = draft.place(node)
            if local(node) not in TEXTS or not column.left <= place.middle < column.right:
                continue
            exact = abs(place.left - column.left) <= SNAP and abs(place.right - column.right) <= SNAP
            near = place.top < max(1, table.row.height)
            if names & set(references(wording(node))) or (exact and near and draft.look(node).is_cell):
                found.append(node)
        found += _labels(draft, band, found)
    return found


def _labels(draft: Draft, band: etree._Element, totals: Sequence[etree._Element]) -> list[etree._Element]:
    """The one label, and the empty cells, of a row that has no other values than these totals."""
    found = []
    for total in [one for one in totals if draft.band_of(one) is band and local(one) == "textField"]:
        row = [one for one in draft.texts(band) if one not in totals and draft.place(one).beside(draft.place(total))]
        if all(local(one) == "staticText" for one in row) and sum(bool(wording(one)) for one in row) <= 1:
            found += [one for one in row if one not in found]
    return found


def shade(table: Table) -> str | None:
    """A light tint of the headers' own background; None where they have none."""
    headers = [report_element(column.header) for column in table.columns if column.header is not None]
    colour = next((one.get("backcolor", "") for one in headers if one.get("mode") == "Opaque"), "")
    if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
        return None
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    share = 0.13 if sum(parts) < _DARK else 0.6
    return "#" + "".join(f"{round(255 - share * (255 - part)):02X}" for part in parts)


def rule(draft: Draft, table: Table, band: etree._Element, row: Place, inner: bool) -> None:
    """Draw around a new row the lines that are drawn around the others; with `inner` between its cells as well."""
    high = number(table.detail, "height")
    for line in [node for node in inside(table.detail) if local(node) == "line"]:
        place = draft.place(line)
        if place.width <= THIN < place.height:
            outer = min(abs(place.left - table.bounds[0]), abs(place.left - table.bounds[-1])) <= SNAP
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
        draft.put(band, twin, report.get("key") or "rule")
        draft.set_place(twin, place)


def sides(draft: Draft, band: etree._Element) -> tuple[int, int]:
    """From where to where the report reaches, as the eye sees it: the table's sides, else those of its texts."""
    width = draft.width(band)
    try:
        bounds = main(draft).bounds
    except Refused:
        bounds = [0]
    if bounds[-1] - bounds[0] >= _WHOLE * width:
        return bounds[0], min(width, bounds[-1])
    texts = [node for name, one in draft.bands() if name != "background" for node in draft.texts(one)]
    left = min((draft.place(node).left for node in texts), default=0)
    right = max((_end(draft, node) for node in texts), default=width)
    return max(0, min(left, width // 4)), min(width, max(right, 3 * width // 4))


def _end(draft: Draft, node: etree._Element) -> int:
    """Where fixed words end, which may have more room than they need; a value's room may be all used."""
    place, look = draft.place(node), draft.look(node)
    if local(node) != "staticText" or look.is_cell or look.align != "Left":
        return place.right
    return min(place.right, place.left + look.width_of(wording(node)))


def label_of(draft: Draft, table: Table, name: str) -> str:
    """The wording over a field's column; the field's name in words where there is none."""
    for column in table.columns:
        if name in column.names and column.header is not None and local(column.header) == "staticText":
            return " ".join(wording(column.header).split())
    return humanized(name)


def humanized(name: str) -> str:
    """``unit_price`` and ``unitPrice`` as words: Unit price."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", name).strip()
    return words[:1].upper() + words[1:].lower() if words.isascii() else words


def row_height(table: Table) -> int:
    return max(1, min(table.row.height, number(table.detail, "height")))
