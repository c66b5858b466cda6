"""Services that are started one after another with the same workers: to start these takes seconds of processor time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from unittest import mock

from bandsmith.services.ocr import actor as ocr
from bandsmith.services.ocr.reader import DocumentReader
from bandsmith.services.ocr.recogniser import ConfinedEngine
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.services.validator.actor import ValidatorActor
from bandsmith.services.validator.engine import ReportEngine, lane
from bandsmith.services.validator.settings import ValidatorSettings


class _KeptRecogniser(ConfinedEngine):
    """Loads its models once."""

    _is_loaded = False

    def start(self) -> None:
        if not self._is_loaded:
            super().start()
            self._is_loaded = True

    def stop(self) -> None: ...

    def end(self) -> None:
        super().stop()


class _KeptReader(DocumentReader):
    def stop(self) -> None: ...

    def end(self) -> None:
        super().stop()


class _KeptEngine(ReportEngine):
    def stop(self) -> None: ...

    def end(self) -> None:
        super().stop()


@contextmanager
def kept_workers() -> Iterator[None]:
    """Let each service that starts in this block use the workers of the one before it, which has ended.

    They read with the engine whose models load in half of the time; both engines keep the contract. A job that is slow
    beside other tests starts no spare engine: that costs as much as fifty jobs.
    """
    limits = ValidatorSettings()
    recogniser = _KeptRecogniser(OcrSettings(engine="rapid"))
    readers = [_KeptReader(limit=OcrSettings().limit) for _ in range(2)]
    engines = [_KeptEngine(limit=limits.limit, heap_mb=limits.heap_mb) for _ in range(4)]
    next_reader, next_engine = cycle(readers), cycle(engines)
    workers: list[_KeptRecogniser | _KeptReader | _KeptEngine] = [recogniser, *readers, *engines]
    with ExitStack() as stack:
        for worker in workers:
            stack.callback(worker.end)
        stack.enter_context(mock.patch.object(lane, "SPARE_AFTER_S", 60.0))
        stack.enter_context(mock.patch.object(ocr, "open_engine", lambda settings: recogniser))
        stack.enter_context(mock.patch.object(ocr, "DocumentReader", lambda limit: next(next_reader)))
        stack.enter_context(mock.patch.object(ValidatorActor, "_engine", lambda actor: next(next_engine)))
        yield
