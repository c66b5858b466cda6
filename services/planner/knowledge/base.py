"""The knowledge base, opened when it is first needed and used by one dedicated thread."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import structlog

from bandsmith.shared import orphan_threads
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.fields.known_fields import plain
from bandsmith.shared.llm.embeddings import Embedder, embedder
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.knowledge import FieldDefinition, KnowledgeEntry
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.telemetry.log import error_locations
from bandsmith.shared.turns.fixes import Fix
from bandsmith.shared.turns.verdict import Finding

from ..settings import KnowledgeSettings
from . import articles, fields, fixes, page_fingerprint, templates
from .milvus import Milvus
from .records import Collection, Record, searchable

log = structlog.get_logger(__name__)
T = TypeVar("T")

USER_COLLECTIONS: tuple[Collection, ...] = ("templates", "fields", "fixes")
"""The collections that users fill; the articles ship with the program."""
ENTRY_OF = {"templates": templates.entry, "fields": fields.entry, "fixes": fixes.entry}
MAX_LISTED_ENTRIES, MAX_LISTED_CHARS = 3_000, 200
"""Maximum number of entries in a list, and of characters in each, so that the list fits one message."""
MAX_FINDINGS = 50
"""Maximum number of findings that are looked up at a time."""


class KnownForReport(Value):
    """What is known for a report that is to be built."""

    passages: list[str] = []
    """As short texts for a prompt."""
    fields: list[FieldDefinition] = []
    similar: str = ""
    """The title of an earlier report with much of the same wording."""


class Knowledge:
    """The knowledge base. Opening Milvus takes seconds and most turns do not need it, so the first use opens it."""

    def __init__(self, settings: KnowledgeSettings | None = None, embedding: Embedder | None = None) -> None:
        self._settings = settings or KnowledgeSettings()
        self._embedder = embedding or embedder()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="knowledge")
        self._milvus: Milvus | None = None
        self._articles: Milvus | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    async def close(self) -> None:
        await self._do(self._close)
        self._thread.shutdown()

    # --- for turns: a store that cannot be opened is logged, and the turn goes on without it --------------------------

    async def known(self, text: str, layout: Layout | None) -> KnownForReport:
        """Return the fields that the text and the form name, and similar reports."""
        return await self._or_default(KnownForReport(), lambda store: _known(store, text, layout))

    async def recall(self, findings: list[Finding]) -> list[Fix]:
        """Return a fix for each finding that was fixed before, with the edits adapted to it."""
        return await self._or_default([], lambda store: _recall(store, findings)) if findings else []

    async def remember(self, learned: list[Fix]) -> int:
        """Keep the fixes that are general enough. Return how many they are."""
        records = [record for fix in learned if (record := fixes.record(fix))]
        if not records:
            return 0
        return await self._or_default(0, lambda store: _put(store, "fixes", records), creates=True)

    async def articles(self, question: str, limit: int = 3) -> list[Record]:
        """Return the articles that answer a question, best first. They are found even if the store cannot be opened."""

        def find() -> list[Record]:
            records = self._article_store().search("articles", searchable(question), limit=limit)
            if self._embedder:
                return records  # they may answer the question in other words
            counts = [articles.shared_words(record, question) for record in records]
            return [record for record, count in zip(records, counts, strict=True) if count and count * 2 >= max(counts)]

        return await self._do(find)

    async def warm_up(self) -> None:
        """Open the store, so that the first question does not wait for that."""
        await self.articles("report")

    # --- for users: a store that cannot be opened is an error ---------------------------------------------------------

    async def add(self, **records: list[Record]) -> list[KnowledgeEntry]:
        """Add records to their collections. Raises the errors of ``Milvus``, like the methods below."""
        collections = [collection for collection in USER_COLLECTIONS if records.get(collection)]
        await self._do(lambda: [_put(self._open(), collection, records[collection]) for collection in collections])
        return [ENTRY_OF[collection](record) for collection in collections for record in records[collection]]

    async def entries(self) -> list[KnowledgeEntry]:
        """Return up to `MAX_LISTED_ENTRIES` of each kind, with their texts shortened."""
        entries = await self._do(
            lambda: [
                ENTRY_OF[collection](record)
                for collection in USER_COLLECTIONS
                for record in self._open().all(collection)[:MAX_LISTED_ENTRIES]
            ]
        )
        return [entry.model_copy(update={"text": entry.text[:MAX_LISTED_CHARS]}) for entry in entries]

    async def search(self, words: str, limit: int = 5) -> list[KnowledgeEntry]:
        """Return up to `limit` entries of each kind."""
        query = searchable(words)
        return await self._do(
            lambda: [
                ENTRY_OF[collection](record)
                for collection in USER_COLLECTIONS
                for record in self._open().search(collection, query, limit=limit)
            ]
        )

    async def remove(self, ids: list[str]) -> list[KnowledgeEntry]:
        """Remove entries. Return those removed; unknown IDs change nothing."""
        return await self._do(lambda: _remove(self._open(), set(ids)))

    # --- run in the thread --------------------------------------------------------------------------------------------

    async def _do(self, work: Callable[[], T]) -> T:
        return await orphan_threads.run_on(self._thread, work)

    async def _or_default(self, default: T, work: Callable[[Milvus], T], *, creates: bool = False) -> T:
        folder = self._settings.folder
        if folder and not creates and not folder.exists():
            return default
        try:
            return await self._do(lambda: work(self._open()))
        except BandsmithError as error:
            log.warning("knowledge.unavailable", code=error.code)
        except Exception as error:  # a server may fail in any way; the turn goes on without it
            log.warning("knowledge.unavailable", error=type(error).__name__, where=error_locations(error))
        return default

    def _open(self) -> Milvus:
        if self._milvus is None:
            self._milvus = Milvus(self._settings.folder, self._settings.knowledge, self._embedder)
        return self._milvus

    def _article_store(self) -> Milvus:
        """Return a store with the current articles: the user's, or a temporary one if that cannot be written."""
        if self._articles is None:
            try:
                self._articles = _refreshed(self._open())
            except BandsmithError as error:
                log.warning("knowledge.unavailable", code=error.code)
                self._temporary = tempfile.TemporaryDirectory(prefix="bandsmith-", ignore_cleanup_errors=True)
                self._articles = _refreshed(Milvus(Path(self._temporary.name) / "articles.db"))
        return self._articles

    def _close(self) -> None:
        for store in {self._milvus, self._articles} - {None}:
            assert store is not None
            store.close()
        if self._temporary:
            self._temporary.cleanup()
        self._milvus = self._articles = self._temporary = None


