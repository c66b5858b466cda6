"""Join the pages on which a table goes on to the first one.

Theory of operation
===================

The rows of a long table fill the first page and go on on the next ones, where the header may be repeated or not. The
template needs the rows once, so the later pages add to it only what stands below the last row: totals, signatures. All
further rows are data.

1. *Open* (`_has_ended`, `_is_open`). The table may go on if nothing stands below its last row but what every page has
   at its foot: lines near the foot, or that the next page has at the same place. Totals say that it has ended.
2. *Start* (`_start_of_rows`). The rows of a later page begin below its header, if it has the one of page 1. Without a
   header its first text has to fill the columns of page 1, or be a total; texts that page 1 has at the same place are
   passed over.
3. *Records*. They are read as below a header, with the columns of page 1. What stands below them, apart from the foot,
   is the ending: the table has ended there.
4. *Joining* (`page_ending`). A page is made that is higher by the ending, which stands between the last row of page 1
   and the foot of page 1. A note such as ``continued on page 2`` is left out: with other rows it would be wrong.
5. *Running head* (`running_head`). What all later pages have above the header instead of what page 1 has there.

Whatever does not fit leaves the first page as it is: better a template of one page than one with foreign rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Repeat, RulingLine, RunningHead, TextLine

from ..page_marks import PageMarks
from .headed_tables import read_records
from .header_rows import text_rows
from .page_ending import Ending, JoinedPage, ending_of, with_ending
from .row_groups import is_totals_row
from .running_head import running_head
from .table_model import Heading
from .text_classifier import is_page_number, is_page_turn, is_total

PLACE_TOLERANCE_PT = 6.0
"""Distance up to which texts of two pages stand at the same place."""
MIN_FOOT_START = 0.88
"""What stands lower than this share of the page's height is its foot."""
MIN_HEADER_SHARE = 0.6
"""Share of the header's lines that a later page repeats if it has the header."""
MIN_FILLED_SHARE = 0.4
"""Share of the columns that the first text row of a page without a header fills."""
_CARRIED = re.compile(
    r"carried|forward|continue|übertrag|zwischensumme|à reporter|承前|次页|次頁|转下页", re.IGNORECASE
)
"""Words of a total at the foot of a page that is not the last one."""


@dataclass(frozen=True)
class JoinedTable:
    """A table that runs over several pages."""

    pages: int
    page: JoinedPage
    """Page 1 with the ending."""
    rows: list[list[str | None]]
    """The text of each slot of page 1 in each row of the later pages."""
    repeats_head: bool
    """Whether page 2 has above its rows what page 1 has there."""
    running_head: RunningHead | None
    """What all later pages have there instead."""


def join_pages(first: Layout, marks: PageMarks, later: Iterable[PageMarks]) -> JoinedTable | None:
    """Return the first page joined with the later ones on which its table goes on; None where it does not.

    `marks` are those of the first page. `later` has the pages after it, and is read only as far as the table goes.
    """
    headings = _columns(first, marks)
    if headings is None or _has_ended(first, marks):
        return None
    rows: list[list[str | None]] = []
    pages, ending, repeats_head = 1, Ending(), False
    heads = list[tuple[PageMarks, float]]()
    for page in later:
        found = _continue_on(first, marks, headings, page, is_second=pages == 1)
        if found is None:
            break
        repeats_head = _repeats_head(first, marks, page) if pages == 1 else repeats_head
        pages, ending = pages + 1, found[1]
        rows += found[0]
        if (headings_top := _headings_top(first, marks, page)) is not None:
            heads.append((page, headings_top))
        if ending.lines:
            break
    if pages == 1:
        return None
    own_head = running_head(marks.lines, heads) if len(heads) == pages - 1 and not repeats_head else None
    lines = [line for line in marks.lines if not is_page_turn(line.text)]
    page_of_all = with_ending(first, marks.with_lines(lines), ending, f"p{pages}-")
    return JoinedTable(pages, page_of_all, rows, repeats_head, own_head)


