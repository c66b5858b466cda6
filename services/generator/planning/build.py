"""The builder: walks over a layout once and puts everything on it into its band."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Fill, Layout, Picture, RulingLine
from bandsmith.shared.model.plan import AnyElement, Data, Plan

from .elements import drawn, empty, field, mark_place, static
from .expressions import common_prefix, page_number, printing, quoted
from .marks import Placed, mark_of, spread
from .page_builder import Sheet
from .pictures import EXPRESSION, Form
from .regions import Region, divide
from .rows import Column, columns, tiled
from .text_metrics import Place, flowing, whole
from .text_placement import Ground, kept

STRAY = 4
"""An element that leaves its band by no more than so many points is moved into it."""


class Builder:
    """One layout on its way to a plan."""

    def __init__(self, layout: Layout, form: bytes, name: str) -> None:
        self._layout, self._name = layout, name
        self._form = Form(form, layout.page)
        self._ground = Ground(layout)
        self._sheet = Sheet(divide(layout, self._ground.extents))

    def build(self) -> tuple[Plan, Data]:
        """The plan and the data that fill it; a builder is used once."""
        in_rows = self._rows()
        for block in self._ground.blocks.values():
            if block.id not in in_rows:
                self._block(block)
        self._empty_cells()
        marks: list[RulingLine | Fill | Picture] = [
            *self._ground.fills, *self._layout.pictures, *self._ground.ruling.left()
        ]  # fmt: skip
        for placed in spread((mark_of(one) for one in marks), self._sheet.regions):
            self._mark(placed)
        return self._sheet.plan(self._name, self._layout.page, self._layout.paper), self._sheet.data

    def _block(self, block: Block) -> None:
        """A block outside the rows; one that fits no band lies in the background."""
        region = self._sheet.home(self._ground.settings[block.id].box.middle[1])
        stand = self._ground.stand(block)
        if region is None or region.band == "detail" or not _inside(stand.place, region):
            region = None
        element: AnyElement
        if block.role == "fixed":
            element = static("\n".join(stand.setting.words), block.id, stand)
        else:
            text = flowing(stand.setting.words, stand.place.room, stand.setting.style)
            element = field(self._value(text, block.label), block.id, stand)
        self._sheet.add(element, region)

    def _value(self, text: str, label: str | None) -> str:
        """The expression that prints a value outside the rows, whose parameter is declared."""
        made = page_number(text) or printing(text, label)
        if made.value is None:
            return made.expression("")
        return made.expression(f"$P{{{self._sheet.parameter('value', made.value, label)}}}")

    def _rows(self) -> set[str]:
        """Plan the texts of the rows, once for all of them; the ids of their blocks."""
        repeat, detail, ground = self._layout.repeat, self._sheet.detail, self._ground
        if repeat is None or detail is None:
            return set()
        found = columns(repeat, detail, ground.blocks, ground.settings, ground.rooms)
        own = {block.id for column in found for block in column.blocks if block}
        placed = [
            self._column(column, detail)
            for column in tiled(found, self._layout, detail, ground.strips, lambda block: ground.clear(block, own))
        ]
        ground.align_headers(placed)
        return own

    def _column(self, column: Column, detail: Region) -> Place:
        copies = [block for block in column.blocks if block]
        label, is_value = column.slot.label, column.slot.role == "value"
        blank = column.blank(detail)
        stand = self._ground.stand_in_rows(
            column.setting, copies, column.room, column.tile, is_value, top=not detail.spare, blank=blank
        )
        stand = kept(stand, detail.height)
        if not is_value:
            self._sheet.add(static(copies[0].text, copies[0].id, stand), detail, in_row=True)
            return stand.place
        words = [self._ground.settings[block.id].words if block else None for block in column.blocks]
        texts = [flowing(one, stand.place.room, stand.setting.style) if one else None for one in words]
        wording = common_prefix([text for text in texts if text], label)
        values = [text[len(wording) :] if text else None for text in texts]
        reference = f"$F{{{self._sheet.field('column', values, label)}}}"
        expression = f"{quoted(wording)} + {reference}" if wording else reference
        self._sheet.add(field(expression, copies[0].id, stand), detail, in_row=True)
        return stand.place

    def _empty_cells(self) -> None:
        """Ruled cells without words carry their borders all the same, once for all rows in the detail."""
        words = [block.box.middle for block in self._ground.blocks.values()]
        columns: dict[tuple[int, int], list[Box]] = {}
        for box in (cell.box for grid in self._layout.grids for cell in grid.cells):
            region = self._sheet.home(box.middle[1])
            if region and region.band == "detail":
                columns.setdefault((round(box.x), round(box.right)), []).append(box)
            elif region and _inside(whole(box), region) and not any(box.holds(*point) for point in words):
                self._empty([box], whole(box), region)
        for boxes in columns.values():
            self._empty_column(boxes, words)

    def _empty_column(self, boxes: Sequence[Box], words: Sequence[tuple[float, float]]) -> None:
        """A ruled column of the rows that no row has words in."""
        detail = self._sheet.detail
        if detail and len(boxes) == detail.rows and not any(box.holds(*point) for box in boxes for point in words):
            first = whole(boxes[0])
            self._empty(boxes, Place(first.x, 0, first.width, detail.height), detail)

    def _empty(self, boxes: Sequence[Box], place: Place, region: Region) -> None:
        # Rows with a point of space between them would show a cell's top below the bottom of the one above.
        spaced = region.band == "detail" and region.spare > 0
        cells = [self._ground.cell(box, top=not spaced) for box in boxes]
        typical = cells[len(cells) // 2]
        if typical.shows:
            self._sheet.add(empty(place, typical), region, in_row=region.band == "detail")

    def _mark(self, placed: Placed) -> None:
        expression = self._picture(placed) if isinstance(placed.mark.origin, Picture) else ""
        element = drawn(placed.mark, expression, placed.when)
        self._sheet.add(element, placed.region, in_row=bool(placed.copies))

    def _picture(self, placed: Placed) -> str:
        """The expression that prints a picture, whose parameter or field is declared."""
        if placed.copies:
            crops = [self._form.crop(copy.box) if copy else None for copy in placed.copies]
            return EXPRESSION.format(f"$F{{{self._sheet.field('picture', crops)}}}")
        place = mark_place(placed.mark)
        crop = self._form.crop(Box(x=place.x, y=place.y, width=place.width, height=place.height))
        return EXPRESSION.format(f"$P{{{self._sheet.parameter('picture', crop)}}}")


def _inside(place: Place, region: Region) -> bool:
    """Whether an element is in its region but for a little."""
    return place.height <= region.height and place.y >= region.top - STRAY and place.bottom <= region.bottom + STRAY
