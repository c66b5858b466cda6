"""Text placement: whether a text fills a cell of its own, a part of a bar or row, or stands free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Fill, Layout
from bandsmith.shared.model.plan import Borders, Pen

from .cell_areas import column_spans, exclusive_cells, limit_by_rules, shared_bars
from .element_boxes import PaddedBox, fill_cell, free_standing, horizontal_clearance, keep_space_below, whole_points
from .free_space import space_around
from .marks import mark_of
from .ruling import Ruling, even_between_rows
from .text_metrics import (
    TypesetText,
    align_in,
    shrink_to_height,
    shrink_to_width,
    typeset,
    valign_in,
    with_lines_that_fit,
)

MIN_BACKGROUND_OVERLAP = 0.85
"""A fill that shares this much of its area with a cell is the cell's background."""
MIN_ROW_BACKGROUND_OVERLAP = 0.75
"""The same for cells of rows, whose edges were measured several times."""
MIN_SHARED_BACKGROUND = 0.75
"""A colour that more than this share of a column's cells have is the column's."""
MIN_FREE_WIDTH = 0.8
"""Smallest share of its width to which free-standing text is reduced, even where its neighbours are closer."""
HEADER_EDGE_TOLERANCE_PT = 2.0
"""How far a column header may reach beyond its column and still take the column's width."""


@dataclass(frozen=True)
class CellDecoration:
    """The borders and background that a cell's element draws."""

    borders: Borders = Borders()  # noqa: RUF009 - frozen
    background: str | None = None

    @property
    def is_visible(self) -> bool:
        return self != CellDecoration()


@dataclass(frozen=True)
class TextPlacement:
    """A text, the box of its element, and the cell that the element draws."""

    text: TypesetText
    box: PaddedBox
    cell: CellDecoration = CellDecoration()