def _continue_on(
    first: Layout, marks: PageMarks, headings: list[Heading], page: PageMarks, is_second: bool
) -> tuple[list[list[str | None]], Ending] | None:
    """Return the rows of a later page and its ending; None where the table does not go on there."""
    assert first.repeat is not None
    if is_second and not _is_open(first, marks, page):
        return None
    foot = _foot(first.repeat, marks, page)
    lines = [line for line in page.lines if line.id not in foot]
    start = _start_of_rows(first, marks, lines, headings)
    if start is None:
        return None
    below = [line for line in lines if line.box.y >= start - 1]
    stand_ins = [_moved_heading(heading, start) for heading in headings]
    records = read_records(stand_ins, text_rows(below), page.grids, page.rules).records
    if not records and not is_totals_row(text_rows(below)[0]):
        return None
    order = _slot_order(first.repeat, first)
    rows: list[list[str | None]] = []
    for record in records:
        texts: list[str | None] = [None] * len(order)
        for column, cell in record.cells.items():
            texts[order[column]] = "\n".join(line.text for line in cell)
        rows.append(texts)
    return rows, ending_of(page, below, {n.id for record in records for n in record.lines}, foot, start)


def _columns(first: Layout, marks: PageMarks) -> list[Heading] | None:
    """Return the columns of page 1 from left to right; None where its rows are no table with a line for each cell."""
    if first.repeat is None or first.page.height <= 0:
        return None
    blocks = {block.id: block for block in first.blocks}
    by_line = {line.id: line for line in marks.lines}
    columns = []
    for slot in first.repeat.slots:
        own = [blocks[name] for name in slot.blocks if name]
        rooms = [block.room for block in own if block.room]
        area = Box.around(rooms) if len(rooms) == len(own) else Box.around(block.box for block in own)
        lines = [by_line[own[0].lines[0]]]
        columns.append(Heading(lines, area.x, area.right, ruled=len(rooms) == len(own), name=slot.label or ""))
    columns.sort(key=lambda heading: heading.left)
    if len(columns) < 2 or any(right.left < left.right - 2 for left, right in pairwise(columns)):
        return None
    return columns


def _slot_order(repeat: Repeat, first: Layout) -> list[int]:
    """Return the number of each column's slot, from left to right."""
    boxes = {block.id: block.room or block.box for block in first.blocks}
    lefts = [min(boxes[name].x for name in slot.blocks if name) for slot in repeat.slots]
    return sorted(range(len(lefts)), key=lambda slot: lefts[slot])


def _moved_heading(heading: Heading, bottom: float) -> Heading:
    """Return a column whose header ends at a height of another page."""
    line = heading.lines[0]
    moved = line.model_copy(update={"box": Box.between(heading.left, bottom - 2, heading.right, bottom - 1)})
    return Heading([moved], heading.left, heading.right, heading.ruled, heading.name)


def _plain(text: str) -> str:
    """Return a text by which two pages are compared: their numbers may differ."""
    return re.sub(r"\d+", "0", "".join(text.lower().split()))


def _is_at_same_place(one: Box, other: Box) -> bool:
    return abs(one.x - other.x) <= PLACE_TOLERANCE_PT and abs(one.y - other.y) <= PLACE_TOLERANCE_PT


def _is_repeated(line: TextLine, other_page: Sequence[TextLine]) -> bool:
    return any(
        _is_at_same_place(line.box, other.box) and _plain(line.text) == _plain(other.text) for other in other_page
    )


def _below_rows(first: Layout, marks: PageMarks) -> list[TextLine]:
    assert first.repeat is not None
    return [line for line in marks.lines if line.box.y >= first.repeat.box.bottom - 1]


def _has_ended(first: Layout, marks: PageMarks) -> bool:
    """Whether totals follow the rows of page 1, other than sums that are carried forward."""
    return any(is_total(line.text) and not _CARRIED.search(line.text) for line in _below_rows(first, marks))


