"""Correct headings that were read wrongly: one for two columns of texts, or two for the words of one.

Where a heading has two columns of texts and the one beside it none, one of the two columns is the other heading's: its
figures stand at the far edge of a wide column.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.model.layout import TextLine

from .table_model import HeadedTable, Heading, RecordGroup, TableRecord, side_by_side
from .text_classifier import is_figure

MIN_SPLIT_SHARE = 0.5
"""A column is split if at least this share of its cells have two texts side by side."""
MAX_WORD_SPACE = 1.0
"""Largest space between the words of a heading, in font sizes."""
MIN_CORRIDOR_PT = 1.5
"""Width of the empty stretch between the two columns."""


def split_columns(table: HeadedTable) -> HeadedTable:
    """Return the table with every column split in two that holds two texts side by side in most records."""
    column = 0
    while column < len(table.headings):
        cut = _corridor([record.cells[column] for record in table.records if column in record.cells])
        is_ruled = table.headings[column].ruled
        if cut is not None and not is_ruled and (to := _empty_beside(table, column)) is not None:
            table = _with_column_moved(table, column, cut, to)
            continue
        heading = table.headings[column]
        if cut is not None and _is_currency_column(table, column, cut):
            left, right = _beside_currency(heading, cut)
        else:
            left, right = split_heading(heading, cut) if cut is not None else (heading, heading)
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


def _is_currency_column(table: HeadedTable, column: int, cut: float) -> bool:
    """Whether the texts to the left of a corridor are one currency, and those to its right are figures."""
    lines = [line for record in table.records for line in record.cells.get(column, [])]
    left = {line.text for line in lines if line.box.middle[0] < cut}
    right = [line.text for line in lines if line.box.middle[0] >= cut]
    return len(left) == 1 and is_currency(next(iter(left))) and all(map(is_figure, right))


def _beside_currency(heading: Heading, cut: float) -> tuple[Heading, Heading]:
    """Divide a column of amounts from the currency that stands in front of each."""
    return (
        Heading([], heading.left, cut, heading.ruled, "Currency"),
        Heading(heading.lines, cut, heading.right, heading.ruled, heading.text),
    )


def _empty_beside(table: HeadedTable, column: int) -> int | None:
    """Return the column to the left, or else to the right, if no record has a text in it."""
    filled = set(table.filled_columns)
    beside = (column - 1, column + 1)
    possible = (other for other in beside if 0 <= other < len(table.headings) and table.headings[other].lines)
    return next((other for other in possible if other not in filled and not table.groups), None)


def _with_column_moved(table: HeadedTable, column: int, cut: float, to: int) -> HeadedTable:
    """Return the table with the texts of a column on one side of a corridor in the empty column beside it."""
    records = []
    for record in table.records:
        cells = {number: list(lines) for number, lines in record.cells.items() if number != column}
        for line in record.cells.get(column, []):
            is_moved = (line.box.middle[0] < cut) == (to < column)
            cells.setdefault(to if is_moved else column, []).append(line)
        records.append(TableRecord(cells))
    return HeadedTable(table.headings, records, table.ends_in_total)


def join_headings(table: HeadedTable) -> HeadedTable:
    """Return the table with words side by side as one heading, where all texts below stand under one of them."""
    filled = set(table.filled_columns)
    for column, (left, right) in enumerate(pairwise(table.headings)):
        if len(filled & {column, column + 1}) < 2 and _is_one_text(left, right):
            heading = Heading([*left.lines, *right.lines], left.left, right.right)
            joined = HeadedTable(
                [*table.headings[:column], heading, *table.headings[column + 2 :]],
                [_without_column(record, column) for record in table.records],
                table.ends_in_total,
                [_group_without_column(group, column) for group in table.groups],
            )
            return join_headings(joined)
    return table


def _is_one_text(left: Heading, right: Heading) -> bool:
    """Whether two headings stand as close as words do, in one look."""
    if left.ruled or right.ruled or not (left.lines and right.lines) or left.name or right.name:
        return False
    one, other = left.lines[-1], right.lines[0]
    apart = other.box.x - one.box.right
    return 0 <= apart <= MAX_WORD_SPACE * one.style.size and one.style.bold == other.style.bold


def _without_column(record: TableRecord, column: int) -> TableRecord:
    """Return a record whose texts of a column and the next one are in one."""
    found = TableRecord()
    for number, lines in record.cells.items():
        found.add({number - (number > column): lines})
    return found


def _group_without_column(group: RecordGroup, column: int) -> RecordGroup:
    heading, ending = (one and _without_column(one, column) for one in (group.heading, group.ending))
    return RecordGroup(group.first, heading, ending)


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


def split_heading(heading: Heading, cut: float) -> tuple[Heading, Heading]:
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
