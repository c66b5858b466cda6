"""Milvus: the rooms of the store, searched by words (BM25), by shape and by meaning, joined by reciprocal rank.

Nothing else imports pymilvus. Everything blocks, and one thread does it all: Milvus Lite lets one write at a time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import structlog

from bandsmith.shared.errors import RetryableError, TerminalError
from bandsmith.shared.llm.base import ModelFailed
from bandsmith.shared.llm.embeddings import Embedder

from .records import ROOMS, SHAPE, Record, Room
from .stop import STOP

log = structlog.get_logger(__name__)

ANALYSER = {"tokenizer": "jieba", "filter": ["lowercase", {"type": "stop", "stop_words": STOP}]}
LONGEST = 65_535
"""Bytes of a text in Milvus."""
AT_ONCE = 500
"""Records that are read at a time."""
LONGEST_SOCKET = 100
"""Bytes of a socket's path that every system takes."""
PATIENCE = 10.0
"""Seconds to wait for a server's answer."""
RANKS = 60
"""What reciprocal rank adds to a rank: the usual number."""
LIKE = 0.93
"""From this cosine on, two pages look alike; a photograph of a page has 0.99 with the page."""
NOWHERE = [-1.0] * SHAPE
"""The shape of a template whose page is not known: it is unlike every page, whose numbers are never negative."""
NEAR = 0.35
"""From this cosine on, two texts may be about the same."""
QUIET = ("pymilvus", "pymilvus.milvus_client", "milvus_lite", "grpc", "faiss")


