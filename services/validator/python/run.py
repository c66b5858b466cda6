"""Run a step in Python: from the command to the rows."""

from __future__ import annotations

import asyncio

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import MissingPart
from bandsmith.shared.events import PythonRun, RunPython
from bandsmith.shared.result_tables import as_csv, to_bytes

from .check import CodeRefused
from .sandbox import CodeFailed, NotIsolated, PythonSandbox


async def run_step(store: Store, command: RunPython, max_rows: int) -> PythonRun:
    """Check the code and run it. Where this machine cannot isolate it, it is not run, and trying again is no use."""
    used = [frame for frame in command.frames if frame.result is not None]
    contents = await asyncio.gather(*(store.get(frame.result) for frame in used if frame.result is not None))
    frames = {frame.name: content for frame, content in zip(used, contents, strict=True)}
    try:
        table = await asyncio.to_thread(PythonSandbox().run, command.step_code, frames, max_rows)
    except (CodeRefused, CodeFailed) as error:
        may_be_tried = not isinstance(error, NotIsolated)
        problem = error.reason.in_language(command.language)
        return PythonRun(problem=problem, reason=error.reason.en, may_be_tried=may_be_tried)
    except MissingPart as missing:
        problem = missing.message_zh if command.language == "zh" else missing.message
        return PythonRun(problem=problem, reason=missing.message, may_be_tried=False)
    return PythonRun(
        result=await store.put(to_bytes(table.content), "application/vnd.apache.arrow.stream"),
        rows_as_csv=await store.put(as_csv(table.content), "text/csv"),
        row_count=table.content.num_rows,
        is_cut=table.is_cut,
    )
