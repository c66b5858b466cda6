"""How a language model reads a form: which of its texts are rows, values and wording. It decides what rules left open.

All ids are those of ``Layout.lines`` and ``Layout.pictures``.
"""

from __future__ import annotations

from .base import Value


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


class FormReading(Value):
    parted: dict[str, list[str]] = {}
    """The texts that stand side by side in one line, by its id. The id of a part is the line's, a dot and a number."""
    tables: list[TableReading] | None = None
    """The tables whose rows repeat, the main one first; None where the rows that were found are right."""
    values: list[ValueReading] = []
    """Values outside the tables, as far as they were found otherwise."""
    wording: list[str] = []
    """Ids of lines that were taken for values and are fixed."""
    misread: dict[str, str] = {}
    """What lines say that were read wrongly, by id."""
    left_out: list[str] = []
    """Ids of lines and pictures that are no part of the form: specks, the desk, a hand."""
