"""ReportSpec: a report as a user described it, before anything is laid out."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..language import Language
from .base import Value

Kind = Literal["text", "number", "integer", "money", "percent", "date", "datetime", "flag", "tick"]
"""A tick is an empty box in each row, to be ticked by hand."""
Totalling = Literal["sum", "average", "count", "none"]
Operator = Literal["+", "-", "*", "/"]

MAX_COLUMNS = 40
MAX_LABEL_CHARS = 60


class Computed(Value):
    """A value computed from others: the operands, with the operator between each two."""

    operator: Operator
    operands: list[str] = Field(min_length=2, max_length=8)
    """Labels of other columns, or numbers such as ``0.13``."""
    less: list[str] = Field(default_factory=list, max_length=8)
    """What is taken off the result, as operands: the deductions of ``pay + overtime - deductions``."""

    @property
    def needed(self) -> list[str]:
        """All that it is computed from."""
        return [*self.operands, *self.less]


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
    share_of: str | None = Field(default=None, max_length=MAX_LABEL_CHARS)
    """The column of whose total it is the share in percent."""
    running: bool = False
    """Whether it adds up from row to row, as a running balance does: what is `computed`, or the column itself."""
    numbered: bool = False
    """Whether it counts the rows: 1, 2, 3; its values in `rows` are left out of account."""


class HeaderField(Value):
    """One line above or below the table: a label and a value such as a customer or a date."""

    label: str = Field(min_length=1, max_length=MAX_LABEL_CHARS)
    name: str | None = Field(default=None, max_length=MAX_LABEL_CHARS)
    type: Kind = "text"
    value: str | None = Field(default=None, max_length=200)
    """Its value in the sample; "" is a blank to be filled in by hand, None is made up."""
    sums_up: bool = False
    """Whether it is the sum of the amounts before it."""
    side: Literal["auto", "left", "right"] = "auto"
    """The half of the page that it stands in."""
    size: float | None = Field(default=None, ge=6, le=72)
    """Type size of its value in points; None is that of the other lines, about 10."""


class Sort(Value):
    column: str = Field(max_length=MAX_LABEL_CHARS)
    """A column's label."""
    descending: bool = False


class SummaryLine(Value):
    """One line of the block of totals below the table: a label and an amount."""

    label: str = Field(min_length=1, max_length=MAX_LABEL_CHARS)
    kind: Literal["net", "tax", "gross", "last", "words", "value"]
    """The sum of the amounts, a tax on it, both together, a column's value in the last row, the amount in words,
    or an amount that the data gives."""
    column: str | None = Field(default=None, max_length=MAX_LABEL_CHARS)
    """Label of the column that is meant; None is the last column of amounts with a total."""
    percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    """The rate of a tax."""


class Paper(Value):
    size: Literal["A3", "A4", "A5", "Letter", "Legal"] = "A4"
    orientation: Literal["auto", "portrait", "landscape"] = "auto"
    """Auto is portrait unless the columns need more width."""
    roll_mm: int | None = Field(default=None, ge=40, le=300)
    """Width of a paper roll in millimetres, instead of a size; it is as long as what is printed."""
    width_mm: int | None = Field(default=None, ge=30, le=1000)
    """Width of a page of another size, such as a label, in millimetres; with `height_mm`, as it is read."""
    height_mm: int | None = Field(default=None, ge=30, le=1000)
    margin_mm: int | None = Field(default=None, ge=0, le=60)


class ReportSpec(Value):
    """A report: a title, lines above a table, the table, and what is below it."""

    title: str = Field(min_length=1, max_length=120)
    title_align: Literal["auto", "left", "center", "right"] = "auto"
    company: str | None = Field(default=None, max_length=120)
    """Who sends it, above the title."""
    columns: list[Column] = Field(default=[], max_length=MAX_COLUMNS)
    """Empty for a form or a letter, which has lines but no table."""
    header_fields: list[HeaderField] = Field(default=[], max_length=20)
    group_by: list[str] = Field(default=[], max_length=3)
    """Labels, the outermost group first; one that is not a column is only shown in its group's header."""
    group_pages: bool = False
    """Whether every outermost group begins on a new page."""
    sort: list[Sort] = Field(default=[], max_length=3)
    like_example: bool = False
    """Whether it is to look like a template that comes with the request."""
    page: Paper = Paper()
    language: Language = "en"
    footer: str | None = Field(default=None, max_length=200)
    """Text at the foot of every page."""
    page_numbers: bool = True
    grand_total: bool = True
    """Whether columns with a total have it below the whole table, and not only below each group."""
    summary: list[SummaryLine] = Field(default=[], max_length=10)
    """The lines of the block of totals, instead of the total below the columns."""
    closing: list[HeaderField] = Field(default=[], max_length=12)
    """Lines below the table, such as payment terms."""
    closing_texts: list[Annotated[str, Field(min_length=1, max_length=400)]] = Field(default=[], max_length=6)
    """Sentences below the table."""
    signatures: list[Annotated[str, Field(min_length=1, max_length=MAX_LABEL_CHARS)]] = Field(default=[], max_length=6)
    """Who signs below the table."""
    rows: list[list[str]] = Field(default=[], max_length=200)
    """The user's own sample rows, as texts in the order of the columns; none are made up."""
    blank_rows: int = Field(default=0, ge=0, le=60)
    """Number of empty rows to be filled in by hand, instead of sample rows."""

    @model_validator(mode="after")
    def _has_content(self) -> ReportSpec:
        if not self.columns and not self.header_fields:
            raise ValueError("a report has columns or lines")
        return self


def numeric(operand: str) -> Decimal | None:
    """Return the value of an operand that is a number."""
    return Decimal(operand) if re.fullmatch(r"\d+(\.\d+)?", operand) else None
