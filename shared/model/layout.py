"""Layout: what is on a page and what it means, in points, origin top left.

The marks come first (lines of text, rules, fills, pictures, grids: what anybody sees), then what was understood of
them (blocks with a role, labels of values, repeated rows).
"""

from __future__ import annotations

from typing import Literal

from .base import Value
from .geometry import Box, Size
from .sheet import SheetCell

Align = Literal["Left", "Center", "Right"]
VAlign = Literal["Top", "Middle", "Bottom"]
Dash = Literal["Solid", "Dashed", "Dotted", "Double"]


class TextStyle(Value):
    """The look of text, in a family that the report engine's font extension has (see ``bandsmith.shared.fonts``)."""

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
    """0 to 1; 1 where the document carries its text exactly."""
    sums_up: bool = False
    """Whether the document itself adds up what stands above it."""


class RulingLine(Value):
    """A straight horizontal or vertical line, from start to end along its middle."""

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

    @property
    def box(self) -> Box:
        left, right = sorted((self.x1, self.x2))
        top, bottom = sorted((self.y1, self.y2))
        return Box.between(left, top, right, bottom)


class Fill(Value):
    """An area of one colour other than the paper's."""

    id: str
    box: Box
    colour: str
    radius: float = 0.0
    """Radius of its rounded corners."""


class Picture(Value):
    """An area that is neither text nor rules: a logo, a barcode, a seal."""

    id: str
    box: Box
    kind: Literal["image", "barcode", "seal"] = "image"
    content: str | None = None
    """What it shows, as a PNG in base64, where the page shows more at its place: a seal over a text."""


class Cell(Value):
    """An area that ruling lines enclose; merged cells span more than one row or column."""

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    box: Box
    """Bounded by the middles of the rules around it."""


class Grid(Value):
    """A ruled table: the edges of its columns and rows, and its cells."""

    id: str
    box: Box
    columns: list[float]
    """x of each column edge, from left to right: one more than there are columns."""
    rows: list[float]
    """y of each row edge, from top to bottom."""
    cells: list[Cell]
    rules: list[str] = []
    """Ids of the rules that draw it."""


class Block(Value):
    """Text that belongs together and becomes one element: a single line, or the lines of one cell or paragraph."""

    id: str
    text: str
    """The text of its lines, joined by line feeds."""
    lines: list[str]
    """Ids of its lines, from top to bottom."""
    box: Box
    style: TextStyle
    align: Align = "Left"
    valign: VAlign = "Top"
    room: Box | None = None
    """The ruled cell or filled bar that it sits in; its element fills this area."""
    role: Literal["fixed", "value"] = "fixed"
    """Fixed wording, the same on every copy of the form, or a value that was filled in."""
    label: str | None = None
    """The wording that names a value."""
    prefix: str = ""
    """Fixed wording before a value in the same text, as in ``Order #: C40217``; `text` begins with it."""


class Blank(Value):
    """An empty place to fill in, which wording on the form names."""

    id: str
    label: str
    box: Box
    style: TextStyle
    """That of its label, in its usual weight."""


class TickBox(Value):
    """A small square to tick, with the wording that says what a tick means."""

    id: str
    box: Box
    ticked: bool
    label: str | None = None


class Slot(Value):
    """One position of a repeated row: a column of a table, or one value of a repeated card."""

    label: str | None
    blocks: list[str | None]
    """Ids of its blocks, one per row; None where that row has nothing there."""
    role: Literal["fixed", "value"] = "value"


class Repeat(Value):
    """Rows that repeat down the page and become one detail band."""

    box: Box
    tops: list[float]
    """y at which each row begins."""
    pitch: float
    """Height of every row; where rows differ, of a row with as few lines as any."""
    heights: list[float] = []
    """Height of each row where rows differ; empty where every row is `pitch` high."""
    slots: list[Slot]
    marks: list[list[str]] = []
    """Ids of the rules, fills and pictures inside each row."""
    header: list[str] = []
    """Ids of the blocks that are its column headers."""
    grid: str | None = None
    """Id of the grid that the rows belong to."""
    continued: list[list[str | None]] = []
    """The rows on later pages: the text of each slot, its lines joined by line feeds."""
    groups: RowGroups | None = None
    """Set where headings or subtotals stand among the rows."""

    @property
    def rows(self) -> int:
        return len(self.tops)

    @property
    def filled_rows(self) -> int:
        """Number of rows down to the last one with text; all of them in a blank table."""
        by_row = zip(*(slot.blocks for slot in self.slots), strict=False)
        return max((number for number, row in enumerate(by_row, 1) if any(row)), default=self.rows)

    @property
    def group_lines(self) -> list[Repeat]:
        """The headings and the subtotals of the groups, which repeat as rows do: one for each group."""
        return [lines for lines in (self.groups.headings, self.groups.endings) if lines] if self.groups else []


