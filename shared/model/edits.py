"""Edit: one typed change to a template. Everything after the skeleton is a list of these, whoever thought of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .base import Value


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
    scope: Literal["field", "parameter"]
    name: str
    java_class: str = "java.lang.String"


class ResizeBand(Value):
    do: Literal["band"] = "band"
    band: str
    height: int


class SetReport(Value):
    """Set an attribute of the report itself: name, pageWidth, leftMargin, columnWidth and so on."""

    do: Literal["report"] = "report"
    name: str
    value: str


AnyEdit = Annotated[
    Move | Resize | SetProperty | SetExpression | SetText | Delete | RenameField | Declare | ResizeBand | SetReport,
    Field(discriminator="do"),
]
