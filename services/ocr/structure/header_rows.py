"""Find the rows of wordings that may head a table, and the headings in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Grid, TextLine

from .ruled_cells import cell_at
from .table_model import Heading
from .text_classifier import (
    begins_with_colon,
    ends_in_colon,
    is_figure,
    is_price,
    is_statement,
    split_prefix,
    text_kind,
)

MAX_HEADING_CHARS = 40
MIN_HEADER_WORDING = 0.66
"""Smallest share of wordings among the texts of a header; others may be years, currencies or signs."""
MAX_WRAP_GAP = 0.9
"""Largest gap between the lines of a heading, in font sizes."""
MAX_STACK_GAP, MAX_STACK_SHIFT = 1.5, 0.5
"""Largest gap between the lines of a heading beside others of one line, and distance of its middle from theirs."""
SMALLER = 0.8
"""Largest size of type of a header's second line in another language, as a share of the first one's."""
ROWS_BELOW = 3
"""Text rows below a header's second line that may have its figures."""
MIN_DIVIDED_ROWS = 2
"""Rows below a heading that have two cells each, from which on these are two columns."""
MIN_AMOUNTS = 2
"""Rows with amounts to the right of their heading, from which on these are its column."""
EDGE_TOLERANCE_PT = 4.0
"""Cells whose bottoms differ by less end together."""


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


def may_be_header(row: Sequence[TextLine]) -> bool:
    wordings = [line for line in row if _is_heading(line.text)]
    if len(wordings) < 2 or len(wordings) < MIN_HEADER_WORDING * len(row):
        return False
    return not any(
        ends_in_colon(line.text)
        or begins_with_colon(line.text)
        or split_prefix(line.text)[0]
        or is_statement(line.text)
        for line in row
    )


def _is_heading(text: str) -> bool:
    plain = text.strip()
    return (
        text_kind(plain) == "text"
        and len(plain) <= MAX_HEADING_CHARS
        and (any(c.isalpha() for c in plain) or plain == "%")
    )


def read_headings(rows: Sequence[list[TextLine]], index: int, grids: Sequence[Grid]) -> tuple[list[Heading], int]:
    """Return the headings of a header row, with the lines that wrap, and the index of the first row below them."""
    if ruled := _ruled_headings(rows, index, grids):
        return ruled, index + 1
    headings: list[Heading] = []
    by_cell: dict[tuple[float, float], Heading] = {}
    cells = [cell_at(line.box.middle, grids) for line in rows[index]]
    # One cell around all headings is the frame of a table whose columns no rule divides.
    is_framed = len(set(cells)) == 1
    for line, cell in zip(rows[index], cells, strict=True):
        if cell is None or is_framed:
            headings.append(Heading([line], line.box.x, line.box.right))
        elif (key := (cell.x, cell.y)) in by_cell:
            by_cell[key].lines.append(line)
        else:
            by_cell[key] = Heading([line], cell.x, cell.right, ruled=True)
            headings.append(by_cell[key])
    if stacked := _stacked_headings(rows, index, headings):
        return sorted([*headings, *stacked], key=lambda heading: heading.left), index + 2
    for above in rows[max(0, index - 2) : index][::-1]:
        if not _wraps(above, headings, rows[index]):
            break
        _extend(headings, above, before=True)
    first = index + 1
    while first < min(len(rows), index + 3) and _continues_header(rows, first, headings):
        _extend(headings, rows[first], before=False)
        first += 1
    return headings, first


def reach_amounts(headings: Sequence[Heading], rows: Sequence[list[TextLine]]) -> None:
    """Extend the last heading to a column of amounts that begins farther right than it ends, as on receipts.

    The rows right below have a text for each heading, the first one at the left edge of the first heading, and their
    amounts end together.
    """
    last = headings[-1]
    if last.ruled:
        return
    found = list(takewhile(lambda row: _has_amount_beyond(row, headings), rows))
    ends = [row[-1].box.right for row in found]
    if len(found) >= MIN_AMOUNTS and max(ends) - min(ends) <= EDGE_TOLERANCE_PT:
        last.right = max(ends)


