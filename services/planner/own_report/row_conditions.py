"""Which rows words choose: “over 100 in amount”, “without a remark”, “手套以外”.

What users say is in ``language/templates/*/row_conditions.toml``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.replies import listed

from ..language.fuzzy_match import term_of
from ..language.numbers import number_of, plain_amount
from ..language.sentence_templates import Slots, matches
from ..language.sentence_templates import listed as value_listed
from ..language.view_elements import TableColumn
from .row_table import ChosenRows, RowTable

SUBJECT = "row_conditions"
RULES = frozenset(
    {
        "compared",
        "both",
        "between",
        "bare",
        "filled",
        "blank",
        "same",
        "named",
        "besides",
        "things",
        "days",
        "pieces",
        "first_rows",
        "joins_rows",
    }
)
"""Sentences of the files."""
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le,
}  # fmt: skip

MAX_BARE_COLUMNS = 4
"""Columns of numbers that a limit without a column is compared with."""

Condition = Callable[[RowTable, Slots], list[int] | None]


def chosen(table: RowTable, words: str) -> ChosenRows | None:
    """Return the rows for which a condition holds; None where the words are no condition on these rows."""
    if (found := _both(table, words) or _between(table, words)) is not None:
        return found
    for rule in (_compared, _filled, _blank, _same, _besides, _named):
        for slots in matches(SUBJECT, rule.__name__[1:], words.strip()):
            rows = rule(table, slots)
            if rows is not None and not slots.left_over:
                column = _measured(table, slots) if rule is _compared else None
                return ChosenRows(tuple(rows), len(table.rows), column.label if column else "")
    return None


def _both(table: RowTable, words: str) -> ChosenRows | None:
    """“A quantity above 3 and a price below 100”."""
    for slots in matches(SUBJECT, "both", words.strip()):
        one, other = chosen(table, slots["one"]), chosen(table, slots["other"])
        if one is not None and other is not None and one.by and other.by:
            rows = tuple(row for row in one.rows if row in other.rows)
            return ChosenRows(rows, len(table.rows), listed([one.by, other.by], table.report.language))
    return None


def _between(table: RowTable, words: str) -> ChosenRows | None:
    """“With a price between 10 and 40”."""
    for slots in matches(SUBJECT, "between", words.strip()):
        column = _measured(table, slots)
        if column is not None and (found := _over(table, column, slots)) is not None:
            return found
    return None


def chosen_each(table: RowTable, words: str) -> list[ChosenRows]:
    """Return the rows for which a condition holds, once for each column that a bare “over 500” may mean."""
    rows = chosen(table, words)
    if rows is not None:
        return [rows]
    for slots in matches(SUBJECT, "bare", words.strip()):
        found = [_over(table, column, slots) for column in _bare_columns(table, slots)]
        if found and None not in found and not slots.left_over:
            return [rows for rows in found if rows is not None]
    return []


def _bare_columns(table: RowTable, slots: Slots) -> list[TableColumn]:
    """Return the columns that a number without a column may be compared with: by its unit, else money comes first."""
    unit = slots["unit"] or ("amount" if slots["value"][:1] in "¥￥$€£" else "")
    if unit and unit != "amount":
        return table.measures(unit)
    money = list(dict.fromkeys([*table.measures("amount"), *table.measures("price")]))
    numeric = [
        column for column in table.columns if table.is_complete(column) and meaning(column.label).name != "line_no"
    ]
    others = [column for column in numeric if column not in money]
    return money if unit else [*money, *others] if len(numeric) <= MAX_BARE_COLUMNS else []


def _over(table: RowTable, column: TableColumn, slots: Slots) -> ChosenRows | None:
    """Return the rows whose number in a column is on the right side of a limit, or between two."""
    low, high = _decimal(slots["value"] or slots["price_value"]), _decimal(slots["limit"])
    compare = _SIGNS.get(slots["comparison"] or slots["after"] or (">=" if slots["limit"] else ""))
    if low is None or compare is None:
        return None
    rows = [
        row
        for row, number in enumerate(table.numbers(column))
        if number is not None and compare(number, low) and (high is None or number <= high)
    ]
    return ChosenRows(tuple(rows), len(table.rows), column.label)


def _decimal(words: str) -> Decimal | None:
    value = number_of(plain_amount(words)) if words else None
    return Decimal(str(value)) if value is not None else None


def splits(table: RowTable, words: str) -> Iterator[tuple[str, list[ChosenRows]]]:
    """Yield the words before a condition, with the rows that it chooses: first all words, with every row."""
    yield words, [table.all]
    for at, char in enumerate(words):
        if char == " " and (found := chosen_each(table, words[at + 1 :])):
            yield words[:at], found


def is_about_rows(words: str) -> bool:
    """Whether words stand for the rows as such, such as “items”."""
    return any(matches(SUBJECT, "things", words.strip()))


def names_rows(table: RowTable, words: str) -> bool:
    """Whether words stand for the rows of a table, as “days” does where a column has them."""
    has_days = any("day" in (term_of(column.label), column.field) for column in table.columns)
    return is_about_rows(words) or (has_days and any(matches(SUBJECT, "days", words.strip())))


def is_about_pieces(words: str) -> bool:
    """Whether words stand for what the rows have many of, such as “pieces”."""
    return any(matches(SUBJECT, "pieces", words.strip()))


def _compared(table: RowTable, slots: Slots) -> list[int] | None:
    """“With an amount over 100”, “that cost less than 10”."""
    said = slots["value"] or slots["price_value"] or slots["spelled_value"]
    value = number_of(plain_amount(said))
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
    if column is None and value_listed("row_questions", "measured", slots["name"]) == "quantity":
        column = next(iter(table.measures("quantity")), None)  # 库存 of a list whose column is called 数量
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
