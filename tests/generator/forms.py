"""Small forms drawn as layouts: texts at a baseline, with the ink boxes that they have in print."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from bandsmith.services.validator.checks import schema, wellformed
from bandsmith.shared.fonts import measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import (
    Align,
    Block,
    Cell,
    Fill,
    Grid,
    Layout,
    Picture,
    Repeat,
    RulingLine,
    Slot,
    TextLine,
    TextStyle,
)

PAGE = Size(width=400, height=300)


class Form:
    """Collects what is on a page. Each method returns the id of what it drew."""

    def __init__(self) -> None:
        self.lines: list[TextLine] = []
        self.blocks: list[Block] = []
        self.rules: list[RulingLine] = []
        self.fills: list[Fill] = []
        self.pictures: list[Picture] = []
        self.grids: list[Grid] = []
        self.repeat: Repeat | None = None

    def text(
        self,
        words: str,
        x: float,
        baseline: float,
        *,
        size: float = 10,
        value: bool = False,
        label: str | None = None,
        align: Align = "Left",
        room: Box | None = None,
        valign: str = "Middle",
    ) -> str:
        """A text whose first line starts, ends or is centred at (x, baseline), by `align`."""
        style = TextStyle(family="Liberation Sans", size=size)
        ids = []
        for n, line in enumerate(words.split("\n")):
            ink = measure(line, style.family, size)
            shift = {"Left": 0.0, "Right": ink.advance, "Center": ink.advance / 2}[align]
            box = ink.ink.moved(x - shift, baseline + n * size * 1.149)
            self.lines.append(TextLine(id=f"line{len(self.lines) + 1}", text=line, box=box, style=style))
            ids.append(self.lines[-1].id)
        name = f"block{len(self.blocks) + 1}"
        box = Box.around(line.box for line in self.lines if line.id in ids)
        self.blocks.append(
            Block.model_validate(
                {
                    "id": name,
                    "text": words,
                    "lines": ids,
                    "box": box,
                    "style": style,
                    "align": align,
                    "valign": valign,
                    "room": room,
                    "role": "value" if value else "fixed",
                    "label": label,
                }
            )
        )
        return name

    def rule(self, x1: float, y1: float, x2: float, y2: float, *, thickness: float = 1, colour: str = "#000000") -> str:
        name = f"rule{len(self.rules) + 1}"
        self.rules.append(RulingLine(id=name, x1=x1, y1=y1, x2=x2, y2=y2, thickness=thickness, colour=colour))
        return self.rules[-1].id

    def fill(self, box: Box, colour: str = "#DDDDDD", radius: float = 0) -> str:
        self.fills.append(Fill(id=f"fill{len(self.fills) + 1}", box=box, colour=colour, radius=radius))
        return self.fills[-1].id

    def picture(self, box: Box) -> str:
        self.pictures.append(Picture(id=f"picture{len(self.pictures) + 1}", box=box))
        return self.pictures[-1].id

    def grid(self, columns: list[float], rows: list[float]) -> list[list[Box]]:
        """Draw a ruled table and return the boxes of its cells by row."""
        cells = [
            Cell(row=r, column=c, box=Box.between(columns[c], rows[r], columns[c + 1], rows[r + 1]))
            for r in range(len(rows) - 1)
            for c in range(len(columns) - 1)
        ]
        drawn = [self.rule(columns[0], y, columns[-1], y) for y in rows]
        drawn += [self.rule(x, rows[0], x, rows[-1]) for x in columns]
        box = Box.between(columns[0], rows[0], columns[-1], rows[-1])
        self.grids.append(Grid(id="grid1", box=box, columns=columns, rows=rows, cells=cells, rules=drawn))
        return [[cell.box for cell in cells if cell.row == r] for r in range(len(rows) - 1)]

    def repeats(
        self, tops: Sequence[float], pitch: float, slots: list[Slot], header: list[str], heights: Sequence[float] = ()
    ) -> None:
        box = Box.between(0, tops[0], PAGE.width, tops[-1] + (heights[-1] if heights else pitch))
        self.repeat = Repeat(box=box, tops=list(tops), pitch=pitch, heights=list(heights), slots=slots, header=header)

    def layout(self) -> Layout:
        return Layout(
            page=PAGE, lines=self.lines, rules=self.rules, fills=self.fills, pictures=self.pictures, grids=self.grids,
            blocks=self.blocks, repeat=self.repeat,
        )  # fmt: skip


def blank() -> bytes:
    """A white page of the form's size, as a PNG of 150 dots per inch."""
    target = io.BytesIO()
    Image.new("RGB", (round(PAGE.width * 150 / 72), round(PAGE.height * 150 / 72)), "white").save(target, "PNG")
    return target.getvalue()


def invoice(pitch: float = 20, rows: int = 3) -> Form:
    """A title, a customer, three columns with headers, rows, a total, and a page number at the foot."""
    form = Form()
    form.text("Invoice", 30, 40, size=18)
    form.text("Customer:", 30, 60)
    form.text("Meadow Bindery", 85, 60, value=True, label="Customer")
    header = [
        form.text("Item", 30, 90),
        form.text("Quantity", 200, 90, align="Right"),
        form.text("Amount", 300, 90, align="Right"),
    ]
    tops = [100 + n * pitch for n in range(rows)]
    values = [("Wall lamp", "4", "1,250.00"), ("Elm board", "12", "80.50"), ("Paper", "120", "9.90")]
    slots: list[list[str | None]] = [[], [], []]
    for n, top in enumerate(tops):
        item, quantity, amount = values[n % 3]
        slots[0].append(form.text(item, 30, top + 13, value=True))
        slots[1].append(form.text(quantity, 200, top + 13, value=True, align="Right"))
        slots[2].append(form.text(amount, 300, top + 13, value=True, align="Right"))
    labels = ("Item", "Quantity", "Amount")
    form.repeats(tops, pitch, [Slot(label=x, blocks=y) for x, y in zip(labels, slots, strict=True)], header)
    end = tops[-1] + pitch
    form.text("Total", 200, end + 20, align="Right")
    form.text("1,340.40", 300, end + 20, value=True, label="Total", align="Right")
    form.text("Page 1 of 1", 30, 285, value=True)
    return form


def complaints(template: bytes) -> list[str]:
    """The messages of the schema check for a template."""
    read, findings = wellformed.check(template)
    return [finding.message for finding in (schema.check(read) if read else findings)]
