"""Ask a model once which parts of a request the printed report does not meet.

The model gets facts that the program read off the report, and its objections count only if they quote the request word
for word and name facts that exist. A review that fails is none: the change stays as it is.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from pydantic import TypeAdapter

from bandsmith.shared import prompts
from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import OutcomeReviewed, ReviewOutcome
from bandsmith.shared.language import normalized_characters
from bandsmith.shared.llm import Model, ModelFailed, Usage
from bandsmith.shared.llm.answers.report import Objection, ReviewAnswer
from bandsmith.shared.llm.ask import AS_JSON, RULES
from bandsmith.shared.llm.base import ChatMessage
from bandsmith.shared.llm.decide import Manner, decide
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import text
from bandsmith.shared.turns.verdict import Printed

from .facts import ShownReport, outcome_facts

_PRINTED: TypeAdapter[list[Printed]] = TypeAdapter(list[Printed])
MANNER = Manner(max_tokens=2_000, temperature=0.0)
MAX_REQUEST_CHARS = 4_000
MAX_DONE_CHARS = 2_000
MAX_ENTRIES, MAX_ENTRY_CHARS = 4, 300
"""Entries of the history in the prompt, and characters of each."""
MAX_OBJECTIONS = 6
"""Objections of a reply; more of them are rather a bad review than a bad report."""


async def review_outcome(store: Store, command: ReviewOutcome, model: Model | None) -> OutcomeReviewed:
    """Return what is not as the user asked; nothing where no model is to be asked or none answers."""
    if model is None or command.allowance.calls < 1:
        return OutcomeReviewed()
    usage = Usage()
    try:
        facts = await _facts(store, command)
        decision = await decide(
            model, "review_outcome", _messages(command, facts), ReviewAnswer, MANNER, command.allowance
        )
        usage = decision.usage
    except ModelFailed as failure:
        reason = failure.in_language(command.language)
        return OutcomeReviewed(notes=[_not_reviewed(command, reason)], usage=failure.usage)
    except BandsmithError:
        return OutcomeReviewed(notes=[_not_reviewed(command)])
    if decision.answer is None:
        return OutcomeReviewed(notes=[_not_reviewed(command)], usage=usage)
    kept = accepted(decision.answer.objections, command.text, len(facts), command.undone)
    return OutcomeReviewed(not_as_asked=[_in_words(one, command) for one in kept], usage=usage)


def accepted(
    objections: Sequence[Objection], request: str, fact_count: int, undone: Sequence[str] = ()
) -> list[Objection]:
    """Return the objections that quote the request and name a fact, each part of the request once.

    What the user is told was not done is no objection: it would be said twice, and perhaps in other words.
    """
    said = _letters("\n".join(undone))
    found: dict[str, Objection] = {}
    for one in objections:
        quote = _letters(one.quote)
        is_known = not quote or quote in said
        if not is_known and quote in _letters(request) and any(0 < number <= fact_count for number in one.facts):
            found.setdefault(quote, one)
    return list(found.values())[:MAX_OBJECTIONS]


def _letters(words: str) -> str:
    """Return words in comparable letters, without spaces and quotation marks."""
    return re.sub(r"[\s\"'“”‘’「」『』]+", "", normalized_characters(words)).casefold()


def _in_words(objection: Objection, command: ReviewOutcome) -> str:
    return text(
        "planner.review.not_as_asked",
        command.language,
        quote=" ".join(objection.quote.split()).strip("\"'“”"),
        shown=" ".join(objection.shown.split()).rstrip(".。"),
    )


def _not_reviewed(command: ReviewOutcome, reason: str = "") -> str:
    reason = reason or text("planner.review.unusable", command.language)
    return text("planner.review.failed", command.language, reason=reason)


def _messages(command: ReviewOutcome, facts: Sequence[str]) -> list[ChatMessage]:
    filled = prompts.load("review_outcome").fill(
        language=command.language,
        text=command.text[:MAX_REQUEST_CHARS],
        history=[
            {"role": entry.role, "text": entry.text[:MAX_ENTRY_CHARS]} for entry in command.history[-MAX_ENTRIES:]
        ],
        done=command.summary[:MAX_DONE_CHARS],
        undone="\n".join(command.undone)[:MAX_DONE_CHARS],
        facts="\n".join(f"{number}. {fact}" for number, fact in enumerate(facts, 1)),
    )
    return [ChatMessage(role="system", text=f"{RULES}\n{AS_JSON}"), ChatMessage(role="user", text=filled)]


async def _facts(store: Store, command: ReviewOutcome) -> list[str]:
    after = await _shown(store, command.template, command.data, command.shown, command.page_count)
    old, before = command.before, None
    if old is not None:
        before = await _shown(store, old.template, old.data, old.elements, old.page_count)
    return await asyncio.to_thread(outcome_facts, after, before)


async def _shown(store: Store, template: Ref, data: Ref, elements: Ref | None, pages: int) -> ShownReport:
    content, rows, printed = await asyncio.gather(
        store.get(template), store.get(data), store.get(elements) if elements else _nothing()
    )
    items = [one for one in _PRINTED.validate_json(printed) if one.page == 1] if printed else []
    return ShownReport(content, items, pages, len(Data.model_validate_json(rows).rows))


async def _nothing() -> bytes:
    return b""
