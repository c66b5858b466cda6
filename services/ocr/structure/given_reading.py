"""What a language model says of a page, applied: its tables, its values and wording, and what is no part of the form.

A reading names lines and pictures. Parts of a cell or value that stand beside each other become one line first, so
that they are one text; all else is done as with what the rules find.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.form_reading import ColumnReading, FormReading, TableReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Layout, Picture, TextLine
from bandsmith.shared.text_parts import parts_of

from ..page_marks import PageMarks
from .blocks import make_blocks, reading_order
from .parted_cells import joined
from .table_model import HeadedTable, Heading, TableRecord, are_beside
from .text_classifier import split_prefix
from .worded_values import split_words


def marks_of(layout: Layout) -> PageMarks:
    """Return what is on the page of a layout."""
    return PageMarks(
        lines=layout.lines,
        rules=layout.rules,
        fills=layout.fills,
        pictures=layout.pictures,
        grids=layout.grids,
        tick_boxes=layout.tick_boxes,
        paper=layout.paper,
        sheet_cells=layout.sheet_cells,
    )


def with_reading(marks: PageMarks, reading: FormReading) -> PageMarks:
    """Return the marks without what is left out, the texts of each cell and value as few lines as they have."""
    pictures = _wholes(marks, reading)
    replaced = {one.replaces for one in reading.added if one.replaces}
    marks = marks.without({*reading.left_out, *replaced, *(name for whole in reading.one_picture for name in whole)})
    printed = [one.line for one in reading.added if one.line.text]
    kept = [_as_read(line, reading) for line in [*marks.lines, *printed]]
    parts = [part for line in kept for part in parts_of(line, reading.parted.get(line.id, []))]
    by_id = {part.id: _as_read(part, reading) for part in parts}
    cells = [cell for table in reading.tables or [] for row in table.rows for cell in row]
    wholes: dict[str, TextLine] = {}
    absorbed: set[str] = set()
    for names in [*cells, *(value.lines for value in reading.values), *reading.paragraphs]:
        parts = [by_id[name] for name in names if name in by_id and name not in absorbed]
        for row in _print_lines(parts):
            if len(row) > 1:
                wholes[row[0].id] = joined(row)
                absorbed |= {line.id for line in row[1:]}
    lines = [wholes.get(line.id, line) for line in by_id.values() if line.id not in absorbed]
    return replace(marks, lines=lines, pictures=[*marks.pictures, *pictures])


def ids_of_parts(reading: FormReading) -> set[str]:
    """Return the ids of the parts of divided texts."""
    return {f"{line}.{number}" for line, parts in reading.parted.items() for number in range(1, len(parts) + 1)}


def _wholes(marks: PageMarks, reading: FormReading) -> list[Picture]:
    """Return a picture around the pieces of each that is one; it is a seal where one of them is."""
    by_id = {mark.id: mark for mark in marks.named}
    found = []
    for number, names in enumerate(reading.one_picture, 1):
        pieces = [by_id[name] for name in names if name in by_id]
        is_seal = any(isinstance(piece, Picture) and piece.kind == "seal" for piece in pieces)
        if pieces:
            box = Box.around(piece.box for piece in pieces)
            found.append(Picture(id=f"whole{number}", box=box, kind="seal" if is_seal else "image"))
    return found


def added_blanks(reading: FormReading | None) -> list[Blank]:
    """Return the places to fill in that a reading adds."""
    added = [one for one in reading.added if not one.line.text] if reading else []
    return [
        Blank(
            id=one.line.id,
            label=one.label,
            box=one.line.box,
            style=one.line.style.model_copy(update={"bold": False}),
        )
        for one in added
    ]


def _as_read(line: TextLine, reading: FormReading) -> TextLine:
    return line.model_copy(update={"text": reading.misread[line.id]}) if line.id in reading.misread else line


def _print_lines(parts: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return texts by the line of print that they stand on, each from left to right."""
    rows: list[list[TextLine]] = []
    for part in sorted(parts, key=lambda line: line.box.x):
        row = next((row for row in rows if are_beside(row[-1], part)), None)
        if row is None:
            rows.append([part])
        else:
            row.append(part)
    return rows


def given_tables(marks: PageMarks, tables: Iterable[TableReading]) -> list[HeadedTable]:
    """Return the tables of a reading, without those of which no text is on the page."""
    by_id = {line.id: line for line in marks.lines}
    found = (_table(by_id, table) for table in tables)
    return [table for table in found if table.records]