class RowGroups(Value):
    """Groups of rows that follow each other: each has a heading above its rows, a subtotal below them, or both."""

    first_rows: list[int]
    """Number of the row with which each group begins; the first is 0."""
    headings: Repeat | None = None
    """The line above the rows of each group."""
    endings: Repeat | None = None
    """The line below the rows of each group."""

    @property
    def count(self) -> int:
        return len(self.first_rows)

    def group_of(self, row: int) -> int:
        """Return the number of the group that a row belongs to."""
        return sum(first <= row for first in self.first_rows) - 1


class Remark(Value):
    """A change that a person drew on the page in another colour, and its target.

    Its ink is not part of the form: it is erased from the page before the form's marks are looked for.
    """

    text: str
    """Its words. Empty for a strike without words, which deletes what it strikes. Words beside a strike that do not
    ask for a change replace what it strikes."""
    box: Box
    """Of its words, or of its stroke if it has no words."""
    shape: Literal["none", "arrow", "circle", "strike", "underline"] = "none"
    target: Box | None = None
    """The area that it points at: at an arrow's head, inside a circle, struck or underlined text, or else the nearest
    print; None where it points at nothing (a remark on the whole page)."""
    block: str | None = None
    """Id of the block at its target, if there is one."""
    colour: str = "#FF0000"
    """Colour of its ink."""


class Layout(Value):
    """Everything that was found on one page."""

    page: Size
    lines: list[TextLine] = []
    rules: list[RulingLine] = []
    fills: list[Fill] = []
    pictures: list[Picture] = []
    grids: list[Grid] = []
    blocks: list[Block] = []
    blanks: list[Blank] = []
    """Places outside the rows where nothing was filled in."""
    tick_boxes: list[TickBox] = []
    title: str | None = None
    """Id of the title's block."""
    repeat: Repeat | None = None
    """The rows of the page's main table."""
    further: list[Repeat] = []
    """The rows of the other tables, from top to bottom. None of them is beside another table."""
    fixed_tables: list[str] = []
    """The headings of tables whose rows stay as they are, since other texts stand among or beside them."""
    paper: str = "#FFFFFF"
    remarks: list[Remark] = []
    """Changes that a person drew on the page, from top to bottom."""
    notes: list[str] = []
    """What the user should know about how the page was read, one sentence each."""
    sheet_cells: list[SheetCell] = []
    """What a workbook computes of this page."""
    joined: JoinedPages | None = None
    """Set on the first page of a document whose main table goes on on later pages."""
    later: list[Layout] = []
    """The pages after these that are no rows, in order, each as large as this one. All ids of a document differ."""

    @property
    def whole(self) -> Layout:
        """What the template is made of: the joined pages, or else this page."""
        return self.joined.layout if self.joined else self

    @property
    def pages(self) -> int:
        """Number of pages of the document that the template prints again."""
        return (self.joined.pages if self.joined else 1) + len(self.later)

    @property
    def tables(self) -> list[Repeat]:
        """The rows of the main table and of the others."""
        return [*([self.repeat] if self.repeat else []), *self.further]

    @property
    def row_sets(self) -> list[Repeat]:
        """The rows of all tables, and the lines of their groups."""
        return [rows for table in self.tables for rows in (table, *table.group_lines)]

    @property
    def total_rows(self) -> int:
        return self.repeat.filled_rows + len(self.repeat.continued) if self.repeat else 0


class RunningHead(Value):
    """What the pages after the first one have above the table, other than the first page."""

    lines: list[TextLine]
    bottom: float
    """Where the headings of the table begin below it."""


class JoinedPages(Value):
    """The first page of a document whose table goes on on later pages, with what follows the last row there.

    The layout is a page as high as both: the first page down to its last row, then what stands below the last row of
    the last page, then the foot of the first page.
    """

    layout: Layout
    pages: int
    """Number of pages that are joined."""
    footer_top: float
    """Where the foot of the first page begins: what is printed below the rows of every page."""
    footer_shift: float
    """How much lower the foot stands than on the first page."""
    repeats_head: bool = False
    """Whether the second page has above its rows what the first page has there."""
    running_head: RunningHead | None = None
