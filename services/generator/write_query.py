"""Write the SQL that answers a question, with a model that sees the source's tables and why earlier queries failed."""

from __future__ import annotations

import json

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import QueryWritten, WriteQuery
from bandsmith.shared.llm import Model, ask, model_required
from bandsmith.shared.llm.answers.data import QueryAnswer
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.source_text import prompt_tables, shown_schema

MAX_TRIED = 3
"""Earlier queries that it is shown."""


async def write_query(store: Store, command: WriteQuery, model: Model | None) -> QueryWritten:
    """Return a query. Raises ``BadInput`` without a model, ``TerminalError`` if the model gives none."""
    if model is None or not command.allowance.calls:
        raise BadInput.of("data.no_model", code="model")
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    tables = prompt_tables(shown_schema(schema, command.shown_tables))
    tried = [{"query": one.query, "refused because": one.reason} for one in command.queries_tried[-MAX_TRIED:]]
    before = [{"question": one.question, "query": one.query} for one in command.conversation]
    values = {
        "dialect": schema.dialect,
        "tables": tables,
        "evidence": "\n".join(command.evidence),
        "before": _as_json(before),
        "question": command.question,
        "tried": _as_json(tried),
    }
    with model_required():
        answer, usage = await ask(model, "write_query", values, QueryAnswer, allowance=command.allowance)
    return QueryWritten(query=answer.query, whole_question=answer.question if before else "", usage=usage)


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
