"""Rows: the columns of the repeated rows, each as one text for all of its copies."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Layout, Repeat, RulingLine, Slot

from .cell_areas import column_spans, limit_by_rules
from .element_boxes import PaddedBox
from .regions import Region
from .ruling import part_of, span
from .text_metrics import TypesetText, flow, merge_copies, merge_growing_copies
from .text_placement import TextPlacement

ROW_EDGE_TOLERANCE_PT = 2.0
"""A cell's edge this close to the edge of its row lies on it."""
HIGH_CELL = 2.5
"""A cell this many times as high as its lines shows where in it the text stands."""
FILLED_CELL = 1.5
"""A cell no more than this many times as high as its lines is filled by them."""
MIN_ROW_COVERAGE = 0.7
"""A fill or rule that is wider than this share of the row's texts shows where the rows begin and end."""


@dataclass(frozen=True)
class DetailColumn:
    """A slot with its copies by row. Its boxes are relative to the row."""

    slot: Slot
    blocks: tuple[Block | None, ...]
    text: TypesetText
    ruled_cell: PaddedBox | None
    """The drawn cell that it has in every row."""
    implied_cell: Box | None = None
    """The part of the row that it has for itself, where no rule draws a cell."""
    continued: tuple[str | None, ...] = ()
    """Its texts in the rows on later pages."""

    @property
    def copies(self) -> list[Block]:
        return [block for block in self.blocks if block]

    def is_on_second_line(self, detail: Region) -> bool:
        """Whether it stands on the line that only some rows have."""
        return bool(detail.first_line) and None in self.blocks and self.text.box.middle[1] > detail.first_line

    def empty_cells(self, detail: Region) -> list[Box]:
        """The column's cells on the page in rows where it has no text."""
        cell = self.ruled_cell
        if cell is None:
            return []
        rows = (row for row, block in enumerate(self.blocks) if block is None)
        return [Box(x=cell.x, y=detail.row_top(row) + cell.y, width=cell.width, height=cell.height) for row in rows]

    def whole_cells(self, detail: Region) -> list[Box]:
        """The column's cells on the page in all rows, each as high as its row; none where it is a part of a row."""
        cell = self.ruled_cell
        if cell is None or cell.y > 0 or cell.bottom < detail.height:
            return []
        edges = [(detail.row_top(row), detail.row_bottom(row)) for row in range(detail.rows)]
        return [Box.between(cell.x, top, cell.right, bottom) for top, bottom in edges]


def detail_columns(
    repeat: Repeat,
    detail: Region,
    blocks: Mapping[str, Block],
    texts: Mapping[str, TypesetText],
    cells: Mapping[str, Box],
) -> list[DetailColumn]:
    """The slots that hold any text. `cells` maps a block's id to the cell that it has for itself."""
    columns = []
    in_rows = [blocks[name] for slot in repeat.slots for name in slot.blocks if name and name in blocks]
    for number, slot in enumerate(repeat.slots):
        by_row = tuple(blocks[name] if name and name in texts else None for name in slot.blocks[: detail.rows])
        copies = [(row, block) for row, block in enumerate(by_row) if block is not None]
        if not copies:
            continue
        moved = [
            replace(texts[block.id], box=texts[block.id].box.moved(0, -detail.row_top(row))) for row, block in copies
        ]
        drawn = [detail.in_row(cells[block.id], row) for row, block in copies if block.id in cells]
        cell = _typical_cell(drawn, detail.height) if len(drawn) >= len(copies) / 2 else None
        middle = cell.y + cell.height / 2 if cell else None
        own = [block for _, block in copies]
        centred = middle if detail.tops and _are_centred(own, in_rows) else None
        text = merge_growing_copies(moved, centred) if detail.tops else merge_copies(moved)
        continued = tuple(row[number] for row in repeat.continued)
        columns.append(DetailColumn(slot, by_row, text, cell, continued=continued))
    return columns


def _are_centred(copies: Sequence[Block], in_rows: Sequence[Block]) -> bool:
    """Whether most texts stand in the middle of their cells; those in high cells tell, if there are any.

    A text that fills its cell has the cell's middle wherever it begins: then the other columns tell.
    """
    high = [block for block in copies if _cell_share(block) >= HIGH_CELL]
    valigns = [block.valign for block in high or copies]
    if all(_cell_share(block) <= FILLED_CELL for block in copies):
        valigns = [block.valign for block in in_rows if _cell_share(block) >= HIGH_CELL] or valigns
    return valigns.count("Middle") > len(valigns) / 2


def _cell_share(block: Block) -> float:
    """How many times as high as its lines the cell of a text is; 1 where its cell is not known."""
    return block.room.height / (block.style.size * len(block.lines)) if block.room and block.lines else 1.0


def continued_values(column: DetailColumn, placement: TextPlacement, wording: str) -> list[str | None]:
    """Return the column's values in the rows on later pages, without the wording that is printed before each."""
    width, style = placement.box.inner_width, placement.text.style
    texts = [flow(tuple(text.split("\n")), width, style) if text else None for text in column.continued]
    return [text.removeprefix(wording) if text else None for text in texts]


