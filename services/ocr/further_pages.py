"""The later pages of a document that are no rows of its table: each becomes a further page of the same template.

Theory of operation
===================

Each page is read and understood by itself, since tables and labels do not reach over the end of a page. Their layouts
go with that of page 1, and their pictures below it in one picture. The ids of a page's marks begin with its number.

A report has one size of paper, so a page of another size ends the document. A page with the wording of page 1 at its
places, but other values, is another copy of the form, whose values belong into the data, and not into the template.
Where page 1 has a table with values, or one is joined over several pages, one page can follow: the engine has one
band, the summary, that is as high as a page and comes after the rows. A second one would need another such band. The
reply says so.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np

from bandsmith.shared.errors import BadInput
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.form_reading import FormReading
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Grid, Layout, Repeat, Slot
from bandsmith.shared.replies import Text

from .clauses import are_clauses
from .kept_reading import tables_as_read
from .later_pages import LaterPage, LaterPages
from .page_marks import PageMarks
from .readable import check_readable
from .structure import understand

MAX_FURTHER_PAGES = 12
"""Pages after the first one that become further pages of its template."""
MAX_PIXELS = 80_000_000
"""Pixels of all pages together."""
SIZE_TOLERANCE = 0.03
"""Share of a side by which the pages of one document differ, as they do where they were cut from photos."""
MIN_SAME_WORDING, SAME_PLACE_PT = 0.6, 12.0
"""A page with this share of page 1's wording, each within this distance of its place there, is a copy of the form."""
MIN_ALL_WORDING, MAX_NEW_TEXTS = 0.85, 0.05
"""A page with this share of page 1's wording, and no more texts elsewhere, is a copy whatever its values are."""
MIN_SAME_TEXTS = 0.9
"""A page with this share of its texts on page 1 is a second print of it."""
MIN_ROWS_WITHOUT_HEADINGS = 5
"""Number of rows from which on they are a table without headings."""
MIN_WORDS_OF_SENTENCE = 6
"""Number of words from which on a line is one of a sentence."""
MIN_COMPARED = 5
"""Number of texts from which on pages can be compared."""

_Point = tuple[float, float]


class FurtherPages(NamedTuple):
    """What becomes of the pages after the first one."""

    layouts: list[Layout]
    pictures: list[np.ndarray]
    """Each page, of the size of page 1."""
    lost_rows: list[int]
    """The numbers of the pages on which what looks like rows stays as it is."""
    note: Text | None = None
    """Why it ends there; None where the document does, or where nothing more is known."""


