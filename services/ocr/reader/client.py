"""The owner's side of the reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import structlog

from bandsmith.shared.confined import Walls, WorkerDied, WorkerProcess, WorkerTimeout
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size

from ..page import Page, PageImage
from ..tables import ParsedTable
from . import wire

log = structlog.get_logger(__name__)
T = TypeVar("T")

MAX_FAULT_CHARS = 80
_WORKER = "bandsmith.services.ocr.reader.worker"


class DocumentReader:
    """Decodes documents and tables, one at a time. Takes seconds, so call it on a thread."""

    def __init__(self, *, limit: float) -> None:
        """`limit` is the time in seconds that one file may take."""
        self._worker = WorkerProcess(_WORKER, list, limit=limit, missing="ocr.reader")
        self._used: int | None = None
        """The process that has read a file."""

    @property
    def walls(self) -> Walls:
        """What the worker cannot do. Known once it is ready."""
        return self._worker.walls

    @property
    def pid(self) -> int | None:
        """The process of the worker; None while there is none."""
        return self._worker.pid

    def start(self) -> None:
        """Start the worker. Raises ``MissingPart`` when it cannot start."""
        self._worker.start()

    def stop(self) -> None:
        self._worker.stop()

    def decode(self, name: str, content: bytes, size: Size | None, number: int = 1) -> Page | PageImage:
        """Return a page of a document, counted from 1.

        Raises ``BadInput`` for a document or a page that cannot be read, in time and memory.
        """
        request = {"do": "page", "name": _sendable(name), "size": size.model_dump() if size else None, "number": number}
        return self._call(request, content, wire.decode)

    def read_table(self, name: str, content: bytes) -> ParsedTable:
        """Return the table of a file. Raises ``BadInput`` as ``tables.read_table`` does."""
        return self._call({"do": "table", "name": _sendable(name)}, content, wire.decode_table)

    def _call(self, request: dict[str, Any], content: bytes, decode: Callable[[dict[str, Any], list[bytes]], T]) -> T:
        was_used = self._used is not None and self._used == self._worker.pid
        try:
            reply, blobs = self._worker.call(request, [content])
        except WorkerTimeout:
            raise BadInput.of("documents.slow") from None
        except WorkerDied:
            raise BadInput.of("documents.memory") from None
        if reply.get("lacks_memory") and was_used:  # what it had read before left too little
            return self._call(request, content, decode)
        self._used = self._worker.pid
        if "fault" in reply:
            log.warning("ocr.reader.fault", kind=str(reply["fault"])[:MAX_FAULT_CHARS])
        try:
            refused = wire.decode_refusal(reply) if "refused" in reply else None
            if refused is None:
                return decode(reply, blobs)
        except (ValueError, LookupError, TypeError):
            # A document may have taken over the worker, so neither its reply nor its process is used.
            log.warning("ocr.reader.fault", kind="reply")
            self._worker.stop()
            raise BadInput.of("documents.damaged") from None
        raise refused


def _sendable(name: str) -> str:
    """Return a file's name without halves of characters, which a name on a disk may have and no message."""
    return name.encode("utf-8", "replace").decode()
