"""Find tables by their header row: the columns below its headings, and the records that fill them.

Theory of operation
===================

A header row is the best evidence for the rows of a report: it says that what stands below is a table, which columns it
has, and where it begins. Repetition is weaker evidence, since addresses, footnotes and labels with values repeat, too,
and a table of one row does not repeat at all.

1. Lines that stand beside each other are a text row. A text row of two or more wordings is a possible header. Lines of
   one ruled cell are one heading; without rules, wordings directly above or below a heading belong to it.
2. Each text row below is divided among the columns: by ruled cells, else by the heading that a text stands under.
3. A column is numeric if most of its texts are figures. A text row starts a record if it has figures in half of the
   numeric columns, if it fills nearly all columns, or if a rule divides it from the text row above. Other text rows
   continue a record: the one above, or the one below where a much wider gap divides them from the one above (numbers
   may be centred beside a description of several lines). So records may have different heights.
4. The table ends at a total, at a text with a colon at its end, at another header, at a text that runs across the
   columns, at the end of its ruled table, or at a gap much wider than those between its records. A total that records
   follow is a subtotal.
5. Headings and subtotals that divide all records into groups are lines of these groups (`row_groups.py`). Others are
   records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Grid, RulingLine, TextLine

from .body_columns import fitted_headings
from .ending_sums import without_ending_sums
from .framed_tables import is_next_in_grid, within_frame
from .header_rows import may_be_header, reach_amounts, read_headings, text_rows
from .heading_rules import between_rules, end_of_grid
from .numbered_records import numbered_starts
from .record_introduction import introduction_rows
from .row_groups import Cells, divides_evenly, find_sections, is_subtotal, is_totals_row, repeats_subtotal
from .spaced_records import repeats_record
from .table_model import HeadedTable, Heading, RecordGroup, TableRecord, crowded_share, is_one_text, mostly_figures
from .text_classifier import ends_in_colon, is_figure, is_label, is_page_turn, is_statement, split_prefix

MAX_FIRST_GAP_PT = 48.0
"""Largest gap between header and first record."""
MAX_GAP_RATIO = 2.2
"""A gap wider than this many of the usual gaps ends the table."""
MAX_USUAL_GAP_PT = 24.0
"""A gap up to this one never ends the table."""
WIDER = 1.5
"""A gap this many times as wide as another divides records rather than that one."""
MIN_WIDER = 0.25
"""By how many sizes of type it has to be wider: the ink of two lines may stand closer than that of two others."""
MIN_RULE_COVERAGE = 0.6
"""A rule that runs along this share of the table's width divides records."""
MIN_SPANNING_SHARE = 0.9
"""A cell that takes this share of the table's width spans its columns."""
MAX_CROWDED_SHARE = 0.05
"""Share of cells with texts side by side, up to which columns that were found in the records are right."""
MIN_HEADINGS_OVER_LINE = 4
"""Headings of a table that a line below its header may precede; fewer stand over labels with values as soon."""
MIN_GRID_EDGES = 3
"""Edges of a ruled table of two columns; one with a header has more rows than that."""
ALIGNED_PT, EDGE_TOLERANCE_PT = 4.0, 2.0
BESIDE_PT = 24.0
"""Texts farther than this outside the headings do not belong to the table."""


def find_headed_tables(
    lines: Sequence[TextLine], grids: Sequence[Grid], rules: Sequence[RulingLine]
) -> Iterator[HeadedTable]:
    """Yield every table that some text row heads. Tables may overlap; the caller chooses among them."""
    rows = text_rows(lines)
    for index, row in enumerate(rows):
        if not may_be_header(row):
            continue
        headings, first = read_headings(rows, index, grids)
        if len(headings) < 2:
            continue
        reach_amounts(headings, rows[first:])
        table = _Reader(headings, grids, rules).read(rows[first:])
        if table.records:
            yield _with_fitted_columns(table, rows[first:], grids, rules)


def _with_fitted_columns(
    table: HeadedTable, rows: Sequence[list[TextLine]], grids: Sequence[Grid], rules: Sequence[RulingLine]
) -> HeadedTable:
    """Return the table with the columns that its records show, where fewer cells then hold texts of two columns."""
    headings = fitted_headings(within_frame(table, grids))
    if headings is None:
        return table
    fitted = _Reader(headings, grids, rules).read(rows)
    if not fitted.records or crowded_share(fitted) > min(MAX_CROWDED_SHARE, 0.5 * crowded_share(table)):
        return table
    return fitted


def read_records(
    headings: list[Heading], rows: Sequence[list[TextLine]], grids: Sequence[Grid], rules: Sequence[RulingLine]
) -> HeadedTable:
    """Return the records in the text rows below some headings, which may be none."""
    return _Reader(headings, grids, rules).read(rows).without_groups()


