"""Keys between tables that no database declares, read off the names of columns: CSV files never declare any.

A column refers to another table if it is called like its key (``CustomerId`` in both), like the table with a word for a
key (``customer_id``), or like the table itself, where the types agree (``country`` and ``countries.id``). Words before
that are its role (``home_city_id``), and the table may have more of them (``company_id`` and ``car_companies``). Where
two tables could be meant, none is. What a database or the semantic layer says about a column stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bandsmith.shared.model.source import ForeignKey, SourceColumn, SourceSchema, SourceTable

from .recall import IDENTIFIER, singular

KEY_WORDS = (("id",), ("key",), ("code",), ("no",), ("nr",), ("number",), ("编", "号"), ("代", "码"), ("号",))
_BETWEEN = frozenset(("on", "of", "per", "in", "by", "for"))
"""Words that make a column a figure about a table: ``units_on_order``."""
_TEXT = ("CHAR", "TEXT", "CLOB", "STRING", "UUID")


class KeyTarget(NamedTuple):
    """A table that a column may refer to."""

    words: tuple[str, ...]
    table: str
    schema_name: str
    key: SourceColumn


class _Targets:
    """The tables that have a key, by what a column may be called after."""

    def __init__(self, tables: Sequence[SourceTable]) -> None:
        found = [
            KeyTarget(_words(one.own_name), one.name, one.schema_name, key) for one in tables if (key := _key_of(one))
        ]
        self.keys = {one.table: one.key for one in found}
        self._by_words, self._by_key, self._by_end = (defaultdict[object, list[KeyTarget]](list) for _ in range(3))
        for one in found:
            self._by_words[one.words].append(one)
            self._by_key[one.key.name.casefold()].append(one)
            for start in range(1, len(one.words)):
                self._by_end[one.words[start:]].append(one)

    def of(self, column: SourceColumn, table: SourceTable) -> KeyTarget | None:
        """Return the table that a column refers to; None where there is none, or more than one."""
        words, stem = _words(column.name), _stem(column)
        found = [
            self._by_words[stem] if stem else [],
            self._by_key[column.name.casefold()] if stem or len(words) > 1 else [],
            self._ending(stem),
            self._by_end[stem] if stem else [],
            _alike(column, self._ending(words)) if not _BETWEEN.intersection(words) else [],
            _alike(column, self._by_end[words]),
        ]
        return next((one for targets in found if (one := _only(targets, table))), None)

    def extended(self, column: SourceColumn, table: SourceTable) -> KeyTarget | None:
        """Return the table that the key of a table is called after: each row belongs to one of that table."""
        stem = _stem(column)
        return _only(self._by_words[stem], table) if stem else None

    def _ending(self, words: tuple[str, ...]) -> list[KeyTarget]:
        return [one for start in range(len(words)) for one in self._by_words[words[start:]]]


def with_inferred_keys(schema: SourceSchema) -> SourceSchema:
    """Return a source with the keys that the names of its columns show."""
    targets = _Targets(schema.tables)
    tables = []
    for table in schema.tables:
        found = list(_inferred(table, targets))
        tables.append(table.model_copy(update={"foreign_keys": [*table.foreign_keys, *found]}) if found else table)
    return schema.model_copy(update={"tables": tables})


def _inferred(table: SourceTable, targets: _Targets) -> Iterator[ForeignKey]:
    """Yield the keys of a table. A view has none: it shows columns of its tables again."""
    known = {column.casefold() for key in table.foreign_keys for column in key.columns}
    for column in table.columns if not table.is_view else ():
        if column.name.casefold() not in known:
            is_key = column == targets.keys.get(table.name)
            there = (targets.extended if is_key else targets.of)(column, table)
            if there is not None:
                yield ForeignKey(
                    columns=[column.name], table=there.table, references=[there.key.name], is_inferred=True
                )


def _words(name: str) -> tuple[str, ...]:
    """Return the words of an identifier, in small letters and the singular. Chinese is compared letter by letter."""
    words: list[str] = []
    for part in IDENTIFIER.findall(name):
        words += part if "\u3400" <= part[0] <= "\u9fff" else [singular(part.casefold())]
    return tuple(words)


def _stem(column: SourceColumn) -> tuple[str, ...]:
    """Return what a column like ``customer_id`` is called after; nothing for another one, or for a bare ``id``."""
    words = _words(column.name)
    ends = (words[: -len(word)] for word in KEY_WORDS if words[-len(word) :] == word)
    return next(ends, ())


def _key_of(table: SourceTable) -> SourceColumn | None:
    """Return the column of a table's key: the declared one, or else one that is called like a key of the table."""
    if table.key:
        return next((one for one in table.columns if [one.name] == table.key), None)
    names = [(*stem, *word) for word in KEY_WORDS for stem in ((), _words(table.own_name))]
    return next((one for one in table.columns[:1] if _words(one.name) in names), None)


def _only(found: Sequence[KeyTarget], table: SourceTable) -> KeyTarget | None:
    """Return the one target that is another table, or the one of its schema; None for several."""
    others = [one for one in found if one.table != table.name]
    near = [one for one in others if one.schema_name == table.schema_name]
    return next((ones[0] for ones in (others, near) if len(ones) == 1), None)


def _alike(column: SourceColumn, found: Sequence[KeyTarget]) -> list[KeyTarget]:
    return [one for one in found if _is_text(one.key) == _is_text(column)]


def _is_text(column: SourceColumn) -> bool:
    return any(part in column.type.upper() for part in _TEXT)
