"""A source's tables as a language model reads them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from ..errors import BadInput
from .source import SourceColumn, SourceSchema, SourceTable

MAX_SCHEMA_CHARS = 60_000
"""Characters of the tables that a model is shown."""


def shown_schema(schema: SourceSchema, names: Collection[str]) -> SourceSchema:
    """Return a source with these tables only, the most important first; with all of them for no names."""
    tables = {table.name: table for table in schema.tables}
    return schema.model_copy(update={"tables": [tables[name] for name in names if name in tables]}) if names else schema


def schema_text(schema: SourceSchema) -> str:
    """Return the tables of a source, an empty line between them."""
    return "\n\n".join(map(table_text, schema.tables))


def prompt_tables(schema: SourceSchema) -> str:
    """Return the tables of a source for a prompt. Raises ``BadInput`` if they are more than a model is shown."""
    tables = schema_text(schema)
    if len(tables) > MAX_SCHEMA_CHARS:
        raise BadInput.of("data.too_large", code="source", count=len(schema.tables))
    return tables


def table_text(table: SourceTable) -> str:
    """Return a table: a line for its name, one for each column, one for each key."""
    return "\n".join([f"{table.name}{_comment(table.comment)}", *_columns(table), *_keys(table)])


def _columns(table: SourceTable) -> Iterator[str]:
    for column in table.columns:
        key = " key" if column.name in table.key else ""
        yield f"  {column.name} {column.type}{key}{_comment(column.comment)}{_samples(column)}"


def _keys(table: SourceTable) -> Iterator[str]:
    for key in table.foreign_keys:
        there = ", ".join(f"{key.table}.{column}" for column in key.references)
        yield f"  {', '.join(key.columns)} -> {there or key.table}{'  -- by its name' if key.is_inferred else ''}"


def _samples(column: SourceColumn) -> str:
    return f"  e.g. {json.dumps(column.samples, ensure_ascii=False)}" if column.samples else ""


def _comment(comment: str) -> str:
    return f"  -- {' '.join(comment.split())}" if comment else ""
