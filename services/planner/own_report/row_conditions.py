"""Which rows words choose: “over 100 in amount”, “without a remark”, “手套以外”.

What users say is in ``language/templates/*/row_conditions.toml``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from ..language.numbers import number_of
from ..language.sentence_templates import Slots, matches
from ..language.template_view import TableColumn
from .row_table import ChosenRows, RowTable

SUBJECT = "row_conditions"
RULES = frozenset({"compared", "filled", "blank", "same", "named", "besides", "things", "pieces"})
"""Sentences of the files."""
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le,
}  # fmt: skip

Condition = Callable[[RowTable, Slots], list[int] | None]


def chosen(table: RowTable, words: str) -> ChosenRows | None:
    """Return the rows for which a condition holds; None where the words are no condition on these rows."""
    for rule in (_compared, _filled, _blank, _same, _besides, _named):
        for slots in matches(SUBJECT, rule.__name__[1:], words.strip()):
            rows = rule(table, slots)
            if rows is not None and not slots.left_over:
                column = _measured(table, slots) if rule is _compared else None
                return ChosenRows(tuple(rows), len(table.rows), column.label if column else "")
    return None


def splits(table: RowTable, words: str) -> Iterator[tuple[str, ChosenRows]]:
    """Yield the words before a condition, with the rows that it chooses: first all words, with every row."""
    yield words, table.all
    for at, char in enumerate(words):
        if char == " " and (found := chosen(table, words[at + 1 :])) is not None:
            yield words[:at], found


def is_about_rows(words: str) -> bool:
    """Whether words stand for the rows as such, such as “items”."""
    return any(matches(SUBJECT, "things", words.strip()))


def is_about_pieces(words: str) -> bool:
    """Whether words stand for what the rows have many of, such as “pieces”."""
    return any(matches(SUBJECT, "pieces", words.strip()))


def _compared(table: RowTable, slots: Slots) -> list[int] | None:
    """“With an amount over 100”, “that cost less than 10”."""
    value = number_of((slots["value"] or slots["price_value"]).lstrip("¥￥$€£"))
    column = _measured(table, slots)
    compare = _SIGNS.get(slots["comparison"] or slots["after"])
    if value is None or column is None or compare is None:
        return None
    numbers = table.numbers(column)
    limit = Decimal(str(value))
    return [row for row, number in enumerate(numbers) if number is not None and compare(number, limit)]


def _measured(table: RowTable, slots: Slots) -> TableColumn | None:
    """Return the column of numbers that is named, or that of the price where the words speak of what a thing costs."""
    if slots["price_value"]:
        prices = table.measures("price")
        return prices[0] if len(prices) == 1 else None
    column = table.column(slots["name"])
    return column if column is not None and table.is_complete(column) else None


def _filled(table: RowTable, slots: Slots) -> list[int] | None:
    column = table.column(slots["name"])
    return filled_rows(table, column) if column is not None else None


def filled_rows(table: RowTable, column: TableColumn) -> list[int]:
    """Return the rows that print something in a column."""
    return [row for row in table.all.rows if table.shown(column, row)]


def _blank(table: RowTable, slots: Slots) -> list[int] | None:
    column = table.column(slots["name"])
    return [row for row in table.all.rows if not table.shown(column, row)] if column is not None else None


def _same(table: RowTable, slots: Slots) -> list[int] | None:
    """“With unit kg”: a column and a text or a number that rows have there."""
    column, value = table.column(slots["name"]), slots["text"].strip(" \"“”'").casefold()
    if column is None:
        return None
    return [row for row in table.all.rows if table.shown(column, row).casefold() == value] or None


def _named(table: RowTable, slots: Slots) -> list[int] | None:
    return table.holding(slots["row"]) or None


def _besides(table: RowTable, slots: Slots) -> list[int] | None:
    left_out = table.holding(slots["row"])
    return [row for row in table.all.rows if row not in left_out] if left_out else None
