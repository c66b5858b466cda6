"""OCR engines: one file each, chosen by the setting ``BANDSMITH_OCR_ENGINE``."""

from __future__ import annotations

from collections.abc import Callable

from ..settings import OcrSettings
from .base import Area, Engine
from .paddle import PaddleEngine
from .rapid import RapidEngine

__all__ = ["ENGINES", "Area", "Engine", "open_engine"]

ENGINES: dict[str, Callable[[OcrSettings], Engine]] = {"paddle": PaddleEngine, "rapid": RapidEngine}


def open_engine(settings: OcrSettings | None = None) -> Engine:
    """The engine that the settings name; its models are loaded by ``start()`` or the first use."""
    settings = settings or OcrSettings()
    return ENGINES[settings.engine](settings)
