"""The store of the knowledge base: collections in Milvus, searched by words (BM25), page fingerprint and meaning.

The results of the searches are merged by reciprocal rank. No other module imports pymilvus. Every call blocks, and one
thread makes them all, because Milvus Lite allows one write at a time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import structlog

from bandsmith.shared.errors import RetryableError, TerminalError
from bandsmith.shared.llm.base import ModelFailed
from bandsmith.shared.llm.embeddings import Embedder

from .records import COLLECTIONS, FINGERPRINT_SIZE, Collection, Record
from .stop import STOP_WORDS

log = structlog.get_logger(__name__)

ANALYSER = {"tokenizer": "jieba", "filter": ["lowercase", {"type": "stop", "stop_words": STOP_WORDS}]}
MAX_TEXT_BYTES = 65_535
"""Maximum size of a text in Milvus."""
READ_BATCH_SIZE = 500
"""Records that are read at a time."""
MAX_SOCKET_PATH_BYTES = 100
"""Longest path of a socket that every system accepts."""
REQUEST_TIMEOUT_S = 10.0
RANK_CONSTANT = 60
"""The constant k of reciprocal rank fusion; 60 is the usual value."""
PAGE_SIMILARITY_THRESHOLD = 0.93
"""Cosine from which two pages look alike. A photograph of a page has 0.99 with the page itself."""
NO_FINGERPRINT = [-1.0] * FINGERPRINT_SIZE
"""Stored for a template whose page is not known. It is unlike every page, since their numbers are never negative."""
MEANING_SIMILARITY_THRESHOLD = 0.35
"""Cosine from which two texts may be about the same subject."""
QUIET_LOGGERS = ("pymilvus", "pymilvus.milvus_client", "milvus_lite", "grpc", "faiss")


class Milvus:
    """An open store: Milvus Lite in ``folder``, which one process at a time can open, or a server at ``address``.

    Raises ``TerminalError`` with the code ``knowledge-in-use`` or ``knowledge`` if it cannot be opened,
    ``RetryableError`` if the server does not answer, ``ModelFailed`` if the embedding model does not.
    """

    def __init__(self, folder: Path | None, address: str = "", embedder: Embedder | None = None) -> None:
        _silence_packages(folder)
        self._embedder = embedder
        self._lite = _Lite(folder) if folder else None
        try:
            self._client = _connect(self._lite.address if self._lite else address)
            self._names = {
                collection: name
                for collection in COLLECTIONS
                if (name := self._open(collection, create=not self._lite))
            }
        except BaseException:
            if self._lite:
                self._lite.close()
            raise

    def close(self) -> None:
        with suppress(Exception):
            self._client.close()
        if self._lite:
            self._lite.close()

    def put(self, collection: Collection, records: list[Record]) -> None:
        """Write records; existing ones with the same IDs are replaced. They are durable when this returns.

        Raises ``TerminalError`` where Milvus Lite cannot write, like `remove`.
        """
        if not records:
            return
        with self._writing():
            if collection not in self._names:
                self._names[collection] = self._create(self._name(collection), collection)
            self._write(self._names[collection], collection, records)

    def all(self, collection: Collection) -> list[Record]:
        return self._read(self._names[collection]) if collection in self._names else []

    def get(self, collection: Collection, ids: list[str]) -> list[Record]:
        """Return the existing records among these IDs."""
        if not ids or collection not in self._names:
            return []
        rows = self._client.get(self._names[collection], ids=ids, output_fields=["id", "words", "value"])
        return [_record(row["id"], row) for row in rows]

    def remove(self, collection: Collection, ids: list[str]) -> None:
        if ids and collection in self._names:
            with self._writing():
                self._client.delete(self._names[collection], ids=ids)
                self._client.flush(self._names[collection])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn what Milvus Lite says of a disk into a sentence, and let what is half made not stand in the way."""
        from pymilvus import MilvusException  # noqa: PLC0415

        try:
            yield
        except MilvusException as error:
            if not self._lite or "[Errno " not in str(error):
                raise
            self._lite.remove_unfinished()
            raise TerminalError.of("planner.knowledge.not_written", code="knowledge") from None

    def search(
        self, collection: Collection, words: str, *, fingerprint: list[float] | None = None, limit: int = 5
    ) -> list[Record]:
        """Return the best matching records, best first. `words` are normalised by `searchable`."""
        if collection not in self._names:
            return []
        searches: list[tuple[Any, str, dict[str, Any]]] = []
        if words.strip():
            searches.append((words, "sparse", {}))
            if (meaning := self._meaning(words)) is not None:
                searches.append((meaning, "meaning", {"radius": MEANING_SIMILARITY_THRESHOLD}))
        if fingerprint:
            searches.append((fingerprint, "shape", {"radius": PAGE_SIMILARITY_THRESHOLD}))
        # One hybrid search would not do: Milvus Lite ignores its radius and would return unlike records.
        name = self._names[collection]
        return _merge([self._search_one(name, *search, limit) for search in searches])[:limit]

    def _search_one(self, name: str, data: Any, field: str, params: dict[str, Any], limit: int) -> list[Record]:
        hits = self._client.search(
            name,
            data=[data],
            anns_field=field,
            search_params={"params": params},
            limit=limit,
            output_fields=["words", "value"],
            timeout=REQUEST_TIMEOUT_S,
        )
        return [_record(hit["id"], hit["entity"]) for hit in hits[0]]

    def _meaning(self, words: str) -> list[float] | None:
        """Return the words' embedding; None without an embedding model or if it fails: the words alone find much."""
        if self._embedder is None:
            return None
        try:
            return self._embedder.embed([words])[0]
        except ModelFailed as error:
            log.warning("knowledge.meaning", code=error.code)
            return None

    # --- collections: their names contain the embedding model that they were made for ---------------------------------

    def _open(self, collection: Collection, *, create: bool) -> str | None:
        """Open a collection and return its name in Milvus. One made for another embedding model is copied and dropped.

        Without `create`, return None if there is no collection yet: Milvus Lite takes half a second to create one.
        """
        name = self._name(collection)
        others = [
            other for other in self._client.list_collections() if _collection_of(other) == collection and other != name
        ]
        if not self._client.has_collection(name):
            if not others and not create:
                return None
            self._create(name, collection)
        self._client.load_collection(name)
        for other in others:
            self._client.load_collection(other)
            if records := self._read(other, with_fingerprint=collection == "templates"):
                self._write(name, collection, records)
            self._client.drop_collection(other)
        return name

    def _name(self, collection: Collection) -> str:
        return f"{collection}_{_short_hash(self._embedder.name)}" if self._embedder else collection

    def _create(self, name: str, collection: Collection) -> str:
        from pymilvus import DataType, Function, FunctionType  # noqa: PLC0415

        schema, index = self._client.create_schema(auto_id=False), self._client.prepare_index_params()
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=64)
        schema.add_field(
            "words", DataType.VARCHAR, max_length=MAX_TEXT_BYTES, enable_analyzer=True, analyzer_params=ANALYSER
        )
        schema.add_field("value", DataType.JSON)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(
            Function("bm25", FunctionType.BM25, input_field_names=["words"], output_field_names=["sparse"])
        )
        index.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        for field, size in self._vectors(collection).items():
            schema.add_field(field, DataType.FLOAT_VECTOR, dim=size)
            index.add_index(field, index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(name, schema=schema, index_params=index, consistency_level="Strong")
        return name

    def _vectors(self, collection: Collection) -> dict[str, int]:
        sizes = {"shape": FINGERPRINT_SIZE} if collection == "templates" else {}
        if self._embedder:
            sizes["meaning"] = len(self._embedder.embed(["size"])[0])
        return sizes

    def _write(self, name: str, collection: Collection, records: list[Record]) -> None:
        rows: list[dict[str, Any]] = [record.model_dump(include={"id", "words", "value"}) for record in records]
        if collection == "templates":
            for row, record in zip(rows, records, strict=True):
                row["shape"] = record.fingerprint or NO_FINGERPRINT
        if self._embedder:
            meanings = self._embedder.embed([record.words for record in records])
            for row, meaning in zip(rows, meanings, strict=True):
                row["meaning"] = meaning
        self._client.upsert(name, rows, timeout=REQUEST_TIMEOUT_S)
        self._client.flush(name)

    def _read(self, name: str, *, with_fingerprint: bool = False) -> list[Record]:
        fields = ["id", "words", "value", *(["shape"] if with_fingerprint else [])]
        records, pages = [], self._client.query_iterator(name, batch_size=READ_BATCH_SIZE, output_fields=fields)
        try:
            while rows := pages.next():
                records += [_record(row["id"], row) for row in rows]
        finally:
            pages.close()
        return records


class _Lite:
    """Milvus Lite in this process, reached by a socket in its own folder.

    A port of the loopback interface would be open to other users of the machine, and records here change templates.
    """

    def __init__(self, folder: Path) -> None:
        import grpc  # noqa: PLC0415
        from milvus_lite.adapter.grpc.servicer import MilvusServicer  # noqa: PLC0415
        from milvus_lite.db import MilvusLite  # noqa: PLC0415
        from milvus_lite.exceptions import DataDirLockedError  # noqa: PLC0415
        from pymilvus.grpc_gen import milvus_pb2_grpc  # noqa: PLC0415

        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._database = MilvusLite(str(folder))
        except DataDirLockedError:
            raise TerminalError.of("planner.knowledge.in_use", code="knowledge-in-use") from None
        except Exception:  # Milvus Lite does not wrap errors
            raise TerminalError.of("planner.knowledge.unreadable", code="knowledge") from None
        self.remove_unfinished()
        self._socket = folder.absolute() / "socket"
        if len(os.fsencode(self._socket)) > MAX_SOCKET_PATH_BYTES:
            self._socket = Path(tempfile.mkdtemp(prefix="bandsmith-")) / "socket"
        self._socket.unlink(missing_ok=True)  # left behind by a process that was killed
        self.address = f"unix:{self._socket}"
        self._server = grpc.server(ThreadPoolExecutor(max_workers=2))
        cast("Callable[[Any, Any], None]", milvus_pb2_grpc.add_MilvusServiceServicer_to_server)(
            MilvusServicer(self._database), self._server
        )
        self._server.add_insecure_port(self.address)
        self._server.start()

    def remove_unfinished(self) -> None:
        """Remove collections whose creation failed: they hold nothing, and none of their name could be created."""
        for folder in (self._folder / "collections").glob("*"):
            if not (folder / "schema.json").exists():
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        self._server.stop(grace=1).wait()
        with suppress(Exception):
            self._database.close()
        self._socket.unlink(missing_ok=True)


def _connect(address: str) -> Any:
    from pymilvus import MilvusClient, MilvusException  # noqa: PLC0415

    try:
        return MilvusClient(address, timeout=REQUEST_TIMEOUT_S)
    except MilvusException:
        raise RetryableError.of("planner.knowledge.no_answer", code="knowledge-away") from None


def _silence_packages(folder: Path | None) -> None:
    """Load the packages without their log messages, environment changes and temporary files."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")  # pymilvus would load a .env file into our settings
    import jieba  # noqa: PLC0415 - loading them all takes seconds
    import pymilvus  # noqa: F401, PLC0415 - it sets log levels, so it is loaded before ours are set

    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    jieba.setLogLevel(logging.CRITICAL)
    if folder:  # the default is a folder that every user may write to
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        jieba.dt.tmp_dir = str(folder.parent)


def _merge(results: list[list[Record]]) -> list[Record]:
    """Merge results by reciprocal rank fusion: records that several searches returned come first."""
    records = {record.id: record for result in results for record in result}
    scores: defaultdict[str, float] = defaultdict(float)
    for result in results:
        for rank, record in enumerate(result, 1):
            scores[record.id] += 1 / (RANK_CONSTANT + rank)
    return [records[ident] for ident in sorted(scores, key=lambda ident: -scores[ident])]


def _record(ident: str, row: dict[str, Any]) -> Record:
    vector = row.get("shape")
    fingerprint = None if vector is None else [float(number) for number in vector]
    return Record(id=ident, words=row["words"], value=row["value"], fingerprint=fingerprint)


def _collection_of(name: str) -> str:
    return name.partition("_")[0]


def _short_hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]
