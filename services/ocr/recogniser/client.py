"""The owner's side of the recogniser: an OCR engine whose models are in a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import structlog

from bandsmith.shared.confined import TimeBudget, Walls, WorkerDied, WorkerProcess, WorkerTimeout
from bandsmith.shared.errors import BadInput, MissingPart

from .. import engines
from ..engines import OcrEngine, TextArea
from ..engines.models import DETECTION, RECOGNITION, paddle_folder
from ..settings import OcrSettings
from . import wire

log = structlog.get_logger(__name__)
T = TypeVar("T")

LOAD_TIMEOUT_S = 180.0
"""Time in seconds that loading the models may take, on a machine with much else to do."""
CALL_TIMEOUT_S = 120.0
"""Time in seconds for one page or its texts; both take a few seconds."""
_WORKER = "bandsmith.services.ocr.recogniser.worker"


def open_engine(settings: OcrSettings) -> OcrEngine:
    """Return the engine that the settings name: in a worker, or, where it computes on a GPU, in this process."""
    return ConfinedEngine(settings) if settings.device == "cpu" else engines.open_engine(settings)


class ConfinedEngine:
    """Implements ``OcrEngine``. Calls from several threads run one after another."""

    def __init__(self, settings: OcrSettings) -> None:
        self._settings = settings.model_copy(update={"cache": settings.cache.expanduser().resolve()})
        self._worker = WorkerProcess(_WORKER, self._arguments, limit=CALL_TIMEOUT_S, missing="ocr.recogniser")

    @property
    def walls(self) -> Walls:
        """What the worker cannot do. Known once it is ready."""
        return self._worker.walls

    @property
    def pid(self) -> int | None:
        """The process of the worker; None while there is none."""
        return self._worker.pid

    def start(self) -> None:
        if self._settings.engine == "paddle":
            # The worker writes nothing outside its scratch folder.
            for model in (DETECTION, RECOGNITION):
                paddle_folder(model, self._settings.cache)
        self._worker.start()
        reply, _ = self._worker.call({"do": "load"}, budget=TimeBudget(LOAD_TIMEOUT_S))
        if missing := reply.get("missing"):
            raise MissingPart(missing["en"], message_zh=missing["zh"], code=MissingPart.code)

    def stop(self) -> None:
        self._worker.stop()

    def detect(self, pixels: np.ndarray) -> list[TextArea]:
        return self._call({"do": "detect"}, [pixels], wire.decode_areas)

    def read(self, crops: list[np.ndarray]) -> list[tuple[str, float]]:
        return self._call({"do": "read"}, crops, lambda reply: wire.decode_texts(reply, len(crops))) if crops else []

    def _call(self, request: dict[str, Any], pictures: list[np.ndarray], decode: Callable[[dict[str, Any]], T]) -> T:
        shapes, blob = wire.encode_pictures(pictures)
        try:
            reply, _ = self._worker.call({**request, "shapes": shapes}, [blob])
        except WorkerTimeout:
            raise BadInput.of("documents.slow") from None
        except WorkerDied:
            raise BadInput.of("documents.memory") from None
        try:
            return decode(reply)
        except (ValueError, LookupError, TypeError):
            # A page may have taken over the worker, so neither its reply nor its process is used.
            log.warning("ocr.recogniser.fault", kind=str(reply.get("fault", "reply"))[:80])
            self._worker.stop()
            raise BadInput.of("documents.damaged") from None

    def _arguments(self) -> list[str]:
        return [self._settings.model_dump_json(include={"engine", "threads", "cache"})]
