"""The owner's side of the engine: a worker process that handles one call at a time and is killed when it is late."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any, Literal

from bandsmith.shared.errors import MissingPart
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.plan import Data

from . import ipc
from .classpath import classpath
from .scratch import Scratch

STARTUP_TIMEOUT_S = 60.0
DEFAULT_LIMIT_S = 20.0
DEFAULT_HEAP_MB = 512
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "JAVA_HOME", "LD_LIBRARY_PATH", "PYTHONPATH")

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


class EngineTimeout(Exception):
    """The engine exceeded its time limit and was killed."""


class EngineDied(Exception):
    """The engine's process ended during a call, in most cases because it ran out of memory."""


class PrintedElement(Value):
    """An element on page 1 as the engine placed it, in points from the top left of the page."""

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
    pictures: list[bytes]
    """The first pages as PNGs, 150 dots per inch."""


class SeenPages(Value):
    """What a reader sees of a filled report."""

    digest: str
    """Of the pixels of its pages. Reports that look the same have the same."""
    texts: dict[str, str] = {}
    """The first text of each element that stands out from its ground, by the element's key."""


class PrintedCell(Value):
    """A text or a filled area of a report that was filled without page breaks."""

    key: str | None
    band: str
    """The section that it was printed in: ``title``, ``detail``, ``groupHeader`` and so on."""
    group: str | None
    box: tuple[int, int, int, int]
    """x, y, width and height in points, from the left margin and the top of the first page."""
    fill: str | None
    """Colour behind the text, as six hexadecimal digits; None where it is transparent."""
    text: str | None = None
    """None: a filled area without a text."""
    number: str | None = None
    """The value, where it is a number, with all of its digits."""
    date: str | None = None
    """The value, where it is a date, in ISO format."""
    pattern: str | None = None
    """The Java pattern by which the value is formatted."""
    colour: str | None = None
    bold: bool = False
    italic: bool = False
    size: float = 10.0
    align: str = "Left"


class ReportEngine:
    """A JasperReports engine in a worker process. Calls from several threads run one after another."""

    def __init__(self, *, limit: float = DEFAULT_LIMIT_S, heap_mb: int = DEFAULT_HEAP_MB) -> None:
        """`limit` is the time in seconds that one call may take."""
        self._limit, self._heap = limit, heap_mb
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._scratch: Scratch | None = None
        self._ready = False
        self.networkless = False
        """Whether the worker has no network. Known once it is ready."""

    def start(self) -> None:
        """Start the worker and wait until it is ready. Raises ``MissingPart`` when the engine cannot start."""
        with self._lock:
            self._await_ready()

    def stop(self) -> None:
        with self._lock:
            self._kill()

    def compile(self, template: bytes) -> None:
        """Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        self._call({"do": "compile"}, [template])

    def print(self, template: bytes, data: EngineData, *, pages: int = 3) -> Printout:
        """Compile, fill and draw a report. Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        reply, pictures = self._call_filled({"do": "print", "pages": pages}, template, data)
        elements = [
            PrintedElement(**{**item, "box": Box(**dict(zip(("x", "y", "width", "height"), item["box"], strict=True)))})
            for item in reply["elements"]
        ]
        width, height = reply["size"]
        size = Size(width=width, height=height)
        return Printout(pages=reply["pages"], size=size, elements=elements, pictures=pictures)

    def look(self, template: bytes, data: EngineData) -> SeenPages:
        """Return what a reader sees of the report. Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        reply, _ = self._call_filled({"do": "look"}, template, data)
        return SeenPages(**reply["look"])

    def export(self, template: bytes, data: EngineData, file_format: FileFormat) -> tuple[int, bytes]:
        """Return the number of pages of the filled report, and its file.

        A report that was just printed is not filled again. Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``.
        """
        reply, files = self._call_filled({"do": "export", "format": file_format}, template, data)
        return reply["pages"], files[0]

    def cells(self, template: bytes, data: EngineData) -> list[PrintedCell]:
        """Return the texts of the report, filled without page breaks, with their values and the areas behind them.

        Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``.
        """
        reply, _ = self._call_filled({"do": "cells"}, template, data)
        return [PrintedCell.model_construct(**cell) for cell in reply["cells"]]

    def _call_filled(
        self, request: dict[str, Any], template: bytes, data: EngineData
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Call the worker with what a report is filled with. The rows of a large filling travel as they are."""
        if isinstance(data, Data):
            return self._call({**request, "data": data.model_dump()}, [template])
        return self._call(request, [template, data], self._limit + SECONDS_PER_ROW * data.count(b"\n"))

    def _call(
        self, request: dict[str, Any], blobs: list[bytes], limit: float | None = None
    ) -> tuple[dict[str, Any], list[bytes]]:
        limit = limit or self._limit
        with self._lock:
            try:
                reply, reply_blobs = self._call_once(request, blobs, limit)
            except EngineDied:  # it may have been killed through no fault of the template
                reply, reply_blobs = self._call_once(request, blobs, limit)
        if "refused" in reply:
            raise EngineRefused(reply["refused"], dict(reply["reasons"]))
        return reply, reply_blobs

    def _call_once(
        self, request: dict[str, Any], blobs: list[bytes], limit: float
    ) -> tuple[dict[str, Any], list[bytes]]:
        sock = self._await_ready()
        try:
            sock.settimeout(limit)
            ipc.send(sock, request, blobs)
            return ipc.receive(sock, time.monotonic() + limit)
        except TimeoutError:
            self._restart()
            raise EngineTimeout from None
        except (EOFError, OSError):
            self._restart()
            raise EngineDied from None

    def _await_ready(self) -> socket.socket:
        if self._process is None or self._process.poll() is not None:
            self._restart()
        sock = self._socket
        assert sock is not None
        if not self._ready:
            try:
                ready, _ = ipc.receive(sock, time.monotonic() + STARTUP_TIMEOUT_S)
            except (TimeoutError, EOFError, OSError):
                self._kill()
                raise MissingPart.of("validator.engine.not_starting", code="missing") from None
            self._ready, self.networkless = True, ready["networkless"]
        return sock

    def _restart(self) -> None:
        """Replace the worker by a new one, which warms up in the background."""
        self._kill()
        jars = os.pathsep.join(classpath())
        self._scratch = Scratch()
        self._socket, theirs = socket.socketpair()
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        environment["OMP_NUM_THREADS"] = "1"
        command = [
            sys.executable,
            "-m",
            "bandsmith.services.validator.engine.worker",
            str(theirs.fileno()),
            jars,
            str(self._heap),
            str(self._scratch.path),
        ]
        with theirs:
            self._process = subprocess.Popen(
                command,
                pass_fds=(theirs.fileno(),),
                env=environment,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def _kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._socket is not None:
            self._socket.close()
        if self._scratch is not None:
            self._scratch.remove()
        self._process, self._socket, self._scratch, self._ready = None, None, None, False
