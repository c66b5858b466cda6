"""Find the rows that repeat down the page: a table's rows, or cards of several lines.

The best-scoring candidate becomes the repeat: where its rows begin, what names its slots, which marks belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import (
    Align,
    Block,
    Fill,
    Grid,
    Picture,
    Repeat,
    RowGroups,
    RulingLine,
    Slot,
    TextLine,
)

from .headers import find_header, heads_rows, named_slots
from .label_cells import are_label_cells, find_labelled_cells
from .row_candidates import RuledRows, from_grids, from_steps
from .row_scoring import is_fixed, score
from .rows import RowCandidate, SlotCandidate
from .table_choice import even_pitch, low_pitch, record_edges
from .table_model import HeadedTable, TableRecord
from .text_classifier import split_prefix, text_kind

MAX_WRAPPING_SHARE = 0.12
"""Where more of a table's columns wrap, the lines of a cell are one text."""
SAME_LINE_PT = 4.0
"""Texts of one column that stand less than this apart in their rows are in one line of it."""
HEADER_TOLERANCE_PT = 1.5
"""Difference up to which a text and its header have an edge in common."""
TURNED = 1.1
"""A text of two letters and more is turned if it is this many times as high as wide."""
DIVIDER_TOLERANCE_PT = 1.0
"""Difference up to which edges between rows are in the same place of each."""
EDGE_TOLERANCE_PT = 0.6
"""Difference up to which edges of one slot are the same edge."""


def find_rows(
    blocks: list[Block], title: Block | None, grids: list[Grid], to_beat: float, even: HeadedTable | None
) -> RowCandidate | None:
    """Return the rows that explain the page best by their repetition, if their score is above `to_beat`.

    Rows that are the records of the table `even`, which all have the same height, are returned in any case: repetition
    tells the lines of a record apart.
    """
    others = [block for block in blocks if block is not title and not _is_turned(block)]
    ruled, labelled = RuledRows(grids), find_labelled_cells(others, grids)
    steps = [rows for rows in from_steps(others) if not ruled.are_cut_by(rows)]
    possible = ((rows, score(rows, others)) for rows in (*from_grids(grids, others), *steps))
    scored = [(rows, value) for rows, value in possible if value > 0 and not are_label_cells(rows, others, labelled)]
    rows, points = max(scored, key=lambda pair: pair[1], default=(None, 0.0))
    if points > to_beat or even is None:
        return rows if points > to_beat else None
    same = [(found, value) for found, value in scored if _are_records(found, even)]
    return max(same, key=lambda pair: pair[1])[0] if same else None


def _is_turned(block: Block) -> bool:
    """Whether a text runs up or down the page, as the small print at its edge may: its letters are beside no row."""
    return len(block.text) > 1 and "\n" not in block.text and block.box.height > TURNED * block.box.width


def _are_records(rows: RowCandidate, table: HeadedTable) -> bool:
    """Whether rows hold the same lines as the records of a table, row by row, and few of its cells wrap."""
    if len(rows.tops) != len(table.records) or table.wrapping_share > MAX_WRAPPING_SHARE:
        return False
    return all({line.id for line in record.lines} == _lines_of(rows, row) for row, record in enumerate(table.records))


def _with_whole_slots(rows: RowCandidate, table: HeadedTable) -> RowCandidate:
    """Return the rows with slots of one column and one height, of which no row has two, as one slot.

    A value that was read in another size of type seems to belong elsewhere.
    """
    column_of = {line.id: column for r in table.records for column, cell in r.cells.items() for line in cell}
    slots: list[SlotCandidate] = []
    for slot in rows.slots:
        columns = _columns(slot, column_of)
        same = (
            other
            for other in slots
            if len(columns) == 1
            and _columns(other, column_of) == columns
            and other.blocks.keys().isdisjoint(slot.blocks)
            and abs(_down(other, rows) - _down(slot, rows)) < SAME_LINE_PT
        )
        if (found := next(same, None)) is not None:
            found.blocks.update(slot.blocks)
        else:
            slots.append(SlotCandidate(dict(slot.blocks)))
    return replace(rows, slots=slots)


def _columns(slot: SlotCandidate, column_of: Mapping[str, int]) -> set[int]:
    return {column_of[line] for block in slot.blocks.values() for line in block.lines}


