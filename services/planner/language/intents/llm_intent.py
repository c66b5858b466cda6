"""Ask a model what a user wants, where rules are unsure: one call that does the work at once."""

from __future__ import annotations

from typing import Any

from bandsmith.shared import reply_stream
from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ClassifyIntent
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.llm import Model, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers import IntentAnswer
from bandsmith.shared.model.session import Format, Intent

from .rules import Guess, may_reset

MAX_HISTORY_ENTRIES = 4
"""Entries of the history in the prompt."""
MAX_ENTRY_CHARS = 500
"""Characters of each entry."""
MAX_OUTLINE_TOKENS = 1_500
"""Size of the template's outline in the prompt."""
_FORMATS: dict[Intent, tuple[Format, ...]] = {
    "preview_report": ("png",),
    "export_pdf": ("pdf",),
    "export_file": ("xlsx", "docx", "html", "csv", "png"),
}


async def ask_for_intent(command: ClassifyIntent, store: Store, model: Model) -> tuple[IntentAnswer, Usage]:
    """Return a model's answer and what it cost. Raises ``ModelFailed``.

    Only what the user said counts: of the attachments, a model sees the template's outline.
    """
    values = await _values(command, store)
    return await ask(
        model, "intent_classify", values, IntentAnswer, allowance=command.allowance, on_delta=reply_stream.emit
    )


async def _values(command: ClassifyIntent, store: Store) -> dict[str, Any]:
    return {
        "text": command.text,
        "language": command.language,
        "has_template": command.has_template,
        "has_page": command.has_page,
        # What is written on a page may be asked of the report, but says nothing of what the user wants of this turn.
        "remarks": [remark.shape for remark in command.remarks],
        "template": await _outline(command, store),
        "history": [
            {"role": entry.role, "text": entry.text[:MAX_ENTRY_CHARS]}
            for entry in command.history[-MAX_HISTORY_ENTRIES:]
        ],
        "failure": command.failure.error if command.failure else "",
        "edits": schema_prompt.edits() if command.has_template else "There is no report to edit.",
        "spec": "Not needed: there is a report." if command.has_template else schema_prompt.spec(),
    }


async def _outline(command: ClassifyIntent, store: Store) -> str:
    if command.template is None:
        return ""
    try:
        return outline(await store.get(command.template), command.text, MAX_OUTLINE_TOKENS)
    except BadInput:
        return ""


def accepted(answer: IntentAnswer, *, has_template: bool, text: str) -> Guess | None:
    """Return the intent that a model found; None where the session does not allow it, or it lacks the format."""
    intent, format = answer.intent, answer.format
    if intent == "export_file" and format == "pdf":
        intent = "export_pdf"
    if intent in _FORMATS and len(_FORMATS[intent]) == 1:
        format = _FORMATS[intent][0]
    if (
        (intent in _FORMATS and format not in _FORMATS[intent])
        or (intent == "modify_report" and not has_template)
        or (intent == "reset_session" and not may_reset(text))
    ):
        return None
    return Guess(
        intent,
        format if intent in _FORMATS else None,
        answer=answer.answer if intent in ("consult_question", "unknown") else "",
    )
