"""A worker's own folder for temporary files: the engine leaves fonts there, so it goes when the worker goes."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

_PREFIX = "bandsmith-engine-"
_NEW = 60.0
"""Seconds within which a folder's owner may not have locked it yet."""


class Scratch:
    """A folder that is there until `remove`, or until this process ends.

    While it is in use its owner holds a lock on it. One without is an owner's that was killed: the next one removes it.
    """

    def __init__(self) -> None:
        _sweep()
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        self._lock = os.open(self._folder.name, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        self.path = Path(self._folder.name)

    def remove(self) -> None:
        self._folder.cleanup()
        os.close(self._lock)


def _sweep() -> None:
    for folder in Path(tempfile.gettempdir()).glob(_PREFIX + "*"):
        try:
            if time.time() - folder.lstat().st_mtime < _NEW:
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:  # another user's, or gone meanwhile
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(lock)
