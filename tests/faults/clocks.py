"""A clock of the day that a test sets, for processes of their own; their deadlines and sleeps go on as before."""

from __future__ import annotations

import importlib.util
import os
from contextlib import AbstractContextManager
from pathlib import Path
from unittest import mock

import pytest


def library() -> str:
    """Return the path of libfaketime, which changes what the system says of the time; skip the test without it."""
    spec = importlib.util.find_spec("libfaketime")
    if spec is None or spec.origin is None:
        pytest.skip("libfaketime is not installed")
    return str(Path(spec.origin).parent / "vendor/libfaketime/src/libfaketime.so.1")


class WallClock:
    """The time of day of every process that is started within ``used``."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._library = library()
        self.jump("+0")

    def jump(self, offset: str) -> None:
        """Make the clock differ from the machine's by an offset like "+1d" or "-1h"."""
        written = self._file.with_suffix(".new")
        written.write_text(offset)
        written.replace(self._file)  # no process reads half of it

    def used(self) -> AbstractContextManager[object]:
        """Processes that are started in this block have this clock."""
        variables = {
            "LD_PRELOAD": self._library,
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
        return mock.patch.dict(os.environ, variables)
