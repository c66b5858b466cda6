"""Answers given in a form: the schemas of the forms, and the text of the turn that answers."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, Field, ValidationError

from bandsmith.shared.errors import BadInput
from bandsmith.shared.language import Language
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import text


class Confirmation(BaseModel):
    agrees: bool = Field(title="Yes, do it")


class WrittenAnswer(BaseModel):
    answer: str = Field(title="Answer")


def form_of(question: Pending) -> type[BaseModel]:
    """Return the schema of the form that answers a question."""
    return Confirmation if question.kind == "confirmation" else WrittenAnswer


def answer_text(kind: str, filled: Mapping[str, object], language: Language) -> str:
    """Return a filled form as the text of the turn that answers.

    Raises ``BadInput`` if it does not fit the question.
    """
    try:
        if kind == "confirmation":
            agrees = Confirmation.model_validate(filled).agrees
            return text("web.request.yes" if agrees else "web.request.no", language)
        return WrittenAnswer.model_validate(filled).answer
    except ValidationError:
        raise BadInput.of("web.error.answer", code="answer") from None
