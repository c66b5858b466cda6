"""OCR engines: one module each, chosen by the setting ``BANDSMITH_OCR_ENGINE``."""

from __future__ import annotations

from collections.abc import Callable

from ..settings import OcrSettings
from .base import OcrEngine, TextArea
from .paddle import PaddleEngine
from .rapid import RapidEngine

__all__ = ["ENGINES", "OcrEngine", "TextArea", "open_engine"]

ENGINES: dict[str, Callable[[OcrSettings], OcrEngine]] = {"paddle": PaddleEngine, "rapid": RapidEngine}


def open_engine(settings: OcrSettings | None = None) -> OcrEngine:
    """Return the engine that the settings name; ``start()`` or the first use loads its models."""
    settings = settings or OcrSettings()
    return ENGINES[settings.engine](settings)