def with_implied_cells(
    columns: Sequence[DetailColumn],
    layout: Layout,
    detail: Region,
    bars: Mapping[str, Box],
    clearance: Callable[[Block], tuple[float, float]],
) -> list[DetailColumn]:
    """Give each column the part of the row between its neighbours, as high as the row or the bar in it.

    `bars` maps a block's id to the part of a bar that it has for itself. `clearance` returns the x's between which a
    block may grow as far as anything but the other columns is concerned.
    """
    rules = _rules_in_row(layout, detail)
    left, right = _row_ends(columns, layout, detail)
    return [_with_implied_cell(column, columns, (left, right), detail, rules, bars, clearance) for column in columns]


def between_blanks(block: Block, free: tuple[float, float], blanks: Sequence[Blank]) -> tuple[float, float]:
    """Return the x's between which a text of a row may grow: those of `free`, and no farther than blanks beside it."""
    left, right = free
    before = [blank.box.right for blank in blanks if blank.box.right <= block.box.x + ROW_EDGE_TOLERANCE_PT]
    after = [blank.box.x for blank in blanks if blank.box.x >= block.box.right - ROW_EDGE_TOLERANCE_PT]
    return max([left, *before]), min([right, *after])


def _with_implied_cell(
    column: DetailColumn,
    columns: Sequence[DetailColumn],
    ends: tuple[float, float],
    detail: Region,
    rules: Sequence[RulingLine],
    bars: Mapping[str, Box],
    clearance: Callable[[Block], tuple[float, float]],
) -> DetailColumn:
    """Return the column with its implied cell; unchanged where another column stands above or below it."""
    box = column.text.box
    beside = sorted((other for other in columns if _side_by_side(other.text.box, box)), key=lambda c: c.text.box.x)
    texts = [(other.text.box.x, other.text.box.right, other.text.align) for other in beside]
    low, high = column_spans(texts, *ends)[beside.index(column)]
    limits = [clearance(block) for block in column.copies]
    low, high = max(low, *(start for start, _ in limits)), min(high, *(end for _, end in limits))
    row_bars = [
        bars[block.id].moved(0, -detail.row_top(row))
        for row, block in enumerate(column.blocks)
        if block and block.id in bars
    ]
    top, bottom = 0.0, float(detail.first_line or detail.height)
    if row_bars and len(row_bars) == len(column.copies):
        top, bottom = max(0.0, row_bars[0].y), min(bottom, row_bars[0].bottom)
    elif any(other not in beside and _reaches(other.text.box, low, high) for other in columns if other is not column):
        return column
    top, bottom = limit_by_rules(box, top, bottom, rules)
    return replace(column, implied_cell=Box.between(low, top, high, bottom))


def _rules_in_row(layout: Layout, detail: Region) -> list[RulingLine]:
    """The horizontal rules of all rows, moved into one row."""
    rules = []
    for rule in layout.rules:
        y, start, end = span(rule)
        if rule.horizontal and detail.top <= y <= detail.bottom:
            rules.append(part_of(rule, rule.id, y - detail.row_top(detail.row_of(y)), start, end))
    return rules


def _row_ends(columns: Sequence[DetailColumn], layout: Layout, detail: Region) -> tuple[float, float]:
    """Where the rows begin and end: at their fills and rules, else at their texts."""
    fills = [fill.box for fill in layout.fills if detail.top <= fill.box.middle[1] <= detail.bottom]
    marks = [box for box in fills if box.height <= 1.5 * detail.height]
    for rule in layout.rules:
        y, start, end = span(rule)
        if rule.horizontal and detail.top - detail.height <= y <= detail.bottom:
            marks.append(Box.between(start, y, end, y))
    texts = Box.around(column.text.box for column in columns)
    wide = [box for box in marks if box.width > MIN_ROW_COVERAGE * texts.width]
    return min([texts.x, *(box.x for box in wide)]), max([texts.right, *(box.right for box in wide)])


def _side_by_side(one: Box, other: Box) -> bool:
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 0.5 * min(one.height, other.height)


def _reaches(box: Box, low: float, high: float) -> bool:
    """Whether a box reaches into the stretch between two x's."""
    return box.x < high - 1 and box.right > low + 1


def _typical_cell(cells: Sequence[Box], height: int) -> PaddedBox | None:
    """The median cell of a row, with edges moved onto the row's edges where they nearly lie there."""
    left, top, right, bottom = (
        statistics.median(getattr(cell, edge) for cell in cells) for edge in ("x", "y", "right", "bottom")
    )
    y = 0 if abs(top) <= ROW_EDGE_TOLERANCE_PT else round(top)
    end = height if abs(bottom - height) <= ROW_EDGE_TOLERANCE_PT else round(bottom)
    if y < 0 or end > height:
        return None
    return PaddedBox(round(left), y, round(right) - round(left), end - y)