def _down(slot: SlotCandidate, rows: RowCandidate) -> float:
    """Return how far below the top of its row a slot's first text stands."""
    return slot.first.box.middle[1] - rows.tops[min(slot.blocks)]


def _lines_of(rows: RowCandidate, row: int) -> set[str]:
    return {line for slot in rows.slots if row in slot.blocks for line in slot.blocks[row].lines}


def repeat_of_table(
    table: HeadedTable, blocks: list[Block], rules: list[RulingLine], fills: list[Fill], pictures: list[Picture]
) -> Repeat:
    """Return the rows of a table below a header."""
    owner = {line: block for block in blocks for line in block.lines}
    flat = table.without_groups()
    edges = record_edges(flat, rules, fills)
    spans = {id(record): span for record, span in zip(flat.records, pairwise(edges), strict=True)}
    pitch = None if table.groups else even_pitch(table, edges)

    def rows_of(records: Sequence[TableRecord], pitch: float | None = None) -> Repeat:
        heights = [bottom - top for top, bottom in (spans[id(record)] for record in records)]
        # Rows that are higher than those of the form on average would print onto the next page.
        low = min(low_pitch(records, heights), sum(heights) / len(heights)) if pitch is None else pitch
        tops = [spans[id(record)][0] for record in records]
        area = Box.around(record.box for record in records)
        last = heights[-1] if pitch is None else pitch
        return Repeat(
            box=Box.between(area.x, tops[0], area.right, tops[-1] + last),
            tops=tops,
            pitch=low,
            heights=heights if pitch is None else [],
            slots=[_slot(table, column, records, owner) for column in sorted({c for r in records for c in r.cells})],
            marks=marks_by_row(tops, last, rules, fills, pictures),
        )

    rows = rows_of(table.records, pitch)
    header = [owner[line.id].id for heading in table.headings for line in heading.lines]
    return rows.model_copy(update={"header": list(dict.fromkeys(header)), "groups": _groups(table, rows_of)})


def _slot(table: HeadedTable, column: int, records: Sequence[TableRecord], owner: Mapping[str, Block]) -> Slot:
    cells = [record.cells.get(column) for record in records]
    label = table.headings[column].text or None
    return Slot(
        label=label,
        blocks=[owner[cell[0].id].id if cell else None for cell in cells],
        role="fixed" if label is None and _are_one_wording(cells) else "value",
    )


def _are_one_wording(cells: Sequence[list[TextLine] | None]) -> bool:
    """Whether a column has the same letters in every record: the ``x`` between quantities and prices."""
    texts = {" ".join(line.text for line in cell) for cell in cells if cell}
    return len(cells) > 2 and all(cells) and len(texts) == 1 and next(iter(texts)).isalpha()


def _groups(table: HeadedTable, rows_of: Callable[[Sequence[TableRecord]], Repeat]) -> RowGroups | None:
    """Return the groups of a table. `rows_of` returns text rows as rows that repeat."""
    if not table.groups:
        return None
    headings = [group.heading for group in table.groups if group.heading]
    endings = [group.ending for group in table.groups if group.ending]
    return RowGroups(
        first_rows=[group.first for group in table.groups],
        headings=_with_roles(rows_of(headings), headings) if headings else None,
        endings=_with_roles(rows_of(endings), endings) if endings else None,
    )


def _with_roles(lines: Repeat, records: Sequence[TableRecord]) -> Repeat:
    """Return the lines of groups with their slots as values without a label, or as wording that all groups share."""
    wording = [" ".join(line.text for line in record.lines if text_kind(line.text) == "text") for record in records]
    shared = wording[0] if len(set(wording)) == 1 else ""
    columns = sorted({column for record in records for column in record.cells})
    slots = []
    for column, slot in zip(columns, lines.slots, strict=True):
        texts = {" ".join(line.text for line in record.cells.get(column, [])) for record in records}
        is_wording = len(texts) == 1 and text_kind(next(iter(texts))) == "text"
        prefixes = {split_prefix(text)[0].strip(" :：") for text in texts}
        label = f"{shared} {slot.label}" if shared else next(iter(prefixes)) if len(prefixes) == 1 else None
        label = None if is_wording else label or None
        slots.append(slot.model_copy(update={"role": "fixed" if is_wording else "value", "label": label}))
    return lines.model_copy(update={"slots": slots})


