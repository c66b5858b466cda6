"""How a language model reads a form: which of its texts are rows, values and wording. It decides what rules left open.

All ids are those of the marks of a ``Layout``: its lines, pictures, rules, fills and boxes to tick.
"""

from __future__ import annotations

from .base import Value
from .geometry import Box
from .layout import TextLine


class ColumnReading(Value):
    """A column of a table."""

    heading: list[str] = []
    """Ids of the lines that head it; empty where nothing does."""
    name: str = ""
    """What it holds, where its heading does not say so."""


class TableReading(Value):
    """Rows that repeat, from top to bottom."""

    columns: list[ColumnReading]
    rows: list[list[list[str]]]
    """For each row and column the ids of the cell's lines; empty where that row has nothing there."""


class ValueReading(Value):
    """A value outside the tables."""

    lines: list[str]
    """Ids of its lines, in the order in which they are read."""
    label: str
    """What it is."""


class AddedReading(Value):
    """A text that was not found on the page, or a place to fill in where nothing is printed."""

    line: TextLine
    """What is printed there; without text it is a place to fill in."""
    label: str = ""
    """What is filled in."""
    replaces: str = ""
    """Id of the stroke, area or picture that the text was taken for."""


class PlaceReading(Value):
    """A place to fill in, or a box to tick, that is another one than was found."""

    box: Box
    """Where it is; no other place is there."""
    label: str = ""
    """What it is for; empty where it is no place to fill in."""


class FormReading(Value):
    added: list[AddedReading] = []
    """What was not found; tables, values and wording name it by the ids of its lines."""
    parted: dict[str, list[str]] = {}
    """The texts that stand side by side in one line, by its id. The id of a part is the line's, a dot and a number."""
    tables: list[TableReading] | None = None
    """The tables whose rows repeat, the main one first; None where the rows that were found are right."""
    values: list[ValueReading] = []
    """Values outside the tables, as far as they were found otherwise."""
    wording: list[str] = []
    """Ids of lines that were taken for values and are fixed."""
    paragraphs: list[list[str]] = []
    """Ids of the lines of each fixed text that goes over several."""
    places: list[PlaceReading] = []
    """Places to fill in and boxes to tick that were named wrongly, or are none."""
    misread: dict[str, str] = {}
    """What lines say that were read wrongly, by id."""
    left_out: list[str] = []
    """Ids of all marks that are no part of the form: specks, the desk, a hand, stray strokes."""
    one_picture: list[list[str]] = []
    """Ids of the marks that are one picture each, such as the pieces of a stamp and what was read of its letters."""
