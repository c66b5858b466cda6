"""Edit: one typed change to a template. Everything after the skeleton is a list of these, whoever thought of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .base import Value

Calculation = Literal["Sum", "Average", "Count", "Lowest", "Highest", "Nothing"]
Comparison = Literal[">", ">=", "<", "<=", "==", "!="]


class Move(Value):
    """Place an element at (x, y) of its band, in whole points; a side that is None stays."""

    do: Literal["move"] = "move"
    element: str
    x: int | None = None
    y: int | None = None


class Resize(Value):
    """Give an element this width and height in whole points; a side that is None stays."""

    do: Literal["resize"] = "resize"
    element: str
    width: int | None = None
    height: int | None = None


class SetProperty(Value):
    """Set one property of an element: the names are those of ``PROPERTIES`` in the generator's template editor."""

    do: Literal["set"] = "set"
    element: str
    name: str
    value: str


class SetExpression(Value):
    """Give a text field or image another expression."""

    do: Literal["expression"] = "expression"
    element: str
    expression: str


class SetText(Value):
    """Give a static text other wording."""

    do: Literal["text"] = "text"
    element: str
    text: str


class Delete(Value):
    do: Literal["delete"] = "delete"
    element: str


class RenameField(Value):
    """Rename a field or parameter everywhere, and give it the class and pattern that its values have."""

    do: Literal["rename"] = "rename"
    scope: Literal["field", "parameter"]
    name: str
    to: str
    java_class: str | None = None
    pattern: str | None = None


class Declare(Value):
    """Declare a field, parameter or variable that an expression uses."""

    do: Literal["declare"] = "declare"
    scope: Literal["field", "parameter", "variable"]
    name: str
    java_class: str = "java.lang.String"
    calculation: Calculation | None = None
    """Of a variable: what it makes of `expression` over the rows."""
    expression: str | None = None
    group: str | None = None
    """Of a variable: the group with which it begins anew; None is the report."""


class ResizeBand(Value):
    do: Literal["band"] = "band"
    band: str
    height: int


class SetReport(Value):
    """Set an attribute of the report itself: name, pageWidth, leftMargin, columnWidth and so on."""

    do: Literal["report"] = "report"
    name: str
    value: str


# --- what is added ---------------------------------------------------------------------------------------------------


class Add(Value):
    """Add a text to a band, which is made where it is missing and grows where it is too low.

    Without a place it stands at its side (`align`) of the band, beside what is there; without a size it is as large as
    its words. It looks like the element `like`, else like its neighbours.
    """

    do: Literal["add"] = "add"
    key: str
    band: str
    """A section's name: ``title``, ``pageHeader``, ``columnHeader``, ``detail``, ``pageFooter``, ``summary``."""
    text: str | None = None
    """The wording of a static text; or"""
    expression: str | None = None
    """the expression of a text field."""
    align: Literal["Left", "Center", "Right"] = "Left"
    x: int | None = None
    y: int | None = None
    width: int | None = None
    height: int | None = None
    like: str | None = None


class AddTotal(Value):
    """Add a total of a column: beneath the rows, or with `group` beneath each group."""

    do: Literal["total"] = "total"
    field: str
    calculation: Calculation = "Sum"
    group: str | None = None
    label: str | None = None
    """The wording before it; None leaves the words that stand there, an empty one adds none."""


class DeleteTotal(Value):
    """Take totals out, each with its row where nothing else is totalled there; what is below moves up."""

    do: Literal["delete_total"] = "delete_total"
    field: str | None = None
    """Whose total; None is all that stand there."""
    calculation: Calculation | None = None
    """None is of any kind."""
    group: str | None = None
    """Those beneath each group; None is those beneath the rows."""


class AddGroup(Value):
    """Group the rows by a field: sorted by it, with a header that shows its value."""

    do: Literal["group"] = "group"
    field: str
    label: str | None = None


class DeleteGroup(Value):
    """Group the rows by a field no longer: its headers, its totals and the order that it needed go."""

    do: Literal["delete_group"] = "delete_group"
    field: str


class SortBy(Value):
    """Sort the rows by a field."""

    do: Literal["sort"] = "sort"
    field: str
    descending: bool = False
    then: bool = False
    """After the fields that they are sorted by already; else before them."""


class Highlight(Value):
    """Print the value of a field in another colour in rows where a comparison holds."""

    do: Literal["highlight"] = "highlight"
    field: str
    """Whose value is compared, and shown so."""
    comparison: Comparison
    value: str
    """A number, or words between which and the field's value `==` and `!=` compare."""
    colour: str = "#FF0000"
    bold: bool = False
    row: bool = False
    """Whether the whole row is shown so."""


# --- columns of the rows, each with its header, its totals and the place that its neighbours leave it -----------------


class AddColumn(Value):
    """Add a column to the rows; the others give way."""

    do: Literal["add_column"] = "add_column"
    field: str
    label: str
    java_class: str = "java.lang.String"
    pattern: str | None = None
    expression: str | None = None
    """What it prints where that is not the field itself: ``$F{quantity}.multiply($F{price})``."""
    after: str | None = None
    """The field of the column before it; None is the last place, an empty one the first."""


class DeleteColumn(Value):
    """Take a column out of the rows with its header and totals; its neighbours take its room."""

    do: Literal["delete_column"] = "delete_column"
    field: str


class MoveColumn(Value):
    """Put a column behind another."""

    do: Literal["move_column"] = "move_column"
    field: str
    after: str = ""
    """The field of the column before it; empty is the first place."""


class ResizeColumn(Value):
    """Give a column this width in whole points; its neighbours share what is left."""

    do: Literal["resize_column"] = "resize_column"
    field: str
    width: int


# --- the page, and what edits cannot say ----------------------------------------------------------------------------


class SetPage(Value):
    """Give the page another size in whole points; columns and what spans the page follow its width."""

    do: Literal["page"] = "page"
    width: int
    height: int
    left: int | None = None
    """The margins; None leaves them."""
    right: int | None = None
    top: int | None = None
    bottom: int | None = None


class ReplaceBand(Value):
    """Replace one band's XML as a whole: for what edits cannot say, such as charts and crosstabs."""

    do: Literal["replace_band"] = "replace_band"
    band: str
    xml: str
    """One ``<band>`` of the 6.x schema."""


AnyEdit = Annotated[
    Move | Resize | SetProperty | SetExpression | SetText | Delete | RenameField | Declare | ResizeBand | SetReport
    | Add | AddTotal | DeleteTotal | AddGroup | DeleteGroup | SortBy | Highlight | AddColumn | DeleteColumn
    | MoveColumn | ResizeColumn | SetPage | ReplaceBand,
    Field(discriminator="do"),
]  # fmt: skip
