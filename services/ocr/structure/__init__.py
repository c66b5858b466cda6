"""Turn marks into meaning: blocks, the rows that repeat, fixed wording and filled-in values.

Theory of operation
===================

One filled-in copy of a form is all there is, so what is fixed and what was filled in has to be inferred from position,
style and wording. All lengths are points. The steps run in this order.

1. **Blocks** (`blocks.py`). Digits among the bars of a barcode are part of its picture (`barcode_digits.py`). The
   characters of a Chinese label that is set wide apart are one line (`spaced_labels.py`), and so are the parts of a
   text in a table's cell (`parted_cells.py`) or of a date (`whole_dates.py`); a text over two columns is two
   (`close_columns.py`). Cells that span rows of a table are divided, with their text in the first
   row (`merged_cells.py`). A line belongs to the smallest ruled cell that holds 60 % of it; lines of one cell that are
   close, similar and not side by side become one block. Lines outside cells become a paragraph if they have the same
   style, share an edge or their middle to a quarter of the font size, and follow each other at 0.9 to 1.19 font sizes:
   that is a font's own leading, which text that was placed separately rarely has. A run of four or more such lines of
   which 60 % have neighbours beside them is a column of a tight table and stays single lines. A block in a ruled cell
   or a filled bar records that area, which its element will fill.
2. **Title** (`roles.py`): the largest wording in the upper 45 % of the page, if it is clearly larger than the median.
3. **Row candidates** (`row_candidates.py`), from two sources. In a ruled table: runs of two or more rows with the same
   cells. Anywhere: steps, that is vertical distances at which aligned, similar blocks often stand above each other. The
   24 most frequent steps are followed from every block's top down the page, as long as 60 % of the first row's blocks
   have a counterpart; each row corrects the drift of the next. So cards of several lines are rows, too. A header on top
   and totals at the bottom are trimmed. Each block of a row is assigned to a slot, which is a column of the table or a
   position on the card.
4. **Tables below a header** (`headed_tables.py`, `header_rows.py`, `column_split.py`). A header row is better evidence
   than repetition: one record below it is enough, and records may have different heights. Where rules divide every
   record, the cells below a row of headings are a table, too (`ruled_tables.py`). `table_choice.py` scores
   the tables by the evidence for them, on the same scale as the row candidates; the best of both is the detail band.
   Other tables with a header, above and below it, have rows of their own (`several_tables.py`). So have ruled tables
   that are not filled in, where rows are empty below their headings (`blank_rows.py`). In a document that is a
   template itself, its loops and its rows of placeholders are the rows (`template_rows.py`).
   On a receipt or another narrow slip, which has no header, the items with a column of amounts at the right are the
   table if they explain more than any table below a header (`slip_lines.py`, `slip_items.py`, `slip_columns.py`).
   Each heading and each cell of a chosen table becomes one block. Headings and subtotals that divide all records
   (`row_groups.py`) are lines of groups.
5. **Scoring** (`row_scoring.py`). Rows explain the page if the first row predicts where blocks of the others stand:

       score = (predicted blocks - 1.5 x blocks that occur in one row only)
               x (0.6 + 0.4 x consistency)      share of the commonest kind of text in a slot: number, date, text ...
               x (1 + 0.3 x header)             share of slots that have a heading above
               x (0.5 + 0.5 x width / 250)      width of the slots, at most 250 points
               x 1.3 for a ruled table

   What merely looks like rows scores 0: fewer than two shared slots, a list of labels and values (each row asks for
   something else), totals, addresses below labels, paragraphs, or a step that is a multiple of the true one. Two slots
   without a header need wording and an amount in three rows, as on receipts. A total ends the rows above it.
6. **Rows** (`repeats.py`, `headers.py`). The tops of the rows move to the rules or fills that separate them. The header
   is the nearest wording above that stands over the slots and fits together in size and ruling. Slots take their names
   from it, and rules, fills and pictures are assigned to rows. Units beside figures are told from them
   (`unit_slots.py`).
7. **Headings** (`headings.py`): three or more wordings side by side that are labels or stand over values name what is
   below them, in a table of one row or above boxes to fill in.
8. **Roles** (`roles.py`). A text such as `Order #: C40217` is a value with a fixed prefix, and so is a date, a
   telephone number or a long number behind words that name it (`worded_values.py`). Otherwise the nearest label
   names a value: to the left on the same line with nothing between, or directly above, which counts as 40 points
   farther. A label may stand there, too (`labels_beside_labels.py`), or below the
   line that a value is written on (`captioned_values.py`). In ruled cells a label
   needs no colon: it is on top of its value, or in the cell to the left
   (`cell_labels.py`). Above a signature or a date at the bottom of its cell, what a label asks for is a blank
   (`cell_headroom.py`). Numbered boxes, columns of labels beside figures and wording before a colon that was set apart
   are labels whatever their words (`page_labels.py`). 年, 月 and 日 follow the blanks of a date (`date_units.py`). What
   remains is decided by its words (`text_classifier.py`, `wording.toml`): a number, date, code, address or personal
   name is a value; a label, total or sentence is fixed. Lines below a named value go on with it
   (`continued_values.py`), and the lines between a street and a postcode are an address (`address_lines.py`). A heading
   in bold names the address below it (`headed_addresses.py`), and labels on long
   lines ask for what is written behind them (`lined_labels.py`).
9. **Styles** (`role_styles.py`). On a picture, texts of one role have one typeface, unless they differ clearly.

A table that goes on on later pages is joined with them afterwards (`joined_pages.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bandsmith.shared.model.form_reading import FormReading
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Blank, Block, JoinedPages, Layout, Repeat
from bandsmith.shared.template_markers import is_template

from ..page_marks import PageMarks
from .barcode_digits import with_whole_barcodes
from .blank_rows import blank_rows, find_heading_blanks, find_row_blanks, largest
from .blocks import make_blocks
from .boxed_blanks import find_boxed_blanks
from .captioned_values import find_captioned_values
from .cell_headroom import find_headroom
from .cell_labels import find_blanks, labels_of_blanks
from .close_columns import with_close_columns
from .column_totals import find_blank_totals, with_column_totals
from .counted_rows import counted_rows
from .date_units import date_blanks, find_date_units, with_date_units
from .filler_rows import with_filler_rows
from .given_places import with_given_blanks, with_given_ticks
from .given_reading import added_blanks, given_tables, ids_of_parts, with_own_blocks, with_reading, with_roles
from .joined_pages import JoinedTable, join_pages
from .lined_labels import find_lined_blanks
from .lone_values import with_lone_values
from .merged_cells import with_divided_cells
from .open_labels import find_open_blanks
from .page_numbers import with_whole_page_numbers
from .parted_cells import with_joined_cells
from .repeats import align_slots, find_rows, repeat_of_rows, repeat_of_table
from .role_styles import with_role_styles
from .roles import assign_roles, find_title, name_slots
from .rows import RowCandidate
from .several_tables import further_tables
from .slip_columns import with_items
from .slip_wording import SlipSum, with_slip_wording
from .spaced_labels import with_spaced_labels
from .table_choice import best_table, even_pitch, record_edges
from .table_model import HeadedTable
from .template_rows import blocks_by_loop, template_rows
from .tick_labels import name_tick_boxes, with_fixed_wording
from .underline_blanks import find_captions, find_underline_blanks
from .unit_slots import with_units
from .whole_dates import with_whole_dates


class _PageTables(NamedTuple):
    """The tables of a page, and its blocks with a block for each of their cells."""

    blocks: list[Block]
    main: Repeat | None
    others: list[HeadedTable]
    fixed: list[HeadedTable]
    """Tables whose rows cannot grow in number."""
    further: list[Repeat]
    """The rows of other tables that need no more reading."""


def understand(
    page: Size, marks: PageMarks, notes: list[str], *, grouped: bool = True, reading: FormReading | None = None
) -> Layout:
    """Build the layout of a page, its blocks in reading order.

    Unless `grouped`, headings and subtotals among the rows of the main table count as rows. What a `reading` says of
    the page counts instead of what the rules find.
    """
    marks, found, sums = _read_marks(page, marks, grouped, reading)
    repeat, further, are_certain = _rows_of_page(marks, found, reading)
    title = find_title(found.blocks, page)
    tables = [*([repeat, *repeat.group_lines] if repeat else []), *further]
    all_rows = [*([repeat] if repeat else []), *further]
    blocks = _with_rows(found.blocks, tables, marks, reading)
    free = _outside_rows(blocks, tables)
    captions = find_captions(blocks, marks.rules, marks.grids, page.width) | {unit.id for unit in find_date_units(free)}
    recognised = {line.id for line in marks.lines if line.confidence < 1}
    named = _blocks_of(tables) | ({title.id} if title else set())
    captioned = find_captioned_values(blocks, marks.rules, marks.grids, marks.tick_boxes, named)
    blocks = assign_roles(blocks, tables, title, marks.grids, marks.fills, captions, recognised, captioned)
    blocks = with_column_totals(with_slip_wording(blocks, sums, _blocks_of(tables)) if sums else blocks, all_rows)
    blocks = with_roles(blocks, reading, _blocks_of(tables)) if reading is not None else blocks
    blocks = with_fixed_wording(blocks, marks.tick_boxes, marks.lines)
    blocks, marks = with_role_styles(blocks, marks, tables, title)
    in_rows = _blanks_in_rows(marks, blocks, all_rows, are_certain)
    outside = _apart(_blanks_outside_rows(page, marks, blocks, tables, date_blanks(free)), in_rows)
    return Layout(
        page=page,
        lines=marks.lines,
        rules=marks.rules,
        fills=marks.fills,
        pictures=marks.pictures,
        grids=marks.grids,
        blocks=blocks,
        blanks=_with_blanks(reading, outside, in_rows, find_blank_totals(blocks, marks.grids, all_rows)),
        tick_boxes=with_given_ticks(name_tick_boxes(marks.tick_boxes, marks.lines), reading),
        title=title.id if title else None,
        repeat=name_slots(repeat, blocks) if repeat else None,
        fixed_tables=[", ".join(heading.text for heading in one.headings if heading.lines) for one in found.fixed],
        further=[name_slots(one, blocks) for one in further],
        paper=marks.paper,
        notes=notes,
        sheet_cells=marks.sheet_cells,
    )


def _rows_of_page(
    marks: PageMarks, found: _PageTables, reading: FormReading | None
) -> tuple[Repeat | None, list[Repeat], bool]:
    """Return the rows of the main table and those of the others, with rows to fill in and units told from figures.

    The last value is whether all headings are certain: where rows are only counted, or a reading gives the tables.
    """
    blocks = found.blocks
    others = [repeat_of_table(other, blocks, marks.rules, marks.fills, marks.pictures) for other in found.others]
    repeat, further, counted = _with_blank_rows(marks, blocks, found.main, [*found.further, *others])
    are_certain = counted or (reading is not None and reading.tables is not None)
    repeat = with_lone_values(repeat, blocks) if repeat and not are_certain else repeat
    return with_units(repeat, blocks) if repeat else None, [with_units(rows, blocks) for rows in further], are_certain


def _with_rows(
    blocks: list[Block], tables: Sequence[Repeat], marks: PageMarks, reading: FormReading | None
) -> list[Block]:
    """Return the blocks, those of rows aligned in their slots; outside rows, a reading says what is one block."""
    for rows in tables:
        blocks = align_slots(blocks, rows)
    return blocks if reading is None else with_own_blocks(blocks, marks, reading, _blocks_of(tables))


def _with_blank_rows(
    marks: PageMarks, blocks: list[Block], repeat: Repeat | None, further: list[Repeat]
) -> tuple[Repeat | None, list[Repeat], bool]:
    """Return the rows of the main table and those of the others from top to bottom, with their rows to fill in.

    Where no table has values, a blank one is the main table; the last value is whether its rows are only counted.
    """
    repeat = with_filler_rows(repeat, blocks, marks) if repeat else None
    further = [with_filler_rows(rows, blocks, marks) for rows in further]
    taken = [_area(rows, blocks) for rows in [*([repeat] if repeat else []), *further]]
    blank = blank_rows(blocks, marks, taken)
    if repeat is None and (repeat := largest(blank)) is not None:
        blank.remove(repeat)
    counted = None if repeat else counted_rows(blocks, marks)
    return repeat or counted, sorted([*further, *blank], key=lambda rows: rows.box.y), counted is not None


def _with_blanks(reading: FormReading | None, *found: list[Blank]) -> list[Blank]:
    """Return the blanks that a reading gives, and those found elsewhere, as far as it does not deny them."""
    given = added_blanks(reading)
    others = with_given_blanks([blank for blanks in found for blank in blanks], reading)
    return [*given, *_apart(others, given)]


def _blanks_outside_rows(
    page: Size, marks: PageMarks, blocks: list[Block], tables: Sequence[Repeat], dates: list[Blank]
) -> list[Blank]:
    """Return the places to fill in outside the rows: in cells, on lines, and those of a date."""
    in_cells = find_blanks(blocks, marks.grids, tables, labels_of_blanks(blocks, marks.grids, tables))
    on_lines = find_underline_blanks(blocks, marks.rules, marks.grids, tables, page.width)
    lined = find_lined_blanks(blocks, marks.rules, marks.grids, tables)
    in_cells += _apart(find_headroom(blocks, marks.grids, tables), dates)
    found = [*in_cells, *_apart(on_lines, [*dates, *lined]), *_apart(lined, dates), *dates]
    found += _apart(find_boxed_blanks(blocks, marks.fills, tables), found)
    return [*found, *find_open_blanks(blocks, marks, tables, found)]


def _blanks_in_rows(
    marks: PageMarks, blocks: list[Block], rows: Sequence[Repeat], headings_are_certain: bool
) -> list[Blank]:
    """Return the columns of rows in which no row has text: ruled ones, and what only a heading shows."""
    in_cells = find_row_blanks(rows, marks.grids, blocks)
    below = find_heading_blanks(rows, marks.grids, blocks, are_certain=headings_are_certain)
    return [*in_cells, *_apart(below, in_cells)]


def join(layout: Layout, marks: PageMarks, later: Iterable[PageMarks]) -> tuple[Layout, int]:
    """Return the layout of a first page with the later pages on which its table goes on.

    Also returns the number of pictures on them that are left out. The layout is unchanged where the table does not go
    on, or where the joined page would be understood otherwise than the first.
    """
    # Lines of groups cannot be told from rows on the later pages, which have no header of their own to go by.
    is_grouped = layout.repeat is not None and layout.repeat.groups is not None
    first = understand(layout.page, marks, layout.notes, grouped=False) if is_grouped else layout
    if _has_cut_lines(first, marks):
        return layout, 0
    table = join_pages(first, marks, later)
    if table is None:
        return layout, 0
    whole = understand(table.page.size, table.page.marks, layout.notes, grouped=False)
    if not _has_same_rows(first, whole, table):
        return layout, 0
    assert whole.repeat is not None
    repeat = whole.repeat.model_copy(update={"continued": table.rows})
    joined = JoinedPages(
        layout=whole.model_copy(update={"repeat": repeat}),
        pages=table.pages,
        footer_top=table.page.footer_top,
        footer_shift=table.page.footer_shift,
        repeats_head=table.repeats_head,
        running_head=table.running_head,
    )
    return layout.model_copy(update={"joined": joined}), table.page.lost_pictures


def _has_cut_lines(layout: Layout, marks: PageMarks) -> bool:
    """Whether texts were cut where columns meet, as those of a receipt's items, which end with their page."""
    return not {line.id for line in layout.lines} <= {line.id for line in marks.lines}


