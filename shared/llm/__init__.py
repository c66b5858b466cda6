"""Language models: asked through prompt files, answered with values that were checked."""

from __future__ import annotations

from ..errors import BadInput
from ..settings import ModelSettings
from .ask import ask, ask_text
from .base import Allowance, Model, ModelFailed, Usage

__all__ = ["Allowance", "Model", "ModelFailed", "Usage", "allowance_from", "ask", "ask_text", "model_from"]


def model_from(settings: ModelSettings) -> Model | None:
    """The model of the settings; None where none is set, and rules work alone. Raises ``BadInput`` for half of one."""
    if not settings.url and not settings.name:
        return None
    if not settings.url or not settings.name:
        raise BadInput(
            "A language model needs both BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME; one of them is not set.",
            message_zh="使用语言模型须同时设置 BANDSMITH_MODEL_URL 和 BANDSMITH_MODEL_NAME，现在缺少其中一个。",
        )
    from .openai import OpenAIModel  # noqa: PLC0415 - its client takes a second to load

    return OpenAIModel(settings)


def allowance_from(settings: ModelSettings) -> Allowance:
    """What a turn may spend on the model of the settings; nothing where there is none."""
    if not settings.url or not settings.name:
        return Allowance()
    return Allowance(calls=settings.calls_per_turn, tokens=settings.tokens_per_turn)