def _is_open(first: Layout, marks: PageMarks, page: PageMarks) -> bool:
    """Whether the table of page 1 may go on: below its rows there is only what stands at the foot of a page."""
    return all(
        line.box.y > MIN_FOOT_START * first.page.height
        or _CARRIED.search(line.text)
        or is_page_number(line.text)
        or is_page_turn(line.text)
        or _is_repeated(line, page.lines)
        for line in _below_rows(first, marks)
    )


def _foot(repeat: Repeat, marks: PageMarks, page: PageMarks) -> set[str]:
    """Return the ids of what a later page has at its foot, as page 1 has."""
    end = repeat.box.bottom - 1
    own = [line for line in marks.lines if line.box.y >= end]
    lowest = max((line.box.bottom for line in page.lines), default=0.0)
    foot = {
        line.id
        for line in page.lines
        if _is_repeated(line, own) or (is_page_number(line.text) and line.box.bottom > lowest - 2 * line.style.size)
    }
    rules = [rule for rule in marks.rules if rule.y1 >= end]
    foot |= {rule.id for rule in page.rules if any(_is_same_rule(rule, other) for other in rules)}
    fills = [fill for fill in marks.fills if fill.box.y >= end]
    return foot | {fill.id for fill in page.fills if any(_is_at_same_place(fill.box, other.box) for other in fills)}


def _is_same_rule(one: RulingLine, other: RulingLine) -> bool:
    ends = (one.x1 - other.x1, one.y1 - other.y1, one.x2 - other.x2, one.y2 - other.y2)
    return all(abs(apart) <= PLACE_TOLERANCE_PT for apart in ends)


def _repeats_head(first: Layout, marks: PageMarks, page: PageMarks) -> bool:
    """Whether a later page has all that stands above the table of page 1."""
    assert first.repeat is not None
    header = {line for block in first.blocks if block.id in first.repeat.header for line in block.lines}
    above = [line for line in marks.lines if line.box.bottom <= first.repeat.tops[0] + 1 and line.id not in header]
    return bool(above) and all(_is_repeated(line, page.lines) for line in above)


def _start_of_rows(
    first: Layout, marks: PageMarks, lines: Sequence[TextLine], headings: Sequence[Heading]
) -> float | None:
    """Return where the rows of a later page begin; None where they do not."""
    assert first.repeat is not None
    if header := _header_on(_heads(first, marks), lines):
        return max(line.box.bottom for line in header)
    own = [line for line in lines if not _is_repeated(line, marks.lines)]
    rows = text_rows(own)
    if not rows:
        return None
    fits = all(any(h.left - 6 <= n.box.x and n.box.right <= h.right + 6 for h in headings) for n in rows[0])
    filled = len({n for line in rows[0] for n, h in enumerate(headings) if h.left <= line.box.middle[0] <= h.right})
    if is_totals_row(rows[0]) or (fits and filled >= max(2, MIN_FILLED_SHARE * len(headings))):
        return min(line.box.y for line in rows[0])
    return None


def _heads(first: Layout, marks: PageMarks) -> list[TextLine]:
    """Return the texts of the header of page 1."""
    assert first.repeat is not None
    header = {line for block in first.blocks if block.id in first.repeat.header for line in block.lines}
    return [line for line in marks.lines if line.id in header]


def _headings_top(first: Layout, marks: PageMarks, page: PageMarks) -> float | None:
    """Return where the header of page 1 begins on a later page; None where that has none."""
    return min((line.box.y for line in _header_on(_heads(first, marks), page.lines)), default=None)


def _header_on(heads: Sequence[TextLine], lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the texts of the header of page 1 on a later page; none where that does not have it."""
    same = [
        line
        for line in lines
        if any(
            _plain(line.text) == _plain(head.text)
            and abs(line.box.middle[0] - head.box.middle[0]) <= PLACE_TOLERANCE_PT
            for head in heads
        )
    ]
    if not heads or not same:
        return []
    height = max(head.box.bottom for head in heads) - min(head.box.y for head in heads)
    top = min(line.box.y for line in same)
    header = [line for line in same if line.box.bottom <= top + height + PLACE_TOLERANCE_PT]
    return header if len(header) >= MIN_HEADER_SHARE * len(heads) else []
