"""Ask a model what a user wants, where rules are unsure: one call that does the work at once."""

from __future__ import annotations

from typing import Any

from bandsmith.shared import reply_stream
from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ClassifyIntent
from bandsmith.shared.llm import Model, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers.report import IntentAnswer
from bandsmith.shared.model.session_parts import Format, Intent

from .change.llm_edits import proposal
from .change.model_context import report_context, versions
from .change.read_change import reading_by_rules
from .intents import TAKES_BACK, Guess, version_named, without_replacement
from .intents.rules import may_reset
from .spec import reviewer

_FORMATS: dict[Intent, tuple[Format, ...]] = {
    "preview_report": ("png",),
    "export_pdf": ("pdf",),
    "export_file": ("xlsx", "docx", "html", "csv", "png"),
}


_MAY_EXPORT = TAKES_BACK | {"modify_report"}
"""Intents beside which a message may ask for a file of what becomes of the report."""


async def ask_for_intent(command: ClassifyIntent, store: Store, model: Model) -> tuple[IntentAnswer, Usage]:
    """Return a model's answer and what it cost. Raises ``ModelFailed``.

    Only what the user said counts: of the attachments, a model sees the template's outline.
    """
    values = await _values(command, store)
    return await ask(
        model, "intent_classify", values, IntentAnswer, allowance=command.allowance, on_delta=reply_stream.emit,
        review=reviewer(without_replacement(command.text)),
    )  # fmt: skip


async def _values(command: ClassifyIntent, store: Store) -> dict[str, Any]:
    return await report_context(store, command) | {
        "edits": schema_prompt.edits() if command.has_template else "There is no report to edit.",
        "spec": schema_prompt.spec(),
        "text": command.text,
        "language": command.language,
        "has_template": command.has_template,
        "has_page": command.has_page,
        # What is written on a page may be asked of the report, but says nothing of what the user wants of this turn.
        "versions": versions(command.earlier),
        "remarks": [remark.shape for remark in command.remarks],
        "rules": await _proposal(command, store),
    }


async def _proposal(command: ClassifyIntent, store: Store) -> str:
    """Describe what rules would do to the report."""
    if command.template is None or command.data is None or command.remarks:
        return ""
    try:
        by_rules = await reading_by_rules(store, command)
    except BadInput:
        return ""
    return proposal(by_rules)


def accepted(answer: IntentAnswer, *, has_template: bool, text: str) -> Guess | None:
    """Return the intent that a model found; None where the session does not allow it, or it lacks the format."""
    intent, format = answer.intent, answer.format
    version = version_named(text) or answer.version
    if intent == "export_file" and format == "pdf":
        intent = "export_pdf"
    if intent in _FORMATS and len(_FORMATS[intent]) == 1:
        format = _FORMATS[intent][0]
    if (
        (intent in _FORMATS and format not in _FORMATS[intent])
        or (intent == "modify_report" and not has_template)
        or (intent == "reset_session" and not may_reset(text))
        or (intent == "restore_version" and not version)
    ):
        return None
    return Guess(
        intent,
        format if intent in _FORMATS or intent in _MAY_EXPORT else None,
        version=version if intent == "restore_version" else None,
        answer=answer.answer if intent in ("consult_question", "unknown") else "",
    )
