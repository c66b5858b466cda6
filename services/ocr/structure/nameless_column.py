"""Add the column to the left of a table that has no heading: numbers of rows, days of the week, names of lines.

Such texts stand beside nearly every record, at one edge, and nothing stands over them in the header.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

from .table_model import HeadedTable, Heading, TableRecord
from .text_classifier import is_total

MIN_RECORDS = 2
FIRST_NUMBERS = ("1", "01", "001")
"""Numbers of the first row, by which the column is known in a table of one row, too."""
MIN_FILLED_SHARE = 0.75
"""Share of the records that have a text in the column."""
MAX_GAP_PT = 90.0
"""Distance of the column from the table, at most."""
EDGE_TOLERANCE_PT = 5.0
"""The texts begin, end or have their middles within this distance of a common line."""


def with_nameless_column(table: HeadedTable, lines: Sequence[TextLine]) -> HeadedTable:
    """Return the table with the column that stands to the left of its headings; itself where there is none."""
    if table.groups:
        return table
    edge = min(heading.left for heading in table.headings)
    header = Box.around(line.box for heading in table.headings for line in heading.lines)
    in_header = {line.id for heading in table.headings for line in heading.lines}
    outside = [line for line in lines if line.id not in in_header and line.box.right <= edge]
    if any(_is_beside(line.box, header) for line in outside):
        return table
    cells = [[line for line in outside if _is_beside(line.box, record.box)] for record in table.records]
    found = [cell for cell in cells if cell]
    # A heading's column may have taken them; then it has to keep another text in each of these records.
    left_over = [_without(record, cell) for record, cell in zip(table.records, cells, strict=True)]
    if len(found) < MIN_FILLED_SHARE * len(cells) or any(len(cell) > 1 for cell in found) or not all(left_over):
        return table
    texts = [cell[0] for cell in found]
    if len(cells) < MIN_RECORDS and texts[0].text.strip(" .") not in FIRST_NUMBERS:
        return table
    if not _is_column(texts, edge) or any(is_total(line.text) for line in texts):
        return table
    area = Box.around(line.box for line in texts)
    records = [
        TableRecord({**({0: cell} if cell else {}), **{column + 1: own for column, own in rest.items()}})
        for cell, rest in zip(cells, left_over, strict=True)
    ]
    return HeadedTable([Heading([], area.x, area.right), *table.headings], records, table.ends_in_total)


def _is_beside(one: Box, other: Box) -> bool:
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 0.5 * min(one.height, other.height)


def _without(record: TableRecord, taken: Sequence[TextLine]) -> dict[int, list[TextLine]]:
    """Return the cells of a record without some lines; nothing where a cell would be empty then."""
    ids = {line.id for line in taken}
    cells = {column: [line for line in cell if line.id not in ids] for column, cell in record.cells.items()}
    return cells if all(cells.values()) else {}


def _is_column(texts: Sequence[TextLine], edge: float) -> bool:
    """Whether texts are aligned with each other and near a table."""
    if edge - median(line.box.right for line in texts) > MAX_GAP_PT:
        return False
    positions = ([t.box.x for t in texts], [t.box.right for t in texts], [t.box.middle[0] for t in texts])
    return any(max(abs(one - median(values)) for one in values) <= EDGE_TOLERANCE_PT for values in positions)