def repeat_of_rows(
    rows: RowCandidate,
    page: Size,
    blocks: list[Block],
    rules: list[RulingLine],
    fills: list[Fill],
    pictures: list[Picture],
    table: HeadedTable | None = None,
) -> Repeat:
    """Settle where rows begin, name the slots by their headers, and assign rules, fills and pictures to rows.

    The headings of `table` name the slots where its records are the rows.
    """
    columns: Mapping[str, str] = {}
    if table and _are_records(rows, table):
        columns = table.column_names()
        rows = _with_whole_slots(rows, table)
    tops = rows.tops if rows.grid else _row_tops(rows, blocks, rules, fills)
    beyond = max(0.0, tops[-1] + rows.pitch - page.height)  # the last row has to fit on the page
    tops = [top - min(beyond, tops[0]) for top in tops]
    region = [b for p in rows.slots for b in p.blocks.values()]
    header = find_header(rows, blocks, tops[0])
    header = header if heads_rows(header, rows.slots) else []
    if table and columns:
        header = _with_headings(header, blocks, table)
    left, right = min(b.box.x for b in region), max(b.box.right for b in region)
    return Repeat(
        box=Box.between(left, tops[0], right, tops[-1] + rows.pitch),
        tops=tops,
        pitch=rows.pitch,
        slots=_slots(rows, tops, header, columns),
        marks=marks_by_row(tops, rows.pitch, rules, fills, pictures),
        header=[h.id for h in header],
        grid=rows.grid,
    )


def _with_headings(header: list[Block], blocks: list[Block], table: HeadedTable) -> list[Block]:
    """Return the header with the table's headings that stand over none of its values, as beside amounts far right."""
    lines = {line.id for heading in table.headings for line in heading.lines}
    own = {block.id for block in header}
    return [*header, *(one for one in blocks if one.lines and one.id not in own and lines.issuperset(one.lines))]


def _slots(rows: RowCandidate, tops: list[float], header: list[Block], headings: Mapping[str, str]) -> list[Slot]:
    """Return the slots of a row from top to bottom. `headings` name lines; other slots are named by the header."""
    count = len(rows.tops)
    owners = {h.id: named_slots(h, rows.slots) for h in header}
    slots = []
    for slot in sorted(rows.slots, key=lambda p: (p.first.box.middle[1] - tops[min(p.blocks)], p.first.box.x)):
        heads = [h for h in header if any(slot is owner for owner in owners[h.id]) and text_kind(h.text) != "number"]
        label = headings.get(slot.first.lines[0])
        label = label or " ".join(h.text.replace("\n", " ") for h in sorted(heads, key=lambda h: h.box.y)) or None
        prefixes = {split_prefix(block.text)[0] for block in slot.blocks.values()}
        if label is None and len(prefixes) == 1:
            label = prefixes.pop().strip(" :：") or None
        slots.append(
            Slot(
                label=label,
                blocks=[slot.blocks[row].id if row in slot.blocks else None for row in range(count)],
                role="fixed" if label is None and is_fixed(slot, count) else "value",
            )
        )
    return slots


def _row_tops(rows: RowCandidate, blocks: list[Block], rules: list[RulingLine], fills: list[Fill]) -> list[float]:
    """Return where rows begin: at the rules or fills that separate them, or else halfway between their texts."""
    content = [[p.blocks[row] for p in rows.slots if row in p.blocks] for row in range(len(rows.tops))]
    ink_tops = [min(b.box.y for b in row) for row in content]
    ink_bottoms = [max(b.box.bottom for b in row) for row in content]
    left, right = min(b.box.x for h in content for b in h), max(b.box.right for h in content for b in h)
    gap = max(0.0, min([rows.pitch - (bottom - top) for top, bottom in zip(ink_tops, ink_bottoms, strict=True)]))
    edges = [r.y1 for r in rules if r.horizontal and min(r.x2, right) - max(r.x1, left) > 0.3 * (right - left)]
    edges += [
        y
        for f in fills
        if min(f.box.right, right) - max(f.box.x, left) > 0.5 * (right - left)
        for y in (f.box.y, f.box.bottom)
    ]
    above = ink_tops[0] - gap - 3
    ceiling = max((b.box.bottom for b in blocks if b.box.bottom <= ink_tops[0] + 0.5), default=0.0)
    candidates = [y for y in edges if max(above, ceiling - 1) <= y <= ink_tops[0] + 1]
    top = max(candidates) if candidates else max(ink_tops[0] - gap / 2, min(ceiling + 0.5, ink_tops[0]))
    by_others = _top_by_dividers(rows.tops, ink_tops, ink_bottoms, edges)
    if by_others is not None and top <= by_others <= ink_tops[0] + 1:
        top = by_others  # the bar of a header may end above the first row
    return [top + (t - rows.tops[0]) for t in rows.tops]