class Milvus:
    """An open store: ``folder`` for Milvus Lite, which one process at a time may hold, else a server's ``address``.

    Raises ``TerminalError`` with the code ``knowledge-in-use`` or ``knowledge``, ``RetryableError`` for a server that
    is away, ``ModelFailed`` for an embedding model that is.
    """

    def __init__(self, folder: Path | None, address: str = "", embedder: Embedder | None = None) -> None:
        _quieten(folder)
        self._embedder = embedder
        self._lite = _Lite(folder) if folder else None
        try:
            self._client = _connect(self._lite.address if self._lite else address)
            self._names = {room: name for room in ROOMS if (name := self._open(room, make=not self._lite))}
        except BaseException:
            if self._lite:
                self._lite.close()
            raise

    def close(self) -> None:
        with suppress(Exception):
            self._client.close()
        if self._lite:
            self._lite.close()

    def put(self, room: Room, records: list[Record]) -> None:
        """Keep these, in place of others with their ids; when it returns they outlive this process."""
        if records and room not in self._names:
            self._names[room] = self._make(self._name(room), room)
        if records:
            self._write(self._names[room], room, records)

    def all(self, room: Room) -> list[Record]:
        return self._read(self._names[room]) if room in self._names else []

    def get(self, room: Room, ids: list[str]) -> list[Record]:
        """Those of these that are there."""
        if not ids or room not in self._names:
            return []
        rows = self._client.get(self._names[room], ids=ids, output_fields=["id", "words", "value"])
        return [_record(row["id"], row) for row in rows]

    def remove(self, room: Room, ids: list[str]) -> None:
        if ids and room in self._names:
            self._client.delete(self._names[room], ids=ids)
            self._client.flush(self._names[room])

    def search(self, room: Room, words: str, *, shape: list[float] | None = None, limit: int = 5) -> list[Record]:
        """The records that fit best, the best first. `words` are as `searchable` gives them."""
        if room not in self._names:
            return []
        asked: list[tuple[Any, str, dict[str, Any]]] = []
        if words.strip():
            asked.append((words, "sparse", {}))
            if (meaning := self._meaning(words)) is not None:
                asked.append((meaning, "meaning", {"radius": NEAR}))
        if shape:
            asked.append((shape, "shape", {"radius": LIKE}))
        # Not as one hybrid search: in that Lite takes no notice of a radius, and what is unlike would be found.
        return _joined([self._ask(self._names[room], *one, limit) for one in asked])[:limit]

    def _ask(self, name: str, data: Any, where: str, params: dict[str, Any], limit: int) -> list[Record]:
        found = self._client.search(
            name,
            data=[data],
            anns_field=where,
            search_params={"params": params},
            limit=limit,
            output_fields=["words", "value"],
            timeout=PATIENCE,
        )
        return [_record(hit["id"], hit["entity"]) for hit in found[0]]

    def _meaning(self, words: str) -> list[float] | None:
        """None without an embedding model, and when it does not answer: words alone find much."""
        if self._embedder is None:
            return None
        try:
            return self._embedder.embed([words])[0]
        except ModelFailed as error:
            log.warning("knowledge.meaning", code=error.code)
            return None

    # --- collections: their names tell which embedding model they are made for ---------------------------------------

    def _open(self, room: Room, *, make: bool) -> str | None:
        """The room's collection. One made for another embedding model is copied, then dropped.

        Where there is none yet, that is None: Lite takes half a second to make one, and nobody else will.
        """
        name = self._name(room)
        others = [other for other in self._client.list_collections() if _room(other) == room and other != name]
        if not self._client.has_collection(name):
            if not others and not make:
                return None
            self._make(name, room)
        self._client.load_collection(name)
        for other in others:
            self._client.load_collection(other)
            if records := self._read(other, shaped=room == "templates"):
                self._write(name, room, records)
            self._client.drop_collection(other)
        return name

    def _name(self, room: Room) -> str:
        return f"{room}_{_print(self._embedder.name)}" if self._embedder else room

    def _make(self, name: str, room: Room) -> str:
        from pymilvus import DataType, Function, FunctionType  # noqa: PLC0415

        schema, index = self._client.create_schema(auto_id=False), self._client.prepare_index_params()
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=64)
        schema.add_field("words", DataType.VARCHAR, max_length=LONGEST, enable_analyzer=True, analyzer_params=ANALYSER)
        schema.add_field("value", DataType.JSON)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(
            Function("bm25", FunctionType.BM25, input_field_names=["words"], output_field_names=["sparse"])
        )
        index.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        for where, size in self._vectors(room).items():
            schema.add_field(where, DataType.FLOAT_VECTOR, dim=size)
            index.add_index(where, index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(name, schema=schema, index_params=index, consistency_level="Strong")
        return name

    def _vectors(self, room: Room) -> dict[str, int]:
        sizes = {"shape": SHAPE} if room == "templates" else {}
        if self._embedder:
            sizes["meaning"] = len(self._embedder.embed(["size"])[0])
        return sizes

    def _write(self, name: str, room: Room, records: list[Record]) -> None:
        rows: list[dict[str, Any]] = [record.model_dump(include={"id", "words", "value"}) for record in records]
        if room == "templates":
            for row, record in zip(rows, records, strict=True):
                row["shape"] = record.shape or NOWHERE
        if self._embedder:
            meanings = self._embedder.embed([record.words for record in records])
            for row, meaning in zip(rows, meanings, strict=True):
                row["meaning"] = meaning
        self._client.upsert(name, rows, timeout=PATIENCE)
        self._client.flush(name)

    def _read(self, name: str, *, shaped: bool = False) -> list[Record]:
        fields = ["id", "words", "value", *(["shape"] if shaped else [])]
        found, pages = [], self._client.query_iterator(name, batch_size=AT_ONCE, output_fields=fields)
        try:
            while rows := pages.next():
                found += [_record(row["id"], row) for row in rows]
        finally:
            pages.close()
        return found


class _Lite:
    """Milvus Lite in this process, reached by a socket beside what it keeps: other users of the machine can reach its
    loopback, and what is kept here changes templates."""

    def __init__(self, folder: Path) -> None:
        import grpc  # noqa: PLC0415
        from milvus_lite.adapter.grpc.servicer import MilvusServicer  # noqa: PLC0415
        from milvus_lite.db import MilvusLite  # noqa: PLC0415
        from milvus_lite.exceptions import DataDirLockedError  # noqa: PLC0415
        from pymilvus.grpc_gen import milvus_pb2_grpc  # noqa: PLC0415

        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._database = MilvusLite(str(folder))
        except DataDirLockedError:
            raise TerminalError(
                "Another Bandsmith has the knowledge open: end it, or name a Milvus server in BANDSMITH_KNOWLEDGE.",
                message_zh="另一个 Bandsmith 进程正在使用知识库：请先结束它，"
                "或在 BANDSMITH_KNOWLEDGE 中指定 Milvus 服务器。",
                code="knowledge-in-use",
            ) from None
        except Exception:  # Lite raises what it comes upon
            raise _unreadable() from None
        self._socket = folder.absolute() / "socket"
        if len(os.fsencode(self._socket)) > LONGEST_SOCKET:
            self._socket = Path(tempfile.mkdtemp(prefix="bandsmith-")) / "socket"
        self._socket.unlink(missing_ok=True)  # of an owner that was killed
        self.address = f"unix:{self._socket}"
        self._server = grpc.server(ThreadPoolExecutor(max_workers=2))
        cast("Callable[[Any, Any], None]", milvus_pb2_grpc.add_MilvusServiceServicer_to_server)(
            MilvusServicer(self._database), self._server
        )
        self._server.add_insecure_port(self.address)
        self._server.start()

    def close(self) -> None:
        self._server.stop(grace=1).wait()
        with suppress(Exception):
            self._database.close()
        self._socket.unlink(missing_ok=True)


def _connect(address: str) -> Any:
    from pymilvus import MilvusClient, MilvusException  # noqa: PLC0415

    try:
        return MilvusClient(address, timeout=PATIENCE)
    except MilvusException:
        raise RetryableError(
            "The Milvus server does not answer; check BANDSMITH_KNOWLEDGE.",
            message_zh="Milvus 服务器没有响应，请检查 BANDSMITH_KNOWLEDGE。",
            code="knowledge-away",
        ) from None


def _unreadable() -> TerminalError:
    return TerminalError(
        "The knowledge cannot be opened: BANDSMITH_KNOWLEDGE has to name a folder of Milvus Lite that may be written.",
        message_zh="无法打开知识库：BANDSMITH_KNOWLEDGE 应指向可写的 Milvus Lite 目录。",
        code="knowledge",
    )


def _quieten(folder: Path | None) -> None:
    """Load these packages without what they would say, and leave behind, on their own account."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")  # pymilvus reads a .env above it into our settings
    import jieba  # noqa: PLC0415 - seconds, all of them
    import pymilvus  # noqa: F401, PLC0415 - it sets levels of its own, so it comes first

    for name in QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    jieba.setLogLevel(logging.CRITICAL)
    if folder:  # not in a folder that everybody may write to
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        jieba.dt.tmp_dir = str(folder.parent)


def _joined(searches: list[list[Record]]) -> list[Record]:
    """By reciprocal rank: what several searches found comes before what one did."""
    found = {record.id: record for search in searches for record in search}
    scores: defaultdict[str, float] = defaultdict(float)
    for search in searches:
        for rank, record in enumerate(search, 1):
            scores[record.id] += 1 / (RANKS + rank)
    return [found[ident] for ident in sorted(scores, key=lambda ident: -scores[ident])]


def _record(ident: str, row: dict[str, Any]) -> Record:
    shape = row.get("shape")
    return Record(
        id=ident, words=row["words"], value=row["value"], shape=None if shape is None else [float(n) for n in shape]
    )


def _room(collection: str) -> str:
    return collection.partition("_")[0]


def _print(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]
