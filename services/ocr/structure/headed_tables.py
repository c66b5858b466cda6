"""Find tables by their header row: the columns below its headings, and the records that fill them.

Theory of operation
===================

A header row is the best evidence for the rows of a report: it says that what stands below is a table, which columns it
has, and where it begins. Repetition is weaker evidence, since addresses, footnotes and labels with values repeat, too,
and a table of one row does not repeat at all.

1. Lines that stand beside each other are a text row. A text row of two or more wordings is a possible header. Lines of
   one ruled cell are one heading; without rules, wordings directly above or below a heading belong to it.
2. Each text row below is divided among the columns: by ruled cells, else by the heading that a text stands under.
3. A column is numeric if most of its texts are numbers, dates or codes. A text row starts a record if it fills half of
   the numeric columns, or if a rule divides it from the text row above. Other text rows continue a record: the one
   above, or the one below where that is closer (numbers may be centred beside a description of several lines). So
   records may have different heights.
4. The table ends at a total, at a text with a colon at its end, at another header, at a text that runs across the
   columns, at the end of its ruled table, or at a gap much wider than those between its records. A total that records
   follow is a subtotal, and is a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Grid, RulingLine, TextLine

from .text_classifier import (
    ends_like_label,
    is_label,
    is_statement,
    is_total,
    names_row_value,
    split_prefix,
    text_kind,
)

MAX_HEADING_CHARS = 40
MIN_HEADER_WORDING = 0.66
"""Smallest share of wordings among the texts of a header; others may be years, currencies or signs."""
MAX_FIRST_GAP_PT = 48.0
"""Largest gap between header and first record."""
MAX_GAP_RATIO = 2.2
"""A gap wider than this many of the usual gaps ends the table."""
MAX_USUAL_GAP_PT = 24.0
"""A gap up to this one never ends the table."""
MIN_RULE_COVERAGE = 0.6
"""A rule that runs along this share of the table's width divides records."""
ALIGNED_PT = 4.0
BESIDE_PT = 24.0
"""Texts farther than this outside the headings do not belong to the table."""


@dataclass
class Record:
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
    """A heading, and the x's between which its column lies: those of its ruled cell, else of its ink."""

    lines: list[TextLine]
    left: float
    right: float
    ruled: bool = False

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass
class HeadedTable:
    """A table below a header. `ends_in_total` tells that totals follow it."""

    headings: list[Heading]
    records: list[Record]
    ends_in_total: bool

    @property
    def lines(self) -> list[TextLine]:
        """All lines of the header and the records."""
        heads = [line for heading in self.headings for line in heading.lines]
        return heads + [line for record in self.records for line in record.lines]

    @property
    def cells(self) -> list[list[TextLine]]:
        """The lines of each heading and of each cell of the records."""
        return [heading.lines for heading in self.headings] + [
            cell for record in self.records for cell in record.cells.values()
        ]

    @property
    def filled_columns(self) -> list[int]:
        """The columns that hold any text."""
        return sorted({column for record in self.records for column in record.cells})

    def texts(self, column: int) -> list[str]:
        """The column's first line in each record that has one."""
        return [record.cells[column][0].text for record in self.records if column in record.cells]

    def is_numeric(self, column: int) -> bool:
        return _mostly_numeric(self.texts(column))

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


def find_headed_tables(lines: Sequence[TextLine], grids: Sequence[Grid], rules: Sequence[RulingLine]) -> Iterator[HeadedTable]:
    """Yield every table that some text row heads. Tables may overlap; the caller chooses among them."""
    rows = text_rows(lines)
    for index, row in enumerate(rows):
        if not _may_be_header(row):
            continue
        headings, first = _headings(rows, index, grids)
        if len(headings) < 2:
            continue
        table = _Reader(headings, grids, rules).read(rows[first:])
        if table.records:
            yield table


