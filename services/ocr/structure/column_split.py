"""Split columns of a table whose headings were read as one, where the texts below stand in two columns."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bandsmith.shared.model.layout import TextLine

from .table_model import HeadedTable, Heading, RecordGroup, TableRecord

MIN_SPLIT_SHARE = 0.5
"""A column is split if at least this share of its cells have two texts side by side."""
MIN_CORRIDOR_PT = 1.5
"""Width of the empty stretch between the two columns."""


def split_columns(table: HeadedTable) -> HeadedTable:
    """Return the table with every column split in two that holds two texts side by side in most records."""
    column = 0
    while column < len(table.headings):
        cut = _corridor([record.cells[column] for record in table.records if column in record.cells])
        heading = table.headings[column]
        left, right = _split_heading(heading, cut) if cut is not None else (heading, heading)
        if cut is None or not (left.name and right.name):
            column += 1
            continue
        table = HeadedTable(
            [*table.headings[:column], left, right, *table.headings[column + 1 :]],
            [_split_record(record, column, cut) for record in table.records],
            table.ends_in_total,
            [_split_group(group, column, cut) for group in table.groups],
        )
        column += 2
    return table


def _corridor(cells: Sequence[Sequence[TextLine]]) -> float | None:
    """Return the middle of the stretch that no text of the column enters, with texts on both of its sides."""
    pairs = [cell for cell in cells if len(cell) > 1 and side_by_side(cell)]
    if not pairs or len(pairs) < MIN_SPLIT_SHARE * len(cells):
        return None
    low = median(min(line.box.right for line in cell) for cell in pairs)
    boxes = [line.box for cell in cells for line in cell]
    left = [box.right for box in boxes if box.x < low]
    right = [box.x for box in boxes if box.x >= low]
    if not left or not right or min(right) - max(left) < MIN_CORRIDOR_PT:
        return None
    return (max(left) + min(right)) / 2


def side_by_side(cell: Sequence[TextLine]) -> bool:
    """Whether two lines of a cell stand beside each other."""
    return any(
        min(a.box.bottom, b.box.bottom) - max(a.box.y, b.box.y) > 0.5 * min(a.box.height, b.box.height)
        for index, a in enumerate(cell)
        for b in cell[index + 1 :]
    )


def _split_heading(heading: Heading, cut: float) -> tuple[Heading, Heading]:
    """Divide a heading's words at the corridor. Both parts keep the lines, which are printed once.

    A part without words has no name.
    """
    left: list[str] = []
    right: list[str] = []
    for line in heading.lines:
        width = line.box.width / max(1, len(line.text))
        start = 0
        for word in line.text.split():
            start = line.text.index(word, start)
            middle = line.box.x + width * (start + len(word) / 2)
            (left if middle < cut else right).append(word)
            start += len(word)
    return (
        Heading(heading.lines, heading.left, cut, heading.ruled, " ".join(left)),
        Heading(heading.lines, cut, heading.right, heading.ruled, " ".join(right)),
    )


def _split_group(group: RecordGroup, column: int, cut: float) -> RecordGroup:
    heading, ending = (one and _split_record(one, column, cut) for one in (group.heading, group.ending))
    return RecordGroup(group.first, heading, ending)


def _split_record(record: TableRecord, column: int, cut: float) -> TableRecord:
    cells: dict[int, list[TextLine]] = {}
    for number, lines in record.cells.items():
        for line in lines:
            after = number > column or (number == column and line.box.middle[0] > cut)
            cells.setdefault(number + after, []).append(line)
    return TableRecord(cells)
