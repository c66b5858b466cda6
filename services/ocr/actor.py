"""The OCR service's actor: takes a document, returns its layout, its flat page and an overlay of what was read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import cv2
import numpy as np

from bandsmith.shared import orphan_threads
from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import (
    ApplyReading,
    Command,
    Event,
    ExtractLayout,
    LayoutExtracted,
    ReadingApplied,
    ReadTable,
    TableRead,
)
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.language import Language
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import JSON_LINES
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.telemetry import metrics

from .apply_reading import apply_reading
from .documents import as_page
from .engines import OcrEngine
from .marks import find_marks
from .overlay import draw_overlay
from .page import MAX_PAGES, Page
from .page_marks import PageMarks
from .page_notes import about_edges, about_pages, about_tables
from .reader import DocumentReader
from .recogniser import ConfinedEngine, open_engine
from .remarks import attach_remarks, extract_remarks
from .settings import OcrSettings
from .structure import join, understand

_CLEAR_CONFIDENCE = 0.85
"""A word read with this confidence is text; on textures, bent and turned text it is mostly 0.3 to 0.8."""
MAX_LATER_PAGES_S = 90.0
"""Time in seconds after which no further page of a document is read. The pages left out are named in the reply."""
_MIN_CLEAR_LETTERS, _MIN_CLEAR_SHARE = 4, 0.65
"""Number of letters, and share of all, that belong to clear words on a page of a form; real forms reach 0.74 to 1."""
_MIN_FEW_SHARE = 0.25
"""The share that a page has at least of which some was read: beside handwriting, or in letters that are not known."""


class _Result(NamedTuple):
    layout: Layout
    form: bytes
    overlay: bytes


class OcrActor:
    """Reads documents, one page at a time."""

    def __init__(self, store: Store, settings: OcrSettings | None = None) -> None:
        self._store = store
        self._settings = settings or OcrSettings()
        self._engine: OcrEngine = open_engine(self._settings)
        self._reader = DocumentReader(limit=self._settings.limit)
        self._tables = DocumentReader(limit=self._settings.limit)
        # One page at a time: a second one would compete for the same cores and take more memory.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ocr")

    async def start(self) -> None:
        """Load the models and start the reader. Raises ``MissingPart``."""
        await orphan_threads.run_on(self._thread, self._engine.start)
        await orphan_threads.run_on(self._thread, self._reader.start)

    async def stop(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        workers: list[DocumentReader | ConfinedEngine] = [self._reader, self._tables]
        if isinstance(self._engine, ConfinedEngine):
            workers.append(self._engine)
        await asyncio.gather(*(asyncio.to_thread(worker.stop) for worker in workers))

    async def handle(self, command: Command) -> Event:
        """Read a document as a page or as a table. Raises ``BadInput`` when it cannot be read, or is empty."""
        if isinstance(command, ReadTable):
            return await self._read_table(command)
        if isinstance(command, ApplyReading):
            return await self._apply_reading(command)
        if not isinstance(command, ExtractLayout):
            raise TerminalError.of("ocr.unknown_command", code=TerminalError.code, kind=command.kind())
        document = command.document
        content = await self._store.get(document.content)
        result = await orphan_threads.run_on(self._thread, lambda: self._read(document, content, command.language))
        return LayoutExtracted(
            layout=await self._store.put(result.layout.model_dump_json().encode(), "application/json"),
            form=await self._store.put(result.form, "image/png"),
            overlay=await self._store.put(result.overlay, "image/png"),
            total_rows=result.layout.whole.total_rows,
            notes=result.layout.notes,
            remarks=result.layout.remarks,
        )

    async def _read_table(self, command: ReadTable) -> TableRead:
        content = await self._store.get(command.document.content)
        table = await asyncio.to_thread(self._tables.read_table, command.document.name, content)
        notes = [note.in_language(command.language) for note in table.notes]
        return TableRead(table=await self._store.put(table.lines, JSON_LINES), notes=notes)

    async def _apply_reading(self, command: ApplyReading) -> ReadingApplied:
        contents = await asyncio.gather(*map(self._store.get, (command.layout, command.form, command.reading)))
        layout, form, reading = contents
        read = await asyncio.to_thread(apply_reading, layout, form, reading)
        return ReadingApplied(
            layout=await self._store.put(read.layout.model_dump_json().encode(), "application/json"),
            overlay=await self._store.put(_png(read.overlay), "image/png"),
            total_rows=read.layout.total_rows,
            remarks=read.layout.remarks,
            notes=[note.in_language(command.language) for note in read.notes],
            outdated=[note.in_language(command.language) for note in read.outdated],
        )

    def _read(self, document: Document, content: bytes, language: Language) -> _Result:
        started = time.perf_counter()
        decoded = self._reader.decode(document.name, content, document.page)
        page, drawn = extract_remarks(as_page(decoded, self._engine), self._engine)
        notes = [note.in_language(language) for note in page.notes]
        marks = find_marks(page, self._engine)
        if page.words is None and not marks.grids:
            _check_readable(marks)
        if not (marks.lines or marks.grids or marks.fills or marks.pictures):
            raise BadInput.of("documents.no_text")
        layout = attach_remarks(drawn, understand(page.size, marks, notes))
        layout, lost_pictures = join(layout, marks, self._later_pages(document, content, page))
        said = [*about_edges(marks), *about_pages(layout, page, lost_pictures), *about_tables(layout.whole)]
        layout = layout.model_copy(update={"notes": [*notes, *(note.in_language(language) for note in said)]})
        result = _Result(layout, _png(page.pixels), _png(draw_overlay(page.pixels, layout)))
        metrics.page_read(self._settings.engine, time.perf_counter() - started)
        return result

    def _later_pages(self, document: Document, content: bytes, first: Page) -> Iterator[PageMarks]:
        """Yield the marks of the pages after the first one, each read only when it is asked for."""
        started = time.monotonic()
        for number in range(2, min(first.pages, MAX_PAGES) + 1):
            if time.monotonic() - started > MAX_LATER_PAGES_S:
                return
            try:
                decoded = self._reader.decode(document.name, content, document.page, number)
                page = as_page(decoded, self._engine)
            except BadInput:  # a damaged or empty page ends the table
                return
            yield find_marks(page, self._engine)


def _check_readable(marks: PageMarks) -> None:
    """Raise ``BadInput`` unless most letters of a page belong to words that were read with confidence."""
    clear = every = 0
    for line in marks.lines:
        letters = sum(char.isalnum() for char in line.text)
        every += letters
        # A single letter is soon seen in a crack; a Chinese word of two counts as much as three letters.
        is_word = letters + sum(is_cjk(char) for char in line.text) >= 3
        clear += letters if is_word and line.confidence >= _CLEAR_CONFIDENCE else 0
    if clear < max(_MIN_CLEAR_LETTERS, _MIN_FEW_SHARE * every):
        raise BadInput.of("documents.unreadable", code="unreadable")
    if clear < _MIN_CLEAR_SHARE * every:
        raise BadInput.of("documents.mostly_unreadable", code="unreadable")


def _png(pixels: np.ndarray) -> bytes:
    done, data = cv2.imencode(".png", pixels)
    if not done:
        raise TerminalError.of("ocr.png", code="internal")
    return data.tobytes()
