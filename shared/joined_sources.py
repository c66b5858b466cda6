"""Several sources as one: their tables are ``SOURCE.TABLE``, and DuckDB joins what is read of them.

A table shows what may be seen of it in its own source, so what is joined cannot show more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from .errors import BadInput
from .model.source import (
    Dialect,
    ForeignKey,
    SourceColumn,
    SourceSchema,
    SourceTable,
    TableOrigin,
    qualified,
)
from .sources import TOGETHER

JOINED_DIALECT: Dialect = "duckdb"
_TAKEN = frozenset(("information_schema", "main", "memory", "pg_catalog", "system", "temp"))
"""Names of DuckDB's own schemas and catalogues."""
_TYPES = {
    "BIGINT": exp.DataType.INTEGER_TYPES - {exp.DType.BIT, exp.DType.UBIGINT},
    "DECIMAL": {exp.DType.DECIMAL, exp.DType.UBIGINT, exp.DType.MONEY},
    "DOUBLE": {exp.DType.DOUBLE},
    "REAL": {exp.DType.FLOAT},
    "BOOLEAN": {exp.DType.BOOLEAN},
    "DATE": {exp.DType.DATE},
    "TIMESTAMP": {exp.DType.TIMESTAMP, exp.DType.TIMESTAMPNTZ, exp.DType.DATETIME},
    "TIMESTAMPTZ": {exp.DType.TIMESTAMPTZ},
    "TIME": {exp.DType.TIME},
}
"""The types of columns where sources meet; any other arrives as text."""


def joined(members: Sequence[SourceSchema]) -> SourceSchema:
    """Return sources as one. Raises ``BadInput`` if the names of two differ in case or punctuation only."""
    owners = [schema_name_of(member.source) for member in members]
    if len({owner.casefold() for owner in owners}) < len(owners):
        raise BadInput.of("data.sources_alike", code="source", names=", ".join(member.source for member in members))
    tables = [table for owner, member in zip(owners, members, strict=True) for table in _tables(owner, member)]
    name = TOGETHER.join(member.source for member in members)
    return SourceSchema(source=name, dialect=JOINED_DIALECT, tables=tables, members=list(members))


def schema_name_of(source: str) -> str:
    """Return what the tables of a source are named with, which needs no quotation marks."""
    name = source.replace("-", "_")
    return f"{name}_source" if name.casefold() in _TAKEN else name


def joined_type(column: SourceColumn, dialect: Dialect) -> str:
    """Return the type that a column has where sources meet; nothing where its source names none."""
    kind = type_of(column, dialect)
    return next((name for name, kinds in _TYPES.items() if kind in kinds), "VARCHAR") if kind else ""


def type_of(column: SourceColumn, dialect: Dialect) -> exp.DType | None:
    """Return the type of a column in its own source; None where it names none that is known."""
    try:
        kind = exp.DataType.build(column.type, dialect=dialect).this
    except sqlglot.errors.SqlglotError:
        return None
    return kind if isinstance(kind, exp.DType) else None


def _tables(owner: str, member: SourceSchema) -> Iterator[SourceTable]:
    names = dict(_unique_names(member.tables))
    for table in member.tables:
        yield table.model_copy(
            update={
                "name": qualified(owner, names[table.name]),
                "schema_name": owner,
                "columns": _columns(table, member.dialect),
                "foreign_keys": list(_keys(owner, table, names)),
                "rows": "",  # its own source applies them
                "origin": TableOrigin(source=member.source, table=table.name),
            }
        )


def _unique_names(tables: Sequence[SourceTable]) -> Iterator[tuple[str, str]]:
    """Yield each table with its name among those of all: the name of its schema comes first (``sales_orders``)."""
    taken: set[str] = set()
    for table in tables:
        name = wanted = table.name.replace(".", "_")
        number = 2
        while name.casefold() in taken:
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name.casefold())
        yield table.name, name


def _columns(table: SourceTable, dialect: Dialect) -> list[SourceColumn]:
    """Return the columns without those whose names differ in case only, which DuckDB cannot tell apart."""
    counts = Counter(column.name.casefold() for column in table.columns)
    return [
        column.model_copy(update={"type": joined_type(column, dialect)})
        for column in table.columns
        if counts[column.name.casefold()] == 1
    ]


def _keys(owner: str, table: SourceTable, names: dict[str, str]) -> Iterator[ForeignKey]:
    for key in table.foreign_keys:
        if key.table in names:
            yield key.model_copy(update={"table": qualified(owner, names[key.table])})