def _has_same_rows(first: Layout, whole: Layout, table: JoinedTable) -> bool:
    """Whether the main table of the joined page is that of the first page, slot by slot."""
    if first.repeat is None or whole.repeat is None:
        return False
    mine, other = ([slot.blocks for slot in layout.repeat.slots] for layout in (first, whole) if layout.repeat)
    return mine == other and all(len(row) == len(mine) for row in table.rows)


def _find_tables(page: Size, marks: PageMarks, grouped: bool, items: HeadedTable | None) -> _PageTables:
    """Find the main table and the further ones. Each that is found changes which lines make up a block.

    The `items` of a receipt are the main table.
    """
    blocks = blocks_by_loop(marks) if marks.loops else make_blocks(marks.lines, marks.grids, marks.fills)
    if looped := template_rows(blocks, marks):
        return _PageTables(blocks, looped[0], [], [], looped[1:])
    table, points = (items, math.inf) if items else best_table(marks.lines, marks.grids, marks.rules)
    if is_template(line.text for line in marks.lines):
        points = math.inf  # what a template repeats it says itself; only headings are as good
    if table is not None and not grouped:
        table = table.without_groups()
    is_even = table and not (items or table.groups) and even_pitch(table, record_edges(table, marks.rules, marks.fills))
    even = table if is_even else None
    rows = find_rows(blocks, find_title(blocks, page), marks.grids, points, even)
    if rows is None and table is not None:
        blocks = make_blocks(marks.lines, marks.grids, marks.fills, table.cells)
    repeat = _main_rows(page, marks, blocks, rows, table)
    others, fixed = list[HeadedTable](), list[HeadedTable]()
    if repeat is not None:
        others, fixed = further_tables(marks.lines, marks.grids, marks.rules, _area(repeat, blocks))
    if others:
        cells = [cell for other in others for cell in other.cells]
        cells += table.cells if rows is None and table is not None else []
        blocks = make_blocks(marks.lines, marks.grids, marks.fills, cells)
        if rows is not None:
            own = _outside(blocks, others)
            rows = find_rows(own, find_title(own, page), marks.grids, points, even)
        repeat = _main_rows(page, marks, _outside(blocks, others), rows, table)
    return _PageTables(blocks, repeat, others, fixed, [])