class TextPlacer:
    """Places a layout's texts. Rules and fills that a cell draws are consumed, so that nothing is drawn twice."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.blocks = {block.id: block for block in layout.blocks if block.text.strip()}
        lines = {line.id: line for line in layout.lines}
        self.texts = {
            block.id: typeset(block, [lines[name] for name in block.lines if name in lines])
            for block in self.blocks.values()
        }
        self.cells = exclusive_cells(layout)
        """By block id, the cell or filled area that the block has for itself."""
        inked = [*(text.box for text in self.texts.values()), *(fill.box for fill in layout.fills)]
        self.content = Box.around(inked or [Box(x=0, y=0, width=layout.page.width, height=layout.page.height)])
        """What the page's texts and fills take of it; the whole page where it has none, as an empty grid."""
        self.ruling = Ruling(even_between_rows(layout))
        self.fills = list(layout.fills)
        self.implied_cells = self._implied_cells()
        """By block id, the part of a shared bar or cell that the block has for itself."""

    @property
    def extents(self) -> dict[str, Box]:
        """By block id, the box that the block's element needs."""
        return {name: self.cells.get(name, text.box) for name, text in self.texts.items()}

    def decorate(self, cell: Box, top: bool = True, min_background: float = MIN_BACKGROUND_OVERLAP) -> CellDecoration:
        """Take the borders and the background of a cell; without `top` its top border is left out."""
        return CellDecoration(self.ruling.borders(cell, top), self._take_background(cell, min_background))

    def place(self, block: Block) -> TextPlacement:
        """Place a block outside the rows."""
        text = self.texts[block.id]
        if cell := self.cells.get(block.id):
            smaller = shrink_to_width(text, whole_points(cell).width)
            if box := fill_cell(smaller, whole_points(cell)):
                return TextPlacement(smaller, box, self.decorate(cell))
        if implied := self.implied_cells.get(block.id):
            anchored = valign_in(text, implied)
            if box := fill_cell(anchored, whole_points(implied)):
                return TextPlacement(anchored, box)
        return self._place_free(text, [block], block.role == "value")

    def place_lower(self, block: Block, height: int) -> TextPlacement:
        """Place a block outside the rows that is to be no higher than its cell, or than this where it has none."""
        cell = self.cells.get(block.id)
        room = min(height, whole_points(cell).height) if cell else height
        self.texts[block.id] = shrink_to_height(self.texts[block.id], room)
        return self.place(block)

    def place_in_rows(
        self,
        text: TypesetText,
        copies: Sequence[Block],
        ruled_cell: PaddedBox | None,
        implied_cell: Box | None,
        generous: bool,
        top: bool,
        grows: bool = False,
        empty_cells: Iterable[Box] = (),
        whole_cells: Iterable[Box] = (),
    ) -> TextPlacement:
        """Place the copies of a slot once for all rows. Both cells are relative to the row.

        In rows that grow, a text stays where it begins, and may be higher than its cell. `empty_cells` are the slot's
        cells on the page in rows without text, which its element draws too. `whole_cells` are those of all rows, as it
        draws them.
        """
        if ruled_cell:
            smaller = shrink_to_width(text, ruled_cell.width)
            low = with_lines_that_fit(smaller, ruled_cell.height) if grows else smaller
            if box := fill_cell(low, ruled_cell):
                box = keep_space_below(low, box) if grows else box
                if low is not smaller:  # a text that is higher than its cell leaves no space above or below
                    box = replace(box, padding=box.padding.model_copy(update={"top": 0, "bottom": 0}))
                drawn = [self.cells[one.id] for one in copies if one.id in self.cells]
                decoration = self._decorate_column(drawn, list(empty_cells), top)
                decoration = self._without_first_top(decoration, copies[0])
                for cell in whole_cells:  # as rules of the page they would cross the rows as soon as one grows
                    self.ruling.take(cell, decoration.borders)
                return TextPlacement(low, box, decoration)
        if implied_cell:
            anchored = text if grows else valign_in(text, implied_cell)
            if box := fill_cell(anchored, whole_points(implied_cell)):
                return TextPlacement(anchored, keep_space_below(anchored, box) if grows else box)
        return self._place_free(text, copies, generous)

    def _decorate_column(self, cells: Sequence[Box], empty: Sequence[Box], top: bool) -> CellDecoration:
        """Take what one element draws of a column's cells: the borders of a middle row, and most rows' background.

        A background that few rows have stays a mark of these rows. `empty` are the cells in rows without a text.
        """
        borders = [self.ruling.borders(cell, top) for cell in (*cells, *empty)]
        overlap = MIN_ROW_BACKGROUND_OVERLAP
        fills = [self._find_background(cell, overlap) for cell in (*cells, *empty)]
        colours = Counter(fill.colour if fill else None for fill in fills)
        colour, count = colours.most_common(1)[0]
        if colour is not None and count > MIN_SHARED_BACKGROUND * colours.total():
            for cell in (*cells, *empty):
                self._take_background(cell, overlap)
            return CellDecoration(borders[len(cells) // 2], colour)
        return CellDecoration(borders[len(cells) // 2])

    def _without_first_top(self, decoration: CellDecoration, first: Block) -> CellDecoration:
        """The decoration without its top border, where no rule is above the first row, as below a coloured header.

        What divides two rows is the bottom border of the upper one, too.
        """
        cell, borders = self.cells.get(first.id), decoration.borders
        if borders.top == Pen() or borders.bottom != borders.top:
            return decoration
        if cell is not None and self.ruling.borders(cell).top != Pen():
            return decoration
        return replace(decoration, borders=borders.model_copy(update={"top": Pen()}))

    def clearance(self, block: Block, ignored: Iterable[str] = ()) -> tuple[float, float]:
        """The x's between which a block may grow; blocks with `ignored` ids are no obstacles."""
        return horizontal_clearance(block.box, self._obstacles({block.id, *ignored}, block.box), self.layout.page.width)

    def align_headers(self, header: Iterable[str], columns: Sequence[PaddedBox]) -> None:
        """Give each column header that stands over exactly one column the width of that column."""
        for name in header:
            text = self.texts.get(name)
            if text is None or name in self.cells:
                continue
            below = [column for column in columns if column.x < text.box.right and column.right > text.box.x]
            if len(below) != 1:
                continue
            (column,) = below
            if (
                column.x > text.box.x + HEADER_EDGE_TOLERANCE_PT
                or column.right < text.box.right - HEADER_EDGE_TOLERANCE_PT
            ):
                continue
            bar = self.implied_cells.get(name, text.box)
            low, high = self.clearance(self.blocks[name])
            self.implied_cells[name] = Box.between(max(column.x, low), bar.y, min(column.right, high), bar.bottom)
            self.texts[name] = align_in(text, self.implied_cells[name])

    def _place_free(self, text: TypesetText, copies: Sequence[Block], generous: bool) -> TextPlacement:
        limits = [self.clearance(block, [other.id for other in copies]) for block in copies]
        clear = max(low for low, _ in limits), min(high for _, high in limits)
        if text.align == "Center":
            clear = max(clear[0], self.content.x), min(clear[1], self.content.right)
        smaller = shrink_to_width(text, max(text.box.width * MIN_FREE_WIDTH, clear[1] - clear[0]))
        rooms = [self._element_clearance(block, [other.id for other in copies]) for block in copies]
        free = max(clear[0], *(low for low, _ in rooms)), min(clear[1], *(high for _, high in rooms))
        if generous and len(text.lines) == 1:
            return TextPlacement(smaller, free_standing(smaller, free, generous, self._space(copies, free)))
        return TextPlacement(smaller, free_standing(smaller, free, generous))

    def _space(self, copies: Sequence[Block], free: tuple[float, float]) -> tuple[float, float]:
        """The x's between which the field of these values may reach: within what is printed, up to its neighbours."""
        low, high = max(free[0], self.content.x), min(free[1], self.content.right)
        own = {block.id for block in copies}
        others = [(text, self.blocks[name].role == "value") for name, text in self.texts.items() if name not in own]
        taken = [*(blank.box for blank in self.layout.blanks), *(box.box for box in self.layout.tick_boxes)]
        for block in copies:
            low, high = space_around(self.texts[block.id].box, others, taken, (low, high))
        return low, high

    def _element_clearance(self, block: Block, ignored: Iterable[str]) -> tuple[float, float]:
        """The x's between which nothing reaches into a block's element, which is higher than its ink."""
        box = Box.around([block.box, self.texts[block.id].box])
        area = Box(x=block.box.x, y=box.y, width=block.box.width, height=box.height)
        return horizontal_clearance(area, self._obstacles({block.id, *ignored}, block.box), self.layout.page.width)

    def _implied_cells(self) -> dict[str, Box]:
        cells = {
            block.id: block.room
            for block in self.blocks.values()
            if block.room and block.id not in self.cells and self._is_alone(block)
        }
        for bar, inside in shared_bars(self.blocks.values(), self.layout.fills):
            boxes = [self.texts[block.id].box for block in inside]
            texts = [(box.x, box.right, block.align) for box, block in zip(boxes, inside, strict=True)]
            for block, (left, right) in zip(inside, column_spans(texts, bar.x, bar.right), strict=True):
                if block.id not in cells:
                    top, bottom = limit_by_rules(block.box, bar.y, bar.bottom, self.layout.rules)
                    low, high = self.clearance(block)
                    cells[block.id] = Box.between(max(left, low), top, min(right, high), bottom)
        return cells

    def _is_alone(self, block: Block) -> bool:
        """Whether no other block stands in this block's cell."""
        others = (other for other in self.blocks.values() if other is not block)
        return block.room is not None and not any(block.room.holds(*other.box.middle) for other in others)

    def _obstacles(self, ignored: set[str], box: Box) -> Iterable[Box]:
        """What an element must not cover: other texts, vertical rules, pictures, and the sides of fills."""
        yield from (other.box for other in self.layout.blocks if other.id not in ignored)
        yield from (mark_of(rule).box for rule in self.layout.rules if not rule.horizontal)
        yield from (picture.box for picture in self.layout.pictures)
        for fill in self.layout.fills:
            if fill.box.holds(*box.middle):
                yield Box.between(fill.box.x - 1, fill.box.y, fill.box.x, fill.box.bottom)
                yield Box.between(fill.box.right, fill.box.y, fill.box.right + 1, fill.box.bottom)
            else:
                yield fill.box

    def _take_background(self, cell: Box, min_overlap: float) -> str | None:
        fill = self._find_background(cell, min_overlap)
        if fill is None:
            return None
        self.fills.remove(fill)
        return fill.colour

    def _find_background(self, cell: Box, min_overlap: float) -> Fill | None:
        """Return the fill that is the background of a cell."""
        large = (fill for fill in self.fills if fill.radius == 0)
        return next((f for f in large if f.box.overlap(cell) > min_overlap * max(f.box.area, cell.area)), None)


def clamp_to_row(placement: TextPlacement, height: int) -> TextPlacement:
    """Move the element into a row of this height, and cut what is higher than the row."""
    box = placement.box
    inside = replace(box, y=max(0, min(box.y, height - box.height)), height=min(box.height, height))
    return replace(placement, box=inside)


def on_second_line(placement: TextPlacement, first_line: int, height: int) -> TextPlacement:
    """Let the element take the whole second line of its row, with its text where it was."""
    space = max(0, height - first_line - placement.text.height)
    top = max(0, min(placement.box.y - first_line, space))
    padding = placement.box.padding.model_copy(update={"top": top, "bottom": 0})
    box = replace(placement.box, y=first_line, height=height - first_line, padding=padding)
    return replace(placement, box=box)