def _has_amount_beyond(row: Sequence[TextLine], headings: Sequence[Heading]) -> bool:
    is_whole = len(row) == len(headings) and abs(row[0].box.x - headings[0].left) <= EDGE_TOLERANCE_PT
    return is_whole and is_price(row[-1].text) and row[-1].box.x > headings[-1].right


def _stacked_headings(rows: Sequence[list[TextLine]], index: int, headings: Sequence[Heading]) -> list[Heading]:
    """Return the headings of two lines beside a header row of one: a word above its line, and its unit below.

    There are none unless these are all that stands in the row below, where no other heading is.
    """
    if not 0 < index < len(rows) - 1:
        return []
    size, middle = rows[index][0].style.size, Box.around(line.box for line in rows[index]).middle[1]
    free = [n for n in rows[index - 1] if _is_heading(n.text) and not _is_under_any(n, headings)]
    pairs = [(upper, lower) for upper in free for lower in rows[index + 1] if _overlap(upper, lower)]
    is_whole = len(pairs) == len(rows[index + 1]) == len({upper.id for upper, _ in pairs})
    is_level = all(
        lower.box.y - upper.box.bottom <= MAX_STACK_GAP * size
        and abs((upper.box.y + lower.box.bottom) / 2 - middle) <= MAX_STACK_SHIFT * size
        and _is_heading(lower.text)
        and not _is_under_any(lower, headings)
        for upper, lower in pairs
    )
    if not pairs or not is_whole or not is_level:
        return []
    return [
        Heading([upper, lower], min(upper.box.x, lower.box.x), max(upper.box.right, lower.box.right))
        for upper, lower in pairs
    ]


def _is_under_any(line: TextLine, headings: Sequence[Heading]) -> bool:
    return any(min(line.box.right, one.right) > max(line.box.x, one.left) for one in headings)


def _ruled_headings(rows: Sequence[list[TextLine]], index: int, grids: Sequence[Grid]) -> list[Heading]:
    """Return the headings in the ruled cells that end where the header row's end, with all their lines.

    There are none if the row is not ruled, or where the cells hold more than headings: no rule divides their records.
    """
    cells = [cell for line in rows[index] if (cell := cell_at(line.box.middle, grids))]
    grid = next((g for g in grids if cells and g.box.holds(*cells[0].middle)), None)
    if grid is None or len(cells) < len(rows[index]) or len(set(cells)) == 1:
        return []
    bottom = max(cell.bottom for cell in cells)
    beside = [c.box for c in grid.cells if abs(c.box.bottom - bottom) < EDGE_TOLERANCE_PT]
    lines = [line for row in rows for line in row if line.box.middle[1] < bottom]
    headings = []
    for cell in sorted({(box.x, box.y): box for box in [*cells, *beside]}.values(), key=lambda box: box.x):
        inside = [line for line in lines if cell.holds(*line.box.middle)]
        if inside:
            texts = [line for row in rows[index + 1 :] for line in row]
            headings += _with_group_column(Heading(inside, cell.x, cell.right, ruled=True), grid, bottom, texts)
    return headings if all(_is_heading(line.text) for heading in headings for line in heading.lines) else []