def _read_marks(
    page: Size, marks: PageMarks, grouped: bool, reading: FormReading | None
) -> tuple[PageMarks, _PageTables, Sequence[SlipSum]]:
    """Return the marks with whole texts, the tables among them, and the sums of a receipt.

    The tables are those of the reading, if it has any, else what the rules find.
    """
    marks = with_whole_barcodes(marks)
    if reading is not None:
        marks = with_reading(marks, reading)
    apart = ids_of_parts(reading) if reading is not None else ()
    marks = with_divided_cells(with_whole_dates(with_whole_page_numbers(with_spaced_labels(marks, apart))))
    if reading is not None and reading.tables is not None:
        marks = with_date_units(marks)
        return marks, _read_tables(marks, reading), []
    marks, items, sums = with_items(with_joined_cells(with_close_columns(marks)))
    marks = with_date_units(marks)
    return marks, _find_tables(page, marks, grouped, items), sums


def _read_tables(marks: PageMarks, reading: FormReading) -> _PageTables:
    """Return the tables of a reading."""
    tables = given_tables(marks, reading.tables or [])
    blocks = make_blocks(marks.lines, marks.grids, marks.fills, [cell for table in tables for cell in table.cells])
    if not tables:
        return _PageTables(blocks, None, [], [], [])
    main = repeat_of_table(tables[0], blocks, marks.rules, marks.fills, marks.pictures)
    return _PageTables(blocks, main, tables[1:], [], [])


