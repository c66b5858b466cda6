"""Language models: prompts from files in, validated answers out."""

from __future__ import annotations

from ..errors import BadInput
from ..model.allowance import Allowance, Usage
from ..settings import ModelSettings
from .ask import ask, ask_text
from .base import Model, ModelFailed, model_required

__all__ = [
    "Allowance", "Model", "ModelFailed", "Usage", "allowance_from", "ask", "ask_text", "model_from", "model_required",
]  # fmt: skip


def model_from(settings: ModelSettings) -> Model | None:
    """Return the configured model, or None if there is none and only rules are used.

    Raises ``BadInput`` if only one of the address and the name is set.
    """
    if not settings.url and not settings.name:
        return None
    if not settings.url or not settings.name:
        raise BadInput.of("llm.incomplete", code="input")
    from .openai import OpenAIModel  # noqa: PLC0415 - its client takes a second to load

    return OpenAIModel(settings)


def allowance_from(settings: ModelSettings) -> Allowance:
    """Return what a turn may spend on the configured model; nothing if there is none."""
    if not settings.url or not settings.name:
        return Allowance()
    return Allowance(calls=settings.calls_per_turn, tokens=settings.tokens_per_turn)
