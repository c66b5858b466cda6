"""The owner's side of a worker process: one call at a time, and a new worker for one that is late or has died."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import MissingPart
from ..fonts import font_folders
from . import ipc
from .fatal import FatalRequests
from .scratch import Scratch
from .walls import Walls

STARTUP_TIMEOUT_S = 60.0
MIN_CALL_S = 0.01
_ENVIRONMENT = (
    "PATH", "LANG", "LC_ALL", "TZ", "JAVA_HOME", "LD_LIBRARY_PATH", "PYTHONPATH", "BANDSMITH_ENGINE",
)  # fmt: skip


class WorkerTimeout(Exception):
    """The worker exceeded its time limit and was killed."""


class WorkerDied(Exception):
    """The worker's process ended during a call, in most cases because it ran out of memory."""


class TimeBudget:
    """Seconds that one call may take, or several together. The start of a worker is not counted."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    @property
    def is_spent(self) -> bool:
        return self._left < MIN_CALL_S

    @contextmanager
    def spending(self) -> Iterator[float]:
        """Provide the time at which the budget is spent."""
        started = time.monotonic()
        try:
            yield started + self._left
        finally:
            self._left -= time.monotonic() - started


class WorkerProcess:
    """A worker process. Calls from several threads run one after another.

    The worker is ``python -m MODULE SOCKET SCRATCH ARGUMENTS``. It sends a message with its ``walls`` when it is ready,
    and sets ``renew`` in a reply after which it must not be used again.
    """

    def __init__(
        self,
        module: str,
        arguments: Callable[[], Sequence[str]],
        *,
        limit: float,
        missing: str,
        fatal: FatalRequests | None = None,
    ) -> None:
        """`limit` is the time in seconds that one call may take, `missing` the text for a worker that cannot start.

        `fatal` is shared with the other workers for the same requests.
        """
        self._module, self._arguments, self._limit, self._missing = module, arguments, limit, missing
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._scratch: Scratch | None = None
        self._ready = False
        self._fatal = fatal or FatalRequests()
        self.walls = Walls()
        """What the worker cannot do. Known once it is ready."""

    @property
    def pid(self) -> int | None:
        """The process of the worker; None while there is none."""
        return self._process.pid if self._process is not None else None

    @property
    def is_ready(self) -> bool:
        """Whether the worker runs and has said that it is ready."""
        return self._ready and self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the worker and wait until it is ready. Raises ``MissingPart`` when it cannot start."""
        with self._lock:
            self._await_ready()

    def stop(self) -> None:
        with self._lock:
            self._kill()

    def call(
        self,
        request: dict[str, Any],
        blobs: Sequence[bytes] = (),
        budget: TimeBudget | None = None,
        *,
        subject: bytes | None = None,
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Return the worker's reply. Raises ``WorkerTimeout``, ``WorkerDied``.

        Calls with the same `budget` share its time. A request that killed a worker fails immediately when it is
        repeated, and so does any other about the same `subject`, for some minutes. If the worker was killed from
        outside, the request is tried again.
        """
        digest = subject or _digest(repr(sorted(request.items())).encode(), *blobs)
        with self._lock:
            self._fatal.check(digest)
            budget = budget or TimeBudget(self._limit)
            if budget.is_spent:
                raise WorkerTimeout
            try:
                return self._call_twice(request, list(blobs), budget)
            except (WorkerTimeout, WorkerDied) as error:
                self._fatal.add(digest, error)
                raise

    def _call_twice(
        self, request: dict[str, Any], blobs: list[bytes], budget: TimeBudget
    ) -> tuple[dict[str, Any], list[bytes]]:
        try:
            return self._call_once(request, blobs, budget)
        except WorkerDied as died:
            if died.args[0] != -signal.SIGKILL:
                raise
        return self._call_once(request, blobs, budget)

    def _call_once(
        self, request: dict[str, Any], blobs: list[bytes], budget: TimeBudget
    ) -> tuple[dict[str, Any], list[bytes]]:
        sock = self._await_ready()
        try:
            with budget.spending() as deadline:
                sock.settimeout(max(deadline - time.monotonic(), MIN_CALL_S))
                ipc.send(sock, request, blobs)
                reply, reply_blobs = ipc.receive(sock, deadline)
        except TimeoutError:
            self._restart()
            raise WorkerTimeout from None
        except (EOFError, OSError):
            status = self._exit_status()
            self._restart()
            raise WorkerDied(status) from None
        if reply.get("renew"):
            self._restart()
        return reply, reply_blobs

    def _exit_status(self) -> int:
        """Return how the worker ended; negative for a signal. A worker that broke the protocol is ended now."""
        assert self._process is not None
        try:
            return self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return 0

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
                raise MissingPart.of(self._missing, code="missing") from None
            self._ready, self.walls = True, Walls(**ready["walls"])
        return sock

    def _restart(self) -> None:
        """Replace the worker by a new one, which warms up in the background."""
        self._kill()
        arguments = self._arguments()
        self._scratch = Scratch()
        self._socket, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", self._module, str(theirs.fileno()), str(self._scratch.path), *arguments]
        with theirs:
            self._process = subprocess.Popen(
                command,
                pass_fds=(theirs.fileno(),),
                env=_environment(self._scratch.path),
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


def _digest(*parts: bytes) -> bytes:
    return sha256(b"".join(sha256(part).digest() for part in parts)).digest()


def _environment(scratch: Path) -> dict[str, str]:
    """Return what a worker knows of its owner's environment: no secret is in it, and its home is its scratch folder."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    kept["BANDSMITH_FONTS"] = os.pathsep.join(map(str, font_folders()))
    return {
        **kept,
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
