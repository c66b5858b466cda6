"""Write the SQL that answers a question, with a model that sees the source's tables and why earlier queries failed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import QueryWritten, WriteQuery
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers import QueryAnswer
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable

MAX_SCHEMA_CHARS = 60_000
"""Characters of the tables that a model is shown."""
MAX_TRIED = 3
"""Earlier queries that it is shown."""


async def write_query(store: Store, command: WriteQuery, model: Model | None) -> QueryWritten:
    """Return a query. Raises ``BadInput`` without a model, ``TerminalError`` if the model gives none."""
    if model is None or not command.allowance.calls:
        raise BadInput.of("data.no_model", code="model")
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    tables = "\n\n".join(map(table_text, schema.tables))
    if len(tables) > MAX_SCHEMA_CHARS:
        raise BadInput.of("data.too_large", code="source", count=len(schema.tables))
    tried = [{"query": one.query, "refused because": one.reason} for one in command.queries_tried[-MAX_TRIED:]]
    values = {
        "dialect": schema.dialect,
        "tables": tables,
        "question": command.question,
        "tried": json.dumps(tried, ensure_ascii=False, indent=1),
    }
    try:
        answer, usage = await ask(model, "write_query", values, QueryAnswer, allowance=command.allowance)
    except ModelFailed as failed:
        raise TerminalError(failed.message, message_zh=failed.message_zh, code="model") from None
    return QueryWritten(query=answer.query, usage=usage)


def table_text(table: SourceTable) -> str:
    """Return a table as a model reads it: a line for its name, one for each column, one for each key."""
    return "\n".join([f"{table.name}{_comment(table.comment)}", *_columns(table), *_keys(table)])


def _columns(table: SourceTable) -> Iterator[str]:
    for column in table.columns:
        key = " key" if column.name in table.key else ""
        yield f"  {column.name} {column.type}{key}{_comment(column.comment)}{_samples(column)}"


def _keys(table: SourceTable) -> Iterator[str]:
    for key in table.foreign_keys:
        there = ", ".join(f"{key.table}.{column}" for column in key.references)
        yield f"  {', '.join(key.columns)} -> {there or key.table}"


def _samples(column: SourceColumn) -> str:
    return f"  e.g. {json.dumps(column.samples, ensure_ascii=False)}" if column.samples else ""


def _comment(comment: str) -> str:
    return f"  -- {' '.join(comment.split())}" if comment else ""
