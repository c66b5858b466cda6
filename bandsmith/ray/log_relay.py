"""The logs of replicas on standard error: a Ray of our own writes them to files in its session folder."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import SEEK_END
from pathlib import Path

POLL_S = 0.5


@contextmanager
def relayed(folder: Path) -> Iterator[None]:
    """Within the block, copy the log lines of every process of the Ray session in `folder` to standard error."""
    stopped = threading.Event()
    relay = LogRelay(folder)
    thread = threading.Thread(target=_poll, args=[stopped, relay], daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
        relay.copy()


def _poll(stopped: threading.Event, relay: LogRelay) -> None:
    while not stopped.wait(POLL_S):
        relay.copy()


class LogRelay:
    """Copies new lines of the workers' log files to standard error."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._positions: dict[Path, int] = {}

    def copy(self) -> None:
        """Copy complete new lines. Lines that are not JSON come from Ray or a library, and are left out."""
        with suppress(OSError):  # a closed standard error must not stop the program
            for file in self._folder.glob("session_*[0-9]/logs/worker-*.err"):
                for line in self._new_lines(file):
                    if line.startswith(b"{"):
                        sys.stderr.write(line.decode(errors="replace"))
            sys.stderr.flush()

    def _new_lines(self, file: Path) -> Iterator[bytes]:
        position = self._positions.get(file, 0)
        with file.open("rb") as lines:
            if lines.seek(0, SEEK_END) < position:  # the file was rotated
                position = 0
            lines.seek(position)
            for line in lines:
                if not line.endswith(b"\n"):
                    return
                position += len(line)
                self._positions[file] = position
                yield line
