"""The type of each prompt's answer."""

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

from ..edits import AnyEdit
from ..model.session import Format, Intent
from ..model.spec import ReportSpec
from .stream_guard import printable

Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
PrintableText = Annotated[str, AfterValidator(printable)]
"""Text for the user, without control characters."""


# Prompts describe edits and specs in fewer words than their JSON schemas, so the schemas are replaced by stubs.
Edits = Annotated[
    list[AnyEdit],
    WithJsonSchema(
        {"type": "array", "items": {"type": "object", "properties": {"do": {"type": "string"}}, "required": ["do"]}}
    ),
]
DescribedSpec = Annotated[ReportSpec, WithJsonSchema({"type": "object"})]


class ModelAnswer(BaseModel):
    """Base class of all answers; fields that the model adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    _truncated: bool = PrivateAttr(default=False)

    @property
    def truncated(self) -> bool:
        """Whether the reply was cut short: the last entries of lists may be missing."""
        return self._truncated


def _or_none(value: Any) -> Any:
    """Read an empty text or object as None, which is how prompts ask for "none"."""
    return None if value in ("", {}) else value


class IntentAnswer(ModelAnswer):
    """What the user wants and, for requests that need only one call, the result itself."""

    intent: Intent
    format: Annotated[Format | None, BeforeValidator(_or_none)] = None
    edits: Edits = Field(default=[], max_length=200)
    answer: PrintableText = Field(default="", max_length=20_000)
    spec: Annotated[ReportSpec | None, BeforeValidator(_or_none), WithJsonSchema({"type": "object"})] = None


class SpecAnswer(ModelAnswer):
    spec: DescribedSpec


class SkeletonAnswer(ModelAnswer):
    """Decisions about a form; the rules decide whatever is left out."""

    names: dict[str, Identifier] = Field(default={}, max_length=500)
    """The name of the field or parameter, by placeholder."""
    totals: dict[str, str] = Field(default={}, max_length=100)
    """The placeholder of the column that is summed, by the total's placeholder."""


class EditsAnswer(ModelAnswer):
    """The answer to modification, refine_layout and correction."""

    edits: Edits = Field(default=[], max_length=200)
    note: PrintableText = Field(default="", max_length=2_000)
    """What was done and what was not, in the user's language."""


class ExplanationAnswer(ModelAnswer):
    explanation: PrintableText = Field(min_length=1, max_length=4_000)


class ConsultAnswer(ModelAnswer):
    answer: PrintableText = Field(min_length=1, max_length=20_000)


class SummaryAnswer(ModelAnswer):
    summary: PrintableText = Field(min_length=1, max_length=20_000)


ANSWERS: dict[str, type[ModelAnswer]] = {
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
"""Answer types by prompt name."""
