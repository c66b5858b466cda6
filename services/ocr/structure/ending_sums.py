"""Tell the sums at the end of a table from its records, where no word says that they are sums.

Such a row has nothing in the first column. It has figures alone, fewer than the records have; or a wording stands where
the records have figures, and a figure follows: ``before GST  2660`` below prices and amounts.
"""

from __future__ import annotations

from collections.abc import Sequence

from .table_model import HeadedTable, TableRecord, mostly_figures
from .text_classifier import text_kind


def without_ending_sums(table: HeadedTable) -> HeadedTable:
    """Return the table without the sums below its records; itself where there is none, or records are in groups."""
    records = list(table.records)
    while not table.groups and len(records) > 1 and _sums_up(records[-1], records[:-1]):
        records.pop()
    if len(records) == len(table.records):
        return table
    return HeadedTable(table.headings, records, ends_in_total=True)


def _sums_up(last: TableRecord, above: Sequence[TableRecord]) -> bool:
    if 0 in last.cells or len(last.cells) < 2:
        return False
    kinds = [text_kind(last.cells[column][0].text) for column in sorted(last.cells)]
    filled = sum(len(record.cells) for record in above) / len(above)
    if all(text_kind(line.text) == "number" for line in last.lines):
        return len(last.cells) < filled
    return kinds[0] == "text" and set(kinds[1:]) == {"number"} and _holds_figures(min(last.cells), above)


def _holds_figures(column: int, records: Sequence[TableRecord]) -> bool:
    """Whether the records have figures in a column; other sums may stand between them."""
    texts = [record.cells[column][0].text for record in records if column in record.cells and 0 in record.cells]
    return bool(texts) and mostly_figures(texts)
