"""Columns that are referred to by their numbers: the third column, 最后三列, columns 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence

from .numbers import number_of, numbers_of
from .references import Missing, Target, column_number, column_target
from .sentence_templates import matches
from .view_elements import TableColumn


def column_by_number(words: str, columns: Sequence[TableColumn]) -> Target | Missing | None:
    """Return a column by its number: 第三列, the third column, column 3, the last column."""
    number = column_number(words)
    if number is None:
        return None
    if number == 0 or abs(number) > len(columns):
        return Missing(words, "column")
    return column_target(columns[number - 1 if number > 0 else number], words)


def columns_by_number(words: str, columns: Sequence[TableColumn]) -> list[Target] | None:
    """Return several columns, by their count from either end or by their numbers."""
    return _first_or_last(words, columns) or _numbered(words, columns)


def _first_or_last(words: str, columns: Sequence[TableColumn]) -> list[Target] | None:
    """Return columns by their count from either end: the first two columns, 最后三列."""
    for slots in matches("references", "columns_at_end", words):
        number = int(number_of(slots["number"] or slots["count"]) or 0)
        if 0 < number < len(columns):
            chosen = columns[:number] if slots["end"] == "first" else columns[-number:]
            return [column_target(column, words) for column in chosen]
    return None


def _numbered(words: str, columns: Sequence[TableColumn]) -> list[Target] | None:
    """Return columns by their numbers: columns 2 and 3, 第二、三列."""
    for slots in matches("references", "numbered_columns", words.strip()):
        numbers = numbers_of(slots["numbers"])
        if all(0 < number <= len(columns) for number in numbers):
            return [column_target(columns[number - 1], words) for number in numbers]
    return None
