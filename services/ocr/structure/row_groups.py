"""Divide the text rows of a table into sections: a heading, the rows below it, and a subtotal.

A heading is a single wording that looks unlike the rows: in another weight, size or colour, further to the left, or in
a cell as wide as the table. A subtotal is a total that is not the table's last row. They count as lines of groups only
if they divide the whole table in the same way, since a line that stands among rows may be anything else: the second
line of a description, a remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bandsmith.shared.model.layout import TextLine

from .table_model import HeadedTable, RecordGroup, TableRecord
from .text_classifier import is_figure, is_statement, is_total, split_prefix, text_kind

Cells = dict[int, list[TextLine]]
"""The lines of a text row by column."""

_SUBTOTAL_OF = re.compile(r"\b(?:sub[-\s]?totals?|sous[-\s]total|zwischensumme|subtotaal)$|小计$|小計$", re.IGNORECASE)
"""The end of a wording such as ``Week 1 subtotal``."""

MIN_ROWS_PER_HEADING = 1.5
"""Headings without subtotals need as many records each on average; fewer are pairs of lines."""
SIZE_TOLERANCE = 0.1
"""Share by which a heading differs in size from the rows."""
MIN_OUTDENT_PT = 3.0
"""A heading that begins this far to the left of the rows stands out."""
EDGE_TOLERANCE_PT = 3.0
"""Headings begin, or have their middles, within this distance of each other."""


class Section(NamedTuple):
    """Text rows of a table between a heading and a subtotal, of which one may be missing."""

    heading: Cells | None
    rows: list[Cells]
    ending: Cells | None


def is_totals_row(row: Sequence[TextLine]) -> bool:
    """Whether a text row sums up: wording of a total, and otherwise numbers only; with units where it sums up twice.

    A row that begins with one word of a total, with a wording that ends in "subtotal", or with either before a colon,
    may hold other texts between it and the number at its end. A sum that the document computes needs no wording.
    """
    if any(line.sums_up for line in row):
        return True
    first = next((index for index, line in enumerate(row) if is_total(line.text)), None)
    if first is None or any(text_kind(line.text) != "text" for line in row[:first]):
        return False
    if first == 0 and len(row) > 1 and _is_plain_total(row[0].text) and text_kind(row[-1].text) == "number":
        return True
    rest = [line.text for line in row[first:] if not is_total(line.text)]
    several = len(row) - first - len(rest) > 1
    return all(text_kind(text) in ("number", "code") or (several and is_figure(text)) for text in rest)


def _is_plain_total(text: str) -> bool:
    """Whether a text is the word of a total alone, says of what it is the subtotal, or has a total before its colon."""
    prefix, _ = split_prefix(text)
    return is_total(prefix) if prefix else len(text.split()) == 1 or bool(_SUBTOTAL_OF.search(text))


def is_subtotal(cells: Cells) -> bool:
    return len(cells) > 1 and is_totals_row([line for cell in cells.values() for line in cell])


def repeats_subtotal(row: Sequence[TextLine], above: Sequence[TextLine]) -> bool:
    """Whether a total is worded as one above it, but for the name of what it sums up: ``Total lamps``, ``Total``."""
    one, other = (_total_in(lines).lower().split() for lines in (row, above))
    same = one == other or (min(len(one), len(other)) > 1 and (one[0] == other[0] or one[-1] == other[-1]))
    return same and len(row) == len(above)


def _total_in(row: Sequence[TextLine]) -> str:
    """Return the wording of a total in a row; one that the document computes may have none."""
    return next((line.text for line in row if is_total(line.text)), row[0].text)


def find_sections(rows: Sequence[Cells], spans_table: Callable[[TextLine], bool]) -> list[Section]:
    """Return the sections of a table's text rows, or nothing where headings or subtotals do not divide all of them."""
    headings = _headings(rows, spans_table)
    endings = {index for index, cells in enumerate(rows) if is_subtotal(cells)}
    if headings and 0 not in headings:
        return []
    sections = list[Section]()
    first = 0
    for index in range(1, len(rows) + 1):
        if index == len(rows) or index in headings or index - 1 in endings:
            heading = rows[first] if first in headings else None
            ending = rows[index - 1] if index - 1 in endings else None
            own = rows[first + 1 : index] if heading else rows[first:index]
            sections.append(Section(heading, list(own[:-1] if ending else own), ending))
            first = index
    is_whole = all(
        section.rows and bool(section.heading) == bool(headings) and bool(section.ending) == bool(endings)
        for section in sections
    )
    return sections if is_whole and len(sections) > 1 else []


