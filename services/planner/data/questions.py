"""Handle the planner's commands about data: find the source, describe it, and run a checked query."""

from __future__ import annotations

import asyncio
import re

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import (
    AssessQuestion,
    DescribeSource,
    EnhanceQuestion,
    Event,
    JudgeQuery,
    PlanAnalysis,
    QueryRun,
    QuestionRemembered,
    RecallSources,
    RecallTables,
    RelateTables,
    RememberQuestion,
    RunQuery,
    SourceDescribed,
    SourcesRecalled,
    TablesRecalled,
    TablesRelated,
)
from bandsmith.shared.llm import Model
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.source_text import shown_schema
from bandsmith.shared.replies import Text
from bandsmith.shared.replies import text as reply_text
from bandsmith.shared.semantic_layer import SemanticLayer, applied, evidence, layer_file, read_layer
from bandsmith.shared.settings import ModelSettings, SourceSettings
from bandsmith.shared.sources import Source, questions_file, sources_of

from ..settings import DataSettings
from .assess_question import assess_question
from .enhance_question import enhance_question
from .follow_up import is_follow_up
from .inferred_keys import with_inferred_keys
from .judge_query import judge_query
from .plan_analysis import plan_analysis
from .recall import is_large, recalled_tables, tables_in
from .relate_tables import relations
from .row_rules import rules_of_user
from .similar_questions import similar_questions
from .source_process import QueryFailed, describe, lost_connection, run
from .verified import VerifiedQuestion, read_verified, remember

ARROW = "application/vnd.apache.arrow.stream"
_OWN_QUERY = re.compile(
    r"\s*(?:select\b|with\s+(?:recursive\s+)?[\w\"]+\s*(?:\([^)]*\)\s*)?as\s*\(|drop\s+table|delete\s+from|insert\s+into"
    r"|(?:create|alter|truncate)\s+table|update\s+\S+\s+set\b|pragma\s|attach\s|copy\s+\S+\s+(?:to|from)\b)",
    re.IGNORECASE,
)
"""How SQL written by the user begins: it is checked as it is, and no model is asked."""


DataCommand = (
    RecallSources
    | EnhanceQuestion
    | RecallTables
    | RelateTables
    | AssessQuestion
    | PlanAnalysis
    | JudgeQuery
    | RunQuery
    | RememberQuestion
    | DescribeSource
)


async def answer_from_source(store: Store, command: DataCommand, model: Model | None) -> Event:
    match command:
        case PlanAnalysis():
            return await plan_analysis(store, command, model)
        case RecallSources():
            return await recall_sources(store, command)
        case EnhanceQuestion():
            return await enhance_question(command, named_source(command.source, command.owner), model)
        case RecallTables():
            return await recall_tables(store, command)
        case RelateTables():
            return await relate_tables(store, command)
        case AssessQuestion():
            return await assess_question(store, command, model)
        case JudgeQuery():
            return await judge_query(store, command, model if ModelSettings().judge else None)
        case RememberQuestion():
            return await remember_question(command)
        case RunQuery():
            return await run_query(store, command)
        case DescribeSource():
            schema = await _described(named_source(command.source, owner=""))
            return SourceDescribed(database=await stored_schema(store, schema))


async def recall_sources(store: Store, command: RecallSources) -> SourcesRecalled:
    """Return the source to query, with its contents. Raises ``BadInput`` if it is unknown or there is no question."""
    text = command.text.strip()
    if not text:
        raise BadInput.of("data.no_question", code="input")
    source = named_source(command.source, command.owner)
    schema, layer = await seen_schema(source, command.owner)
    database = await stored_schema(store, schema)
    if _OWN_QUERY.match(text):
        return SourcesRecalled(source=source.name, database=database, question="", query=text)
    known = await asyncio.to_thread(read_verified, questions_file(SourceSettings().file, source.name))
    similar = await asyncio.to_thread(similar_questions, text, known, schema)
    return SourcesRecalled(source=source.name, database=database, question=text, evidence=[*evidence(layer), *similar])


async def recall_tables(store: Store, command: RecallTables) -> TablesRecalled:
    """Return the tables that a model is shown for a question. Raises ``BadInput`` if none has to do with it."""
    schema = await _stored(store, command.database)
    before = [asked for asked in command.conversation if asked.source == command.source]
    tables = [table for asked in before for table in tables_in(asked.query, schema.dialect)]
    texts = [command.question, *command.expanded]
    shown = await asyncio.to_thread(recalled_tables, schema, texts, tables)
    if schema.tables and not shown and is_large(schema):
        raise BadInput.of("data.nothing_recalled", code="question", count=len(schema.tables))
    return TablesRecalled(shown_tables=shown)


async def relate_tables(store: Store, command: RelateTables) -> TablesRelated:
    """Return how the tables that share words with the question are joined, where their keys do not show it."""
    schema = shown_schema(await _stored(store, command.database), command.shown_tables)
    texts = [command.question, *command.expanded]
    return TablesRelated(relations=await asyncio.to_thread(relations, schema, texts))


async def _stored(store: Store, database: Ref) -> SourceSchema:
    return SourceSchema.model_validate_json(await store.get(database))


async def remember_question(command: RememberQuestion) -> QuestionRemembered:
    """Keep a question whose answer was right. Raises ``BadInput`` if its source may not be asked any more."""
    asked, sources = command.last_asked, SourceSettings().file
    named_source(asked.source, command.owner)
    if is_follow_up(asked.question):
        said = reply_text("data.reply.not_remembered", command.language, question=asked.question)
        return QuestionRemembered(answer=said)
    verified = VerifiedQuestion(question=asked.question, query=asked.query)
    await asyncio.to_thread(remember, questions_file(sources, asked.source), verified)
    return QuestionRemembered(answer=reply_text("data.reply.remembered", command.language, question=asked.question))


async def run_query(store: Store, command: RunQuery) -> QueryRun:
    """Run a query that passed the checks; a refusal by the database is an answer too.

    Raises ``RetryableError`` if the database went away, which no other query would change.
    """
    from bandsmith.shared import result_tables as results  # noqa: PLC0415 - slow to import, and needed by few turns

    settings = DataSettings()
    try:
        source = named_source(command.source, command.owner)
        answer = await run(source, command.query, seconds=settings.seconds, max_rows=settings.rows)
    except QueryFailed as failed:
        if (lost := lost_connection(command.source, failed)) is not None:
            raise lost from None
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


async def seen_schema(source: Source, owner: str) -> tuple[SourceSchema, SemanticLayer]:
    """Return what an owner's sessions can see of a source, and its semantic layer. Raises ``BadInput``."""
    layer = rules_of_user(await _layer_of(source), source.dialect, owner)
    return with_inferred_keys(applied(await describe(source, layer.rules), layer)), layer


async def _described(source: Source) -> SourceSchema:
    """Return what a source holds, with its row rules as they are written."""
    layer = await _layer_of(source)
    return with_inferred_keys(applied(await describe(source, layer.rules), layer))


async def _layer_of(source: Source) -> SemanticLayer:
    return await asyncio.to_thread(read_layer, layer_file(SourceSettings().file, source.name))


def named_source(name: str, owner: str) -> Source:
    """Return the source with that name, or the only one, among the sources that an owner's sessions may ask.

    Raises ``BadInput`` if there is none; another user's source is not mentioned.
    """
    sources = sources_of(owner, SourceSettings().file)
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