def _with_group_column(heading: Heading, grid: Grid, bottom: float, lines: Sequence[TextLine]) -> list[Heading]:
    """Return a heading as two where the cells below it are two each, of which the left one is filled in fewer rows.

    The left one then says to which group rows belong.
    """
    inside = [c.box for c in grid.cells if c.box.y > bottom - 1 and heading.left - 1 < c.box.middle[0] < heading.right]
    rows = [[box for box in inside if abs(box.y - top) < 1] for top in sorted({box.y for box in inside})]
    divided = list(takewhile(lambda boxes: len(boxes) == 2, rows))
    edges = {round(max(box.x for box in boxes)) for boxes in divided}
    if len(divided) < MIN_DIVIDED_ROWS or len(edges) > 1:
        return [heading]
    sides = (
        [[n for n in lines if box.holds(*n.box.middle)] for box in side]
        for side in zip(*map(_by_x, divided), strict=True)
    )
    left, right = (sum(map(bool, side)) for side in sides)
    if not 0 < left < right:
        return [heading]
    cut = max(box.x for box in divided[0])
    return [
        Heading(heading.lines, heading.left, cut, ruled=True, name="Group"),
        Heading(heading.lines, cut, heading.right, ruled=True, name=heading.text),
    ]


def _by_x(boxes: Iterable[Box]) -> list[Box]:
    return sorted(boxes, key=lambda box: box.x)


def _wraps(row: Sequence[TextLine], headings: Sequence[Heading], header: Sequence[TextLine]) -> bool:
    """Whether each text of a row stands directly above or below exactly one heading, in its style."""
    close = min(_gap(Box.around(n.box for n in row), Box.around(n.box for n in header)), 99)
    size = header[0].style.size
    if close > MAX_WRAP_GAP * size or len(row) > len(headings) or not all(_is_heading(line.text) for line in row):
        return False
    return all(
        sum(min(line.box.right, h.right) - max(line.box.x, h.left) > 0 for h in headings) == 1
        and line.style.bold == header[0].style.bold
        and line.style.colour == header[0].style.colour
        for line in row
    )


def _continues_header(rows: Sequence[list[TextLine]], index: int, headings: Sequence[Heading]) -> bool:
    """Whether a row below the header is its second line: in bold above other text, in brackets, or repeated smaller."""
    row, header = rows[index], [line for heading in headings for line in heading.lines]
    if all(line.text.strip()[:1] in "([（" and line.text.strip()[-1:] in ")]）" for line in row):
        return True
    if _repeats_header(row, header, rows[index + 1 : index + 1 + ROWS_BELOW]):
        return True
    if not _wraps(row, headings, header[-1:]) or index + 1 >= len(rows):
        return False
    return header[0].style.bold and not any(line.style.bold for line in rows[index + 1])


def _repeats_header(row: Sequence[TextLine], header: Sequence[TextLine], below: Sequence[list[TextLine]]) -> bool:
    """Whether a row says the headings once more in smaller type, as forms in two languages do.

    Figures stand below its words, so it is not a record; each of its texts stands below a heading.
    """
    size = min(line.style.size for line in header)
    close = _gap(Box.around(n.box for n in row), Box.around(n.box for n in header)) <= MAX_WRAP_GAP * size
    words = [line for line in row if _is_heading(line.text)]
    if not close or len(words) < max(2, MIN_HEADER_WORDING * len(row)):
        return False
    if any(line.style.size > SMALLER * size or not any(_overlap(line, above) for above in header) for line in row):
        return False
    figures = [line for others in below for line in others if is_figure(line.text)]
    return sum(any(_overlap(line, figure) for figure in figures) for line in words) >= 2


def _overlap(one: TextLine, other: TextLine) -> bool:
    return min(one.box.right, other.box.right) > max(one.box.x, other.box.x)


def _gap(one: Box, other: Box) -> float:
    return max(one.y - other.bottom, other.y - one.bottom)


def _extend(headings: Sequence[Heading], row: Sequence[TextLine], before: bool) -> None:
    known = {line.id for heading in headings for line in heading.lines}
    for line in row:
        if line.id in known:
            continue
        heading = max(headings, key=lambda h: min(line.box.right, h.right) - max(line.box.x, h.left))
        heading.lines = [line, *heading.lines] if before else [*heading.lines, line]
        if not heading.ruled:
            heading.left, heading.right = min(heading.left, line.box.x), max(heading.right, line.box.right)
