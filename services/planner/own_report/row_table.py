"""The rows that a report is filled with: what each prints in its columns, and which of them words name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.java_literals import as_written, holds_times, is_iso_date
from bandsmith.shared.replies import listed

from ..language.fuzzy_match import column_fit, holds, normal, singular, term_of
from ..language.sentence_templates import pattern
from ..language.view_elements import TableColumn
from .report import OwnReport, written

MIN_COLUMN_FIT = 90
"""How well words must fit the heading of a column, out of 100: what is computed of a wrong column is a wrong answer."""
MAX_NAMED_ROWS = 12
"""Rows and values that an answer lists."""
_NAMING_TERMS = ("product", "description", "name", "item", "title")
"""Terms of the column that names a row."""
_ARTICLE = re.compile(r"^(?:the|a|an|that|those|these) ")
_MEASURES = {
    "price": ("unit_price", "price", "list_price", "hourly_rate", "fee"),
    "amount": ("amount", "subtotal", "total", "cost"),
    "duration": ("duration", "hours", "working_hours", "work_hours"),
    "quantity": ("quantity", "order_quantity", "sold_quantity", "delivered_quantity", "stock", "pieces"),
}
"""The terms of columns that words such as “expensive” or “how many pieces” are about."""


@dataclass(frozen=True)
class ChosenRows:
    """Rows that a question is about, by their index."""

    rows: tuple[int, ...]
    total: int
    by: str = ""
    """The heading of the column that they were compared by."""

    @property
    def is_all(self) -> bool:
        return len(self.rows) == self.total


class RowTable:
    """The rows of a report as its columns print them."""

    def __init__(self, report: OwnReport) -> None:
        self.report = report
        self.rows = report.data.rows
        self.columns = report.view.columns
        self._numbers: dict[str, list[Decimal | None]] = {}

    @property
    def all(self) -> ChosenRows:
        return ChosenRows(tuple(range(len(self.rows))), len(self.rows))

    def column(self, words: str) -> TableColumn | None:
        """Return the one column that words name."""
        fits = [(column_fit(words, column), column) for column in self.columns]
        best = max((fit for fit, _ in fits), default=0.0)
        near = [column for fit, column in fits if fit == best]
        return near[0] if best >= MIN_COLUMN_FIT and len(near) == 1 else None

    def measures(self, kind: str) -> list[TableColumn]:
        """Return the columns of numbers that a kind of measure is about."""
        terms = _MEASURES[kind]
        found = [one for one in self.columns if one.numeric and {term_of(one.label), one.field} & set(terms)]
        return [column for column in found if self.is_complete(column)]

    def numbers(self, column: TableColumn) -> list[Decimal | None]:
        """Return the number of each row, None where it has none; nothing where the column holds no numbers."""
        if column.field not in self._numbers:
            self._numbers[column.field] = self._read_numbers(column)
        return self._numbers[column.field]

    def _read_numbers(self, column: TableColumn) -> list[Decimal | None]:
        if not column.numeric:
            return []
        values = [row.get(column.field) for row in self.rows]
        if any(isinstance(value, (int, float)) for value in values):
            return [Decimal(str(value)) if isinstance(value, (int, float)) else None for value in values]
        variables = [name for cell in column.cells for scope, name in cell.references if scope == "V"]
        computed = next((found for name in variables if (found := self.report.values(name))), [])
        return list(computed) if len(computed) == len(self.rows) else []

    def is_complete(self, column: TableColumn) -> bool:
        """Whether a column has a number in at least one row."""
        return any(number is not None for number in self.numbers(column))

    def shown(self, column: TableColumn, row: int) -> str:
        """Return what a row prints in a column, as an answer shows it; empty where it prints nothing."""
        numbers = self.numbers(column)
        if numbers:
            number = numbers[row]
            return exactly(number) if number is not None else ""
        value = self.rows[row].get(column.field)
        is_time = holds_times(one.get(column.field) for one in self.rows)
        return "" if value is None else as_written(str(value), is_time)

    @cached_property
    def naming(self) -> TableColumn | None:
        """The column that names a row: that of a product or a description, else the first one of texts."""
        texts = [column for column in self.columns if any(self._texts(column))]
        known = [one for one in texts if {term_of(one.label), one.field} & set(_NAMING_TERMS)]
        return next(iter(known or texts), None)

    def _texts(self, column: TableColumn) -> list[str]:
        values = [row.get(column.field) for row in self.rows]
        return [value for value in values if isinstance(value, str) and not is_iso_date(value)]

    def name(self, row: int) -> str:
        """Return what an answer calls a row: its name and its number."""
        words = self.shown(self.naming, row) if self.naming else ""
        code = "row_named" if words else "row_numbered"
        return self.report.say(f"rows_of.{code}", name=words, number=row + 1)

    def names(self, rows: Sequence[int]) -> str:
        """Return a list of rows, shortened where there are many."""
        names = [self.name(row) for row in rows[:MAX_NAMED_ROWS]]
        more = len(rows) - len(names)
        listing = listed(names, self.report.language)
        return self.report.say("rows_of.and_more", rows=listing, more=more) if more else listing

    def holding(self, words: str) -> list[int]:
        """Return the rows that words name: one, or several that a list names, each of which must be found."""
        whole = self._holding(words)
        names = re.split(rf"\s*(?:[,，、]|{pattern('references', 'joins_names')})\s*", words, flags=re.IGNORECASE)
        if whole or len(names) < 2:
            return whole
        found = [self._holding(name) for name in names]
        return sorted({row for rows in found for row in rows}) if all(found) else []

    def _holding(self, words: str) -> list[int]:
        """Return the rows of which a text is, or holds, the words."""
        wanted = singular(_ARTICLE.sub("", normal(words)))
        if not any(char.isalpha() for char in wanted) or (len(wanted) == 1 and is_cjk(wanted)):
            return []  # one character is a unit, such as 套
        texts = [
            [singular(normal(value)) for value in row.values() if isinstance(value, str) and not is_iso_date(value)]
            for row in self.rows
        ]
        same = [n for n, found in enumerate(texts) if wanted in found]
        return same or [n for n, found in enumerate(texts) if any(_is_part(wanted, text) for text in found)]

    def about(self, chosen: ChosenRows) -> str:
        """Return which rows something was computed over."""
        say, left_out = self.report.say, [row for row in range(chosen.total) if row not in chosen.rows]
        if chosen.is_all:
            return say("rows_of.all", count=chosen.total)
        if len(left_out) < len(chosen.rows):
            return say("rows_of.all_but", count=len(chosen.rows), total=chosen.total, rows=self.names(left_out))
        return say("rows_of.some", count=len(chosen.rows), total=chosen.total, rows=self.names(chosen.rows))


def _is_part(words: str, text: str) -> bool:
    """Whether words are several Chinese characters of a text, or English words that all stand in it."""
    if any(map(is_cjk, words)):
        return len(words) > 1 and words in text
    return all(holds(text, word) or holds(text, re.sub(r"(?<=[a-z]{3})e$", "", word)) for word in words.split())


def exactly(number: Decimal) -> str:
    """Return a number with up to four decimals, so that none that counts is lost."""
    if number == round(number, 2):
        return written(number)
    return f"{number:,.4f}".rstrip("0")
