"""The OCR service's actor: takes a document, returns its layout, its flat page and an overlay of what was read."""

from __future__ import annotations

import asyncio
import time
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
from bandsmith.shared.language import Language
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import JSON_LINES
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.stacked_pages import stacked
from bandsmith.shared.telemetry import metrics

from .apply_reading import apply_reading
from .documents import as_later_page, as_page, is_blank
from .engines import OcrEngine
from .further_pages import (
    PageLayout,
    below_each_other,
    has_table,
    read_further_pages,
    understand_page,
    with_further_pages,
)
from .later_pages import LaterPage, LaterPages
from .marks import find_marks
from .overlay import draw_pages
from .page_marks import PageMarks
from .page_notes import about_edges, about_pages, about_tables
from .readable import check_readable
from .reader import DocumentReader
from .recogniser import ConfinedEngine, open_engine
from .remarks import attach_remarks, extract_remarks
from .settings import OcrSettings
from .structure import join, understand


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
        check_readable(page, marks)
        if not (marks.lines or marks.grids or marks.fills or marks.pictures):
            raise BadInput.of("documents.no_text")
        layout = attach_remarks(drawn, understand(page.size, marks, notes))
        later = LaterPages(page.pages, lambda number: self._later_page(document, content, number))
        layout, lost_pictures = join(layout, marks, later.marks())
        own = PageLayout(layout)
        if page.pages > 1 and layout.joined is None:  # not the rows of page 1 alone say what may follow it
            own = understand_page(page.size, marks, notes, known=layout)
        further = read_further_pages(own.layout, page.pixels, later, page.pages)
        if further.layouts:
            keeps_rows = has_table(own.layout) and not own.has_lost_rows
            first = layout if keeps_rows else attach_remarks(drawn, own.layout)
            layout = with_further_pages(first, further.layouts)
        lost_rows = [*([1] if own.has_lost_rows else []), *further.lost_rows]
        said = [*about_edges(marks), *about_pages(layout, page, lost_pictures, further.note, lost_rows)]
        said += about_tables(stacked(layout.whole, layout.later))
        layout = layout.model_copy(update={"notes": [*notes, *(note.in_language(language) for note in said)]})
        form = below_each_other([page.pixels, *further.pictures])
        result = _Result(layout, _png(form), _png(draw_pages(form, layout)))
        metrics.page_read(self._settings.engine, time.perf_counter() - started)
        return result

    def _later_page(self, document: Document, content: bytes, number: int) -> LaterPage:
        """Read a page after the first one. Raises ``BadInput`` where it cannot be read."""
        page = as_later_page(self._reader.decode(document.name, content, document.page, number), self._engine)
        return LaterPage(page, PageMarks() if is_blank(page) else find_marks(page, self._engine))


def _png(pixels: np.ndarray) -> bytes:
    done, data = cv2.imencode(".png", pixels)
    if not done:
        raise TerminalError.of("ocr.png", code="internal")
    return data.tobytes()
