"""The owner's side of a step in Python: it is checked, then runs in a process of its own, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow

from bandsmith.shared.confined import WorkerDied, WorkerProcess, WorkerTimeout
from bandsmith.shared.replies import Text
from bandsmith.shared.result_tables import column_of, unique_names

from .check import check_code

LIMIT_S = 60.0
NEEDED_WALLS = ("files", "calls", "privileges")
"""Walls without which no code runs. Without the one for the network, the one for calls still refuses every socket."""
_WORKER = "bandsmith.services.validator.python.worker"


class CodeFailed(Exception):
    """The code did not give a result; the reason is for users and models."""

    def __init__(self, reason: Text) -> None:
        self.reason = reason
        super().__init__(reason.en)


class NotIsolated(CodeFailed):
    """This machine cannot isolate code, so none is run."""


class StepTable(NamedTuple):
    """What a step gave."""

    content: pyarrow.Table
    is_cut: bool


class PythonSandbox:
    """Runs steps one after another, each in a new process."""

    def __init__(self, limit: float = LIMIT_S) -> None:
        self._limit = limit

    def run(self, code: str, frames: Mapping[str, bytes], max_rows: int) -> StepTable:
        """Run the code with these data frames, which are Arrow streams.

        Raises ``CodeRefused`` for code that must not run, ``CodeFailed`` for code that gives no result, and
        ``MissingPart`` where the process cannot start.
        """
        check_code(code, frames)
        worker = WorkerProcess(_WORKER, list, limit=self._limit, missing="data.python.not_starting")
        try:
            worker.start()
            if not set(NEEDED_WALLS) <= set(worker.walls.standing):
                raise NotIsolated(Text.of("data.python.no_walls"))
            request = {"code": code, "frames": list(frames), "max_rows": max_rows}
            reply, _ = worker.call(request, list(frames.values()))
        except WorkerTimeout:
            raise CodeFailed(Text.of("data.python.too_slow", seconds=f"{self._limit:.0f}")) from None
        except WorkerDied:
            raise CodeFailed(Text.of("data.python.ended")) from None
        finally:
            worker.stop()
        return _table(reply, max_rows)


def _table(reply: dict[str, Any], max_rows: int) -> StepTable:
    """Build the table of a reply, which code that was not trusted may have written."""
    if "error" in reply:
        raise CodeFailed(Text.of("data.python.failed", reason=str(reply["error"])))
    names, columns = reply.get("names"), reply.get("columns")
    if not isinstance(names, list) or not isinstance(columns, list) or len(names) != len(columns) or not names:
        raise CodeFailed(Text.of("data.python.no_table"))
    if not all(isinstance(column, list) and len(column) <= max_rows for column in columns):
        raise CodeFailed(Text.of("data.python.no_table"))
    if len({len(column) for column in columns}) > 1:
        raise CodeFailed(Text.of("data.python.no_table"))
    table = {
        name: column_of(column) for name, column in zip(unique_names([str(n) for n in names]), columns, strict=True)
    }
    return StepTable(pyarrow.table(table), bool(reply.get("is_cut")))
