"""Write the query of a placeholder of a report, with a model that sees the source's tables and its context.

What each kind of step takes from the pool: a new query is written from the columns and the context; a refined one from
the last query and its error besides.
"""

from __future__ import annotations

import json

from bandsmith.shared.actor import Store
from bandsmith.shared.events import BindingWritten, WriteBinding
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers.data import BindingAnswer
from bandsmith.shared.model.binding import BindingWork, Placeholder, QueryInput, WrittenBinding
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.source_text import prompt_tables, shown_schema
from bandsmith.shared.replies import text

MAX_SHOWN_COLUMNS = 100
"""Columns of a table that the model is shown; more are counted."""


async def write_binding(store: Store, command: WriteBinding, model: Model | None) -> BindingWritten:
    """Return a query, or why there is none. Raises ``BadInput`` for a source with too many tables."""
    work = command.work
    if model is None or not command.allowance.calls:
        return _problem(work, text("data.binding.left.no_model", command.language))
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    tables = prompt_tables(_shown(shown_schema(schema, command.shown_tables)))
    period = f"{work.memory.time_range}; {work.memory.time_column}" if work.memory.time_range else ""
    values = {
        "dialect": schema.dialect,
        "placeholder": _context(work.placeholder),
        "inputs": json.dumps([_input(one) for one in command.inputs], ensure_ascii=False),
        "period": period,
        "tables": tables,
        "evidence": "\n".join(command.evidence),
        "objections": "\n".join(command.objections),
        "tried": _last_try(work),
    }
    try:
        answer, usage = await ask(model, "write_binding", values, BindingAnswer, allowance=command.allowance)
    except ModelFailed as failed:
        return _problem(work, failed.in_language(command.language)).model_copy(update={"usage": failed.usage})
    written = WrittenBinding(query=answer.query, reason="" if answer.query else answer.reason)
    return BindingWritten(name=work.name, written=written, usage=usage)


def _problem(work: BindingWork, problem: str) -> BindingWritten:
    return BindingWritten(name=work.name, written=WrittenBinding(problem=problem))


def _shown(schema: SourceSchema) -> SourceSchema:
    """Return the tables with their first columns; a table with more says so."""
    tables = []
    for table in schema.tables:
        more = len(table.columns) - MAX_SHOWN_COLUMNS
        comment = f"{table.comment} ({more} more columns are not shown)".strip() if more > 0 else table.comment
        shown = {"columns": table.columns[:MAX_SHOWN_COLUMNS], "comment": comment}
        tables.append(table.model_copy(update=shown))
    return schema.model_copy(update={"tables": tables})


def _context(placeholder: Placeholder) -> str:
    fields = [
        {"name": one.name, "class": one.java_class.rsplit(".", 1)[-1], "label": one.label, "sample": one.sample}
        for one in placeholder.fields
    ]
    context: dict[str, object] = {"name": placeholder.name, "fields": fields, "others": placeholder.neighbours}
    if placeholder.each:
        context["for_each"] = placeholder.each
    return json.dumps(context, ensure_ascii=False)


def _input(one: QueryInput) -> dict[str, object]:
    return {"name": one.name, "kind": one.kind, "needed": one.is_needed, "meaning": one.meaning}


def _last_try(work: BindingWork) -> str:
    if not work.tried or not work.memory.error_class:
        return ""
    last = work.tried[-1]
    return json.dumps({"query": last.query, "refused because": last.reason}, ensure_ascii=False)
