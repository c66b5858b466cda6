"""Standing: how words stand on the form, in a cell of their own, in a part of a bar or row, or free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout
from bandsmith.shared.model.plan import Borders

from .cell_areas import bars, between_rules, own_rooms, tiles
from .marks import mark_of
from .ruling import Ruling
from .text_metrics import Place, Setting, aligned, clearance, fitted, free_place, room_place, setting, settled, whole

SAME_AREA = 0.85
"""A fill that shares so much of its area with a cell is the cell's background."""
NARROWEST = 0.8
"""Free words are not made smaller than this share of their width, even where others stand closer."""


@dataclass(frozen=True)
class Cell:
    """What a cell draws of itself."""

    borders: Borders = Borders()  # noqa: RUF009 - frozen
    background: str | None = None

    @property
    def shows(self) -> bool:
        return self != Cell()


@dataclass(frozen=True)
class Stand:
    """Words, the place of their element, and the cell that it is."""

    setting: Setting
    place: Place
    cell: Cell = Cell()


class Ground:
    """A layout as the ground that words stand on. Rules and fills that a cell draws are used up."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.blocks = {block.id: block for block in layout.blocks if block.text.strip()}
        lines = {line.id: line for line in layout.lines}
        self.settings = {
            block.id: setting(block, [lines[one] for one in block.lines if one in lines])
            for block in self.blocks.values()
        }
        self.rooms = own_rooms(layout)
        self.ruling = Ruling(layout.rules)
        self.fills = list(layout.fills)
        self.strips = self._strips()

    @property
    def extents(self) -> dict[str, Box]:
        """By block id, the box that its element needs."""
        return {name: self.rooms.get(name, one.box) for name, one in self.settings.items()}

    def cell(self, room: Box, top: bool = True) -> Cell:
        """The borders, that at the top if so asked, and the background of a cell, which are then drawn."""
        return Cell(self.ruling.borders(room, top), self._background(room))

    def stand(self, block: Block) -> Stand:
        """How a block outside the rows stands."""
        set_ = self.settings[block.id]
        if room := self.rooms.get(block.id):
            smaller = fitted(set_, whole(room).width)
            if place := room_place(smaller, whole(room)):
                return Stand(smaller, place, self.cell(room))
        if strip := self.strips.get(block.id):
            held = settled(set_, strip)
            if place := room_place(held, whole(strip)):
                return Stand(held, place)
        return self._free(set_, [block], block.role == "value")

    def stand_in_rows(
        self,
        set_: Setting,
        copies: Sequence[Block],
        room: Place | None,
        tile: Box | None,
        generous: bool,
        top: bool,
        blank: Iterable[Box] = (),
    ) -> Stand:
        """How the copies of a slot stand in their rows; `room` and `tile` are relative to the row.

        `blank` are its cells in rows where it has no words: its element draws them too.
        """
        if room:
            smaller = fitted(set_, room.width)
            if place := room_place(smaller, room):
                cells = [self.cell(self.rooms[block.id], top) for block in copies if block.id in self.rooms]
                for one in blank:
                    self.cell(one, top)
                # One element draws the cells of all rows; a middle row's is the typical one.
                return Stand(smaller, place, cells[len(cells) // 2])
        if tile:
            held = settled(set_, tile)
            if place := room_place(held, whole(tile)):
                return Stand(held, place)
        return self._free(set_, copies, generous)

    def clear(self, block: Block, own: Iterable[str] = ()) -> tuple[float, float]:
        """The x's between which a block may grow; the blocks named in `own` are not in its way."""
        return clearance(block.box, self._obstacles({block.id, *own}, block.box), self.layout.page.width)

    def align_headers(self, columns: Sequence[Place]) -> None:
        """Give a column's header the width of its column."""
        for name in self.layout.repeat.header if self.layout.repeat else []:
            set_ = self.settings.get(name)
            if set_ is None or name in self.rooms:
                continue
            over = [one for one in columns if one.x < set_.box.right and one.x + one.width > set_.box.x]
            if len(over) != 1 or over[0].x > set_.box.x + 2 or over[0].x + over[0].width < set_.box.right - 2:
                continue
            strip = self.strips.get(name, set_.box)
            low, high = self.clear(self.blocks[name])
            left, right = max(over[0].x, low), min(over[0].x + over[0].width, high)
            self.strips[name] = Box.between(left, strip.y, right, strip.bottom)
            self.settings[name] = aligned(set_, self.strips[name])

    def _free(self, set_: Setting, copies: Sequence[Block], generous: bool) -> Stand:
        limits = [self.clear(block, [other.id for other in copies]) for block in copies]
        clear = max(low for low, _ in limits), min(high for _, high in limits)
        smaller = fitted(set_, max(set_.box.width * NARROWEST, clear[1] - clear[0]))
        return Stand(smaller, free_place(smaller, clear, generous))

    def _strips(self) -> dict[str, Box]:
        """The part of its bar that each block has, where several stand side by side in one."""
        found = {b.id: b.room for b in self.blocks.values() if b.room and b.id not in self.rooms and self._alone(b)}
        for bar, inside in bars(self.blocks.values(), self.layout.fills):
            boxes = [self.settings[block.id].box for block in inside]
            spans = [(box.x, box.right, block.align) for box, block in zip(boxes, inside, strict=True)]
            for block, (left, right) in zip(inside, tiles(spans, bar.x, bar.right), strict=True):
                if block.id not in found:
                    top, bottom = between_rules(block.box, bar.y, bar.bottom, self.layout.rules)
                    low, high = self.clear(block)
                    found[block.id] = Box.between(max(left, low), top, min(right, high), bottom)
        return found

    def _alone(self, block: Block) -> bool:
        """Whether no other block stands in its room."""
        others = (other for other in self.blocks.values() if other is not block)
        return block.room is not None and not any(block.room.holds(*other.box.middle) for other in others)

    def _obstacles(self, own: set[str], box: Box) -> Iterable[Box]:
        """What an element must not cover: other words, upright rules, pictures, and the sides of fills."""
        yield from (other.box for other in self.layout.blocks if other.id not in own)
        yield from (mark_of(rule).box for rule in self.layout.rules if not rule.horizontal)
        yield from (picture.box for picture in self.layout.pictures)
        for fill in self.layout.fills:
            if fill.box.holds(*box.middle):
                yield Box.between(fill.box.x - 1, fill.box.y, fill.box.x, fill.box.bottom)
                yield Box.between(fill.box.right, fill.box.y, fill.box.right + 1, fill.box.bottom)
            else:
                yield fill.box

    def _background(self, room: Box) -> str | None:
        for fill in self.fills:
            common = fill.box.overlap(room)
            if fill.radius == 0 and common > SAME_AREA * max(fill.box.area, room.area):
                self.fills.remove(fill)
                return fill.colour
        return None


def kept(stand: Stand, height: int) -> Stand:
    """The stand moved into a row of this height, as far as it goes."""
    place = stand.place
    inside = replace(place, y=max(0, min(place.y, height - place.height)), height=min(place.height, height))
    return replace(stand, place=inside)