def _table(by_id: Mapping[str, TextLine], table: TableReading) -> HeadedTable:
    records = []
    for row in table.rows:
        cells = {column: _known(by_id, cell) for column, cell in enumerate(row)}
        if filled := {column: lines for column, lines in cells.items() if lines}:
            record = TableRecord()
            record.add(filled)
            records.append(record)
    headings = []
    for number, (column, own) in enumerate(zip(table.columns, _own_headings(by_id, table, records), strict=True)):
        lines = _known(by_id, own)
        inks = [*lines, *(line for record in records for line in record.cells.get(number, []))]
        area = Box.around(line.box for line in inks) if inks else Box(x=0, y=0, width=0, height=0)
        headings.append(Heading(lines, area.x, area.right, name=_heading_name(column, lines, by_id)))
    return HeadedTable(headings, records, ends_in_total=False)


def _own_headings(
    by_id: Mapping[str, TextLine], table: TableReading, records: Sequence[TableRecord]
) -> list[list[str]]:
    """Return the texts that head each column alone.

    Of columns that have no other heading than one over them all, such as an amount and its currency, the one that is
    nearest below the heading has it.
    """
    uses = Counter(name for column in table.columns for name in set(column.heading))
    own = [[name for name in column.heading if uses[name] == 1] for column in table.columns]
    for name in [name for name, count in uses.items() if count > 1 and name in by_id]:
        below = [number for number, column in enumerate(table.columns) if name in column.heading]
        places = {
            number: Box.around(line.box for line in inks).middle[0]
            for number in below
            if (inks := [line for record in records for line in record.cells.get(number, [])])
        }
        if places and not any(own[number] for number in below):
            x = by_id[name].box.middle[0]
            own[min(places, key=lambda number: abs(places[number] - x))].append(name)
    return own


def _heading_name(column: ColumnReading, own: Sequence[TextLine], by_id: Mapping[str, TextLine]) -> str:
    """Return what a column is called where its own lines do not say it: a text over it may head others, too."""
    lines = _known(by_id, column.heading)
    if len(lines) > len(own) and (own or not column.name):
        return " ".join(line.text for line in lines)
    return "" if own else column.name


def _known(by_id: Mapping[str, TextLine], names: Iterable[str]) -> list[TextLine]:
    return [by_id[name] for name in names if name in by_id]


def with_own_blocks(blocks: list[Block], marks: PageMarks, reading: FormReading, in_tables: set[str]) -> list[Block]:
    """Return the blocks, in reading order, with one of its own for each value and paragraph outside the tables."""
    by_id = {line.id: line for line in marks.lines}
    names = [*(value.lines for value in reading.values), *reading.paragraphs]
    texts = [lines for one in names if (lines := _known(by_id, one))]
    named = {line.id for text in texts for line in text}
    mixed = [block for block in blocks if block.id not in in_tables and not named.isdisjoint(block.lines)]
    lines = [by_id[name] for block in mixed for name in block.lines]
    free = {line.id for line in lines}
    whole = [text for text in texts if free.issuperset(line.id for line in text)]
    kept = [block for block in blocks if block not in mixed]
    return sorted([*kept, *make_blocks(lines, marks.grids, marks.fills, whole)], key=reading_order)


def with_roles(blocks: list[Block], reading: FormReading, in_tables: set[str]) -> list[Block]:
    """Return the blocks, those outside the tables with the role and label that the reading gives them."""
    labels = {line: value.label for value in reading.values for line in value.lines}
    wording = {*reading.wording, *(line for lines in reading.paragraphs for line in lines)}

    def read(block: Block) -> Block:
        label = next((labels[line] for line in block.lines if line in labels), None)
        if label is not None:
            prefix = _prefix_of(block, label, blocks)
            return block.model_copy(update={"role": "value", "label": label or block.label, "prefix": prefix})
        if not wording.isdisjoint(block.lines):
            return block.model_copy(update={"role": "fixed", "label": None, "prefix": ""})
        return block

    return [block if block.id in in_tables else read(block) for block in blocks]


def _prefix_of(block: Block, label: str, blocks: Sequence[Block]) -> str:
    """Return the wording at the start of a value, which may be its label unless that stands elsewhere on the page.

    What stands before a colon is a part of the value where the reading gives it another label: 备注 over 订单号: 4711.
    """
    name = plain_label(label).casefold()
    is_elsewhere = any(other is not block and plain_label(other.text).casefold() == name for other in blocks)
    if prefix := block.prefix or split_prefix(block.text)[0] or split_words(block.text)[0]:
        return "" if name and is_elsewhere and plain_label(prefix).casefold() != name else prefix
    start = re.match(rf"{re.escape(label)}(?:[^\S\n]*[:：#=])?[^\S\n]+(?=\S)", block.text) if label else None
    return start.group() if start and not is_elsewhere else ""
