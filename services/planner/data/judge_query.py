"""Judge whether a query answers its question: a model sees the question, the query and the tables that it reads.

It sees nothing that the model which wrote the query says about it: neither its reasons nor its reading of the
question. A doubt counts only if it quotes the part of the question that the query does not answer. A judgement that
fails is none: the query passed every other check, and runs.
"""

from __future__ import annotations

import json

from bandsmith.shared.actor import Store
from bandsmith.shared.events import JudgeQuery, QueryJudged
from bandsmith.shared.language import ENGLISH_NAMES, letters_of
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.data import JudgementAnswer
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.source_text import schema_text, shown_schema
from bandsmith.shared.replies import Text, text

from .recall import tables_in


async def judge_query(store: Store, command: JudgeQuery, model: Model | None) -> QueryJudged:
    """Return what speaks against the query; nothing where no model is to be asked."""
    if model is None or not command.allowance.calls:
        return QueryJudged()
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    before = [{"question": one.question, "query": one.query} for one in command.conversation]
    values = {
        "dialect": schema.dialect,
        "tables": _tables(schema, command.query),
        "evidence": "\n".join(command.evidence),
        "before": json.dumps(before, ensure_ascii=False, indent=1),
        "language": ENGLISH_NAMES[command.language],
        "query": command.query,
        "question": command.question,
    }
    try:
        answer, usage = await ask(model, "judge_query", values, JudgementAnswer, allowance=command.allowance)
    except ModelFailed as failed:
        reason = failed.in_language(command.language)
        note = text("data.query.not_judged", command.language, reason=reason)
        return QueryJudged(notes=[note], usage=failed.usage)
    return judged(answer, command, usage)


def judged(answer: JudgementAnswer, command: JudgeQuery, usage: Usage) -> QueryJudged:
    """Return what a model's judgement comes to. A doubt about no part of the question is none that could be met."""
    reason = answer.reason.strip().rstrip(".。")
    if answer.verdict == "answers":
        return QueryJudged(usage=usage)
    if answer.verdict == "cannot_tell" or letters_of(answer.part) not in letters_of(command.question):
        note = text("data.query.unclear", command.language, reason=reason)
        return QueryJudged(notes=[note] if reason else [], usage=usage)
    part = " ".join(answer.part.split()).strip("\"'“”")
    doubt = Text.of("data.query.meaning", part=part, reason=reason)
    return QueryJudged(doubt=doubt.in_language(command.language), doubted_part=part, reason=doubt.en, usage=usage)


def _tables(schema: SourceSchema, query: str) -> str:
    """Return the tables that the query reads, as a model is shown them."""
    read = [schema.table(name) for name in tables_in(query, schema.dialect)]
    return schema_text(shown_schema(schema, list(dict.fromkeys(table.name for table in read if table))))
