"""Say whether a question can be answered with what a source holds.

Where the question shares a word with what is known of the source, a query may answer it, and the checks and the judge
say whether it does. Only where none is shared, a model is asked: the question may be about something else, or need a
word from the user. Words cannot tell where the source has no word in the question's script.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.events import AssessQuestion, QuestionAssessed
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers.data import AssessmentAnswer
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.source_text import MAX_SCHEMA_CHARS, schema_text, shown_schema

from .recall import STOP, words_of


async def assess_question(store: Store, command: AssessQuestion, model: Model | None) -> QuestionAssessed:
    """Return what the user is told or asked instead of an answer; nothing where a query may answer."""
    is_assessed_later = command.asking is not None and command.asking.analyse
    if model is None or not command.allowance.calls or is_assessed_later or command.conversation:
        return QuestionAssessed()
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    shown = shown_schema(schema, command.shown_tables)
    tables = schema_text(shown)
    if len(tables) > MAX_SCHEMA_CHARS:
        return QuestionAssessed()
    if await asyncio.to_thread(may_be_about, command.question, tables, command.evidence):
        return QuestionAssessed()
    values = {
        "language": ENGLISH_NAMES[command.language],
        "tables": tables,
        "evidence": "\n".join(command.evidence),
        "question": command.question,
    }
    try:
        answer, usage = await ask(model, "assess_question", values, AssessmentAnswer, allowance=command.allowance)
    except ModelFailed as failed:  # the query is checked and judged all the same
        return QuestionAssessed(usage=failed.usage)
    return QuestionAssessed(answer="" if answer.assessment == "analysis" else answer.reply, usage=usage)


def may_be_about(question: str, tables: str, evidence: Sequence[str]) -> bool:
    """Return whether a question shares a word with a source, or words cannot tell."""
    asked = {word for word in words_of(question) if not word.isdigit()} - STOP
    known = set(words_of("\n".join([tables, *evidence])))
    in_script = [word for word in asked if any(word.isascii() == other.isascii() for other in known)]
    return not asked or bool(asked & known) or len(in_script) < len(asked)
