"""A table below a header: its headings, and its records by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

from .text_classifier import is_figure, is_label, names_row_value

MAX_WORD_SPACE = 0.45
"""Largest space between the words of one text, in font sizes."""


@dataclass
class TableRecord:
    """The lines of one record by column, from top to bottom."""

    cells: dict[int, list[TextLine]] = field(default_factory=dict)

    @property
    def lines(self) -> list[TextLine]:
        return [line for cell in self.cells.values() for line in cell]

    @property
    def box(self) -> Box:
        return Box.around(line.box for line in self.lines)

    def add(self, cells: dict[int, list[TextLine]]) -> None:
        for column, lines in cells.items():
            self.cells[column] = sorted([*self.cells.get(column, []), *lines], key=lambda n: (n.box.middle[1], n.box.x))


@dataclass
class Heading:
    """A heading, and the x's between which its column lies: those of its ruled cell, else of its ink.

    A column without a heading has one without lines.
    """

    lines: list[TextLine]
    left: float
    right: float
    ruled: bool = False
    name: str = ""
    """Its words, where its lines head other columns, too."""

    @property
    def text(self) -> str:
        return self.name or " ".join(line.text for line in self.lines)


@dataclass
class RecordGroup:
    """Records that belong together, with the text rows above and below them that say so."""

    first: int
    """Number of its first record."""
    heading: TableRecord | None = None
    ending: TableRecord | None = None


@dataclass
class HeadedTable:
    """A table below a header. `ends_in_total` tells that totals follow it."""

    headings: list[Heading]
    records: list[TableRecord]
    ends_in_total: bool
    groups: list[RecordGroup] = field(default_factory=list)
    has_blank_rows: bool = False
    """Whether rows with the same ruled cells follow that are not filled in."""

    @property
    def text_rows(self) -> list[TableRecord]:
        """The records and the lines of their groups, from top to bottom."""
        if not self.groups:
            return self.records
        ends = [group.first for group in self.groups[1:]] + [len(self.records)]
        found: list[TableRecord | None] = []
        for group, end in zip(self.groups, ends, strict=True):
            found += [group.heading, *self.records[group.first : end], group.ending]
        return [record for record in found if record is not None]

    def without_groups(self) -> HeadedTable:
        """Return the table with the lines of groups as records."""
        return HeadedTable(self.headings, self.text_rows, self.ends_in_total)

    @property
    def lines(self) -> list[TextLine]:
        """All lines of the header, the records and their groups."""
        heads = [line for heading in self.headings for line in heading.lines]
        return heads + [line for record in self.text_rows for line in record.lines]

    @property
    def cells(self) -> list[list[TextLine]]:
        """The lines of each heading and of each cell of the records and their groups.

        Words of a heading that stand beside each other are printed one by one.
        """
        heads = {heading.lines[0].id: heading.lines for heading in self.headings if heading.lines}
        texts = [
            text for lines in heads.values() for text in ([[n] for n in lines] if side_by_side(lines) else [lines])
        ]
        return [*texts, *(cell for record in self.text_rows for cell in record.cells.values())]

    @property
    def filled_columns(self) -> list[int]:
        """The columns that hold any text."""
        return sorted({column for record in self.records for column in record.cells})

    @property
    def wrapping_share(self) -> float:
        """The share of columns whose cells differ in their number of lines."""
        counts = [{len(r.cells[c]) for r in self.records if c in r.cells} for c in self.filled_columns]
        return sum(len(lines) > 1 for lines in counts) / len(counts)

    def column_names(self) -> dict[str, str]:
        """Return the heading of each line in the records, by the line's id."""
        return {
            line.id: self.headings[column].text
            for record in self.records
            for column, cell in record.cells.items()
            for line in cell
        }

    def texts(self, column: int) -> list[str]:
        """The column's first line in each record that has one."""
        return [record.cells[column][0].text for record in self.records if column in record.cells]

    def is_numeric(self, column: int) -> bool:
        return mostly_figures(self.texts(column))

    @property
    def named_share(self) -> float:
        """The share of headings that name what rows of business documents hold: quantities, prices, descriptions."""
        return sum(names_row_value(heading.text) for heading in self.headings) / len(self.headings)

    @property
    def label_share(self) -> float:
        return sum(is_label(heading.text) for heading in self.headings) / len(self.headings)

    @property
    def differs_in_weight(self) -> bool:
        head = [line.style.bold for heading in self.headings for line in heading.lines]
        body = [line.style.bold for record in self.records for line in record.lines]
        return sum(head) > 0.6 * len(head) and sum(body) < 0.4 * len(body)


def crowded_share(table: HeadedTable) -> float:
    """Return the share of cells that hold texts side by side, as those of two columns under one heading do."""
    cells = [cell for record in table.records for cell in record.cells.values()]
    return sum(map(side_by_side, cells)) / len(cells)


def mostly_figures(texts: Sequence[str]) -> bool:
    """Whether more than half of some texts are figures."""
    return sum(is_figure(text) for text in texts) > 0.5 * len(texts)


def is_one_text(row: Sequence[TextLine]) -> bool:
    """Whether the lines of a text row are words of one text, with ordinary spaces between, that goes over columns."""
    spaces = [(right.box.x - left.box.right) / left.style.size for left, right in pairwise(row)]
    return bool(spaces) and max(spaces) <= MAX_WORD_SPACE and not any(is_figure(line.text) for line in row)


def side_by_side(cell: Sequence[TextLine]) -> bool:
    """Whether two lines of a cell stand beside each other."""
    return any(are_beside(a, b) for index, a in enumerate(cell) for b in cell[index + 1 :])


def are_beside(one: TextLine, other: TextLine) -> bool:
    """Whether two texts stand on one line of print."""
    a, b = one.box, other.box
    return min(a.bottom, b.bottom) - max(a.y, b.y) > 0.5 * min(a.height, b.height)
