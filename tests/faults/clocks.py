"""A clock of the day that a test sets, for processes of their own; their deadlines and sleeps go on as before."""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from unittest import mock

SEEN_AFTER = 0.2
"""Seconds after which every process has seen a jump (``set_clock/sitecustomize.py`` looks ten times as often)."""


class WallClock:
    """The time of day of every Python process that is started within ``used``."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.jump(timedelta())

    def jump(self, ahead: timedelta) -> None:
        """Make the clock differ from the machine's; processes see it when this returns."""
        written = self._file.with_suffix(".new")
        written.write_text(str(ahead.total_seconds()))
        written.replace(self._file)  # no process reads half of it
        time.sleep(SEEN_AFTER)

    def used(self) -> AbstractContextManager[object]:
        """Processes that are started in this block have this clock."""
        folder = Path(__file__).parent / "set_clock"
        return mock.patch.dict(os.environ, {"CLOCK_FILE": str(self._file), "PYTHONPATH": str(folder)})
