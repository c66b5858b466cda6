"""The OCR service's actor: a document in, its layout, its flat page and a picture of what was understood out."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import cv2
import numpy as np

from bandsmith.shared import orphan_threads
from bandsmith.shared.actor import Store
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import Command, Event, ExtractLayout, LayoutExtracted
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.telemetry import metrics

from .documents import read_document
from .engines import Engine, open_engine
from .marks import find_marks
from .overlay import draw_overlay
from .remarks import aim_remarks, take_remarks
from .settings import OcrSettings
from .structure import understand


class _Read(NamedTuple):
    layout: Layout
    form: bytes
    overlay: bytes


class OcrActor:
    def __init__(self, store: Store, settings: OcrSettings | None = None) -> None:
        self._store = store
        self._settings = settings or OcrSettings()
        self._engine: Engine = open_engine(self._settings)
        # One page at a time: a second would only take memory and share the same cores.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ocr")

    async def start(self) -> None:
        """Load the models. Raises ``MissingPart``."""
        await orphan_threads.run_on(self._thread, self._engine.start)

    async def stop(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def handle(self, command: Command) -> Event:
        """Read a document. Raises ``BadInput`` when it cannot be read or shows nothing."""
        if not isinstance(command, ExtractLayout):
            raise TerminalError(f"The OCR service does not take {command.kind()}.", message_zh="OCR 服务不处理此命令。")
        document = command.document
        content = await self._store.get(document.content)
        read = await orphan_threads.run_on(self._thread, lambda: self._read(document, content))
        return LayoutExtracted(
            layout=await self._store.put(read.layout.model_dump_json().encode(), "application/json"),
            form=await self._store.put(read.form, "image/png"),
            overlay=await self._store.put(read.overlay, "image/png"),
            total_rows=read.layout.total_rows,
            notes=read.layout.notes,
            remarks=read.layout.remarks,
        )

    def _read(self, document: Document, content: bytes) -> _Read:
        since = time.perf_counter()
        seen = read_document(document.name, content, document.page, self._engine)
        page, drawn = take_remarks(seen, self._engine)
        layout = aim_remarks(drawn, understand(page.size, find_marks(page, self._engine), page.notes))
        read = _Read(layout, _png(page.pixels), _png(draw_overlay(page.pixels, layout)))
        metrics.page_read(self._settings.engine, time.perf_counter() - since)
        return read


def _png(pixels: np.ndarray) -> bytes:
    done, data = cv2.imencode(".png", pixels)
    if not done:
        raise TerminalError("The page could not be saved as a PNG.", message_zh="页面无法保存为 PNG。", code="internal")
    return data.tobytes()
