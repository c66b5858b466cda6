"""Handle the planner's commands about data: find the source, describe it, and run a checked query."""

from __future__ import annotations

import asyncio
import re

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import (
    DescribeSource,
    Event,
    PlanAnalysis,
    QueryRun,
    QuestionRemembered,
    RecallSources,
    RememberQuestion,
    RunQuery,
    SourceDescribed,
    SourcesRecalled,
)
from bandsmith.shared.llm import Model
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.replies import Text
from bandsmith.shared.replies import text as reply_text
from bandsmith.shared.semantic_layer import SemanticLayer, applied, evidence, layer_file, read_layer
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, questions_file, read_sources

from ..settings import DataSettings
from .plan_analysis import plan_analysis
from .source_process import QueryFailed, describe, run
from .verified import VerifiedQuestion, match, read_verified, remember

ARROW = "application/vnd.apache.arrow.stream"
_OWN_QUERY = re.compile(
    r"\s*(?:select\b|with\s+(?:recursive\s+)?[\w\"]+\s*(?:\([^)]*\)\s*)?as\s*\(|drop\s+table|delete\s+from|insert\s+into"
    r"|(?:create|alter|truncate)\s+table|update\s+\S+\s+set\b|pragma\s|attach\s|copy\s+\S+\s+(?:to|from)\b)",
    re.IGNORECASE,
)
"""How SQL begins that the user wrote: it is checked as it is, and no model is asked."""


DataCommand = RecallSources | PlanAnalysis | RunQuery | RememberQuestion | DescribeSource


async def answer_from_source(store: Store, command: DataCommand, model: Model | None) -> Event:
    match command:
        case PlanAnalysis():
            return await plan_analysis(store, command, model)
        case RecallSources():
            return await recall_sources(store, command)
        case RememberQuestion():
            return await remember_question(command)
        case RunQuery():
            return await run_query(store, command)
        case DescribeSource():
            schema, _ = await seen_schema(named_source(command.source))
            return SourceDescribed(database=await stored_schema(store, schema))


async def recall_sources(store: Store, command: RecallSources) -> SourcesRecalled:
    """Return the source that is asked, with what it holds. Raises ``BadInput`` if it is unknown or nothing is asked."""
    text = command.text.strip()
    if not text:
        raise BadInput.of("data.no_question", code="input")
    source = named_source(command.source)
    schema, layer = await seen_schema(source)
    database = await stored_schema(store, schema)
    if _OWN_QUERY.match(text):
        return SourcesRecalled(source=source.name, database=database, question="", query=text)
    known = await asyncio.to_thread(read_verified, questions_file(SourceSettings().file, source.name))
    found = await asyncio.to_thread(match, text, known, source.dialect)
    return SourcesRecalled(
        source=source.name,
        database=database,
        question=text,
        query=found.query if found else "",
        verified=found.verified.question if found else "",
        evidence=evidence(layer),
    )


async def remember_question(command: RememberQuestion) -> QuestionRemembered:
    """Keep a question whose answer was right."""
    asked, sources = command.last_asked, SourceSettings().file
    verified = VerifiedQuestion(question=asked.question, query=asked.query)
    await asyncio.to_thread(remember, questions_file(sources, asked.source), verified)
    return QuestionRemembered(answer=reply_text("data.reply.remembered", command.language, question=asked.question))


async def run_query(store: Store, command: RunQuery) -> QueryRun:
    """Run a query that passed the checks; what the database refuses is an answer too."""
    from . import results  # noqa: PLC0415 - slow to import, and needed by few turns

    settings = DataSettings()
    try:
        source = named_source(command.source)
        answer = await run(source, command.query, seconds=settings.seconds, max_rows=settings.rows)
    except QueryFailed as failed:
        problem = Text.of("data.query.failed", reason=str(failed))
        return QueryRun(problem=problem.in_language(command.language), reason=problem.en)
    table = results.from_bytes(answer.table)
    return QueryRun(
        result=await store.put(answer.table, ARROW),
        rows_as_csv=await store.put(results.as_csv(table), "text/csv"),
        preview=results.as_markdown(table),
        row_count=table.num_rows,
        is_cut=answer.is_cut,
    )


async def seen_schema(source: Source) -> tuple[SourceSchema, SemanticLayer]:
    """Return what can be seen of a source, and its semantic layer. Raises ``BadInput``."""
    layer = await asyncio.to_thread(read_layer, layer_file(SourceSettings().file, source.name))
    return applied(await describe(source), layer), layer


def named_source(name: str) -> Source:
    """Return the source of that name, or the only one. Raises ``BadInput``."""
    sources = read_sources(SourceSettings().file)
    names = ", ".join(sources)
    if not sources:
        raise BadInput.of("data.no_source", code="source")
    if not name and len(sources) > 1:
        raise BadInput.of("data.which_source", code="source", names=names)
    if name and name not in sources:
        raise BadInput.of("data.unknown_source", code="source", name=name, names=names)
    return sources[name] if name else next(iter(sources.values()))


async def stored_schema(store: Store, schema: SourceSchema) -> Ref:
    return await store.put(schema.model_dump_json().encode(), "application/json")
