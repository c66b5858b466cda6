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
from bandsmith.shared.semantic_layer import applied
from bandsmith.shared.settings import ModelSettings, SourceSettings
from bandsmith.shared.sources import Source, questions_file

from ..settings import DataSettings
from .asked_sources import AskedSources, asked_sources, layer_of, named_in_question, named_source, seen_sources
from .assess_question import assess_question
from .enhance_question import enhance_question
from .follow_up import is_follow_up
from .inferred_keys import with_inferred_keys
from .judge_query import judge_query
from .plan_analysis import plan_analysis
from .recall import is_large, recalled_tables, tables_in
from .relate_tables import relations
from .run_parts import MAX_PART_ROWS, PartTooLarge, run_parts
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
            return await enhance_question(command, asked_sources(command.source, command.owner), model)
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
    """Return the source to query, or several, with their contents.

    Raises ``BadInput`` if it is unknown or there is no question.
    """
    text = command.text.strip()
    if not text:
        raise BadInput.of("data.no_question", code="input")
    source, text = (command.source, text) if command.source else named_in_question(text, command.owner)
    asked, is_assumed = _asked(source, command)
    schema, metrics = await seen_sources(asked, command.owner)
    database = await stored_schema(store, schema)
    if _OWN_QUERY.match(text):
        return SourcesRecalled(source=asked.name, is_assumed=is_assumed, database=database, question="", query=text)
    known = await asyncio.to_thread(read_verified, questions_file(SourceSettings().file, asked.name))
    similar = await asyncio.to_thread(similar_questions, text, known, schema)
    return SourcesRecalled(
        source=asked.name,
        is_assumed=is_assumed,
        database=database,
        question=text,
        evidence=[*metrics, *similar],
    )


def _asked(source: str, command: RecallSources) -> tuple[AskedSources, bool]:
    """Return the sources that are asked, and whether they are those of the question before, since none is named."""
    try:
        return asked_sources(source, command.owner), False
    except BadInput:
        if source or not command.conversation:
            raise
        return asked_sources(command.conversation[-1].source, command.owner), True


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
    asked_sources(asked.source, command.owner)
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
        sources = asked_sources(command.source, command.owner).sources
        if len(sources) > 1:
            answer = await run_parts(sources, command.query_parts, command.query, settings)
        else:
            answer = await run(sources[0], command.query, seconds=settings.seconds, max_rows=settings.rows)
    except PartTooLarge as part:
        problem = Text.of("data.query.too_large", table=part.table, count=MAX_PART_ROWS)
        return QueryRun(problem=problem.in_language(command.language), reason=problem.en, is_too_large=True)
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


async def _described(source: Source) -> SourceSchema:
    """Return what a source holds, with its row rules as they are written."""
    layer = await layer_of(source)
    return with_inferred_keys(applied(await describe(source, layer.rules), layer))


async def stored_schema(store: Store, schema: SourceSchema) -> Ref:
    return await store.put(schema.model_dump_json().encode(), "application/json")
