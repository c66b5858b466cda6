"""The owner's side of the engine: a worker process that handles one call at a time and is killed when it is late."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from bandsmith.shared.confined import FatalRequests, TimeBudget, Walls, WorkerDied, WorkerProcess, WorkerTimeout
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.plan import Data

from .class_archive import usable_archive
from .classpath import classpath
from .printed_cells import PrintedCell, read_cells

DEFAULT_LIMIT_S = 20.0
DEFAULT_HEAP_MB = 512
_WORKER = "bandsmith.services.validator.engine.worker"

SECONDS_PER_ROW = 0.02
"""What a call may take longer for each row of a person's own data."""

FileFormat = Literal["pdf", "docx", "html"]
EngineData = Data | bytes
"""What a report is filled with. A person's own rows are JSON Lines: a ``FilledData``, then an object for each row."""


class EngineRefused(Exception):
    """The engine rejected a template or its data. `stage` is ``compile``, ``fill`` or ``draw``."""

    def __init__(self, stage: str, about: dict[str, str]) -> None:
        """`about` maps each reason to the expression that it concerns, or to an empty string."""
        super().__init__(f"{stage}: {'; '.join(about)}")
        self.stage, self.about = stage, about

    @property
    def reasons(self) -> list[str]:
        return list(self.about)


EngineTimeout = WorkerTimeout
EngineDied = WorkerDied


class PrintedElement(Value):
    """An element as the engine placed it on its page, in points from the top left of the page."""

    key: str | None
    kind: str
    box: Box
    row: int
    """How many elements with the same key came before it on the page."""
    text: str | None = None
    """The text that was printed."""
    rest: str = ""
    """The end of the text, which the engine dropped because it did not fit."""

    @property
    def cut(self) -> bool:
        return bool(self.rest.strip())


class Printout(Value):
    """A filled report."""

    pages: int
    size: Size
    elements: list[PrintedElement]
    """Those of page 1."""
    later: list[list[PrintedElement]] = []
    """The elements of the pages after it, where they were asked for."""
    pictures: list[bytes]
    """The first pages as PNGs, 150 dots per inch."""

    @property
    def listed(self) -> list[PrintedElement]:
        """The elements of all pages that are listed."""
        return [*self.elements, *(element for page in self.later for element in page)]


class SeenPages(Value):
    """What a reader sees of a filled report."""

    digest: str
    """Of the pixels of its pages. Reports that look the same have the same."""
    texts: dict[str, str] = {}
    """The first text of each element that stands out from its ground, by the element's key."""


class ExportedFile(NamedTuple):
    """A filled report in a file."""

    content: bytes
    pages: int
    """Of the filled report."""
    missing: list[str]
    """The first texts that are printed and that the file does not have."""
    missing_shapes: int = 0
    """Pictures, lines and areas that are printed and that the file does not have."""


class ReportEngine:
    """A JasperReports engine in a worker process. Calls from several threads run one after another."""

    def __init__(
        self,
        *,
        limit: float = DEFAULT_LIMIT_S,
        heap_mb: int = DEFAULT_HEAP_MB,
        fatal: FatalRequests | None = None,
    ) -> None:
        """`limit` is the time in seconds that one call may take, or a job of several together.

        `fatal` is what several engines know of the templates that killed their workers.
        """
        self._limit, self._heap = limit, heap_mb
        self._job: TimeBudget | None = None
        self._worker = WorkerProcess(
            _WORKER, self._arguments, limit=limit, missing="validator.engine.not_starting", fatal=fatal
        )

    @property
    def walls(self) -> Walls:
        """What the worker cannot do. Known once it is ready."""
        return self._worker.walls

    @property
    def pid(self) -> int | None:
        """The process of the worker; None while there is none."""
        return self._worker.pid

    @property
    def is_ready(self) -> bool:
        """Whether a call need not wait for the start of a worker."""
        return self._worker.is_ready

    def start(self) -> None:
        """Start the worker and wait until it is ready. Raises ``MissingPart`` when the engine cannot start."""
        self._worker.start()

    def stop(self) -> None:
        self._worker.stop()

    @contextmanager
    def job(self, data: EngineData) -> Iterator[None]:
        """Let the calls in the block, all for one template and its data, take together what one alone may take."""
        self._job = self._budget_for(data)
        try:
            yield
        finally:
            self._job = None

    def compile(self, template: bytes) -> None:
        """Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        self._call({"do": "compile"}, [template])

    def print(self, template: bytes, data: EngineData, *, pages: int = 3, listed: int = 1) -> Printout:
        """Compile, fill and draw a report, and list what is printed on its first `listed` pages.

        Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``.
        """
        request = {"do": "print", "pages": pages, "listed": listed}
        reply, pictures = self._call_filled(request, template, data)
        width, height = reply["size"]
        return Printout(
            pages=reply["pages"],
            size=Size(width=width, height=height),
            elements=_printed_elements(reply["elements"]),
            later=[_printed_elements(page) for page in reply["later"]],
            pictures=pictures,
        )

    def look(self, template: bytes, data: EngineData) -> SeenPages:
        """Return what a reader sees of the report. Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        reply, _ = self._call_filled({"do": "look"}, template, data)
        return SeenPages(**reply["look"])

    def export(self, template: bytes, data: EngineData, file_format: FileFormat) -> ExportedFile:
        """Return the file of the filled report.

        A report that was just printed is not filled again. Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``.
        """
        reply, files = self._call_filled({"do": "export", "format": file_format}, template, data)
        return ExportedFile(files[0], reply["pages"], reply["missing"], reply["missing_shapes"])

    def cells(self, template: bytes, data: EngineData) -> list[PrintedCell]:
        """Return the texts of the report, filled without page breaks, with their values and the areas behind them.

        Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``.
        """
        reply, (lines,) = self._call_filled({"do": "cells"}, template, data)
        return read_cells(reply["styles"], lines)

    def _call_filled(
        self, request: dict[str, Any], template: bytes, data: EngineData
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Call the worker with what a report is filled with. The rows of a large filling travel as they are.

        A template that killed a worker with these data is not filled with them for another kind of call either.
        """
        rows = data if isinstance(data, bytes) else data.model_dump_json().encode()
        subject = sha256(sha256(template).digest() + rows).digest()
        if isinstance(data, Data):
            return self._call({**request, "data": data.model_dump()}, [template], subject=subject)
        return self._call(request, [template, data], self._budget_for(data), subject=subject)

    def _budget_for(self, data: EngineData) -> TimeBudget:
        rows = data.count(b"\n") if isinstance(data, bytes) else 0
        return TimeBudget(self._limit + SECONDS_PER_ROW * rows)

    def _call(
        self,
        request: dict[str, Any],
        blobs: Sequence[bytes],
        budget: TimeBudget | None = None,
        *,
        subject: bytes | None = None,
    ) -> tuple[dict[str, Any], list[bytes]]:
        reply, reply_blobs = self._worker.call(request, blobs, self._job or budget, subject=subject)
        if "refused" in reply:
            raise EngineRefused(reply["refused"], dict(reply["reasons"]))
        return reply, reply_blobs

    def _arguments(self) -> list[str]:
        """Return what the worker is started with. Raises ``MissingPart`` when the engine is not set up."""
        archive = usable_archive()
        return [os.pathsep.join(classpath()), str(self._heap), *([str(archive)] if archive else [])]


def _printed_elements(items: Sequence[dict[str, Any]]) -> list[PrintedElement]:
    sides = ("x", "y", "width", "height")
    return [PrintedElement(**{**item, "box": Box(**dict(zip(sides, item["box"], strict=True)))}) for item in items]
