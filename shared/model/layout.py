"""Layout: what is on the page and what it means, in points, origin top left.

The marks come first (lines of text, rules, fills, pictures, grids: what anybody sees), then what was understood of
them (blocks with a role, labels of values, repeated rows).
"""

from __future__ import annotations

from typing import Literal

from .base import Value
from .geometry import Box, Size

Align = Literal["Left", "Center", "Right"]
VAlign = Literal["Top", "Middle", "Bottom"]
Dash = Literal["Solid", "Dashed", "Dotted", "Double"]


class TextStyle(Value):
    """How text looks, in terms of a family that the engine's font extension carries (see ``shared.fonts``)."""

    family: str
    size: float
    bold: bool = False
    italic: bool = False
    underline: bool = False
    colour: str = "#000000"


class TextLine(Value):
    """One printed line of text; `box` is tight around its ink."""

    id: str
    text: str
    box: Box
    style: TextStyle
    confidence: float = 1.0
    """From 0 to 1; 1 where the document carries its text exactly."""


class RulingLine(Value):
    """A straight ruling line, horizontal or vertical, from its start to its end along its middle."""

    id: str
    x1: float
    y1: float
    x2: float
    y2: float
    thickness: float
    colour: str = "#000000"
    dash: Dash = "Solid"

    @property
    def horizontal(self) -> bool:
        return abs(self.x2 - self.x1) >= abs(self.y2 - self.y1)


class Fill(Value):
    """An area of one colour that is not the paper's."""

    id: str
    box: Box
    colour: str
    radius: float = 0.0
    """Radius of its rounded corners, in points."""


class Picture(Value):
    """An area that is neither text nor rules: a logo, a barcode, a seal."""

    id: str
    box: Box
    kind: Literal["image", "barcode", "seal"] = "image"


class Cell(Value):
    """A place that ruling lines enclose; merged cells span more than one row or column."""

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    box: Box
    """To the middles of the rules around it."""


class Grid(Value):
    """A ruled table: the edges of its columns and rows, and its cells."""

    id: str
    box: Box
    columns: list[float]
    """x of the column edges, from left to right: one more than there are columns."""
    rows: list[float]
    """y of the row edges, from top to bottom."""
    cells: list[Cell]
    rules: list[str] = []
    """Ids of the rules that draw it."""


class Block(Value):
    """Text that belongs together and becomes one element: one line, or the lines of one cell or paragraph."""

    id: str
    text: str
    """The text of its lines, joined by a line feed."""
    lines: list[str]
    """Ids of its lines, from top to bottom."""
    box: Box
    style: TextStyle
    align: Align = "Left"
    valign: VAlign = "Top"
    room: Box | None = None
    """The ruled cell or filled bar that it sits in; the element takes this place."""
    role: Literal["fixed", "value"] = "fixed"
    """Fixed wording, the same on every copy of the form, or a value that was filled in."""
    label: str | None = None
    """For a value: the wording that names it."""
    prefix: str = ""
    """For a value: fixed wording before it in the same text, as in ``Order #: C40217``; `text` begins with it."""


class Slot(Value):
    """One place of a repeated row: a column of a table, or one value of a repeated card."""

    label: str | None
    blocks: list[str | None]
    """Ids of the blocks in it, one for each row; None where that row has nothing there."""
    role: Literal["fixed", "value"] = "value"


class Repeat(Value):
    """Rows that repeat down the page and become one detail band."""

    box: Box
    tops: list[float]
    """y at which each row begins; rows are as high as the typical step between them."""
    pitch: float
    slots: list[Slot]
    marks: list[list[str]] = []
    """Ids of the rules, fills and pictures inside each row."""
    header: list[str] = []
    """Ids of the blocks of its column headers."""
    grid: str | None = None
    """Id of the grid whose rows these are."""

    @property
    def rows(self) -> int:
        return len(self.tops)


class Remark(Value):
    """A request that somebody drew on the page in a colour of its own, and the place that it points at.

    Its ink is no part of the form: it is taken out of the page before the form's marks are looked for.
    """

    text: str
    """Its words; empty for a bare strike-through, which means to delete what it strikes. Words of a strike that ask for
    nothing themselves are what to write instead."""
    box: Box
    """Of its words, or of its stroke where it has no words; in points, as every place here."""
    shape: Literal["none", "arrow", "circle", "strike", "underline"] = "none"
    target: Box | None = None
    """The place that it points at: at an arrow's head, inside a circle, struck or underlined text, else the nearest
    print; None where it points at nothing (a remark on the whole page)."""
    block: str | None = None
    """Id of the block at its target, where there is one."""
    colour: str = "#FF0000"
    """Of its ink."""


class Layout(Value):
    """Everything that was found on one page."""

    page: Size
    lines: list[TextLine] = []
    rules: list[RulingLine] = []
    fills: list[Fill] = []
    pictures: list[Picture] = []
    grids: list[Grid] = []
    blocks: list[Block] = []
    title: str | None = None
    """Id of the title's block."""
    repeat: Repeat | None = None
    paper: str = "#FFFFFF"
    remarks: list[Remark] = []
    """What somebody wrote on the page to have changed, from top to bottom."""
    notes: list[str] = []
    """What the user should know of the reading, one sentence each (pages left out, a page turned upright)."""

    @property
    def total_rows(self) -> int:
        return self.repeat.rows if self.repeat else 0
