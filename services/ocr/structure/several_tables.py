"""Find the other tables of a page: those above and below its main one.

The page is cut at each table that was found, and the stretches above and below it are searched again, so that no two
tables share a line. Another table needs a header, as rows that merely repeat may be anything, and stronger evidence
than the main one: most pages have one table, and what looks like a second one is often a block of totals or addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Grid, RulingLine, TextLine

from .table_choice import best_table
from .table_model import HeadedTable

MIN_HEADER_SHARE = 0.5
"""Share of the headings that name what rows hold, or are labels, in a table with few records."""
MANY_RECORDS = 3
SIZE_TOLERANCE = 0.15
"""Difference in size up to which two lines look alike."""
MIN_FILLED_SHARE = 0.6
"""Share of a table's cells that hold text."""


def further_tables(
    lines: Sequence[TextLine], grids: Sequence[Grid], rules: Sequence[RulingLine], main: Box
) -> tuple[list[HeadedTable], list[HeadedTable]]:
    """Return the tables above and below the area of the main one, from top to bottom.

    The second list has those whose rows can't grow in number, as other texts stand among or beside them.
    """
    above = [line for line in lines if line.box.bottom <= main.y + 1]
    below = [line for line in lines if line.box.y >= main.bottom - 1]
    found = [*_tables_in(above, grids, rules), *_tables_in(below, grids, rules)]
    free = [table for table in found if not table.groups and _is_uniform(table) and not _has_neighbours(table, lines)]
    return free, [table for table in found if table not in free and len(table.records) > 1]


def _tables_in(lines: Sequence[TextLine], grids: Sequence[Grid], rules: Sequence[RulingLine]) -> Iterator[HeadedTable]:
    """Yield the tables of a stretch of the page, from top to bottom."""
    table, _ = best_table(lines, grids, rules)
    if table is None:
        return
    area = Box.around(line.box for line in table.lines)
    yield from _tables_in([line for line in lines if line.box.bottom <= area.y + 1], grids, rules)
    if _is_certain(table):
        yield table
    yield from _tables_in([line for line in lines if line.box.y >= area.bottom - 1], grids, rules)


def _is_certain(table: HeadedTable) -> bool:
    cells = sum(len(record.cells) for record in table.records)
    if cells < MIN_FILLED_SHARE * len(table.headings) * len(table.records):
        return False
    named = max(table.named_share, table.label_share) >= MIN_HEADER_SHARE
    return named or (len(table.records) >= MANY_RECORDS and table.differs_in_weight)


def _is_uniform(table: HeadedTable) -> bool:
    """Whether all lines of a cell look alike. Otherwise other rows stand among the records, such as those of groups."""
    return all(
        line.style.bold == cell[0].style.bold and abs(line.style.size / cell[0].style.size - 1) <= SIZE_TOLERANCE
        for record in table.records
        for cell in record.cells.values()
        for line in cell
    )


def _has_neighbours(table: HeadedTable, lines: Sequence[TextLine]) -> bool:
    """Whether other texts stand beside the records, so that these cannot grow in number without running into them."""
    own = {line.id for line in table.lines}
    top, bottom = table.records[0].box.y, table.records[-1].box.bottom
    return any(line.id not in own and top < line.box.middle[1] < bottom for line in lines)
