"""What the replicas of a Ray of our own log, on our standard error: Ray has them write it into files of its own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import SEEK_END
from pathlib import Path

LOOK_SECONDS = 0.5


@contextmanager
def relayed(folder: Path) -> Iterator[None]:
    """While it lasts, every line of ours that a process of the session below the folder writes is written here too."""
    ended = threading.Event()
    relay = Relay(folder)
    looking = threading.Thread(target=_until, args=[ended, relay], daemon=True)
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join()
        relay.look()


def _until(ended: threading.Event, relay: Relay) -> None:
    while not ended.wait(LOOK_SECONDS):
        relay.look()


class Relay:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, int] = {}

    def look(self) -> None:
        """Pass on what is new, up to its last whole line. What is no JSON is Ray's, or a library's, and stays there."""
        with suppress(OSError):  # standard error that nobody reads stops nobody
            for file in self._folder.glob("session_*[0-9]/logs/worker-*.err"):
                for line in self._new(file):
                    if line.startswith(b"{"):
                        sys.stderr.write(line.decode(errors="replace"))
            sys.stderr.flush()

    def _new(self, file: Path) -> Iterator[bytes]:
        read = self._read.get(file, 0)
        with file.open("rb") as lines:
            if lines.seek(0, SEEK_END) < read:  # it was full, and another has its name
                read = 0
            lines.seek(read)
            for line in lines:
                if not line.endswith(b"\n"):
                    return
                read += len(line)
                self._read[file] = read
                yield line
