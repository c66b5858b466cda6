"""Language models: asked through prompt files, answered with values that were checked."""

from __future__ import annotations

from ..settings import ModelSettings
from .ask import ask, ask_text
from .base import Allowance, Model, ModelFailed, Usage

__all__ = ["Allowance", "Model", "ModelFailed", "Usage", "ask", "ask_text", "model_from"]


def model_from(settings: ModelSettings) -> Model | None:
    """The model of the settings; None where none is set, and rules work alone."""
    if not settings.url or not settings.name:
        return None
    from .openai import OpenAIModel  # noqa: PLC0415 - its client takes a second to load

    return OpenAIModel(settings)
