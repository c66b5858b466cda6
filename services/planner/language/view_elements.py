"""What a template shows: its elements with their words, and the columns of its table."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, LONG
from bandsmith.shared.jrxml.expressions import references

NUMERIC = frozenset({
    INTEGER, LONG, DECIMAL, "java.lang.Short", "java.lang.Byte", "java.lang.Double", "java.lang.Float",
    "java.lang.Number", "java.math.BigInteger",
})  # fmt: skip
DATES = frozenset({"java.util.Date", "java.sql.Date", "java.sql.Timestamp"})


@dataclass(frozen=True)
class ViewElement:
    """One element. Its position is in points from the left edge of the columns and the top of its band."""

    key: str
    tag: str
    """``staticText``, ``textField``, ``image``, ``line`` and so on."""
    section: str
    band: int
    """Number of its band in the template, from the top."""
    x: int
    y: int
    width: int
    height: int
    words: str
    """Its text; for a text field, the text around its values."""
    expression: str = ""
    size: float = 10.0
    pattern: str = ""
    node: etree._Element = field(compare=False, repr=False, default=None)  # type: ignore[assignment]

    @property
    def is_text(self) -> bool:
        return self.tag in ("staticText", "textField")

    @property
    def is_empty(self) -> bool:
        """Whether it is a text that prints nothing, such as a cell without a value."""
        return self.tag == "staticText" and not self.words.strip()

    @property
    def references(self) -> list[tuple[str, str]]:
        return references(self.expression)


@dataclass(frozen=True)
class TableColumn:
    """A column of the table."""

    field: str
    label: str
    java_class: str
    cells: tuple[ViewElement, ...]
    head: ViewElement | None
    width: int
    """From its left to its right edge, in points."""

    @property
    def pieces(self) -> list[ViewElement]:
        return [*self.cells, *([self.head] if self.head else [])]

    @property
    def is_date(self) -> bool:
        return self.java_class in DATES

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers other than row numbers."""
        return self.java_class in NUMERIC and not self.field.endswith("_COUNT")
