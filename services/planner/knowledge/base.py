"""The knowledge base: opened when it is first needed, and worked on by a thread of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import structlog

from bandsmith.shared import orphan_threads
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.llm.embeddings import Embedder, embedder
from bandsmith.shared.model.knowledge import Fix, KnowledgeEntry
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.verdict import Finding
from bandsmith.shared.telemetry.log import error_locations

from ..settings import KnowledgeSettings
from . import articles, fields, fixes, page_fingerprint, templates
from .milvus import Milvus
from .records import Record, Room, searchable

log = structlog.get_logger(__name__)
T = TypeVar("T")

OURS: tuple[Room, ...] = ("templates", "fields", "fixes")
"""What users keep, as against the articles."""
ENTRY = {"templates": templates.entry, "fields": fields.entry, "fixes": fixes.entry}
MOST_LISTED, SHORT = 3_000, 200
"""Entries and characters of each: so that a list of them is one message."""
MOST_FINDINGS = 50
"""So many findings are looked up at a time."""


class Knowledge:
    """``start`` costs nothing: opening Milvus takes seconds, and most turns do not need it."""

    def __init__(self, settings: KnowledgeSettings | None = None, embeds: Embedder | None = None) -> None:
        self._settings = settings or KnowledgeSettings()
        self._embedder = embeds or embedder()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="knowledge")
        self._milvus: Milvus | None = None
        self._articles: Milvus | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    async def close(self) -> None:
        await self._do(self._close)
        self._thread.shutdown()

    # --- what helps a turn: where the store cannot be opened, that is logged and nothing helps -----------------------

    async def passages(self, text: str, layout: Layout | None) -> list[str]:
        """Fields that the text and the form name, then reports like what is asked for, as short texts."""
        return await self._help([], lambda store: _passages(store, text, layout))

    async def recall(self, findings: list[Finding]) -> list[Fix]:
        """For each finding that was mended before, the edits that did, put for it."""
        return await self._help([], lambda store: _recall(store, findings)) if findings else []

    async def remember(self, mended: list[Fix]) -> int:
        """How many of them are general enough to be kept."""
        kept = [record for mending in mended if (record := fixes.record(mending))]
        return await self._help(0, lambda store: _put(store, "fixes", kept), creates=True) if kept else 0

    async def articles(self, question: str, limit: int = 3) -> list[Record]:
        """The articles that answer a question, the best first. They are found even where the store is not to be had."""

        def find() -> list[Record]:
            found = self._consulted().search("articles", searchable(question), limit=limit)
            if self._embedder:
                return found  # it may know that other words say the same
            words = [articles.shared_words(one, question) for one in found]
            return [one for one, number in zip(found, words, strict=True) if number and number * 2 >= max(words)]

        return await self._do(find)

    # --- what a person does with it: where it cannot be opened, they are told ----------------------------------------

    async def add(self, **records: list[Record]) -> list[KnowledgeEntry]:
        """Keep records, by their room. Raises the errors of ``Milvus``, as do the next ones."""
        rooms = [room for room in OURS if records.get(room)]
        await self._do(lambda: [_put(self._open(), room, records[room]) for room in rooms])
        return [ENTRY[room](record) for room in rooms for record in records[room]]

    async def entries(self) -> list[KnowledgeEntry]:
        """Of each kind `MOST_LISTED`, their texts cut."""
        found = await self._do(
            lambda: [ENTRY[room](one) for room in OURS for one in self._open().all(room)[:MOST_LISTED]]
        )
        return [one.model_copy(update={"text": one.text[:SHORT]}) for one in found]

    async def search(self, words: str, limit: int = 5) -> list[KnowledgeEntry]:
        """Of each kind so many."""
        asked = searchable(words)
        return await self._do(
            lambda: [ENTRY[room](one) for room in OURS for one in self._open().search(room, asked, limit=limit)]
        )

    async def remove(self, ids: list[str]) -> list[KnowledgeEntry]:
        """What was removed; ids that are not there change nothing."""
        return await self._do(lambda: _remove(self._open(), set(ids)))

    # --- in the thread -----------------------------------------------------------------------------------------------

    async def _do(self, work: Callable[[], T]) -> T:
        return await orphan_threads.run_on(self._thread, work)

    async def _help(self, otherwise: T, work: Callable[[Milvus], T], *, creates: bool = False) -> T:
        folder = self._settings.folder
        if folder and not creates and not folder.exists():
            return otherwise
        try:
            return await self._do(lambda: work(self._open()))
        except BandsmithError as error:
            log.warning("knowledge.unavailable", code=error.code)
        except Exception as error:  # whatever a server comes upon: a turn goes on without
            log.warning("knowledge.unavailable", error=type(error).__name__, where=error_locations(error))
        return otherwise

    def _open(self) -> Milvus:
        if self._milvus is None:
            self._milvus = Milvus(self._settings.folder, self._settings.knowledge, self._embedder)
        return self._milvus

    def _consulted(self) -> Milvus:
        """A store with the articles as they ship: the one that is kept, or where that fails one for this process."""
        if self._articles is None:
            try:
                self._articles = self._open()
            except BandsmithError as error:
                log.warning("knowledge.unavailable", code=error.code)
                self._temporary = tempfile.TemporaryDirectory(prefix="bandsmith-", ignore_cleanup_errors=True)
                self._articles = Milvus(Path(self._temporary.name) / "articles.db")
            _refresh(self._articles)
        return self._articles

    def _close(self) -> None:
        for store in {self._milvus, self._articles} - {None}:
            assert store is not None
            store.close()
        if self._temporary:
            self._temporary.cleanup()
        self._milvus = self._articles = self._temporary = None


def _put(store: Milvus, room: Room, records: list[Record]) -> int:
    distinct = {record.id: record for record in records}
    store.put(room, list(distinct.values()))
    return len(distinct)


def _remove(store: Milvus, ids: set[str]) -> list[KnowledgeEntry]:
    removed = []
    for room in OURS:
        found = store.get(room, sorted(ids))
        store.remove(room, [record.id for record in found])
        removed += [ENTRY[room](record) for record in found]
    return removed


def _refresh(store: Milvus) -> None:
    """Put the articles as they ship in place of those of another version."""
    ship = {record.id: record for record in map(articles.record, articles.articles())}
    there = {record.id for record in store.all("articles")}
    store.put("articles", [ship[ident] for ident in ship if ident not in there])
    store.remove("articles", sorted(there - set(ship)))


def _passages(store: Milvus, text: str, layout: Layout | None) -> list[str]:
    said = "\n".join([text, templates.words_of(layout) if layout else ""])
    asked = searchable(said)
    plain = fields.plain(said)
    defined = [record for record in store.search("fields", asked, limit=60) if fields.applies(record, plain)]
    alike = store.search("templates", asked, shape=page_fingerprint.of_layout(layout) if layout else None, limit=2)
    return [*map(fields.passage, defined), *map(templates.passage, alike)]


def _recall(store: Milvus, findings: list[Finding]) -> list[Fix]:
    found = []
    for finding in findings[:MOST_FINDINGS]:
        kept = store.search("fixes", fixes.question(finding), limit=10)
        found += [mending for record in kept if (mending := fixes.mends(record, finding))][:1]
    return found
