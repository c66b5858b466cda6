"""Plan: the report as bands, elements and fields. Typed, no XML. All coordinates are whole points."""

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
    """A line's pen; width 0 draws nothing."""

    width: float = 0.0
    dash: Dash = "Solid"
    colour: str = "#000000"


class Borders(Value):
    """Pens of an element's four sides."""

    top: Pen = Pen()
    left: Pen = Pen()
    bottom: Pen = Pen()
    right: Pen = Pen()


class Padding(Value):
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


class Element(Value):
    """What every element has. Its place is relative to its band."""

    key: str
    """Unique in the report; edits and findings name elements by it."""
    x: int
    y: int
    width: int
    height: int
    forecolour: str = "#000000"
    backcolour: str | None = None
    """None is transparent."""
    source: str | None = None
    """Id of the layout's block, rule, fill, picture or cell that it was made from."""
    print_when: str | None = None
    """A Java expression of a Boolean: the element is printed where it is true."""
    style: str | None = None
    """Name of one of the plan's styles, for what the element does not say itself."""
    stretches: bool = False
    """Whether it grows as high as its band does."""


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
    evaluation: Literal["Now", "Report", "Page"] = "Now"
    adjust: Literal["CutText", "StretchHeight", "ScaleFont"] = "CutText"
    """What becomes of a text that is too long for its element."""


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


AnyElement = StaticText | TextField | Line | Rectangle | Image


class Band(Value):
    """One band; a section such as the detail may have several."""

    name: BandName
    height: int
    elements: list[AnyElement] = []
    print_when: str | None = None
    """A Java expression of a Boolean: the band is printed where it is true."""
    breaks: bool = True
    """Whether it may go on over the end of a page, where a row has grown too high for what is left of it."""


class Margins(Value):
    top: int = 0
    left: int = 0
    bottom: int = 0
    right: int = 0


class DataField(Value):
    """A declared field or parameter."""

    name: str
    java_class: str = "java.lang.String"
    label: str | None = None
    """The wording on the form that names it."""


class Variable(Value):
    """A value that is worked out from the rows."""

    name: str
    expression: str
    java_class: str = "java.math.BigDecimal"
    calculation: Calculation = "Nothing"
    """What is made of the expression's values over the rows; Nothing is its value in the row at hand."""
    group: str | None = None
    """The group with which it begins anew; None is the report."""


class Group(Value):
    """Rows that stand together because an expression has the same value in all of them."""

    name: str
    expression: str
    header: Band | None = None
    footer: Band | None = None
    header_again: bool = True
    """Whether a page that begins within the group repeats its header."""


class SortField(Value):
    """Rows are sorted by a field, or by a variable of the row at hand."""

    name: str
    descending: bool = False
    variable: bool = False


class Style(Value):
    """A look that has a name, and that elements have in rows where its condition is true."""

    name: str
    condition: str
    """A Java expression of a Boolean."""
    backcolour: str | None = None
    forecolour: str | None = None


class Plan(Value):
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
    """The outermost first."""
    locale: str | None = None


class Data(Value):
    """The values read off the form; filling the template with them gives the form back.

    Dates are ISO 8601 strings, amounts numbers, everything else strings; ``REPORT_LOCALE`` is written ``zh_CN``.
    """

    parameters: dict[str, str | int | float | bool | None] = Default(default_factory=dict)
    rows: list[dict[str, str | int | float | bool | None]] = Default(default_factory=list)
