"""Collect what speaks against a template that was made from a form, as numbers. `checks.grading` judges them.

Ink counts as lost or added if the other page has none within `INK_TOLERANCE_PT`. Unlike the share of texts in position,
this also judges what was not recognised as text: handwriting, stamps, rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, TextLine
from bandsmith.shared.model.verdict import Likeness, Printed

from .checks.likeness import PageComparison
from .data_model import (
    blank_share,
    headed_share,
    is_aligned,
    label_share,
    marker_count,
    outside_share,
    part_share,
    prints_template,
)
from .pictures import PX, Pixels, ink_apart

INK_TOLERANCE_PT = 2.5
"""A pixel of ink is on both pages if they differ by no more than this."""
CLEAR_CONFIDENCE = 0.85
"""A line that was read with less confidence is doubtful."""
OVERLAP_TOLERANCE_PT = 1.5
MIN_VALUES = 10
"""Fewer values are soon named by hand, and count as so many."""
MIN_COLUMNS, MIN_COLUMNS_WITHOUT_HEADER = 2, 3
"""Lines of fewer texts are as likely labels with their values as rows."""
MAX_ROW_STEP, MIN_COLUMNS_FILLED = 2.0, 0.6
"""A row of a table follows within so many of its rows' heights, and fills this share of the columns."""
MIN_PICTURE_INK = 20
"""Pixels of ink from which a picture can be seen to be missing."""


class Evidence(NamedTuple):
    """What speaks against a template. Shares are from 0 to 1; 0 is best."""

    texts: float
    """The form's texts that are not in their position."""
    lost: float
    """The form's ink that the page has not."""
    added: float
    """The page's ink that the form has not."""
    doubtful: float
    """Letters in lines that were read with little confidence."""
    overlaps: float
    """Printed texts that another one covers."""
    picture: float
    """The page's area under its largest picture."""
    fragments: int
    """Pictures on the form other than barcodes and the seals of a document. Many are pieces of what was not read."""
    missing: int
    """Pictures of the form that the page has not."""
    rows: float
    """Rows of the table that are left out of the detail band; all of them where a page with a table has none."""
    blank: float
    """Rows of tables that are empty below their headings, and do not repeat."""
    labels: float
    """Repeated rows that are a label with its value."""
    parts: float
    """Repeated rows that are a part of an item of several lines."""
    loops: int
    """Marks of a template's loops and conditions that are printed as text."""
    fixed: float
    """Texts that no data fill."""
    unnamed: float
    """Values that no wording on the form names."""
    pages: int
    """Pages printed beyond those of the form."""


def collect(pages: PageComparison, likeness: Likeness, count: int) -> Evidence:
    """Collect what speaks against a template; its report has `count` pages."""
    layout, form, page = pages.layout, pages.form.ink, pages.page.on_canvas(pages.form.shape).ink
    areas = [one.box.width * one.box.height for one in layout.pictures]
    fixed = sum(block.role == "fixed" for block in layout.blocks)
    return Evidence(
        texts=1 - likeness.texts,
        lost=_share_apart(form, page),
        added=_share_apart(page, form),
        doubtful=_doubtful_share(layout.lines),
        overlaps=_covered_share(pages.printed),
        picture=max(areas, default=0.0) / (layout.page.width * layout.page.height),
        fragments=sum(one.kind != "barcode" and one.content is None for one in layout.pictures),
        missing=sum(_is_missing(one.box, form, page) for one in layout.pictures),
        rows=max(_left_out_share(layout), outside_share(layout), headed_share(layout)),
        blank=blank_share(layout),
        labels=label_share(layout),
        parts=part_share(layout),
        loops=marker_count(layout),
        fixed=fixed / max(1, len(layout.blocks) + len(layout.blanks)),
        unnamed=_unnamed_share(layout),
        pages=max(0, count - layout.pages),
    )


def _share_apart(ink: Pixels, other: Pixels) -> float:
    """The share of ink that the other page has not."""
    return float(ink_apart(ink, other, INK_TOLERANCE_PT).sum()) / max(1, int(ink.sum()))


def _doubtful_share(lines: Sequence[TextLine]) -> float:
    letters = [(len(line.text), line.confidence) for line in lines]
    return sum(n for n, confidence in letters if confidence < CLEAR_CONFIDENCE) / max(1, sum(n for n, _ in letters))


