"""OCR that reads the same pixels and documents once: for tests of what is made of the text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import Any
from unittest import mock

import numpy as np

from bandsmith.services.ocr.actor import OcrActor
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.engines.paddle import PaddleEngine
from bandsmith.services.ocr.engines.rapid import RapidEngine
from bandsmith.services.ocr.recogniser import ConfinedEngine
from bandsmith.shared.language import Language
from bandsmith.shared.model.document import Document


@contextmanager
def cached_ocr() -> Iterator[None]:
    """Make all engines remember what they detect and read, by pixels, and services their documents, for this block."""
    with ExitStack() as patches:
        patches.enter_context(mock.patch.object(OcrActor, "_read", _by_document(OcrActor._read)))
        for engine in (PaddleEngine, RapidEngine, ConfinedEngine):
            patches.enter_context(mock.patch.object(engine, "detect", _by_page(engine.detect)))
            patches.enter_context(mock.patch.object(engine, "read", _by_crop(engine.read)))
        yield


def cached_engine(engine: OcrEngine) -> OcrEngine:
    """Make this engine remember what it detects and reads, by pixels."""
    engine.detect = _by_page(engine.detect)  # type: ignore[method-assign]
    engine.read = _by_crop(engine.read)  # type: ignore[method-assign]
    return engine


def _by_document(read: Callable[..., Any]) -> Callable[..., Any]:
    results: dict[tuple[object, ...], Any] = {}

    def run(actor: OcrActor, document: Document, content: bytes, language: Language) -> Any:
        key = document.name, str(document.page), language, hashlib.sha256(content).digest()
        if key not in results:
            results[key] = read(actor, document, content, language)
        return results[key]

    return run


def _by_page(detect: Callable[..., Any]) -> Callable[..., Any]:
    results: dict[bytes, Any] = {}

    def run(*arguments: Any) -> Any:
        key = _key(arguments[-1])
        if key not in results:
            results[key] = detect(*arguments)
        return deepcopy(results[key])

    return run


def _by_crop(read: Callable[..., Any]) -> Callable[..., Any]:
    """A crop that many pages share is read beside those of its first page; alone it may score a little differently."""
    results: dict[bytes, tuple[str, float]] = {}

    def run(*arguments: Any) -> list[tuple[str, float]]:
        *engine, crops = arguments
        keys = [_key(crop) for crop in crops]
        unread = {key: crop for key, crop in zip(keys, crops, strict=True) if key not in results}
        results.update(zip(unread, read(*engine, list(unread.values())), strict=True))
        return [results[key] for key in keys]

    return run


def _key(pixels: np.ndarray) -> bytes:
    shape = f"{pixels.shape}{pixels.dtype}".encode()
    return hashlib.sha256(shape + np.ascontiguousarray(pixels).tobytes()).digest()
