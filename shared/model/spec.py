"""ReportSpec: a report as a user described it, before anything is laid out."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from pydantic import Field

from ..language import Language
from .base import Value

Kind = Literal["text", "number", "integer", "money", "percent", "date", "datetime", "flag"]
Totalling = Literal["sum", "average", "count", "none"]
Operator = Literal["+", "-", "*", "/"]

MAX_COLUMNS = 40
MAX_LABEL_CHARS = 60


class Computed(Value):
    """A value computed from others: the operands, with the operator between each two."""

    operator: Operator
    operands: list[str] = Field(min_length=2, max_length=8)
    """Labels of other columns, or numbers such as ``0.13``."""


class Column(Value):
    """One column of the table."""

    label: str = Field(min_length=1, max_length=MAX_LABEL_CHARS)
    """The heading, in the report's language."""
    name: str | None = Field(default=None, max_length=MAX_LABEL_CHARS)
    """The field's name; None derives it from the label."""
    type: Kind = "text"
    total: Totalling = "none"
    """The total printed below the table and below each group."""
    pattern: str | None = Field(default=None, max_length=MAX_LABEL_CHARS)
    """A DecimalFormat or SimpleDateFormat pattern; None is the default of its type."""
    width: int | None = Field(default=None, ge=10, le=1000)
    """In points, as a hint; None derives it from the type and the values."""
    computed: Computed | None = None


class HeaderField(Value):
    """One line above the table: a label and a value such as a customer or a date."""

    label: str = Field(min_length=1, max_length=MAX_LABEL_CHARS)
    name: str | None = Field(default=None, max_length=MAX_LABEL_CHARS)
    type: Kind = "text"
    value: str | None = Field(default=None, max_length=200)
    """Its value in the sample; None is made up."""


class Sort(Value):
    column: str = Field(max_length=MAX_LABEL_CHARS)
    """A column's label."""
    descending: bool = False


class Paper(Value):
    size: Literal["A3", "A4", "A5", "Letter", "Legal"] = "A4"
    orientation: Literal["auto", "portrait", "landscape"] = "auto"
    """Auto is portrait unless the columns need more width."""


class ReportSpec(Value):
    """A report: a title, lines above a table, the table, and what is below it."""

    title: str = Field(min_length=1, max_length=120)
    columns: list[Column] = Field(min_length=1, max_length=MAX_COLUMNS)
    header_fields: list[HeaderField] = Field(default=[], max_length=20)
    group_by: list[str] = Field(default=[], max_length=3)
    """Labels, the outermost group first; one that is not a column is only shown in its group's header."""
    sort: list[Sort] = Field(default=[], max_length=3)
    page: Paper = Paper()
    language: Language = "en"
    footer: str | None = Field(default=None, max_length=200)
    """Text at the foot of every page."""
    page_numbers: bool = True
    grand_total: bool = True
    """Whether columns with a total have it below the whole table, and not only below each group."""
    rows: list[list[str]] = Field(default=[], max_length=200)
    """The user's own sample rows, as texts in the order of the columns; none are made up."""


def numeric(operand: str) -> Decimal | None:
    """Return the value of an operand that is a number."""
    return Decimal(operand) if re.fullmatch(r"\d+(\.\d+)?", operand) else None
