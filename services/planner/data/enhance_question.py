"""Write a question so that it stands alone, and look whether its query is known.

Rules make dates absolute, and put another value into the question before. A model is asked only where the question
refers to the conversation in a way that they cannot follow; it may also say that the user has to be asked.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from datetime import date

from bandsmith.shared.events import EnhanceQuestion, QuestionEnhanced
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.data import EnhancedAnswer
from bandsmith.shared.model.source import AskedQuestion
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import questions_file

from .asked_sources import AskedSources
from .follow_up import is_follow_up, whole_question
from .relative_dates import with_absolute_dates
from .similar_questions import VERIFIED
from .verified import VerifiedQuestion, match, read_verified

_REFERS_BACK = re.compile(
    r"\b(?:them|they|those|these|the same|that one|him|she|of it)\b|他们|她们|它们|这些|那些|其中|同样|上述|前面|刚才",
    re.IGNORECASE,
)
"""Words that stand for something in the questions before."""


async def enhance_question(command: EnhanceQuestion, source: AskedSources, model: Model | None) -> QuestionEnhanced:
    """Return the question as it stands alone, with a query that is known to answer it."""
    before = [asked for asked in command.conversation if asked.source == source.name]
    today = command.began.astimezone().date()
    text = with_absolute_dates(command.question, today)
    found, usage = await _enhanced(command, text, before, today, model)
    if found.clarify:
        return QuestionEnhanced(question=command.question, answer=found.clarify, usage=usage)
    known = await asyncio.to_thread(read_verified, questions_file(SourceSettings().file, source.name))
    answered = [asked for asked in before if asked.query]
    is_value = bool(answered) and whole_question(text, answered[-1].question) == found.question
    last = [VerifiedQuestion(question=answered[-1].question, query=answered[-1].query)] if is_value else []
    same = await asyncio.to_thread(match, found.question, [*known, *last], source.dialect)
    is_last = same is not None and same.verified in last
    return QuestionEnhanced(
        question=found.question,
        is_rewritten=found.question != command.question and not is_last,
        expanded=[*(asked.question for asked in before), *_metrics(found.question, command.evidence), *found.words],
        query=same.query if same else "",
        verified=same.verified.question if same and not is_last else "",
        follows=same.verified.question if same and is_last else "",
        usage=usage,
    )


async def _enhanced(
    command: EnhanceQuestion, text: str, before: Sequence[AskedQuestion], today: date, model: Model | None
) -> tuple[EnhancedAnswer, Usage]:
    """Return the whole question by rules; by a model where it refers to the conversation and they cannot tell how."""
    rest = EnhancedAnswer(question=text)
    if not before:
        return rest, Usage()
    if whole := whole_question(text, before[-1].question):
        return EnhancedAnswer(question=whole), Usage()
    refers = bool(before[-1].answer) or is_follow_up(text) or _REFERS_BACK.search(text) is not None
    if not refers or model is None or not command.allowance.calls:
        return rest, Usage()
    asked = [{"question": one.question, "query": one.query, "we asked back": one.answer} for one in before]
    values = {
        "today": today.isoformat(),
        "language": ENGLISH_NAMES[command.language],
        "before": json.dumps(asked, ensure_ascii=False, indent=1),
        "question": text,
    }
    try:
        return await ask(model, "enhance_question", values, EnhancedAnswer, allowance=command.allowance)
    except ModelFailed as failed:  # the model that writes the query sees the questions before, too
        return rest, failed.usage


def _metrics(text: str, known: Sequence[str]) -> list[str]:
    """Return the metrics that the question names: their expressions name tables."""
    said = text.casefold()
    lines = [line for line in known if not line.startswith(VERIFIED)]
    return [
        line for line in lines if any(name.strip().casefold() in said for name in line.partition("=")[0].split(","))
    ]
