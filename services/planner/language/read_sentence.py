"""Read a sentence once: its intent, and the change or the report that it asks for."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from bandsmith.shared.actor import Store
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.llm import Model, ModelFailed, Usage
from bandsmith.shared.llm.answers import IntentAnswer
from bandsmith.shared.model.base import Ref

from .change import read_change
from .intents import Guess, accepted, ask_for_intent, classify
from .spec import from_model, read_spec_by_rules


async def read_sentence(command: ClassifyIntent, store: Store, model: Model | None) -> IntentClassified:
    """Return what the user wants, with the change or the report itself where the sentence says it.

    Rules decide where they are sure, else the model where there is one, else the rules' best guess. What is attached
    says nothing of the intent.
    """
    guess, answer, usage = await _intent(command, store, model)
    change = spec = None
    if not guess.answer:
        if command.template and command.data and guess.intent in ("modify_report", "unknown"):
            change, spent = await _change(command, store, model, _proposed_edits(answer, command), usage)
            usage += spent
        elif not command.has_page and guess.intent in ("initial_generation", "unknown"):
            spec = await _spec(command, store, model, answer, usage)
    return IntentClassified(
        intent=guess.intent,
        format=guess.format,
        by="model" if answer else "rules",
        answer=guess.answer,
        change=change,
        spec=spec,
        usage=usage,
    )


async def _intent(
    command: ClassifyIntent, store: Store, model: Model | None
) -> tuple[Guess, IntentAnswer | None, Usage]:
    """Return the intent, the model's answer where it decided, and what was spent."""
    if command.texts and not (command.text.strip() or command.has_page or command.has_template):
        return Guess("initial_generation"), None, Usage()  # a table alone is a report to make, as a picture alone is
    guess = classify(
        command.text,
        has_template=command.has_template,
        has_page=command.has_page,
        remarks=bool(command.remarks),
        language=command.language,
    )
    if guess.sure or not model or not command.allowance.calls:
        return guess, None, Usage()
    try:
        answer, usage = await ask_for_intent(command, store, model)
    except ModelFailed as failed:
        return guess, None, failed.usage
    found = accepted(answer, has_template=command.has_template, text=command.text)
    return (found, answer, usage) if found else (guess, None, usage)


def _proposed_edits(answer: IntentAnswer | None, command: ClassifyIntent) -> Sequence[AnyEdit] | None:
    """Return the edits that came with the intent, even none at all; None where the model cannot have known all."""
    if answer is None or answer.truncated or command.remarks or command.has_page:
        return None
    return answer.edits


async def _change(
    command: ClassifyIntent, store: Store, model: Model | None, proposed: Sequence[AnyEdit] | None, spent: Usage
) -> tuple[Ref | None, Usage]:
    """Return the change, or None for a template that cannot be read: who reads it again says why."""
    try:
        change, usage = await read_change(store, command, model, command.allowance.less(spent), proposed)
    except BadInput:
        return None, Usage()
    return await _put(store, change), usage


async def _spec(
    command: ClassifyIntent, store: Store, model: Model | None, answer: IntentAnswer | None, spent: Usage
) -> Ref | None:
    """Return the report, or None where it is read later: a model is asked with the knowledge that is recalled first."""
    if answer and answer.spec and not (answer.truncated or command.remarks):
        return await _put(store, from_model(answer.spec, command.language))
    try:
        request, sure = await read_spec_by_rules(store, command)
    except TerminalError:
        return None
    may_ask = model is not None and command.allowance.less(spent).calls > 0
    return await _put(store, request) if sure or not may_ask else None


async def _put(store: Store, value: BaseModel) -> Ref:
    return await store.put(value.model_dump_json().encode(), "application/json")
