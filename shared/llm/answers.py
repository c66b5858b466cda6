"""What each prompt is answered with."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    WithJsonSchema,
)

from ..model.edits import AnyEdit
from ..model.session import Format, Intent
from ..model.spec import ReportSpec
from .stream_guard import visible

Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
Shown = Annotated[str, AfterValidator(visible)]
"""What the user reads."""


# Prompts describe edits and specs in fewer words than their JSON schemas have, which would come on top of each prompt.
Edits = Annotated[
    list[AnyEdit],
    WithJsonSchema(
        {"type": "array", "items": {"type": "object", "properties": {"do": {"type": "string"}}, "required": ["do"]}}
    ),
]
DescribedSpec = Annotated[ReportSpec, WithJsonSchema({"type": "object"})]


class Answer(BaseModel):
    """The base of all: what a model adds unasked is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    _cut: bool = PrivateAttr(default=False)

    @property
    def cut(self) -> bool:
        """Whether the reply never came to its end: lists may lack their last entries."""
        return self._cut


def _or_none(value: Any) -> Any:
    """An empty text or object is how a prompt's reply says none."""
    return None if value in ("", {}) else value


class IntentAnswer(Answer):
    """What the user wants, and the work itself where one breath is enough for both."""

    intent: Intent
    format: Annotated[Format | None, BeforeValidator(_or_none)] = None
    edits: Edits = Field(default=[], max_length=200)
    answer: Shown = Field(default="", max_length=20_000)
    spec: Annotated[ReportSpec | None, BeforeValidator(_or_none), WithJsonSchema({"type": "object"})] = None


class SpecAnswer(Answer):
    spec: DescribedSpec


class SkeletonAnswer(Answer):
    """Judgements on a form; what is not mentioned stays as the rules have it."""

    names: dict[str, Identifier] = Field(default={}, max_length=500)
    """By the placeholder: the name of the field or parameter."""
    totals: dict[str, str] = Field(default={}, max_length=100)
    """By the placeholder of a total: that of the column that it sums up."""


class EditsAnswer(Answer):
    """Of modification, refine_layout and correction."""

    edits: Edits = Field(default=[], max_length=200)
    note: Shown = Field(default="", max_length=2_000)
    """What was done and what was not, for the user, in their language."""


class ExplanationAnswer(Answer):
    explanation: Shown = Field(min_length=1, max_length=4_000)


class ConsultAnswer(Answer):
    answer: Shown = Field(min_length=1, max_length=20_000)


class SummaryAnswer(Answer):
    summary: Shown = Field(min_length=1, max_length=20_000)


ANSWERS: dict[str, type[Answer]] = {
    "intent_classify": IntentAnswer,
    "initial_generation": SpecAnswer,
    "skeleton_generation": SkeletonAnswer,
    "refine_layout": EditsAnswer,
    "modification": EditsAnswer,
    "explain_error": ExplanationAnswer,
    "correction": EditsAnswer,
    "consult": ConsultAnswer,
    "compress_history": SummaryAnswer,
}
"""By the prompt's name."""