class _Reader:
    """Reads the records below one header."""

    def __init__(self, headings: list[Heading], grids: Sequence[Grid], rules: Sequence[RulingLine]) -> None:
        self._headings, self._grids = between_rules(headings, rules), grids
        self._left = self._headings[0].left - BESIDE_PT
        self._right = max(heading.right for heading in self._headings) + BESIDE_PT
        self._top = max(line.box.bottom for heading in headings for line in heading.lines)
        self._end = end_of_grid(headings[0], grids, self._top)
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
        divided = self._realigned([self._divide(row) for row in body])
        if sections := find_sections(divided, self._spans_table):
            records, groups = list[TableRecord](), list[RecordGroup]()
            numeric = self._numeric_columns([cells for section in sections for cells in section.rows])
            for section in sections:
                groups.append(RecordGroup(len(records), _record(section.heading), _record(section.ending)))
                records += self._records(section.rows, numeric)
            if divides_evenly(groups, records):
                return HeadedTable(self._headings, records, ends_in_total, groups)
        records = self._records(divided, self._numeric_columns(divided))
        return without_ending_sums(HeadedTable(self._headings, records, ends_in_total))

    def _records(self, divided: Sequence[Cells], numeric: set[int]) -> list[TableRecord]:
        starts = self._starts(divided, numeric)
        firsts = [0, *(self._first_row(divided, above, start) for above, start in pairwise(starts))]
        records = []
        for first, end in pairwise([*firsts, len(divided)] if starts else []):
            record = TableRecord()
            for cells in divided[first:end]:
                record.add(cells)
            records.append(record)
        return records

    def _spans_table(self, line: TextLine) -> bool:
        """Whether a text has a ruled cell for itself that is as wide as the table."""
        around = [cell.box for grid in self._grids for cell in grid.cells if cell.box.holds(*line.box.middle)]
        width = self._right - self._left - 2 * BESIDE_PT
        return any(box.width > MIN_SPANNING_SHARE * width for box in around)

    def _first_row(self, divided: Sequence[Cells], above: int, start: int) -> int:
        """Return the first text row of a record, between where the one above starts and where itself does.

        Rows between continue the record above, unless the widest gap is above some of them.
        """
        # Measured from middle to middle: letters below the line, and digits among Chinese, make ink more or less high.
        height = median(
            line.box.height for cells in divided[above : start + 1] for each in cells.values() for line in each
        )
        gaps = {
            index: _extent(divided[index]).middle[1] - _extent(divided[index - 1]).middle[1] - height
            for index in range(above + 1, start + 1)
        }
        ruled = [index for index in gaps if self._is_divided(divided[index - 1], divided[index])]
        widest = max(gaps, key=lambda index: (gaps[index], index))
        size = median(line.style.size for cell in divided[start].values() for line in cell)
        is_wider = gaps[widest] > max(WIDER * max(gaps[start], 1.0), gaps[start] + MIN_WIDER * size)
        return ruled[-1] if ruled else widest if is_wider else start

    def _body(self, rows: Sequence[list[TextLine]]) -> tuple[list[list[TextLine]], bool]:
        """Return the text rows of the table, and whether a total ended it."""
        body: list[list[TextLine]] = []
        bottom = self._top
        gaps: list[float] = []
        for index, row in enumerate(rows):
            inside = [line for line in self._inside(row) if line.box.y > self._top - 2]
            if not inside:
                continue
            gap = min(line.box.y for line in inside) - bottom
            usual = max([MAX_USUAL_GAP_PT, *(MAX_GAP_RATIO * g for g in gaps)]) if body else MAX_FIRST_GAP_PT
            if not body and gap <= usual and self._precedes_records(rows[index:]):
                bottom = max(line.box.bottom for line in inside)
                continue
            past_end = self._end is not None and inside[0].box.middle[1] > self._end
            is_far = gap > usual and not (body and self._goes_on(body[-1], inside, gap))
            if past_end or is_far or self._ends_table(inside) or self._heads_other_grid(inside, body):
                return body, bool(body) and self._is_total(inside) and gap <= 4 * MAX_FIRST_GAP_PT
            if self._is_total(inside) and not self._records_follow(rows[index + 1 :], bottom):
                above = [other for other in body if self._is_total(other)]
                return [*body, inside] if any(repeats_subtotal(inside, other) for other in above) else body, True
            if body:
                gaps.append(gap)
            body.append(inside)
            bottom = max(line.box.bottom for line in inside)
        return body, False

    def _precedes_records(self, rows: Sequence[list[TextLine]]) -> bool:
        """Whether text between the header and its first record says what the records are of."""
        count = introduction_rows([self._inside(row) for row in rows[:2]])
        if not count or len(self._headings) < MIN_HEADINGS_OVER_LINE:
            return False
        return self._records_follow(rows[count:], max(line.box.bottom for line in rows[count - 1]))

    def _heads_other_grid(self, row: Sequence[TextLine], body: Sequence[list[TextLine]]) -> bool:
        """Whether wordings are in the first row of a ruled table that neither the header nor the records above are in.

        Such a table has a header of its own.
        """
        above = [line.box.middle for line in (*self._headings[0].lines, *(line for cells in body for line in cells))]
        for grid in self._grids:
            if (
                len(grid.rows) > MIN_GRID_EDGES
                and len(grid.columns) >= MIN_GRID_EDGES
                and grid.box.holds(*row[0].box.middle)
            ):
                is_first = row[0].box.middle[1] < grid.rows[1]
                worded = len(row) > 1 and not any(is_figure(line.text) for line in row)
                return is_first and worded and bool(body) and not any(grid.box.holds(*middle) for middle in above)
        return False

    def _is_total(self, row: Sequence[TextLine]) -> bool:
        """Whether a text row sums up. A line such as ``Tax: 5%`` below a description belongs to the description."""
        detail = len(row) == 1 and self._column_of(row[0]) == 0 and bool(split_prefix(row[0].text)[0])
        return is_totals_row(row) and not detail

    def _inside(self, row: Sequence[TextLine]) -> list[TextLine]:
        """The lines of a text row between the sides of the table."""
        return [line for line in row if self._left < line.box.middle[0] < self._right]

    def _ends_table(self, row: Sequence[TextLine]) -> bool:
        is_header = len(row) >= 3 and may_be_header(row) and not (is_totals_row(row) and is_figure(row[-1].text))
        if is_header and sum(is_label(line.text) for line in row) > 0.6 * len(row):
            return True
        if len(row) == 1 and is_page_turn(row[0].text):
            return True
        if any(ends_in_colon(line.text) for line in row) and not self._is_whole_record(row):
            return True
        if len(row) > 1:
            return False
        over = sum(min(row[0].box.right, h.right) - max(row[0].box.x, h.left) > 0 for h in self._headings)
        return over >= max(3, 0.6 * len(self._headings)) or (is_statement(row[0].text) and over >= 2)

    def _is_whole_record(self, row: Sequence[TextLine]) -> bool:
        """Whether a text row fills all columns, with figures: its description may end in a colon, and nothing else."""
        figures, colons = (sum(holds(line.text) for line in row) for holds in (is_figure, ends_in_colon))
        is_record = figures > 1 and colons == 1 and len(self._headings) > 2
        return is_record and len(self._divide(row)) == len(self._headings)

    def _goes_on(self, above: list[TextLine], row: list[TextLine], gap: float) -> bool:
        """Whether a text row far below another one is the next record."""
        return is_next_in_grid(above, row, self._grids) or repeats_record(above, row, gap)

    def _records_follow(self, rows: Sequence[list[TextLine]], bottom: float) -> bool:
        """Whether the next text rows fill the columns again, so that a total above them is a subtotal."""
        for row in rows[:3]:
            inside = self._inside(row)
            if not inside or self._is_total(inside) or self._ends_table(inside):
                return False
            if inside[0].box.y - bottom > 4 * MAX_USUAL_GAP_PT:
                return False
            filled = self._divide(inside)
            half = 0.5 * len(self._headings)
            if len(filled) >= max(2, half) and (0 in filled or (self._end is not None and len(filled) > half)):
                return True
        return False

    def _divide(self, row: Sequence[TextLine]) -> Cells:
        if is_one_text(row):
            return {self._column_of(row[0]): list(row)}
        cells: Cells = {}
        before: tuple[TextLine, int] | None = None
        for line in row:
            goes_on = before is not None and is_one_text([before[0], line]) and not self._is_under_any(line)
            column = before[1] if before is not None and goes_on else self._column_of(line)
            cells.setdefault(column, []).append(line)
            before = line, column
        return cells

    def _is_under_any(self, line: TextLine) -> bool:
        return any(self._is_under(line, column) for column in range(len(self._headings)))

    def _column_of(self, line: TextLine) -> int:
        box = line.box

        def apart(heading: Heading) -> tuple[float, float]:
            across = min(box.right, heading.right) - max(box.x, heading.left)
            edges = min(
                abs(box.x - heading.left),
                abs(box.right - heading.right),
                abs(box.middle[0] - (heading.left + heading.right) / 2),
            )
            if heading.ruled:
                inside = heading.left <= box.middle[0] <= heading.right
                return (0.0 if inside else max(-across, 1.0), edges)
            if edges <= ALIGNED_PT and across > 0:
                return (0.0, edges)
            return (1.0, heading.left) if across > 0 else (2.0 - across, edges)

        return min(range(len(self._headings)), key=lambda n: apart(self._headings[n]))

    def _realigned(self, divided: Sequence[Cells]) -> list[Cells]:
        """Return the text rows with each text that stands under no heading in the column that it is aligned with."""
        placed = [(line, column) for cells in divided for column, cell in cells.items() for line in cell]
        under = [(line.box.x, column) for line, column in placed if self._is_under(line, column)]
        found: list[Cells] = []
        for cells in divided:
            moved: Cells = {}
            for column, cell in cells.items():
                for line in cell:
                    to = column
                    if not self._is_under(line, column) and not self._headings[column].ruled:
                        beside = {other for x, other in under if abs(x - line.box.x) <= EDGE_TOLERANCE_PT}
                        to = beside.pop() if len(beside) == 1 else column
                    moved.setdefault(to, []).append(line)
            found.append(moved)
        return found

    def _is_under(self, line: TextLine, column: int) -> bool:
        heading = self._headings[column]
        return min(line.box.right, heading.right) > max(line.box.x, heading.left)

    def _numeric_columns(self, divided: Sequence[Cells]) -> set[int]:
        texts: dict[int, list[str]] = {}
        for cells in divided:
            for column, lines in cells.items():
                texts.setdefault(column, []).append(lines[0].text)
        return {column for column, found in texts.items() if mostly_figures(found)}

    def _starts(self, divided: Sequence[Cells], numeric: set[int]) -> list[int]:
        """Return the indices of the text rows with which records start."""
        if boxed := self._boxed_starts(divided, numeric):
            return boxed
        if numbered := numbered_starts(divided, lambda cells: self._fills_record(cells, numeric)):
            return numbered
        starts: list[int] = []
        has_figures = True
        for index, cells in enumerate(divided):
            ruled = index > 0 and self._is_divided(divided[index - 1], cells)
            alone = index == 0 and len(divided) > 1 and self._is_divided(cells, divided[1])
            full = self._fills_record(cells, numeric)
            # Below a rule the record may have begun with a line of text; its figures then do not start another.
            if ruled or alone or (full and has_figures) or is_subtotal(cells):
                starts.append(index)
                has_figures = full or not ruled
            else:
                has_figures = has_figures or full
        return starts

    def _boxed_starts(self, divided: Sequence[Cells], numeric: set[int]) -> list[int]:
        """Return the text rows below rules, where what stands between two rules is one record.

        It is where the first column names it once, or most columns of figures have one figure in it.
        """
        starts = [
            index for index in range(len(divided)) if not index or self._is_divided(divided[index - 1], divided[index])
        ]
        if not 1 < len(starts) < len(divided):
            return []
        named = [index for index, cells in enumerate(divided) if 0 in cells]
        boxes = [divided[first:end] for first, end in pairwise([*starts, len(divided)])]
        single = {column for column in numeric if all(_figures(box, column) == 1 for box in boxes)}
        return starts if named == starts or 2 * len(single) > len(numeric) else []

    def _fills_record(self, cells: Cells, numeric: set[int]) -> bool:
        """Whether a text row has figures in enough numeric columns, or fills enough columns, for a record."""
        found = [column for column in cells if column in numeric and is_figure(cells[column][0].text)]
        if found and (len(found) >= 0.5 * len(numeric) or (0 in cells and 0 not in numeric)):
            return True
        if len(self._headings) > 2 and len(cells) >= 0.8 * len(self._headings):
            return True
        return not numeric and len(cells) >= max(2, 0.5 * len(self._headings))

    def _is_divided(self, above: Cells, below: Cells) -> bool:
        """Whether a rule runs between two text rows."""
        high = max(line.box.middle[1] for cell in above.values() for line in cell)
        low = min(line.box.middle[1] for cell in below.values() for line in cell)
        return any(high < y < low for y in self._dividers)


def _record(cells: Cells | None) -> TableRecord | None:
    if cells is None:
        return None
    record = TableRecord()
    record.add(cells)
    return record


def _figures(rows: Sequence[Cells], column: int) -> int:
    """Return how many figures stand in a column of some text rows."""
    return sum(is_figure(line.text) for cells in rows for line in cells.get(column, []))


def _extent(cells: Cells) -> Box:
    return Box.around(line.box for cell in cells.values() for line in cell)
