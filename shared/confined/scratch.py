"""A worker's folder for temporary files, which is removed with the worker."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

_PREFIX = "bandsmith-worker-"
UNLOCKED_GRACE_S = 60.0
"""Time within which the owner of a new folder may not have locked it yet."""


class Scratch:
    """A folder that exists until `remove`, or until this process ends.

    Its owner holds a lock on it. A folder without a lock had an owner that was killed; the next owner removes it.
    """

    def __init__(self) -> None:
        _remove_abandoned()
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        self._lock = os.open(self._folder.name, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        self.path = Path(self._folder.name)

    def remove(self) -> None:
        self._folder.cleanup()
        os.close(self._lock)


def _remove_abandoned() -> None:
    for folder in Path(tempfile.gettempdir()).glob(_PREFIX + "*"):
        try:
            if time.time() - folder.lstat().st_mtime < UNLOCKED_GRACE_S:
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:  # belongs to another user, or was removed meanwhile
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(lock)
