"""The engine as its owner sees it: a worker process that is asked one thing at a time and killed when it is late."""

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

_STARTUP = 60.0
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "JAVA_HOME", "LD_LIBRARY_PATH", "PYTHONPATH")

FileFormat = Literal["pdf", "xlsx", "docx", "html", "csv"]


class EngineRefused(Exception):
    """The engine will not have this template or this data; `stage` is ``compile``, ``fill`` or ``draw``."""

    def __init__(self, stage: str, about: dict[str, str]) -> None:
        """`about`: each reason, with the expression that it is about, empty where it is about none."""
        super().__init__(f"{stage}: {'; '.join(about)}")
        self.stage, self.about = stage, about

    @property
    def reasons(self) -> list[str]:
        return list(self.about)


class EngineTimeout(Exception):
    """The engine took longer than it may, and was killed."""


class EngineDied(Exception):
    """The engine's process ended while it worked, most often because it ran out of memory."""


class PrintedElement(Value):
    """One element on page 1 as the engine placed it, in points from the page's top left."""

    key: str | None
    kind: str
    box: Box
    row: int
    """How many elements with the same key came before it on the page."""
    text: str | None = None
    """The text that is really there."""
    rest: str = ""
    """The end of its text, which the engine left out because it did not fit."""

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


class ReportEngine:
    """One worker. Calls from several threads wait for each other."""

    def __init__(self, *, limit: float = 20.0, heap_mb: int = 512) -> None:
        """`limit` is the seconds of wall clock that one call may take."""
        self._limit, self._heap = limit, heap_mb
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._scratch: Scratch | None = None
        self._ready = False
        self.networkless = False
        """Whether the worker has no network; known once it has answered."""

    def start(self) -> None:
        """Start the worker and wait until it is warm. Raises ``MissingPart`` when the engine cannot start."""
        with self._lock:
            self._await_ready()

    def stop(self) -> None:
        with self._lock:
            self._kill()

    def compile(self, template: bytes) -> None:
        """Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        self._ask({"do": "compile"}, [template])

    def print(self, template: bytes, data: Data, *, pages: int = 3) -> Printout:
        """Compile, fill and draw. Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``."""
        said, pictures = self._ask({"do": "print", "data": data.model_dump(), "pages": pages}, [template])
        elements = [
            PrintedElement(**{**item, "box": Box(**dict(zip(("x", "y", "width", "height"), item["box"], strict=True)))})
            for item in said["elements"]
        ]
        width, height = said["size"]
        size = Size(width=width, height=height)
        return Printout(pages=said["pages"], size=size, elements=elements, pictures=pictures)

    def export(self, template: bytes, data: Data, form: FileFormat) -> tuple[int, bytes]:
        """How many pages the filled report has, and its file; after `print` of the same it is already filled.

        Formats without pages, XLSX and CSV, are filled once more on one endless page.
        Raises ``EngineRefused``, ``EngineTimeout``, ``EngineDied``.
        """
        said, files = self._ask({"do": "export", "data": data.model_dump(), "format": form}, [template])
        return said["pages"], files[0]

    def _ask(self, asked: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        with self._lock:
            try:
                said, answer = self._ask_once(asked, blobs)
            except EngineDied:  # if it was killed for no fault of the template, a fresh one will do it
                said, answer = self._ask_once(asked, blobs)
        if "refused" in said:
            raise EngineRefused(said["refused"], dict(said["reasons"]))
        return said, answer

    def _ask_once(self, asked: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        sock = self._await_ready()
        try:
            sock.settimeout(self._limit)
            ipc.send(sock, asked, blobs)
            return ipc.receive(sock, time.monotonic() + self._limit)
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
                said, _ = ipc.receive(sock, time.monotonic() + _STARTUP)
            except (TimeoutError, EOFError, OSError):
                self._kill()
                raise MissingPart(
                    "The report engine does not start; run `bandsmith doctor`.",
                    message_zh="报表引擎无法启动;请运行 `bandsmith doctor`。",
                ) from None
            self._ready, self.networkless = True, said["networkless"]
        return sock

    def _restart(self) -> None:
        """Put a fresh worker in the place of the old one; it warms up while the owner does something else."""
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