def _covered_share(printed: Sequence[Printed]) -> float:
    """The share of printed texts whose ink another text's ink covers in part."""
    inks = sorted((item.ink for item in printed if item.ink is not None), key=lambda ink: ink.y)
    covered = set[int]()
    for index, one in enumerate(inks):
        for other in range(index + 1, len(inks)):
            if inks[other].y > one.bottom - OVERLAP_TOLERANCE_PT:
                break
            if _overlap(one, inks[other]):
                covered |= {index, other}
    return len(covered) / max(1, len(inks))


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return min(across, down) > OVERLAP_TOLERANCE_PT


def _is_missing(box: Box, form: Pixels, page: Pixels) -> bool:
    """Whether the page has next to no ink where the form has a picture."""
    area = np.s_[int(box.y * PX) : int(box.bottom * PX), int(box.x * PX) : int(box.right * PX)]
    wanted = int(form[area].sum())
    return wanted >= MIN_PICTURE_INK and int(page[area].sum()) < 0.2 * wanted


def _unnamed_share(layout: Layout) -> float:
    slots = [slot for table in layout.tables for slot in table.slots]
    in_rows = {name for rows in layout.row_sets for slot in rows.slots for name in slot.blocks}
    values = [block.label for block in layout.blocks if block.role == "value" and block.id not in in_rows]
    values += [slot.label for slot in slots if slot.role == "value"]
    return sum(not label for label in values) / max(MIN_VALUES, len(values))


def _left_out_share(layout: Layout) -> float:
    """The share of a table's rows that are outside the detail band, above or below it.

    A line of texts is taken for such a row if it continues the rows at about their distance, in most of their columns.
    """
    repeat = layout.repeat
    if repeat is None or not repeat.slots:
        return 0.0
    if prints_template(layout):
        return 0.0
    blocks = {block.id: block for block in layout.blocks}
    columns = _side_by_side(Box.around(blocks[name].box for name in slot.blocks if name) for slot in repeat.slots)
    if len(columns) < (MIN_COLUMNS if repeat.header else MIN_COLUMNS_WITHOUT_HEADER):
        return 0.0
    lines = [repeat, *repeat.group_lines]
    inside = {name for one in lines for slot in one.slots for name in slot.blocks} | {*repeat.header, layout.title}
    named = _named_values(layout)
    others = sorted((b.box for b in layout.blocks if b.id not in inside | named), key=lambda box: box.middle[1])
    text_rows = _text_rows(others)
    above = [line for line in reversed(text_rows) if line[0].bottom <= repeat.tops[0] + 2]
    below = [line for line in text_rows if line[0].y >= repeat.tops[-1] + 0.5 * repeat.pitch]
    left_out = _continuing(above, columns, repeat.tops[0], repeat.pitch)
    left_out += _continuing(below, columns, repeat.box.bottom, repeat.pitch)
    return left_out / (left_out + repeat.rows)


def _named_values(layout: Layout) -> set[str]:
    """The values that a text on their line names, such as a subtotal: such a line is no row."""
    return {
        block.id
        for block in layout.blocks
        if block.role == "value" and any(_names(other, block) for other in layout.blocks if other.role == "fixed")
    }


def _names(label: Block, value: Block) -> bool:
    is_beside = label.box.right <= value.box.x and abs(label.box.middle[1] - value.box.middle[1]) < label.box.height / 2
    return is_beside and bool(value.label) and label.text.strip().rstrip(":：#").strip() == value.label


def _side_by_side(boxes: Iterable[Box]) -> list[Box]:
    """Leave out boxes above or below another one: they are lines of one column."""
    columns: list[Box] = []
    for box in boxes:
        if all(box.right <= other.x or other.right <= box.x for other in columns):
            columns.append(box)
    return columns


def _text_rows(boxes: Sequence[Box]) -> list[list[Box]]:
    """Group boxes that stand beside each other. `boxes` are sorted by their middles."""
    rows: list[list[Box]] = []
    for box in boxes:
        if rows and abs(box.middle[1] - rows[-1][0].middle[1]) < 0.5 * box.height:
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _continuing(rows: Sequence[Sequence[Box]], columns: Sequence[Box], edge: float, pitch: float) -> int:
    """Count the rows next to `edge`, one after the other, that fill most of the columns."""
    count, last = 0, edge
    for row in rows:
        y = row[0].middle[1]
        if abs(y - last) > MAX_ROW_STEP * pitch:
            break
        filled = sum(any(is_aligned(box, column) for box in row) for column in columns)
        if filled >= max(2.0, MIN_COLUMNS_FILLED * len(columns)):
            count, last = count + 1, y
    return count
