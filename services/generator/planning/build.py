"""The builder: walks over a layout once and gathers each band's elements and the data behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shared.model.geometry import Box
from shared.model.layout import Block, Fill, Layout, Picture, Rule
from shared.model.plan import (
    AnyElement,
    Band,
    Borders,
    Data,
    DataField,
    Font,
    Image,
    Line,
    Margins,
    Plan,
    Rectangle,
    StaticText,
    TextField,
)

from .expressions import page_number, prefix, printing
from .marks import Placed, mark_of, spread
from .pictures import EXPRESSION, Form
from .regions import Region, divide
from .rooms import bars, between_rules, own_rooms, tiles
from .rows import Column, columns, tiled
from .ruling import Ruling, pen_of
from .texts import Place, Setting, aligned, clearance, fitted, flowing, free_place, room_place, setting, settled

MARGIN = 20
"""Margins are as wide as the form leaves free, at most so many points."""
SAME_AREA = 0.85
"""A fill that shares so much of its area with a cell is the cell's background."""


class Builder:
    """One layout on its way to a plan."""

    def __init__(self, layout: Layout, form: bytes, name: str) -> None:
        self.layout = layout
        self.name = name
        self.form = Form(form, layout.page) if layout.pictures else None
        lines = {line.id: line for line in layout.lines}
        self.blocks = {block.id: block for block in layout.blocks if block.text.strip()}
        self.settings = {
            block.id: setting(block, [lines[one] for one in block.lines if one in lines])
            for block in self.blocks.values()
        }
        self.rooms = own_rooms(layout)
        extents = {name: self.rooms.get(name, set_.box) for name, set_ in self.settings.items()}
        self.regions = divide(layout, extents)
        self.detail = next((region for region in self.regions if region.band == "detail"), None)
        self.ruling = Ruling(layout.rules)
        self.strips = self._strips()
        self.spans: list[tuple[float, float]] = []
        """Where the columns of the rows begin and end."""
        self.fills = list(layout.fills)
        self.elements: dict[str, list[tuple[int, AnyElement]]] = {}
        self.parameters: list[DataField] = []
        self.fields: list[DataField] = []
        self.data = Data(rows=[{} for _ in range(self.detail.rows)] if self.detail else [])
        self.keys: Counter[str] = Counter()

    def build(self) -> tuple[Plan, Data]:
        in_rows = self._detail_texts()
        self._align_headers()
        for block in self.blocks.values():
            if block.id not in in_rows:
                self._block(block)
        self._empty_cells()
        marks: list[Rule | Fill | Picture] = [*self.fills, *self.layout.pictures, *self.ruling.left()]
        for placed in spread((mark_of(one) for one in marks), self.regions):
            self._mark(placed)
        return self._plan(), self.data

    # --- words -------------------------------------------------------------------------------------------------

    def _strips(self) -> dict[str, Box]:
        """The part of its bar that each block has, where several stand side by side in one."""
        found = {b.id: b.room for b in self.blocks.values() if b.room and b.id not in self.rooms and self._alone(b)}
        for bar, inside in bars(self.blocks.values(), self.layout.fills):
            boxes = [self.settings[block.id].box for block in inside]
            spans = [(box.x, box.right, block.align) for box, block in zip(boxes, inside, strict=True)]
            for block, (left, right) in zip(inside, tiles(spans, bar.x, bar.right), strict=True):
                if block.id in found:
                    continue
                top, bottom = between_rules(block.box, bar.y, bar.bottom, self.layout.rules)
                low, high = clearance(block.box, self._obstacles({block.id}, block.box), self.layout.page.width)
                found[block.id] = Box.between(max(left, low), top, min(right, high), bottom)
        return found

    def _alone(self, block: Block) -> bool:
        """Whether no other block stands in its room."""
        others = (other for other in self.blocks.values() if other is not block)
        return block.room is not None and not any(block.room.holds(*other.box.middle) for other in others)

    def _block(self, block: Block) -> None:
        """A block outside the rows."""
        region = self._home(self.settings[block.id].box)
        set_, place, borders, back = self._stand(block, self.settings[block.id], self.rooms.get(block.id))
        if region is None or region.band == "detail" or not _inside(place, region):
            region = None
        text = flowing(set_.words, place.room, set_.style)
        if block.role == "fixed":
            element = _static("\n".join(set_.words), block.id, set_, place, borders, back)
        else:
            element = _field(self._expression(text, block), block.id, set_, place, borders, back)
        self._add(element, region)

    def _stand(self, block: Block, set_: Setting, room: Box | None) -> tuple[Setting, Place, Borders, str | None]:
        """How a block stands: in its cell with the cell's borders and background, or free."""
        if room is not None:
            cell = _whole(room)
            smaller = fitted(set_, cell.width)
            if place := room_place(smaller, cell):
                return smaller, place, self.ruling.borders(room), self._background(room)
        if strip := self.strips.get(block.id):
            held = settled(set_, strip)
            if place := room_place(held, _whole(strip)):
                return held, place, Borders(), None
        clear = clearance(block.box, self._obstacles({block.id}, block.box), self.layout.page.width)
        smaller = fitted(set_, max(set_.box.width * 0.8, clear[1] - clear[0]))
        return smaller, free_place(smaller, clear, block.role == "value"), Borders(), None

    def _expression(self, text: str, block: Block) -> str:
        name = f"value_{len(self.parameters) + 1}"
        reference = f"$P{{{name}}}"
        made = page_number(text, reference) or printing(text, reference, block.label)
        if made.value is not None:
            self.parameters.append(DataField(name=name, label=block.label))
            self.data.parameters[name] = made.value
        return made.expression

    def _obstacles(self, own: set[str], box: Box) -> Iterable[Box]:
        """What an element must not cover: other words, upright rules, pictures, and the sides of fills and cells."""
        for other in self.layout.blocks:
            if other.id not in own:
                yield other.box
        for rule in self.layout.rules:
            if not rule.horizontal:
                yield mark_of(rule).box
        for picture in self.layout.pictures:
            yield picture.box
        for fill in self.layout.fills:
            if fill.box.holds(*box.middle):
                yield Box.between(fill.box.x - 1, fill.box.y, fill.box.x, fill.box.bottom)
                yield Box.between(fill.box.right, fill.box.y, fill.box.right + 1, fill.box.bottom)
            else:
                yield fill.box

    # --- rows --------------------------------------------------------------------------------------------------

    def _detail_texts(self) -> set[str]:
        """Plan the detail's texts; the ids of the blocks in it."""
        repeat, detail = self.layout.repeat, self.detail
        if repeat is None or detail is None:
            return set()
        done: set[str] = set()
        found = columns(repeat, detail, self.blocks, self.settings, self.rooms)
        slots = {block.id for column in found for block in column.blocks if block}

        def clear(block: Block) -> tuple[float, float]:
            return clearance(block.box, self._obstacles(slots, block.box), self.layout.page.width)

        for column in tiled(found, self.layout, detail, self.strips, clear):
            self._column(column, detail)
            done |= {block.id for block in column.blocks if block}
        return done

    def _align_headers(self) -> None:
        """A column's header takes the width of its column."""
        for name in self.layout.repeat.header if self.layout.repeat else []:
            if name not in self.settings or name in self.rooms:
                continue
            set_ = self.settings[name]
            over = [span for span in self.spans if span[0] < set_.box.right and span[1] > set_.box.x]
            if len(over) == 1 and over[0][0] - 2 <= set_.box.x and set_.box.right <= over[0][1] + 2:
                strip = self.strips.get(name, set_.box)
                low, high = clearance(set_.box, self._obstacles({name}, set_.box), self.layout.page.width)
                self.strips[name] = Box.between(max(over[0][0], low), strip.y, min(over[0][1], high), strip.bottom)
                self.settings[name] = aligned(set_, self.strips[name])

    def _column(self, column: Column, detail: Region) -> None:
        own = [block for block in column.blocks if block]
        place, borders, back = None, Borders(), None
        set_ = column.setting
        if column.room:
            set_ = fitted(column.setting, column.room.width)
            place = room_place(set_, column.room)
        if place:
            # Every copy's cell is drawn by the one; a middle row's is the typical one.
            cells = [self.rooms[block.id] for block in own if block.id in self.rooms]
            every = [(self.ruling.borders(cell), self._background(cell)) for cell in cells]
            borders, back = every[len(every) // 2]
        elif column.tile and (place := room_place(settled(set_, column.tile), _whole(column.tile))):
            set_ = settled(set_, column.tile)
        else:
            ids = {block.id for block in own}
            limits = [clearance(b.box, self._obstacles(ids, b.box), self.layout.page.width) for b in own]
            clear = max(low for low, _ in limits), min(high for _, high in limits)
            set_ = fitted(column.setting, max(column.setting.box.width * 0.8, clear[1] - clear[0]))
            place = free_place(set_, clear, column.slot.role == "value")
            place = _kept(place, detail.height)
        self.spans.append((place.x, place.x + place.width))
        words = [tuple(self.settings[b.id].words) if b else None for b in column.blocks]
        texts = [flowing(w, place.room, set_.style) if w else None for w in words]
        if column.slot.role == "fixed":
            self._add(_static(own[0].text, own[0].id, set_, place, borders, back), detail, shifted=True)
            return
        name = f"column_{len(self.fields) + 1}"
        self.fields.append(DataField(name=name, label=column.slot.label))
        wording = _common_prefix([(t, column.slot.label) for t in texts if t])
        for row, text in zip(self.data.rows, texts, strict=True):
            row[name] = text[len(wording) :] if text else None
        expression = printing(wording + "x", f"$F{{{name}}}", wording).expression if wording else f"$F{{{name}}}"
        self._add(_field(expression, own[0].id, set_, place, borders, back), detail, shifted=True)

    # --- cells and marks ---------------------------------------------------------------------------------------

    def _background(self, room: Box) -> str | None:
        """The colour of the fill that is this cell's background; the fill is used up."""
        for fill in self.fills:
            common = fill.box.overlap(room)
            if fill.radius == 0 and common > SAME_AREA * max(fill.box.area, room.area):
                self.fills.remove(fill)
                return fill.colour
        return None

    def _empty_cells(self) -> None:
        """Ruled cells without words carry their borders all the same, once for all rows in the detail."""
        taken = [block.box.middle for block in self.blocks.values()]
        in_detail: dict[tuple[int, int], list[Box]] = {}
        for cell in (cell for grid in self.layout.grids for cell in grid.cells):
            region = self._home(cell.box)
            if region and region.band == "detail":
                in_detail.setdefault((round(cell.box.x), round(cell.box.right)), []).append(cell.box)
            elif region and not any(cell.box.holds(*point) for point in taken):
                place = _whole(cell.box)
                if _inside(place, region):
                    self._empty(cell.box, place, region)
        for boxes in in_detail.values():
            self._empty_column(boxes, taken)

    def _empty(self, box: Box, place: Place, region: Region) -> None:
        borders, back = self.ruling.borders(box), self._background(box)
        if borders != Borders() or back:
            self._add(_blank(place, borders, back), region)

    def _empty_column(self, boxes: list[Box], taken: list[tuple[float, float]]) -> None:
        """A column of the rows that is empty in every row."""
        detail = self.detail
        assert detail is not None
        if any(box.holds(*point) for box in boxes for point in taken) or len(boxes) != detail.rows:
            return
        every = [(self.ruling.borders(box), self._background(box)) for box in boxes]
        borders, back = every[len(every) // 2]
        place = Place(round(boxes[0].x), 0, round(boxes[0].right) - round(boxes[0].x), detail.height)
        if borders != Borders() or back:
            self._add(_blank(place, borders, back), detail, shifted=True)

    def _mark(self, placed: Placed) -> None:
        mark, region = placed.mark, placed.region
        box, origin = mark.box, mark.origin
        x, y = round(box.x), round(box.y)
        width, height = max(1, round(box.right) - x), max(1, round(box.bottom) - y)
        element: AnyElement
        if isinstance(origin, Rule):
            # The engine draws a line through the middle of its point.
            if origin.horizontal:
                y, height = round(box.y - 0.5), 1
            else:
                x, width = round(box.x - 0.5), 1
            element = Line(
                key="", x=x, y=y, width=width, height=height, pen=pen_of(origin), forecolour=origin.colour,
                source=origin.id,
            )  # fmt: skip
        elif isinstance(origin, Fill):
            element = Rectangle(
                key="", x=x, y=y, width=width, height=height, radius=round(origin.radius), backcolour=origin.colour,
                source=origin.id,
            )  # fmt: skip
        else:
            whole = Box(x=x, y=y, width=width, height=height)
            element = Image(
                key="", x=x, y=y, width=width, height=height, source=origin.id, expression=self._picture(placed, whole)
            )
        if placed.when:
            element = element.model_copy(update={"print_when": placed.when})
        self._add(element, region, shifted=bool(placed.copies))

    def _picture(self, placed: Placed, place: Box) -> str:
        assert self.form is not None
        if placed.copies:
            name = f"picture_{1 + sum(field.name.startswith('picture_') for field in self.fields)}"
            self.fields.append(DataField(name=name))
            for row, copy in zip(self.data.rows, placed.copies, strict=False):
                row[name] = self.form.crop(copy.box) if copy else None
            return EXPRESSION.format(f"$F{{{name}}}")
        name = f"picture_{1 + sum(field.name.startswith('picture_') for field in self.parameters)}"
        self.parameters.append(DataField(name=name))
        self.data.parameters[name] = self.form.crop(place)
        return EXPRESSION.format(f"$P{{{name}}}")

    # --- bands -------------------------------------------------------------------------------------------------

    def _home(self, box: Box) -> Region | None:
        middle = box.middle[1]
        return next((region for region in self.regions if region.top <= middle < region.bottom), None)

    def _add(self, element: AnyElement, region: Region | None, shifted: bool = False) -> None:
        """Put an element into its band, the background without a region; `shifted` says that its y is the band's."""
        stem = element.source or "cell"
        self.keys[stem] += 1
        key = stem if self.keys[stem] == 1 else f"{stem}-{self.keys[stem]}"
        y = element.y if shifted or region is None else element.y - region.top
        if region is not None:
            # A line on the band's end is drawn on its last point.
            height = min(element.height, region.height)
            y = max(0, min(y, region.height - height))
            element = element.model_copy(update={"height": height})
        layer = {"rectangle": 0, "image": 1, "line": 2}.get(element.kind, 3)
        moved = element.model_copy(update={"key": key, "y": y})
        self.elements.setdefault(region.band if region else "background", []).append((layer, moved))

    def _plan(self) -> Plan:
        page_width, page_height = round(self.layout.page.width), round(self.layout.page.height)
        if self.layout.paper.upper() != "#FFFFFF":
            paper = Rectangle(key="paper", x=0, y=0, width=page_width, height=page_height, backcolour=self.layout.paper)
            self.elements.setdefault("background", []).insert(0, (-1, paper))
        margins = self._margins(page_width, page_height)
        bands = []
        if background := self.elements.get("background"):
            height = page_height - margins.top - margins.bottom
            bands.append(Band(name="background", height=height, elements=_ordered(background, margins, 0, page_width)))
        for region in self.regions:
            top = margins.top if region.top == 0 else 0
            height = region.height - top
            if region.bottom == page_height:
                height -= margins.bottom
            inside = self.elements.get(region.band, [])
            elements = _ordered(inside, Margins(left=margins.left, top=top), 0, page_width)
            if region.band == "summary":
                height = max((e.y + e.height for e in elements), default=0)
            if height > 0 and (elements or region.band in ("title", "detail")):
                bands.append(Band(name=region.band, height=height, elements=elements))
        plan = Plan(
            name=self.name,
            page_width=page_width,
            page_height=page_height,
            margins=margins,
            bands=bands,
            parameters=self.parameters,
            fields=self.fields,
        )
        return plan

    def _margins(self, page_width: int, page_height: int) -> Margins:
        """What no element reaches, on each side."""
        lefts, rights = [MARGIN], [MARGIN]
        tops, bottoms = [MARGIN, *(region.top for region in self.regions if region.top)], [MARGIN]
        if self.detail:
            tops.append(self.detail.top)
            bottoms.append(page_height - self.detail.bottom)
        region_of = {region.band: region for region in self.regions}
        for band, inside in self.elements.items():
            region = region_of.get(band)
            for _, e in inside:
                lefts.append(e.x)
                rights.append(page_width - e.x - e.width)
                if region is None or region.top == 0:
                    tops.append(e.y)
                if region is None or region.bottom == page_height:
                    bottoms.append(page_height - (region.top if region else 0) - e.y - e.height)
        return Margins(
            left=max(0, min(lefts)), right=max(0, min(rights)), top=max(0, min(tops)), bottom=max(0, min(bottoms))
        )


def _ordered(inside: list[tuple[int, AnyElement]], margins: Margins, _: int, page_width: int) -> list[AnyElement]:
    """A band's elements from the back to the front, relative to the margins."""
    out = []
    for _layer, e in sorted(inside, key=lambda item: (item[0], -item[1].width * item[1].height if item[0] <= 0 else 0)):
        x = max(0, min(e.x, page_width - e.width))
        out.append(e.model_copy(update={"x": x - margins.left, "y": e.y - margins.top}))
    return out


def _whole(room: Box) -> Place:
    """A room in whole points; rooms that touch share an edge."""
    x, y = round(room.x), round(room.y)
    return Place(x, y, round(room.right) - x, round(room.bottom) - y)


def _inside(place: Place, region: Region) -> bool:
    """Whether an element is in its region but for a little, by which it is moved."""
    return place.height <= region.height and place.y >= region.top - 4 and place.bottom <= region.bottom + 4


def _kept(place: Place, height: int) -> Place:
    """A place moved into a row as far as it goes."""
    y = max(0, min(place.y, height - place.height))
    return Place(place.x, y, place.width, min(place.height, height), place.padding)


def _common_prefix(texts: list[tuple[str, str | None]]) -> str:
    """The label that stands before the value in every row; empty where some row is without."""
    found = {prefix(text, label) for text, label in texts}
    return found.pop() if len(found) == 1 else ""


def _look(key: str, set_: Setting, place: Place, borders: Borders, back: str | None) -> dict[str, object]:
    style = set_.style
    return {
        "key": "",
        "x": place.x,
        "y": place.y,
        "width": place.width,
        "height": place.height,
        "forecolour": style.colour,
        "backcolour": back,
        "source": key,
        "font": Font(
            family=style.family, size=style.size, bold=style.bold, italic=style.italic, underline=style.underline
        ),
        "align": set_.align,
        "valign": set_.valign,
        "borders": borders,
        "padding": place.padding,
    }


def _static(text: str, key: str, set_: Setting, place: Place, borders: Borders, back: str | None) -> StaticText:
    return StaticText.model_validate({**_look(key, set_, place, borders, back), "text": text})


def _field(expression: str, key: str, set_: Setting, place: Place, borders: Borders, back: str | None) -> TextField:
    return TextField.model_validate({**_look(key, set_, place, borders, back), "expression": expression})


def _blank(place: Place, borders: Borders, back: str | None) -> StaticText:
    return StaticText(
        key="",
        x=place.x,
        y=place.y,
        width=place.width,
        height=place.height,
        backcolour=back,
        borders=borders,
        font=Font(family="Liberation Sans", size=10),
        text="",
    )
