"""Plan: a report as bands, elements and fields, typed and without XML. All measures are whole points."""

from __future__ import annotations

from typing import Literal

from pydantic import Field as Default

from .base import Value
from .layout import Align, Dash, VAlign

BandName = Literal[
    "background", "title", "pageHeader", "columnHeader", "groupHeader", "detail", "groupFooter", "columnFooter",
    "pageFooter", "lastPageFooter", "summary",
]  # fmt: skip
Calculation = Literal["Sum", "Average", "Count", "Lowest", "Highest", "Nothing"]


class Pen(Value):
    """How a line is drawn. Width 0 draws nothing."""

    width: float = 0.0
    dash: Dash = "Solid"
    colour: str = "#000000"


class Borders(Value):
    """The pens of an element's four sides."""

    top: Pen = Pen()
    left: Pen = Pen()
    bottom: Pen = Pen()
    right: Pen = Pen()


class Padding(Value):
    """The distance of a text from its element's four sides."""

    top: int = 0
    left: int = 0
    bottom: int = 0
    right: int = 0


class Font(Value):
    family: str
    size: float
    bold: bool = False
    italic: bool = False
    underline: bool = False


class DataField(Value):
    """A declared field or parameter."""

    name: str
    java_class: str = "java.lang.String"
    label: str | None = None
    """The wording on the form that names the value."""
    is_sensitive: bool = False
    """Whether no language model may see its values."""


class Element(Value):
    """The attributes of every element. Its position is relative to its band."""

    key: str
    """Unique in the report. Edits and findings refer to elements by it."""
    x: int
    y: int
    width: int
    height: int
    forecolour: str = "#000000"
    backcolour: str | None = None
    """None means transparent."""
    source: str | None = None
    """The id of the block, rule, fill, picture or cell of the layout that the element was made from."""
    print_when: str | None = None
    """A Boolean Java expression. The element is printed where it is true."""
    style: str | None = None
    """The name of one of the plan's styles, which supplies what the element does not set itself."""
    stretches: bool = False
    """Whether the element grows with its band."""
    floats: bool = False
    """Whether the element moves down when what is above it grows."""
    leaves_no_line: bool = False
    """Whether the band is lower by the element's height where it has no value."""


class TextElement(Element):
    font: Font
    align: Align = "Left"
    valign: VAlign = "Top"
    borders: Borders = Borders()
    padding: Padding = Padding()


class StaticText(TextElement):
    kind: Literal["staticText"] = "staticText"
    text: str


class TextField(TextElement):
    kind: Literal["textField"] = "textField"
    expression: str
    """One Java expression: ``$F{amount}``, ``$P{customer}``, ``$V{PAGE_NUMBER}``."""
    pattern: str | None = None
    evaluation: Literal["Now", "Report", "Page", "Auto", "Master"] = "Now"
    """When it is evaluated. Auto: each variable in it when that variable is reset. Master: when all pages are there."""
    adjust: Literal["CutText", "StretchHeight", "ScaleFont"] = "CutText"
    """What happens to a text that is too long for its element."""


class Line(Element):
    kind: Literal["line"] = "line"
    pen: Pen


class Rectangle(Element):
    kind: Literal["rectangle"] = "rectangle"
    pen: Pen = Pen()
    radius: int = 0


class Image(Element):
    kind: Literal["image"] = "image"
    expression: str


PlainElement = StaticText | TextField | Line | Rectangle | Image


class ListElement(Element):
    """Further rows within a band: its contents are printed once for each row of a list in the data.

    It is as high as one row and grows with their number.
    """

    kind: Literal["list"] = "list"
    name: str
    """Of its dataset, of the parameter that passes its rows, and of the list in the data."""
    fields: list[DataField]
    contents: list[PlainElement]
    """Their positions are relative to the row."""


AnyElement = PlainElement | ListElement


class Band(Value):
    """A band. A section such as the detail may have several."""

    name: BandName
    height: int
    elements: list[AnyElement] = []
    print_when: str | None = None
    """A Boolean Java expression. The band is printed where it is true."""
    breaks: bool = True
    """Whether the band may continue on the next page when it has grown too high for the rest of this one."""


class Margins(Value):
    top: int = 0
    left: int = 0
    bottom: int = 0
    right: int = 0


class Variable(Value):
    """A value computed from the rows."""

    name: str
    expression: str
    java_class: str = "java.math.BigDecimal"
    calculation: Calculation = "Nothing"
    """How the expression's values are aggregated over the rows. Nothing means its value in the current row."""
    group: str | None = None
    """The group at whose start the variable is reset; None means the report."""
    resets_on_page: bool = False
    """Whether it is reset at the start of each page instead."""
    initial: str | None = None
    """The expression of its value after a reset."""


class Group(Value):
    """Consecutive rows for which an expression has the same value."""

    name: str
    expression: str
    header: Band | None = None
    footer: Band | None = None
    header_again: bool = True
    """Whether the header is repeated on each page on which the group continues."""
    new_page: bool = False
    """Whether the group begins on a new page."""


class SortField(Value):
    """A field, or a variable evaluated for each row, by which rows are sorted."""

    name: str
    descending: bool = False
    variable: bool = False


class Style(Value):
    """A named conditional style, which applies to elements in rows where its condition is true."""

    name: str
    condition: str
    """A Boolean Java expression."""
    backcolour: str | None = None
    forecolour: str | None = None


class Plan(Value):
    """A whole report."""

    name: str
    page_width: int
    page_height: int
    margins: Margins = Margins()
    bands: list[Band] = []
    parameters: list[DataField] = []
    fields: list[DataField] = []
    styles: list[Style] = []
    sort: list[SortField] = []
    variables: list[Variable] = []
    groups: list[Group] = []
    """The outermost group first."""
    further_pages: list[Band] = []
    """What is printed after the title, each on a page of its own. The title has its page for itself then."""
    page_after_rows: Band | None = None
    """What is printed on a page of its own after the rows and what stands below them, which are no further pages."""
    locale: str | None = None


class Data(Value):
    """The values read off the form. Filling the template with them reproduces the form.

    Dates are ISO 8601 strings, amounts are numbers, everything else strings. ``REPORT_LOCALE`` has the form ``zh_CN``.
    """

    parameters: dict[str, str | int | float | bool | None] = Default(default_factory=dict)
    rows: list[dict[str, str | int | float | bool | None]] = Default(default_factory=list)
    lists: dict[str, list[dict[str, str | int | float | bool | None]]] = Default(default_factory=dict)
    """The rows of further tables, by the name of the parameter that passes them."""

    @property
    def filled_rows(self) -> list[dict[str, str | int | float | bool | None]]:
        """The rows without those at the end that hold no value: the lines of the form that were left empty."""
        last = max((number for number, row in enumerate(self.rows, 1) if set(row.values()) - {None}), default=0)
        return self.rows[:last]
