"""What a language model does not mention stays as it was shown to it, whatever else it changes on the page.

What it leaves out or corrects may be what the rules found something by: a stray line of a table its rows, another
reading of a word the label of the text below it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from bandsmith.shared.model.form_reading import ColumnReading, FormReading, TableReading, ValueReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Repeat, TextLine


def with_what_was_shown(reading: FormReading, before: Layout, after: Layout) -> FormReading | None:
    """Return the reading with all that has become something else unmentioned; None where that is nothing."""
    with_rows = with_kept_rows(reading, before, after)
    with_roles = with_kept_roles(with_rows or reading, before, after)
    return with_roles or with_rows


def with_kept_roles(reading: FormReading, before: Layout, after: Layout) -> FormReading | None:
    """Return the reading with the wording and the values that were shown outside the rows; None where they are so."""
    cells = [name for table in reading.tables or [] for row in table.rows for cell in row for name in cell]
    heads = [name for table in reading.tables or [] for column in table.columns for name in column.heading]
    named = {name.partition(".")[0] for name in (*cells, *heads, *reading.wording)}
    named |= {name.partition(".")[0] for value in reading.values for name in value.lines}
    named |= {
        *reading.parted,
        *reading.left_out,
        *(n for one in (*reading.one_picture, *reading.paragraphs) for n in one),
    }
    now = {frozenset(block.lines): block for block in _outside_rows(after)}
    changed = [
        block
        for block in _outside_rows(before)
        if named.isdisjoint(block.lines) and (new := now.get(frozenset(block.lines))) and new.role != block.role
    ]
    wording = [line for block in changed if block.role == "fixed" for line in block.lines]
    values = [ValueReading(lines=one.lines, label=one.label or "") for one in changed if one.role == "value"]
    kept = {"wording": [*reading.wording, *wording], "values": [*reading.values, *values]}
    return reading.model_copy(update=kept) if changed else None


def _outside_rows(layout: Layout) -> list[Block]:
    inside = {name for table in layout.row_sets for slot in table.slots for name in slot.blocks if name}
    inside |= {name for table in layout.row_sets for name in table.header}
    return [block for block in layout.blocks if block.id not in inside]


def with_kept_rows(reading: FormReading, before: Layout, after: Layout) -> FormReading | None:
    """Return the reading with the rows that were shown; None where they are found again, or have groups."""
    is_grouped = any(table.groups for table in before.tables)
    if reading.tables is not None or not before.tables or is_grouped:
        return None
    added = {one.line.id for one in reading.added}
    if _rows(before, added) == _rows(after, added):
        return None
    gone = {*reading.left_out, *(name for whole in reading.one_picture for name in whole)}
    return reading.model_copy(update={"tables": tables_as_read(before, before.tables, reading, gone)})


def tables_as_read(
    layout: Layout, tables: Sequence[Repeat], reading: FormReading | None = None, gone: Collection[str] = ()
) -> list[TableReading]:
    """Return tables with values as a reading has them, without the lines that are gone."""
    found = [_table(table, layout, reading or FormReading(), gone) for table in tables if table.slots]
    return [table for table in found if table.rows]


def _rows(layout: Layout, added: Collection[str]) -> list[list[set[str]]]:
    """Return the lines of each filled row of each table; a part of a line counts as that line, added print not."""
    by_id = {block.id: block for block in layout.blocks}
    found = []
    for table in layout.tables:
        rows = zip(*(slot.blocks for slot in table.slots), strict=False)
        lines = [
            {line.partition(".")[0] for name in row if name in by_id for line in by_id[name].lines} for row in rows
        ]
        found.append([own for row in lines if (own := row.difference(added))])
    return [rows for rows in found if rows]


def _table(table: Repeat, layout: Layout, reading: FormReading, gone: Collection[str]) -> TableReading:
    by_id = {block.id: block for block in layout.blocks}

    def lines(name: str | None) -> list[str]:
        found = [line for line in by_id[name].lines if line not in gone] if name in by_id else []
        return [part for line in found for part in _parts(line, reading)]

    headings = _headings(table, by_id)
    added = _added_to_cells(table, by_id, headings, reading)
    return TableReading(
        columns=[
            ColumnReading(heading=[line for name in heads for line in lines(name)], name=slot.label or "")
            for slot, heads in zip(table.slots, headings, strict=True)
        ],
        rows=[
            cells
            for number, row in enumerate(zip(*(slot.blocks for slot in table.slots), strict=False))
            if any(cells := [lines(name) + added.get((number, at), []) for at, name in enumerate(row)])
        ],
    )


def _added_to_cells(
    table: Repeat, by_id: Mapping[str, Block], headings: Sequence[Sequence[str]], reading: FormReading
) -> dict[tuple[int, int], list[str]]:
    """Return the ids of the added print that stands in one cell, by its row and column."""
    rows = [_around(row, by_id) for row in zip(*(slot.blocks for slot in table.slots), strict=False)]
    columns = [_around([*slot.blocks, *heads], by_id) for slot, heads in zip(table.slots, headings, strict=True)]
    found: dict[tuple[int, int], list[str]] = {}
    for line in (one.line for one in reading.added if one.line.text):
        beside = [number for number, box in enumerate(rows) if box and box.y <= line.box.middle[1] <= box.bottom]
        below = [number for number, box in enumerate(columns) if box and _is_below(line, box)]
        if len(beside) == len(below) == 1:
            found.setdefault((beside[0], below[0]), []).append(line.id)
    return found


def _around(names: Iterable[str | None], by_id: Mapping[str, Block]) -> Box | None:
    boxes = [by_id[name].box for name in names if name is not None and name in by_id]
    return Box.around(boxes) if boxes else None


def _is_below(line: TextLine, column: Box) -> bool:
    return line.box.x < column.right and column.x < line.box.right


def _parts(line: str, reading: FormReading) -> list[str]:
    parts = reading.parted.get(line, [])
    return [f"{line}.{number}" for number in range(1, len(parts) + 1)] or [line]


def _headings(table: Repeat, by_id: Mapping[str, Block]) -> list[list[str]]:
    """Return the headings of each column: each belongs to the column whose texts are nearest below it."""
    middles = [
        [by_id[name].box.middle[0] for name in slot.blocks if name is not None and name in by_id]
        for slot in table.slots
    ]
    found: list[list[str]] = [[] for _ in table.slots]
    for name in table.header:
        if name in by_id:
            x = by_id[name].box.middle[0]
            said = [number for number, slot in enumerate(table.slots) if slot.label == by_id[name].text]
            near = min(
                range(len(middles)),
                key=lambda number: min((abs(x - middle) for middle in middles[number]), default=float("inf")),
            )
            found[said[0] if said else near].append(name)
    return found