def _put(store: Milvus, collection: Collection, records: list[Record]) -> int:
    distinct = {record.id: record for record in records}
    store.put(collection, list(distinct.values()))
    return len(distinct)


def _remove(store: Milvus, ids: set[str]) -> list[KnowledgeEntry]:
    removed = []
    for collection in USER_COLLECTIONS:
        found = store.get(collection, sorted(ids))
        store.remove(collection, [record.id for record in found])
        removed += [ENTRY_OF[collection](record) for record in found]
    return removed


def _refreshed(store: Milvus) -> Milvus:
    """Replace articles of another version by the current ones, and return the store."""
    shipped = {record.id: record for record in map(articles.record, articles.articles())}
    stored = {record.id for record in store.all("articles")}
    store.put("articles", [shipped[ident] for ident in shipped if ident not in stored])
    store.remove("articles", sorted(stored - set(shipped)))
    return store


def _known(store: Milvus, text: str, layout: Layout | None) -> KnownForReport:
    wording = "\n".join([text, templates.words_of(layout) if layout else ""])
    query, words = searchable(wording), plain(wording)
    defined = [record for record in store.search("fields", query, limit=60) if fields.applies(record, words)]
    similar = store.search(
        "templates", query, fingerprint=page_fingerprint.of_layout(layout) if layout else None, limit=2
    )
    return KnownForReport(
        passages=[*map(fields.passage, defined), *map(templates.passage, similar)],
        fields=[fields.definition(record) for record in defined],
        similar=next((templates.title(record) for record in similar if templates.resembles(record, words)), ""),
    )


def _recall(store: Milvus, findings: list[Finding]) -> list[Fix]:
    recalled = []
    for finding in findings[:MAX_FINDINGS]:
        records = store.search("fixes", fixes.query(finding), limit=10)
        recalled += [fix for record in records if (fix := fixes.apply(record, finding))][:1]
    return recalled
