"""How the tables of a question are joined, where the keys that a model is shown do not say it at once.

The tables that share words with the question are looked at in pairs. Two that no key joins may be joined through
others; two that several keys join have to be joined on the one that the question means. Both are said; which key is
meant, the model that writes the query decides from the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from bandsmith.shared.model.source import ForeignKey, SourceSchema, SourceTable

from .recall import MAX_SEEDS, STOP, matching_tables, neighbours, path_between, words_of

MAX_RELATIONS = 8
"""Lines that a model is shown."""


def relations(schema: SourceSchema, texts: Sequence[str]) -> list[str]:
    """Return a line for each pair of tables that other tables join, or several keys; the best pairs first."""
    text = " ".join(texts)
    asked = set(words_of(text)) - STOP
    matched = [found.table for found in matching_tables(schema, text)]
    best = [table for table in matched if _is_named(table, asked)][:MAX_SEEDS]
    edges = neighbours(schema)
    found: list[str] = []
    for first, second in combinations(best, 2):
        keys = list(_keys_between(first, second))
        between = [] if keys else path_between(first.name, second.name, edges)
        if between:
            found.append(f"{first.name} and {second.name} are joined through {', '.join(between)}")
        elif len(keys) > 1:
            found.append(f"{first.name} and {second.name} can be joined in {len(keys)} ways: {' or '.join(keys)}")
    return found[:MAX_RELATIONS]


def _is_named(table: SourceTable, asked: Set[str]) -> bool:
    """Return whether the question has a word of the table itself; ``customer_id`` is one of the other table."""
    keys = {column for key in table.foreign_keys for column in key.columns}
    own = [column for column in table.columns if column.name not in keys]
    texts = [table.name, table.comment, *(f"{column.name} {column.comment}" for column in own)]
    return not asked.isdisjoint(words_of(" ".join(texts)))


def _keys_between(first: SourceTable, second: SourceTable) -> Iterator[str]:
    for table, other in ((first, second), (second, first)):
        for key in table.foreign_keys:
            if key.table.casefold() == other.name.casefold():
                yield _condition(table, key)


def _condition(table: SourceTable, key: ForeignKey) -> str:
    columns = key.references or key.columns
    pairs = zip(key.columns, columns, strict=False)
    return " and ".join(f"{table.name}.{column} = {key.table}.{there}" for column, there in pairs)
