"""The columns of a report's rows: the fields of its detail band, and the texts above them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bandsmith.shared.jrxml.dom import child_text
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.template import Template, TemplateElement

from ..engine import PrintedCell

ALTERNATIVE_OVERLAP = 0.6
"""Two fields that cover each other by this share are alternatives for one cell."""
COLUMN_OVERLAP = 0.5
"""A text that shares this part of its width, or of a column's width, stands in the column."""
SPANNING_SHARE = 0.8
"""A text above the columns that is wider than this share of three or more of them is a title, not a heading."""


@dataclass
class SheetColumn:
    left: int
    right: int
    keys: set[str] = field(default_factory=set)
    """Keys of the fields that print its values; none where it has only a heading."""
    line: int = 0
    """Line of the detail band in which it stands."""
    name: str = ""
    """Name of its field, for a column without a heading."""
    title: PrintedCell | None = None
    titles: list[str] = field(default_factory=list)

    @property
    def heading(self) -> str:
        return " ".join(self.titles) or self.name


def overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the share of the shorter range that lies in the other."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return max(0.0, shared / max(1, min(one[1] - one[0], other[1] - other[0])))


def span(cell: PrintedCell) -> tuple[int, int]:
    x, _, width, _ = cell.box
    return x, x + width


def middle(cell: PrintedCell) -> float:
    return cell.box[1] + cell.box[3] / 2


def lines(cells: Iterable[PrintedCell]) -> list[list[PrintedCell]]:
    """Group texts into lines from top to bottom, each from left to right."""
    found: list[list[PrintedCell]] = []
    for cell in sorted(cells, key=middle):
        last = found[-1][-1] if found else None
        if last and middle(cell) - middle(last) <= min(cell.box[3], last.box[3]) / 2:
            found[-1].append(cell)
        else:
            found.append([cell])
    return [sorted(line, key=lambda cell: cell.box[0]) for line in found]


def absolute(element: TemplateElement) -> tuple[int, int]:
    """Return the position of an element in its band."""
    x, y, frame = element.x, element.y, element.frame
    while frame is not None:
        x, y, frame = x + frame.x, y + frame.y, frame.frame
    return x, y


def field_columns(template: Template, printed: set[str | None]) -> list[SheetColumn]:
    """Return a column for each field of the detail bands that was printed; alternatives share one."""
    columns: list[SheetColumn] = []
    line = 0
    for band in template.bands:
        if band.section != "detail":
            continue
        fields = [e for e in band.elements if e.kind == "textField" and e.key in printed]
        for number, row in enumerate(_lines_of(fields)):
            for element in row:
                _add(columns, element, line + number)
        line = max((column.line for column in columns), default=-1) + 1
    return sorted(columns, key=lambda column: (column.line, column.left))


def _lines_of(elements: Sequence[TemplateElement]) -> Iterator[list[TemplateElement]]:
    line: list[TemplateElement] = []
    for element in sorted(elements, key=lambda e: absolute(e)[1] + e.height / 2):
        centre = absolute(element)[1] + element.height / 2
        if line and centre - (absolute(line[-1])[1] + line[-1].height / 2) > min(element.height, line[-1].height) / 2:
            yield line
            line = []
        line.append(element)
    if line:
        yield line


def _add(columns: list[SheetColumn], element: TemplateElement, line: int) -> None:
    assert element.key is not None
    x, _ = absolute(element)
    box = x, x + element.width
    for column in columns:
        if column.line == line and overlap(box, (column.left, column.right)) >= ALTERNATIVE_OVERLAP:
            column.keys.add(element.key)
            return
    reference = sole_reference(child_text(element.node, "textFieldExpression"))
    columns.append(SheetColumn(*box, {element.key}, line, reference[1] if reference else ""))


def add_headings(template: Template, columns: list[SheetColumn], header: Sequence[PrintedCell]) -> list[PrintedCell]:
    """Give the columns their headings, and add columns with nothing but a heading. Return the texts left over.

    The last lines of a header name the columns, a line for each line of the rows. Above them, a fixed text that is no
    title of the whole table is the first part of a heading.
    """
    rows, left_over = lines(header), list[PrintedCell]()
    above = max(0, len(rows) - len({column.line for column in columns}))
    for number, row in enumerate(rows):
        line = number - above
        beside = [column for column in columns if column.line == max(line, 0)]
        for cell in row:
            below = [c for c in beside if overlap(span(cell), (c.left, c.right)) >= COLUMN_OVERLAP]
            names = is_fixed(template, cell) and not _spans_the_table(cell, below, columns) if line < 0 else True
            if not (below or line >= 0) or not names:
                left_over.append(cell)
                continue
            for column in below or [_heading_only(columns, cell, line)]:
                column.titles.append(" ".join((cell.text or "").split()))
                column.title = cell
    columns.sort(key=lambda column: (column.line, column.left))
    return left_over


def is_fixed(template: Template, cell: PrintedCell) -> bool:
    """Whether a text is the same whatever the data."""
    element = template.by_key.get(cell.key or "")
    return element is not None and element.kind == "staticText"


def _heading_only(columns: list[SheetColumn], cell: PrintedCell, line: int) -> SheetColumn:
    columns.append(SheetColumn(*span(cell), line=line))
    return columns[-1]


def _spans_the_table(cell: PrintedCell, below: Sequence[SheetColumn], columns: Sequence[SheetColumn]) -> bool:
    if len(below) < 3:
        return False
    width = max(column.right for column in columns) - min(column.left for column in columns)
    return cell.box[2] >= SPANNING_SHARE * width


def columns_of_texts(cells: Iterable[PrintedCell]) -> list[SheetColumn]:
    """Return the columns of a report without rows: where texts stand below each other."""
    columns: list[SheetColumn] = []
    for cell in sorted(cells, key=lambda cell: cell.box[2]):
        if not any(overlap(span(cell), (c.left, c.right)) >= COLUMN_OVERLAP for c in columns):
            columns.append(SheetColumn(*span(cell)))
    return sorted(columns, key=lambda column: column.left)