def with_groups(table: HeadedTable, spans_table: Callable[[TextLine], bool]) -> HeadedTable:
    """Return the table with the records that only head or sum up others as lines of groups, if they divide all."""
    sections = find_sections([record.cells for record in table.records], spans_table)
    records, groups = list[TableRecord](), list[RecordGroup]()
    for section in sections:
        heading, ending = (TableRecord(cells) if cells else None for cells in (section.heading, section.ending))
        groups.append(RecordGroup(len(records), heading, ending))
        records += [TableRecord(cells) for cells in section.rows]
    if not groups or not divides_evenly(groups, records):
        return table
    return HeadedTable(table.headings, records, table.ends_in_total, groups)


def _headings(rows: Sequence[Cells], spans_table: Callable[[TextLine], bool]) -> set[int]:
    """Return the indices of the text rows that are headings and look alike."""
    single = {index: _only_line(cells) for index, cells in enumerate(rows[:-1])}
    possible = {
        index: line
        for index, line in single.items()
        if line is not None and _names_section(line.text) and len(rows[index + 1]) > 1
    }
    records = [cells for index, cells in enumerate(rows) if index not in possible]
    found = {
        index: line
        for index, line in possible.items()
        if spans_table(line) or _stands_out(line, next(iter(rows[index])), records)
    }
    if len(found) < 2 or len(found) < len(possible):
        return set()
    first = next(iter(found.values()))
    return set(found) if all(_look_alike(first, line) for line in found.values()) else set()


def _only_line(cells: Cells) -> TextLine | None:
    lines = [line for cell in cells.values() for line in cell]
    return lines[0] if len(lines) == 1 else None


def _names_section(text: str) -> bool:
    worded = text_kind(text) == "text" and any(char.isalpha() for char in text)
    return worded and not is_statement(text) and not is_total(text)


def _stands_out(line: TextLine, column: int, records: Sequence[Cells]) -> bool:
    """Whether a line looks unlike all lines of the records in the first column and its own, or begins left of them."""
    style = line.style
    first = [other for cells in records for other in cells.get(0, [])]
    others = [other for cells in records for number in {0, column} for other in cells.get(number, [])]
    in_look = all(
        style.bold != other.style.bold
        or style.colour != other.style.colour
        or abs(style.size / other.style.size - 1) > SIZE_TOLERANCE
        for other in others
    )
    return bool(first) and (in_look or line.box.x < min(other.box.x for other in first) - MIN_OUTDENT_PT)


def _look_alike(one: TextLine, other: TextLine) -> bool:
    same_edge = abs(one.box.x - other.box.x) <= EDGE_TOLERANCE_PT
    same_middle = abs(one.box.middle[0] - other.box.middle[0]) <= EDGE_TOLERANCE_PT
    return (same_edge or same_middle) and one.style.bold == other.style.bold


def divides_evenly(groups: Sequence[RecordGroup], records: Sequence[TableRecord]) -> bool:
    """Whether groups of records are certain: enough records, none without a name, and none named like the one above."""
    firsts = [group.first for group in groups] + [len(records)]
    if len(records) <= len(groups) or any(end == first for first, end in pairwise(firsts)):
        return False
    if groups[0].ending is None and len(records) < MIN_ROWS_PER_HEADING * len(groups):
        return False
    names = [_name(group) for group in groups]
    if all(names):
        return all(one != other for one, other in pairwise(names))
    return key_column(groups, records) is not None


def _name(group: RecordGroup) -> str:
    """Return the wording that names a group; empty where its subtotal only says that it is one."""
    if group.heading is not None:
        return " ".join(line.text for line in group.heading.lines)
    words = [line.text for line in group.ending.lines if text_kind(line.text) == "text"] if group.ending else []
    return "" if len(" ".join(words).split()) < 2 or split_prefix(words[0])[1] == "" else " ".join(words)


def key_column(groups: Sequence[RecordGroup], records: Sequence[TableRecord]) -> int | None:
    """Return the first column that has one value in each group, and another one in the next."""
    ends = [group.first for group in groups[1:]] + [len(records)]
    for column in sorted({column for record in records for column in record.cells}):
        values = [
            {" ".join(line.text for line in record.cells.get(column, [])) for record in records[group.first : end]}
            for group, end in zip(groups, ends, strict=True)
        ]
        if all(len(found) == 1 and "" not in found for found in values) and all(
            one != other for one, other in pairwise(values)
        ):
            return column
    return None