def text_rows(lines: Iterable[TextLine]) -> list[list[TextLine]]:
    """Group lines that stand beside each other, from top to bottom and left to right."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda n: n.box.middle[1]):
        if rows and all(_beside(line, other) for other in rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda n: n.box.x) for row in rows]


def _beside(one: TextLine, other: TextLine) -> bool:
    a, b = one.box, other.box
    apart = a.right <= b.x + 1 or b.right <= a.x + 1
    return apart and min(a.bottom, b.bottom) - max(a.y, b.y) > 0.5 * min(a.height, b.height)


def _may_be_header(row: Sequence[TextLine]) -> bool:
    wordings = [line for line in row if _is_heading(line.text)]
    if len(wordings) < 2 or len(wordings) < MIN_HEADER_WORDING * len(row):
        return False
    colons = sum(ends_like_label(line.text) and line.text.rstrip().endswith((":", "：")) for line in row)
    return colons == 0 and not any(split_prefix(line.text)[0] or is_statement(line.text) for line in row)


def _is_heading(text: str) -> bool:
    plain = text.strip()
    return text_kind(plain) == "text" and len(plain) <= MAX_HEADING_CHARS and (any(c.isalpha() for c in plain) or plain == "%")


def _headings(rows: Sequence[list[TextLine]], index: int, grids: Sequence[Grid]) -> tuple[list[Heading], int]:
    """Return the headings of a header row, with the lines that wrap, and the index of the first row below them."""
    headings: list[Heading] = []
    by_cell: dict[tuple[float, float], Heading] = {}
    for line in rows[index]:
        cell = _cell_of(line, grids)
        if cell is None:
            headings.append(Heading([line], line.box.x, line.box.right))
        elif (key := (cell.x, cell.y)) in by_cell:
            by_cell[key].lines.append(line)
        else:
            by_cell[key] = Heading([line], cell.x, cell.right, ruled=True)
            headings.append(by_cell[key])
    for above in rows[max(0, index - 2) : index][::-1]:
        if not _wraps(above, headings, rows[index]):
            break
        _extend(headings, above, before=True)
    first = index + 1
    while first < min(len(rows), index + 3) and _continues_header(rows, first, headings):
        _extend(headings, rows[first], before=False)
        first += 1
    return headings, first


def _cell_of(line: TextLine, grids: Sequence[Grid]) -> Box | None:
    cells = [cell.box for grid in grids for cell in grid.cells if cell.box.holds(*line.box.middle)]
    return min(cells, key=lambda box: box.area, default=None)


def _wraps(row: Sequence[TextLine], headings: Sequence[Heading], header: Sequence[TextLine]) -> bool:
    """Whether each text of a row stands directly above or below exactly one heading, in its style."""
    close = min(_gap(Box.around(n.box for n in row), Box.around(n.box for n in header)), 99)
    size = header[0].style.size
    if close > 0.9 * size or len(row) > len(headings) or not all(_is_heading(line.text) for line in row):
        return False
    return all(
        sum(min(line.box.right, h.right) - max(line.box.x, h.left) > 0 for h in headings) == 1
        and line.style.bold == header[0].style.bold
        and line.style.colour == header[0].style.colour
        for line in row
    )


def _continues_header(rows: Sequence[list[TextLine]], index: int, headings: Sequence[Heading]) -> bool:
    """Whether a row below the header is its second line: in bold above other text, or in brackets."""
    row, header = rows[index], [line for heading in headings for line in heading.lines]
    if all(line.text.strip()[:1] in "([（" and line.text.strip()[-1:] in ")]）" for line in row):
        return True
    if not _wraps(row, headings, header[-1:]) or index + 1 >= len(rows):
        return False
    return header[0].style.bold and not any(line.style.bold for line in rows[index + 1])


def _gap(one: Box, other: Box) -> float:
    return max(one.y - other.bottom, other.y - one.bottom)


def _extend(headings: Sequence[Heading], row: Sequence[TextLine], before: bool) -> None:
    for line in row:
        heading = max(headings, key=lambda h: min(line.box.right, h.right) - max(line.box.x, h.left))
        heading.lines = [line, *heading.lines] if before else [*heading.lines, line]
        if not heading.ruled:
            heading.left, heading.right = min(heading.left, line.box.x), max(heading.right, line.box.right)


class _Reader:
    """Reads the records below one header."""

    def __init__(self, headings: list[Heading], grids: Sequence[Grid], rules: Sequence[RulingLine]) -> None:
        self._headings = headings
        self._left, self._right = headings[0].left - BESIDE_PT, max(h.right for h in headings) + BESIDE_PT
        self._top = max(line.box.bottom for heading in headings for line in heading.lines)
        middle = headings[0].lines[0].box.middle
        around = [grid for grid in grids if headings[0].ruled and grid.box.holds(*middle)]
        self._end = around[0].box.bottom if around else None
        width = self._right - self._left - 2 * BESIDE_PT
        self._dividers = sorted(
            rule.y1
            for rule in rules
            if rule.horizontal
            and min(rule.x2, self._right) - max(rule.x1, self._left) > MIN_RULE_COVERAGE * width
        )  # fmt: skip

    def read(self, rows: Sequence[list[TextLine]]) -> HeadedTable:
        """Return the table that the text rows below the header make, which may be empty."""
        body, ends_in_total = self._body(rows)
        divided = [self._divide(row) for row in body]
        numeric = self._numeric_columns(divided)
        starts = [
            index
            for index, cells in enumerate(divided)
            if self._starts_record(cells, divided[index - 1] if index else None, numeric)
        ]
        firsts = [0, *(self._first_row(divided, above, start) for above, start in pairwise(starts))]
        records = []
        for first, end in pairwise([*firsts, len(divided)] if starts else []):
            record = Record()
            for cells in divided[first:end]:
                record.add(cells)
            records.append(record)
        return HeadedTable(self._headings, records, ends_in_total)

    def _first_row(self, divided: Sequence[dict[int, list[TextLine]]], above: int, start: int) -> int:
        """Return the first text row of a record, between where the one above starts and where itself does.

        Rows between continue the record above, unless the widest gap is above some of them.
        """
        gaps = {
            index: _extent(divided[index]).y - _extent(divided[index - 1]).bottom for index in range(above + 1, start + 1)
        }
        ruled = [index for index in gaps if self._is_divided(divided[index - 1], divided[index])]
        widest = max(gaps, key=lambda index: (gaps[index], index))
        return ruled[-1] if ruled else widest if gaps[widest] > gaps[start] + 1 else start

    def _body(self, rows: Sequence[list[TextLine]]) -> tuple[list[list[TextLine]], bool]:
        """Return the text rows of the table, and whether a total ended it."""
        body: list[list[TextLine]] = []
        bottom, gaps = self._top, []
        for index, row in enumerate(rows):
            inside = [line for line in row if self._left < line.box.middle[0] < self._right and line.box.y > self._top - 2]
            if not inside:
                continue
            gap = min(line.box.y for line in inside) - bottom
            usual = max([MAX_USUAL_GAP_PT, *(MAX_GAP_RATIO * g for g in gaps)]) if body else MAX_FIRST_GAP_PT
            past_end = self._end is not None and inside[0].box.middle[1] > self._end
            if past_end or gap > usual or self._ends_table(inside):
                return body, bool(body) and is_totals_row(inside) and gap <= 4 * MAX_FIRST_GAP_PT
            if is_totals_row(inside) and not self._records_follow(rows[index + 1 :], bottom):
                return body, True
            if body:
                gaps.append(gap)
            body.append(inside)
            bottom = max(line.box.bottom for line in inside)
        return body, False

    def _ends_table(self, row: Sequence[TextLine]) -> bool:
        if len(row) >= 3 and _may_be_header(row) and sum(is_label(line.text) for line in row) > 0.6 * len(row):
            return True
        if any(ends_like_label(line.text) and line.text.rstrip().endswith((":", "：")) for line in row):
            return True
        if len(row) > 1:
            return False
        over = sum(min(row[0].box.right, h.right) - max(row[0].box.x, h.left) > 0 for h in self._headings)
        return over >= max(3, 0.6 * len(self._headings)) or (is_statement(row[0].text) and over >= 2)

    def _records_follow(self, rows: Sequence[list[TextLine]], bottom: float) -> bool:
        """Whether the next text rows fill the columns again, so that a total above them is a subtotal."""
        for row in rows[:3]:
            inside = [line for line in row if self._left < line.box.middle[0] < self._right]
            if not inside or is_totals_row(inside) or self._ends_table(inside):
                return False
            if inside[0].box.y - bottom > 4 * MAX_USUAL_GAP_PT:
                return False
            filled = self._divide(inside)
            if len(filled) >= max(2, 0.5 * len(self._headings)) and (0 in filled or self._end is not None):
                return True
        return False

    def _divide(self, row: Sequence[TextLine]) -> dict[int, list[TextLine]]:
        cells: dict[int, list[TextLine]] = {}
        for line in row:
            cells.setdefault(self._column_of(line), []).append(line)
        return cells

    def _column_of(self, line: TextLine) -> int:
        box = line.box

        def apart(heading: Heading) -> tuple[float, float]:
            across = min(box.right, heading.right) - max(box.x, heading.left)
            edges = min(abs(box.x - heading.left), abs(box.right - heading.right), abs(box.middle[0] - (heading.left + heading.right) / 2))
            if heading.ruled:
                inside = heading.left <= box.middle[0] <= heading.right
                return (0.0 if inside else max(-across, 1.0), edges)
            if edges <= ALIGNED_PT and across > 0:
                return (0.0, edges)
            return (1.0, heading.left) if across > 0 else (2.0 - across, edges)

        return min(range(len(self._headings)), key=lambda n: apart(self._headings[n]))

    def _numeric_columns(self, divided: Sequence[dict[int, list[TextLine]]]) -> set[int]:
        texts: dict[int, list[str]] = {}
        for cells in divided:
            for column, lines in cells.items():
                texts.setdefault(column, []).append(lines[0].text)
        return {column for column, found in texts.items() if _mostly_numeric(found)}

    def _starts_record(
        self, cells: dict[int, list[TextLine]], above: dict[int, list[TextLine]] | None, numeric: set[int]
    ) -> bool:
        strong = [column for column in cells if column in numeric and text_kind(cells[column][0].text) != "text"]
        if strong and (len(strong) >= 0.5 * len(numeric) or (0 in cells and 0 not in numeric)):
            return True
        if above is not None and self._is_divided(above, cells):
            return True
        return not numeric and (len(cells) >= max(2, 0.5 * len(self._headings)))

    def _is_divided(self, above: dict[int, list[TextLine]], below: dict[int, list[TextLine]]) -> bool:
        """Whether a rule runs between two text rows."""
        high = max(line.box.middle[1] for cell in above.values() for line in cell)
        low = min(line.box.middle[1] for cell in below.values() for line in cell)
        return any(high < y < low for y in self._dividers)


def is_totals_row(row: Sequence[TextLine]) -> bool:
    """Whether a text row sums up: wording of a total, and otherwise numbers only."""
    first = next((index for index, line in enumerate(row) if is_total(line.text)), None)
    if first is None or any(text_kind(line.text) != "text" for line in row[:first]):
        return False
    return all(is_total(line.text) or text_kind(line.text) in ("number", "code") for line in row[first:])


def _mostly_numeric(texts: Sequence[str]) -> bool:
    kinds = Counter(text_kind(text) for text in texts)
    return kinds["text"] + kinds["contact"] < 0.5 * len(texts)


def _extent(cells: dict[int, list[TextLine]]) -> Box:
    return Box.around(line.box for cell in cells.values() for line in cell)

