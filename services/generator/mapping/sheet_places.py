"""Say which of a template's parts is printed in which cell of a workbook, and which cells the rows of a table have."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Repeat
from bandsmith.shared.model.sheet import CellArea, SheetCell

from .named_parts import Parts, marks_by_part

At = tuple[int, int]
"""Row and column of a cell."""
_TILE_PT = 50
"""Width and height of the squares of the page by which cells are looked up."""


class CellPlace(NamedTuple):
    """What is printed in a cell."""

    number: str
    """Number of the part."""
    record: int | None
    """Number of its row among the rows that repeat; None outside them."""
    table: str = ""
    """The list that it belongs to, if it is not in the main table."""


class Records(NamedTuple):
    """The rows of a table in a column of the sheet."""

    cells: Sequence[At | None]
    """The cell of each row on the page; None where no formula names it and nothing is printed in it."""
    later: int
    """Rows on later pages."""

    def are_all_in(self, areas: Sequence[CellArea]) -> bool:
        heights = sum(area.bottom - area.top + 1 for area in areas)
        return heights >= len(self.cells) + self.later and all(
            at is not None and any(area.holds(*at) for area in areas) for at in self.cells
        )


class SheetPlaces:
    """The cells in which a template's parts are printed."""

    def __init__(self, root: etree._Element, parts: Parts, layout: Layout) -> None:
        self._tiles = dict[At, list[SheetCell]]()
        for cell in layout.sheet_cells:
            for tile in _tiles(cell.box):
                self._tiles.setdefault(tile, []).append(cell)
        self._cells = {(cell.row, cell.column): cell for cell in layout.sheet_cells}
        self._boxes = {one.id: one.box for one in layout.blocks} | {one.id: one.box for one in layout.blanks}
        self.records = dict[str, list[Records]]()
        """The rows of each column that repeats, for each column of the sheet in which it is printed."""
        self.by_cell = dict(self._places(root, parts, layout)) if layout.sheet_cells else {}
        self._rows = dict[int, list[int]]()
        """The rows with a place, in order, by column."""
        for row, column in sorted(self.by_cell):
            self._rows.setdefault(column, []).append(row)

    def is_printed(self, at: At) -> bool:
        return at in self._cells

    def within(self, area: CellArea) -> list[CellPlace]:
        """Return what is printed in an area, row by row."""
        found = list[At]()
        for column in range(area.left, area.right + 1):
            rows = self._rows.get(column, [])
            found += [(row, column) for row in rows[bisect_left(rows, area.top) : bisect_left(rows, area.bottom + 1)]]
        return [self.by_cell[at] for at in sorted(found)]

    def _places(self, root: etree._Element, parts: Parts, layout: Layout) -> Iterator[tuple[At, CellPlace]]:
        slots = {
            block: (table, slot.blocks)
            for table in layout.tables
            for slot in table.slots
            for block in slot.blocks
            if block
        }
        alone = {blank.id: [blank.id] for blank in layout.blanks}
        for number, sources in marks_by_part(root, parts).items():
            for source in sources:
                if parts[number].scope == "parameter":
                    yield from ((at, CellPlace(number, None)) for at in self._cell_of(source))
                elif parts[number].scope == "field" and (source in slots or source in alone):
                    table, blocks = slots.get(source, (None, alone.get(source, [])))
                    yield from self._records(CellPlace(number, 0, parts[number].table), blocks, table)

    def _records(
        self, place: CellPlace, blocks: Sequence[str | None], table: Repeat | None
    ) -> Iterator[tuple[At, CellPlace]]:
        """Yield the cells of a column, and add its rows."""
        cells = [next(iter(self._cell_of(block)), None) for block in blocks]
        yield from ((at, place._replace(record=record)) for record, at in enumerate(cells) if at)
        known = next((at for at in cells if at), None)
        if table is not None and known is not None:
            x = self._cells[known].box.middle[0]
            heights = table.heights or [table.pitch] * table.rows
            levels = [top + height / 2 for top, height in zip(table.tops, heights, strict=False)]
            cells = [at or self._at(x, y) for at, y in zip(cells, levels, strict=False)]
            filled = table.filled_rows
            # An empty row below the last filled one counts where the sheet computes with it.
            cells = [at for record, at in enumerate(cells) if at or record < filled]
            self.records.setdefault(place.number, []).append(Records(cells, len(table.continued)))

    def _cell_of(self, mark: str | None) -> list[At]:
        """Return the cell in which a text or a place to fill in stands."""
        box = self._boxes.get(mark or "")
        at = self._at(*box.middle) if box else None
        return [at] if at else []

    def _at(self, x: float, y: float) -> At | None:
        cells = self._tiles.get((int(y // _TILE_PT), int(x // _TILE_PT)), [])
        return next(((cell.row, cell.column) for cell in cells if cell.box.holds(x, y)), None)


def _tiles(box: Box) -> Iterator[At]:
    for row in range(int(box.y // _TILE_PT), int(box.bottom // _TILE_PT) + 1):
        for column in range(int(box.x // _TILE_PT), int(box.right // _TILE_PT) + 1):
            yield row, column


def is_whole(records: Mapping[str, Sequence[Records]], number: str, areas: Sequence[CellArea]) -> bool:
    """Whether areas hold all rows of a column, of a part that repeats."""
    return any(one.are_all_in(areas) for one in records.get(number, []))