def read_further_pages(first: Layout, pixels: np.ndarray, later: LaterPages, count: int) -> FurtherPages:
    """Return the pages after the first one, as far as they can be pages of the same template.

    `first` is the layout that page 1 has with them, or the joined pages. `pixels` is page 1. The document has `count`
    pages. Blank pages at the end, or before a page that is left out, are left out.
    """
    found = FurtherPages([], [], [])
    number, most = 1 + first.pages, min(MAX_FURTHER_PAGES, MAX_PIXELS // (pixels.shape[0] * pixels.shape[1]) - 1)
    blank = odd = 0
    while number <= count and len(found.layouts) < most and (page := later.page(number)) is not None:
        reason = _reason_against(first, page, number, odd)
        own = None if reason else understand_page(first.page, page.marks, [])
        if own and is_copy(first, own.layout):
            code = "copies_or_rows" if first.tables else "copies"
            reason = Text.of(f"documents.notes.{code}", page=number)
        if reason or own is None:
            return _without_blanks(found._replace(note=reason), blank, number)
        if has_table(first) and not page.is_blank and (found.layouts or not _has_space_below_rows(first)):
            note = Text.of(f"documents.notes.{'one_page_after_rows' if found.layouts else 'rows_before'}", page=number)
            return _without_blanks(found._replace(note=note), blank, number)
        found.layouts.append(_with_prefix(own.layout, f"p{number}-"))
        found.pictures.append(_of_shape(page.page.pixels, pixels.shape))
        found.lost_rows.extend([number] * own.has_lost_rows)
        blank = blank + 1 if page.is_blank else 0
        odd = (odd or number * (not _has_size_of(first.page, page.page.size))) if page.is_blank else 0
        number += 1
    return _without_blanks(found, blank, number if number > count else 0)


def _without_blanks(found: FurtherPages, blank: int, end: int) -> FurtherPages:
    """Return the pages without so many blank ones at their end, which the note names.

    `end` is the page after the blank ones; 0 where the note on what is left out names them, too.
    """
    kept, note = len(found.layouts) - blank, found.note
    if blank and end:
        said = Text.of("documents.notes.blank_pages", count=blank, first=end - blank, last=end - 1)
        note = Text(f"{said.en} {note.en}", f"{said.zh}{note.zh}") if note else said
    return found._replace(layouts=found.layouts[:kept], pictures=found.pictures[:kept], note=note)


def _reason_against(first: Layout, page: LaterPage, number: int, odd: int) -> Text | None:
    """Return why a page, and what comes after it, cannot be a page of the same template; None where it can.

    `odd` is the number of a blank page of another size before it, or 0.
    """
    if page.is_blank:
        return None
    if not _is_readable(page):
        return Text.of("documents.notes.unreadable_page", page=number)
    if odd or not _has_size_of(first.page, page.page.size):
        return Text.of("documents.notes.other_size", page=odd or number)
    return None


def with_further_pages(first: Layout, later: list[Layout]) -> Layout:
    """Return the layout of page 1 with the later pages.

    The rows of its table stay those of the report, which one page may follow. Rows to fill in are those of a list, as
    on other pages.
    """
    if not later or (has_table(first) and len(later) == 1):
        return first.model_copy(update={"later": later})
    return first.model_copy(update={"later": later, "repeat": None, "further": first.tables})


def _has_space_below_rows(first: Layout) -> bool:
    """Whether what stands above the rows and below them fits on one page, as the engine requires where a page follows.

    Both are on one page unless the table was joined from several.
    """
    whole = first.whole
    assert whole.repeat is not None
    rows = whole.repeat.box.height - whole.repeat.pitch
    return first.joined is None or whole.page.height - rows <= first.page.height


def is_copy(first: Layout, other: Layout) -> bool:
    """Whether a page is another copy of the form: page 1's wording at its places, with other values, or all the same.

    A page that repeats the head of page 1 has its wording too, but with the same values, and other texts below. Copies
    for one person have many values in common, so where nothing new stands on the page, it is a copy in any case.
    """
    pairs = [(block, _at_place_of(block, other)) for block in first.blocks if block.text.strip()]
    wording = [one is not None and one.text == block.text for block, one in pairs if block.role == "fixed"]
    if len(wording) < MIN_COMPARED or sum(wording) < MIN_SAME_WORDING * len(wording):
        return False
    if sum(wording) >= MIN_ALL_WORDING * len(wording) and not _has_new_texts(first, other):
        return True
    values = [one.text == block.text for block, one in pairs if block.role == "value" and one is not None]
    same = sum(one is not None and one.text == block.text for block, one in pairs)
    return sum(values) < len(values) / 2 or same >= MIN_SAME_TEXTS * max(len(pairs), len(other.blocks))


def _has_new_texts(first: Layout, other: Layout) -> bool:
    """Whether a page has texts where page 1 has none."""
    texts = [block for block in other.blocks if block.text.strip()]
    return sum(_at_place_of(block, first) is None for block in texts) > MAX_NEW_TEXTS * len(texts)


def _at_place_of(block: Block, other: Layout) -> Block | None:
    """Return the text of another page at the place of one of this page, the same one if there are several."""
    near = [
        one
        for one in other.blocks
        if abs(one.box.x - block.box.x) <= SAME_PLACE_PT and abs(one.box.y - block.box.y) <= SAME_PLACE_PT
    ]
    return next((one for one in near if one.text == block.text), near[0] if near else None)


def has_table(layout: Layout) -> bool:
    """Whether the page has rows with values, which grow in number."""
    repeat = layout.whole.repeat
    has_values = repeat is not None and any(any(slot.blocks) for slot in repeat.slots)
    return has_values and repeat is not None and _is_table(layout.whole, repeat) and not has_boxes(layout.whole)


def _is_table(layout: Layout, rows: Repeat) -> bool:
    """Whether rows have headings, or are too many for clauses that happen to be alike, and are no sentences."""
    has_headings = bool(rows.header) and not _begin_with_label(layout, rows)
    return (has_headings or rows.rows >= MIN_ROWS_WITHOUT_HEADINGS) and not _are_sentences(layout, rows)


def _begin_with_label(layout: Layout, rows: Repeat) -> bool:
    """Whether a label with a colon begins every row, so that what is above it is the value of another one."""
    texts = {block.id: block.text for block in layout.blocks}
    names = [slot.blocks for slot in rows.slots if slot.role == "fixed"]
    return any(all(name and texts.get(name, "").rstrip().endswith((":", "：")) for name in one) for one in names)


def _are_sentences(layout: Layout, rows: Repeat) -> bool:
    """Whether each row is a sentence, in one line or more, as clauses are, and nothing is beside it."""
    blocks = {block.id: block for block in layout.blocks}
    found = [[blocks[name] for name in slot.blocks if name in blocks] for slot in rows.slots]
    texts = [texts for texts in found if texts]
    lefts = [min(text.box.x for text in column) for column in texts]
    rights = [max(text.box.right for text in column) for column in texts]
    if not texts or max(lefts) >= min(rights):
        return False
    return any(statistics.median(map(_words_in, column)) >= MIN_WORDS_OF_SENTENCE for column in texts)


def _words_in(block: Block) -> int:
    """Return the number of words; in Chinese, of characters for two."""
    cjk = sum(map(is_cjk, block.text))
    return len(block.text.split()) + cjk // 2


def has_boxes(layout: Layout) -> bool:
    """Whether the rows of the main table are boxes of a form, with a label and a value in each.

    Then a heading shares its ruled cell with a value of a row, or two values of a row with one heading share theirs.
    """
    if layout.repeat is None:
        return False
    texts = {block.id: block.box.middle for block in layout.blocks}
    cells = [cell.box for grid in layout.grids for cell in grid.cells]
    slots = [[texts[name] for name in slot.blocks if name in texts] for slot in layout.repeat.slots]
    headings = [texts[name] for name in layout.repeat.header if name in texts]
    if _share_cell(cells, headings, [value for values in slots for value in values]):
        return True
    labels = [slot.label if slot.role == "value" else None for slot in layout.repeat.slots]
    pairs = combinations(zip(labels, slots, strict=True), 2)
    return any(_share_cell(cells, one[1], other[1]) for one, other in pairs if one[0] and one[0] == other[0])


def _share_cell(cells: Sequence[Box], ones: Sequence[_Point], others: Sequence[_Point]) -> bool:
    """Whether a cell holds a point of both."""
    return any(any(cell.holds(*one) for one in ones) and any(cell.holds(*other) for other in others) for cell in cells)


class PageLayout(NamedTuple):
    """One of several pages."""

    layout: Layout
    has_lost_rows: bool = False
    """Whether what looks like rows stays as it is."""


def understand_page(
    size: Size, marks: PageMarks, notes: list[str], reading: FormReading | None = None, known: Layout | None = None
) -> PageLayout:
    """Return the layout of one of several pages.

    Boxes of a form with labels and numbered clauses are no tables, unless a template or a reading says itself what
    repeats. Lines of groups are rows. `known` is the layout of the page alone, if that has been found.
    """
    is_known = known is not None and reading is None and not any(table.groups for table in known.tables)
    layout = known if known and is_known else understand(size, marks, notes, grouped=False, reading=reading)
    is_given = bool(marks.loops) or (reading is not None and reading.tables is not None)
    if is_given or not (has_boxes(layout) or are_clauses(layout)):
        return PageLayout(layout)
    others = [table for table in layout.further if _is_table(layout, table)]
    given = (reading or FormReading()).model_copy(update={"tables": tables_as_read(layout, others)})
    return PageLayout(understand(size, marks, notes, grouped=False, reading=given), has_lost_rows=True)


def _is_readable(page: LaterPage) -> bool:
    try:
        check_readable(page.page, page.marks)
    except BadInput:
        return False
    return True


def _has_size_of(first: Size, other: Size) -> bool:
    sides = ((first.width, other.width), (first.height, other.height))
    return all(abs(one - two) <= SIZE_TOLERANCE * one for one, two in sides)


def _of_shape(pixels: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return a picture cut or extended with white to a shape."""
    height, width = min(shape[0], pixels.shape[0]), min(shape[1], pixels.shape[1])
    canvas = np.full(shape, 255, np.uint8)
    canvas[:height, :width] = pixels[:height, :width]
    return canvas


def below_each_other(pictures: list[np.ndarray]) -> np.ndarray:
    """Return pictures as one, made as wide as the widest."""
    width = max(picture.shape[1] for picture in pictures)
    edges = [width - picture.shape[1] for picture in pictures]
    white = (255, 255, 255)
    return np.vstack(
        [
            cv2.copyMakeBorder(picture, 0, 0, 0, edge, cv2.BORDER_CONSTANT, value=white) if edge else picture
            for picture, edge in zip(pictures, edges, strict=True)
        ]
    )


def _with_prefix(layout: Layout, prefix: str) -> Layout:
    """Return a layout in which every id begins with a prefix."""

    def named(names: list[str]) -> list[str]:
        return [prefix + name for name in names]

    def slot(one: Slot) -> Slot:
        return one.model_copy(update={"blocks": [name and prefix + name for name in one.blocks]})

    def table(one: Repeat) -> Repeat:
        return one.model_copy(
            update={
                "slots": [slot(each) for each in one.slots],
                "marks": [named(row) for row in one.marks],
                "header": named(one.header),
                "grid": one.grid and prefix + one.grid,
            }
        )

    def grid(one: Grid) -> Grid:
        return one.model_copy(update={"id": prefix + one.id, "rules": named(one.rules)})

    plain = ("lines", "rules", "fills", "pictures", "blanks", "tick_boxes")
    marks = {kind: [one.model_copy(update={"id": prefix + one.id}) for one in getattr(layout, kind)] for kind in plain}
    blocks = [one.model_copy(update={"id": prefix + one.id, "lines": named(one.lines)}) for one in layout.blocks]
    return layout.model_copy(
        update={
            **marks,
            "blocks": blocks,
            "grids": [grid(one) for one in layout.grids],
            "title": layout.title and prefix + layout.title,
            "repeat": None,
            "further": [table(one) for one in layout.tables],
        }
    )
