"""Choose the table with a header that most speaks for, and find where its records begin and end.

A text row of wordings above some numbers is often no header: addresses stand side by side below their labels, an order
number and a date below theirs, and totals below a total. So each table gets a score, which counts the texts that its
header and its records predict, and weighs them by how much speaks for a table:

    score = texts in records
            x (0.6 + 0.4 x consistency)          share of the commonest kind of text in a column
            x (0.7 + 0.8 x header)               whether the headings name what rows hold, are labels, or stand out
            x (0.5 + 0.5 x width / 250)          width of the table, at most 250 points
            x 1.3                                rows below a header explain the page better than mere repetition
            x 1.2 if totals follow
            x 1.3 if its records are in groups   the texts of a group's lines count, too
            x 0.6 if the first record looks like a further line of the header
            x (1 - share of cells with texts side by side) squared

It is 0 without evidence that is strong enough: one or two records need headings that name what rows hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Grid, RulingLine, TextLine

from .column_split import join_headings, split_columns
from .framed_tables import within_frame
from .headed_tables import find_headed_tables
from .nameless_column import with_nameless_column
from .ruled_tables import find_ruled_tables
from .table_model import HeadedTable, TableRecord, crowded_share
from .text_classifier import begins_with_colon, ends_like_label, is_figure, is_label, is_total, text_kind

_PRICE = re.compile(r"\d[.,]\d\d(?!\d)")
_LINE_NUMBER = re.compile(r"#|№|(?:sl?\.? ?)?(?:no|nr)\.?|n[°º]|pos\.?|item|line|序号|序|项次|行号", re.IGNORECASE)
"""What heads the numbers of the lines of a table."""
FEW_RECORDS = 2
"""Tables with at most this many records need better evidence."""
GROUPED = 1.3
"""Rows that headings or subtotals divide into groups explain the page better than rows without groups."""
EVEN_TOLERANCE_PT = 2.5
"""How far the top of a record may be from where equal rows have it."""
LEADING = 1.15
"""Distance between the lines of a text, in font sizes."""
PIECE_TOLERANCE_PT = 1.5
"""Difference in height up to which pieces belong to one rule."""
MIN_CROSSED_SHARE = 0.7
"""Share of its width that a rule takes of what it divides."""
MAX_PADDING_PT = 4.0
"""Space above the text of a record that no rule bounds, at most."""


def best_table(
    lines: Sequence[TextLine], grids: Sequence[Grid], rules: Sequence[RulingLine]
) -> tuple[HeadedTable | None, float]:
    """Return the table that most speaks for, with its score; None and 0 where there is none."""
    headed = (within_frame(table, grids) for table in find_headed_tables(lines, grids, rules))
    found = map(split_columns, (*headed, *find_ruled_tables(lines, grids)))
    possible = [
        join_headings(table) for table in found if not (_shares_cells(table, grids) or _shares_strip(table, rules))
    ]
    scored = [(table, score(table)) for table in possible if _is_sure(table) or not _is_crossed(table, grids)]
    table, points = max(scored, key=lambda pair: pair[1], default=(None, 0.0))
    return (with_nameless_column(table, lines), points) if table and points > 0 else (None, 0.0)


def _shares_cells(table: HeadedTable, grids: Sequence[Grid]) -> bool:
    """Whether most headings share a cell of their own with the text below, and later records are in other cells.

    Then these are labels on top of their values.
    """
    first, last = table.records[0], table.records[-1]
    shared = 0
    for column, heading in enumerate(table.headings):
        if not heading.lines:
            continue
        line = heading.lines[0]
        cell = next((c.box for grid in grids for c in grid.cells if c.box.holds(*line.box.middle)), None)
        if cell is None or column not in first.cells or last.box.middle[1] < cell.bottom:
            continue
        others = [other for other in table.headings if other.lines and other is not heading]
        alone = not any(cell.holds(*other.lines[0].box.middle) for other in others)
        shared += alone and cell.holds(*first.cells[column][0].box.middle)
    return shared > 0.5 * len(table.headings)


def _shares_strip(table: HeadedTable, rules: Sequence[RulingLine]) -> bool:
    """Whether rules divide the records from each other and from what is above the header, but not from the header.

    Then the header and the first record are labels on top of their values, also where their cells were not found. A
    header that is printed in bold needs no rule, nor does one that names what several rows below it hold.
    """
    head = Box.around(line.box for heading in table.headings for line in heading.lines)
    is_named = (
        table.named_share >= 0.5
        and len(table.records) > FEW_RECORDS
        and any(table.is_numeric(column) for column in table.filled_columns)
    )
    if len(table.records) < 2 or table.differs_in_weight or is_named:
        return False
    first, second = table.records[0].box, table.records[1].box
    across = _crossings(Box.around([head, first]), rules)
    is_below = any(first.middle[1] < y < second.middle[1] for y in across)
    is_above = any(head.y - MAX_PADDING_PT - head.height <= y <= head.y + 1 for y in across)
    return is_above and is_below and not any(head.middle[1] < y < first.middle[1] for y in across)


def _crossings(area: Box, rules: Sequence[RulingLine]) -> list[float]:
    """Return the y of the rules that cross an area, also where texts on a rule have broken it into pieces."""
    lying = [rule for rule in rules if rule.horizontal]
    found = []
    for one in lying:
        pieces = [rule for rule in lying if abs(rule.y1 - one.y1) <= PIECE_TOLERANCE_PT]
        covered = sum(max(0.0, min(rule.x2, area.right) - max(rule.x1, area.x)) for rule in pieces)
        if covered > MIN_CROSSED_SHARE * area.width:
            found.append(one.y1)
    return found


def _is_sure(table: HeadedTable) -> bool:
    return max(table.named_share, table.label_share) >= 0.5


def _is_crossed(table: HeadedTable, grids: Sequence[Grid]) -> bool:
    """Whether a ruled cell spans several records, as in forms where each row asks for something else."""
    middles = [record.box.middle[1] for record in table.records]
    left, right = table.headings[0].left, table.headings[-1].right
    cells = [c.box for grid in grids for c in grid.cells if left - 1 <= c.box.middle[0] <= right + 1]
    return any(len([y for y in middles if box.y < y < box.bottom]) > 1 for box in cells) and not any(
        all(box.y < y < box.bottom for y in middles) for box in cells
    )


def score(table: HeadedTable) -> float:
    """Return how much speaks for a table; 0 where too little does."""
    columns, count = table.filled_columns, len(table.records)
    numeric = sum(table.is_numeric(column) for column in columns)
    header = _header_evidence(table)
    if len(columns) < 2 or (header < 0.4 and (numeric < 2 or count < 3)):
        return 0.0
    if _holds_labels(table) or _holds_totals(table):
        return 0.0
    texts = sum(len(record.cells) for record in table.records)
    if count <= FEW_RECORDS and not _is_sure_with_few(table, numeric, texts):
        return 0.0
    if not numeric and (count < 3 or header < 0.6):
        return 0.0
    if len(table.headings) == 2 and (numeric == 0 or table.named_share < 0.5):
        return 0.0
    width = max(heading.right for heading in table.headings) - min(heading.left for heading in table.headings)
    consistency = fmean(_consistency(table.texts(column)) for column in columns)
    crowded = crowded_share(table)
    wide = 0.5 + 0.5 * min(1.0, width / 250)
    points = texts * (0.6 + 0.4 * consistency) * (0.7 + 0.8 * header) * wide * 1.3
    if _begins_with_headings(table):
        points *= 0.6
    if table.groups:
        points *= GROUPED * sum(len(record.cells) for record in table.text_rows) / texts
    return points * (1.2 if table.ends_in_total else 1.0) * (1 - crowded) ** 2


def _header_evidence(table: HeadedTable) -> float:
    return max(table.named_share, 0.7 * table.label_share, 0.5 if table.differs_in_weight else 0.0)


def _is_sure_with_few(table: HeadedTable, numeric: int, texts: int) -> bool:
    """Whether one or two records are certainly a table: the headings name what rows hold, and the cells are filled."""
    if len(table.headings) < 3 or numeric == 0:
        return False
    filled = texts / (len(table.headings) * len(table.records))
    worded = all(text_kind(heading.text) == "text" for heading in table.headings)
    if worded and table.has_blank_rows and filled > 0.5:
        return True
    if worded and filled == 1 and len(table.records) > 1 and table.differs_in_weight:
        return True
    if _counts_records(table) and filled > 0.6 and table.label_share >= 0.5:
        return True
    named = table.named_share >= 0.5 or (table.named_share >= 0.3 and table.ends_in_total)
    if _is_full_item(table, filled) and table.named_share >= 0.3 and table.label_share >= 0.5:
        return True
    return named and filled >= (0.4 if table.named_share < 0.8 else 0.3)


def _is_full_item(table: HeadedTable, filled: float) -> bool:
    """Whether many columns are filled, some with prices: labels stand over few values, and seldom over prices."""
    prices = sum(bool(_PRICE.search(line.text)) for line in table.records[0].lines)
    return len(table.headings) > 4 and filled > 0.8 and prices > 1


def _counts_records(table: HeadedTable) -> bool:
    """Whether the first column is headed as the number of a line, counts the records from 1, and many follow it."""
    texts = [record.cells[0][0].text.strip().rstrip(".") for record in table.records if 0 in record.cells]
    is_number = bool(_LINE_NUMBER.fullmatch(table.headings[0].text.strip()))
    return is_number and len(table.headings) > 3 and texts == [str(n) for n in range(1, len(table.records) + 1)]


def _begins_with_headings(table: HeadedTable) -> bool:
    """Whether the first record looks like a further line of the header: without figures, where others have them."""
    numeric = [column for column in table.filled_columns if table.is_numeric(column)]
    first = table.records[0]
    found = [column for column in numeric if column in first.cells and is_figure(first.cells[column][0].text)]
    return len(numeric) > 1 and not found and len(first.cells) >= 3 and len(table.records) > 1


def _holds_labels(table: HeadedTable) -> bool:
    """Whether records ask for something: a form with labels and values in a grid.

    A word that stands in every record is a value, and a sign alone is none. Values behind colons have their label to
    the left.
    """
    if any(_is_mostly_after_colons(table.texts(column)) for column in table.filled_columns):
        return True
    columns = [table.texts(column) for column in table.filled_columns if not table.is_numeric(column)]
    words = [text for texts in columns if len(set(texts)) > 1 or len(texts) == 1 for text in texts]
    words = [text for text in words if any(map(str.isalnum, text))]
    asking = sum(ends_like_label(text) or (is_label(text) and not is_total(text)) for text in words)
    return asking > 0.5 * len(words) and len(words) > 1


def _is_mostly_after_colons(texts: Sequence[str]) -> bool:
    return sum(begins_with_colon(text) and any(map(str.isalnum, text)) for text in texts) > 0.5 * len(texts)


def _holds_totals(table: HeadedTable) -> bool:
    first = [record.lines[0].text for record in table.records]
    return sum(is_total(text) for text in first) >= 0.5 * len(first)


def _consistency(texts: Sequence[str]) -> float:
    return max(Counter(map(text_kind, texts)).values()) / len(texts)


def record_edges(table: HeadedTable, rules: Sequence[RulingLine], fills: Iterable[Fill]) -> list[float]:
    """Return the tops of the records and the bottom of the last.

    They are at rules or edges of fills between the records, or else near their texts.
    """
    boxes = [record.box for record in table.records]
    heads = [line.box.bottom for heading in table.headings for line in heading.lines]
    head = max(heads, default=boxes[0].y - MAX_PADDING_PT)
    around = Box.around(boxes)
    edges = [rule.y1 for rule in rules if rule.horizontal and _covers(rule.x1, rule.x2, around)]
    edges += [y for fill in fills if _covers(fill.box.x, fill.box.right, around) for y in (fill.box.y, fill.box.bottom)]
    ends = [head, *(box.bottom for box in boxes)]
    gaps = [max(0.0, box.y - end) for box, end in zip(boxes, ends, strict=False)]
    padding = min([MAX_PADDING_PT, *(gap / 2 for gap in gaps)])
    above = [
        max((y for y in edges if end - 1 <= y <= box.y + 1), default=None)
        for box, end in zip(boxes, ends, strict=False)
    ]
    tops = [
        max(box.y - padding, min(end, box.y)) if edge is None else edge
        for edge, box, end in zip(above, boxes, ends, strict=False)
    ]
    if len(boxes) > 1 and not any(above[1:]):
        # An edge above the first record only is that of the header, and may be far above it.
        tops[0] = max(tops[0], boxes[0].y - padding)
    last = boxes[-1].bottom
    reach = max(padding * 2, median(box.y - top for box, top in zip(boxes, tops, strict=True)) * 2 + 2)
    below = [y for y in edges if last - 1 <= y <= last + reach]
    return [*tops, min(below) if below else last + padding]


def _covers(left: float, right: float, box: Box) -> bool:
    return min(right, box.right) - max(left, box.x) > 0.5 * box.width


def even_pitch(table: HeadedTable, edges: Sequence[float]) -> float | None:
    """Return the height of each record where all have the same, else None. `edges` are those of `record_edges`.

    What is below the last record may be closer than the records are to each other.
    """
    tops = edges[:-1]
    if len(tops) == 1:
        return edges[1] - edges[0]
    pitch = (tops[-1] - tops[0]) / (len(tops) - 1)
    even = all(abs(top - tops[0] - pitch * row) <= EVEN_TOLERANCE_PT for row, top in enumerate(tops))
    last = edges[-1] - tops[-1]
    counts = [_line_count(record) for record in table.records]
    fits = abs(last - pitch) <= EVEN_TOLERANCE_PT or (last < pitch and counts[-1] == max(counts))
    return pitch if even and fits else None


def _line_count(record: TableRecord) -> int:
    """Lines of the record's highest cell."""
    return max(len(cell) for cell in record.cells.values())


def low_pitch(records: Sequence[TableRecord], heights: Sequence[float]) -> float:
    """Return the height of a record with as few lines as any, from which records with more lines grow.

    It is chosen so that all records together are as high as on the page.
    """
    lines = [_line_count(record) for record in records]
    leading = LEADING * median(line.style.size for record in records for line in record.lines)
    text = max(line.box.height for record in records for line in record.lines)
    return max(text, fmean(height - (n - min(lines)) * leading for height, n in zip(heights, lines, strict=True)))
