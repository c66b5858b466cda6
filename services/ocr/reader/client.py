"""The owner's side of the reader."""

from __future__ import annotations

from typing import Any

import structlog

from bandsmith.shared.confined import Walls, WorkerDied, WorkerProcess, WorkerTimeout
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.replies import Text

from ..page import Page, PageImage
from ..tables import ParsedTable
from . import wire

log = structlog.get_logger(__name__)

_WORKER = "bandsmith.services.ocr.reader.worker"


class DocumentReader:
    """Decodes documents and tables, one at a time. Takes seconds, so call it on a thread."""

    def __init__(self, *, limit: float) -> None:
        """`limit` is the time in seconds that one file may take."""
        self._worker = WorkerProcess(_WORKER, list, limit=limit, missing="ocr.reader")

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

    def decode(self, name: str, content: bytes, size: Size | None) -> Page | PageImage:
        """Return the first page of a document. Raises ``BadInput`` for one that cannot be read, in time and memory."""
        request = {"do": "page", "name": name, "size": size.model_dump() if size else None}
        reply, blobs = self._call(request, content)
        return wire.decode(reply, blobs)

    def read_table(self, name: str, content: bytes) -> ParsedTable:
        """Return the table of a file. Raises ``BadInput`` as ``tables.read_table`` does."""
        reply, blobs = self._call({"do": "table", "name": name}, content)
        return ParsedTable(blobs[0], [Text(str(note["en"]), str(note["zh"])) for note in reply["notes"]])

    def _call(self, request: dict[str, Any], content: bytes) -> tuple[dict[str, Any], list[bytes]]:
        try:
            reply, blobs = self._worker.call(request, [content])
        except WorkerTimeout:
            raise BadInput.of("documents.slow") from None
        except WorkerDied:
            raise BadInput.of("documents.memory") from None
        if "fault" in reply:
            log.warning("ocr.reader.fault", kind=reply["fault"])
        if "refused" in reply:
            raise wire.decode_refusal(reply)
        return reply, blobs