def _top_by_dividers(
    tops: Sequence[float], ink_tops: Sequence[float], ink_bottoms: Sequence[float], edges: Sequence[float]
) -> float | None:
    """Return where the first row begins as the others do, if each of several has an edge above it in the same place."""
    found = []
    for row in range(1, len(tops)):
        between = [y for y in edges if ink_bottoms[row - 1] - 1 <= y <= ink_tops[row] + 1]
        if not between:
            return None
        found.append(max(between) - (tops[row] - tops[0]))
    return median(found) if len(found) > 1 and max(found) - min(found) <= DIVIDER_TOLERANCE_PT else None


def marks_by_row(
    tops: list[float], pitch: float, rules: list[RulingLine], fills: list[Fill], pictures: list[Picture]
) -> list[list[str]]:
    """Return the ids of each row's rules, fills and pictures; a rule between two rows belongs to the upper one."""
    marks: list[list[str]] = [[] for _ in tops]
    ends = [*tops[1:], tops[-1] + pitch]
    for row, (top, bottom) in enumerate(zip(tops, ends, strict=True)):
        for rule in rules:
            parts = rule.horizontal and top + 1.5 < rule.y1 <= bottom + 1.5
            stands = not rule.horizontal and top - 1.5 <= rule.y1 and rule.y2 <= bottom + 1.5
            if parts or stands:
                marks[row].append(rule.id)
        areas: list[Fill | Picture] = [*fills, *pictures]
        for mark in areas:
            if top - 1.5 <= mark.box.y and mark.box.bottom <= bottom + 1.5:
                marks[row].append(mark.id)
    return marks


def align_slots(blocks: list[Block], repeat: Repeat) -> list[Block]:
    """Return the blocks, those of one slot aligned by the edge or middle in which the rows agree best.

    Where they agree in all, as numbers of one digit do, the header above tells the alignment.
    """
    by_id = {block.id: block for block in blocks}
    heads = [by_id[name] for name in repeat.header if name in by_id]
    aligned: dict[str, Block] = {}
    for slot in repeat.slots:
        members = [by_id[b] for b in slot.blocks if b]
        above = [head for head in heads if _stands_over(head, members[0])]
        head = above[0] if len(above) == 1 else None
        align = _shared_edge(members, head) if len(members) > 1 else members[0].align
        aligned |= {b.id: b.model_copy(update={"align": align}) for b in members}
    return [aligned.get(block.id, block) for block in blocks]


def _stands_over(head: Block, block: Block) -> bool:
    return min(head.box.right, block.box.right) > max(head.box.x, block.box.x)


def _shared_edge(blocks: list[Block], head: Block | None) -> Align:
    """Return which of left edge, middle and right edge differs least; on a tie that of the header, or their own."""

    def spread(positions: list[float]) -> float:
        return max(positions) - min(positions)

    spreads: dict[Align, float] = {
        "Left": spread([b.box.x for b in blocks]),
        "Center": spread([b.box.middle[0] for b in blocks]),
        "Right": spread([b.box.right for b in blocks]),
    }
    own = blocks[0].align
    best = min(spreads, key=lambda align: spreads[align])
    if head is not None and max(spreads.values()) <= spreads[best] + EDGE_TOLERANCE_PT:
        return _edge_of_header(blocks[0].box, head.box) or own
    return own if spreads[own] <= spreads[best] + EDGE_TOLERANCE_PT else best


def _edge_of_header(box: Box, head: Box) -> Align | None:
    """Return the edge or middle that a text has in common with its header; None where that is none, or not only one."""
    apart: dict[Align, float] = {
        "Left": abs(box.x - head.x),
        "Center": abs(box.middle[0] - head.middle[0]),
        "Right": abs(box.right - head.right),
    }
    shared = [align for align, distance in apart.items() if distance <= HEADER_TOLERANCE_PT]
    return shared[0] if len(shared) == 1 else None