def _blocks_of(tables: Iterable[Repeat]) -> set[str]:
    """Return the ids of the blocks that are rows or headings of a table."""
    slots = [block for table in tables for slot in table.slots for block in slot.blocks if block]
    return {*slots, *(name for table in tables for name in table.header)}


def _main_rows(
    page: Size, marks: PageMarks, blocks: list[Block], rows: RowCandidate | None, table: HeadedTable | None
) -> Repeat | None:
    """Return the rows of the main table, as they repeat or as its header has them."""
    if rows is not None:
        title = find_title(blocks, page)
        others = [block for block in blocks if block is not title]
        return repeat_of_rows(rows, page, others, marks.rules, marks.fills, marks.pictures, table)
    if table is not None:
        return repeat_of_table(table, blocks, marks.rules, marks.fills, marks.pictures)
    return None


def _apart(blanks: list[Blank], others: list[Blank]) -> list[Blank]:
    """Return the blanks that lie on none of the others."""
    return [blank for blank in blanks if not any(blank.box.overlap(other.box) for other in others)]


def _outside_rows(blocks: list[Block], tables: list[Repeat]) -> list[Block]:
    """Return the blocks that belong to no table."""
    inside = {name for rows in tables for slot in rows.slots for name in slot.blocks} | {
        name for rows in tables for name in rows.header
    }
    return [block for block in blocks if block.id not in inside]


def _area(rows: Repeat, blocks: list[Block]) -> Box:
    """Return the area of a table with its header."""
    lines = [one.box for one in rows.group_lines]
    return Box.around([rows.box, *lines, *(block.box for block in blocks if block.id in rows.header)])


def _outside(blocks: list[Block], tables: list[HeadedTable]) -> list[Block]:
    """Return the blocks that belong to none of the tables."""
    inside = {line.id for table in tables for line in table.lines}
    return [block for block in blocks if inside.isdisjoint(block.lines)]
