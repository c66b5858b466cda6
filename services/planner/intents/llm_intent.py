"""Asking a model what a user wants, where rules are unsure: one call that does the work in the same breath."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from bandsmith.shared import reply_stream
from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers import IntentAnswer
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.edits import AnyEdit
from bandsmith.shared.model.session import Format, Intent

from .rules import Guess, classify, may_reset

LATEST = 4
"""Entries of the history that a model is shown."""
LONGEST = 500
"""Characters of each."""
OUTLINE = 1_500
"""Tokens of the template's outline, about."""
_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])
_FORMATS: dict[Intent, tuple[Format, ...]] = {
    "preview_report": ("png",),
    "export_pdf": ("pdf",),
    "export_file": ("xlsx", "docx", "html", "csv", "png"),
}


async def intent_of(command: ClassifyIntent, store: Store, model: Model | None) -> IntentClassified:
    """By the rules where they are sure, else by the model where there is one, else by the rules' best guess.

    Only what the user said counts: of what is attached, a model sees the template's outline, and no rule sees anything.
    """
    guess = classify(
        command.text,
        has_template=command.has_template,
        has_page=command.has_page,
        remarks=bool(command.remarks),
        language=command.language,
    )
    usage = Usage()
    if not guess.sure and model and command.allowance.calls:
        try:
            values = await _values(command, store)
            found, usage = await ask(
                model, "intent_classify", values, IntentAnswer, allowance=command.allowance, on_delta=reply_stream.emit
            )
            return await _taken(found, command, guess, store, usage)
        except ModelFailed as failed:
            usage = failed.usage
    return _guessed(guess, usage)


def _guessed(guess: Guess, usage: Usage) -> IntentClassified:
    return IntentClassified(intent=guess.intent, format=guess.format, answer=guess.answer, usage=usage)


async def _values(command: ClassifyIntent, store: Store) -> dict[str, Any]:
    return {
        "text": command.text,
        "language": command.language,
        "has_template": command.has_template,
        "has_page": command.has_page,
        # What is written on a page may be asked of the report, but says nothing of what the user wants of this turn.
        "remarks": [remark.shape for remark in command.remarks],
        "template": await _outline(command, store),
        "history": [{"role": said.role, "text": said.text[:LONGEST]} for said in command.history[-LATEST:]],
        "failure": command.failure.error if command.failure else "",
        "edits": schema_prompt.edits() if command.has_template else "There is no report to edit.",
        "spec": "Not needed: there is a report." if command.has_template else schema_prompt.spec(),
    }


async def _outline(command: ClassifyIntent, store: Store) -> str:
    if command.template is None:
        return ""
    try:
        return outline(await store.get(command.template), command.text, OUTLINE)
    except BadInput:
        return ""


async def _taken(
    found: IntentAnswer, command: ClassifyIntent, guess: Guess, store: Store, usage: Usage
) -> IntentClassified:
    """What a model found, as far as it may be had; else the rules' best guess."""
    intent, format = found.intent, found.format
    if intent == "export_file" and format == "pdf":
        intent = "export_pdf"
    if intent in _FORMATS and len(_FORMATS[intent]) == 1:
        format = _FORMATS[intent][0]
    if (
        (intent in _FORMATS and format not in _FORMATS[intent])
        or (intent == "modify_report" and not command.has_template)
        or (intent == "reset_session" and not may_reset(command.text))
    ):
        return _guessed(guess, usage)
    return IntentClassified(
        intent=intent,
        format=format if intent in _FORMATS else None,
        by="model",
        answer=found.answer if intent in ("consult_question", "unknown") else "",
        proposed=await _proposed(found, intent, command, store),
        usage=usage,
    )


async def _proposed(found: IntentAnswer, intent: Intent, command: ClassifyIntent, store: Store) -> Ref | None:
    """The work that the model did; none where it cannot have known all, or was cut."""
    if found.truncated or command.remarks or command.has_page:
        return None
    if command.has_template and intent in ("modify_report", "unknown"):  # an empty list as well: it was asked
        return await store.put(_EDITS.dump_json(found.edits), "application/json")
    if intent in ("initial_generation", "unknown") and found.spec:
        return await store.put(found.spec.model_dump_json().encode(), "application/json")
    return None
