"""What isolation costs: a template in the walled worker against one without walls, a page in the reader's process
against the same page in this one."""

from __future__ import annotations

import asyncio
import os
import statistics
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.reader import DocumentReader
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.confined import WorkerProcess
from bandsmith.shared.model.plan import Data

from .engine import ITEMS, template, timed
from .results import Result

ROOT = Path(__file__).parents[1]
PAGES = ("sales-slip.jpg", "quotation.pdf")
ROUNDS = 40
LIMIT_S = 60.0


async def measure(rounds: int = ROUNDS) -> list[Result]:
    return await asyncio.to_thread(lambda: [_templates(rounds), *(_pages(name, rounds) for name in PAGES)])


def _templates(rounds: int) -> Result:
    walled, opened = ReportEngine(limit=LIMIT_S), ReportEngine(limit=LIMIT_S)
    opened._worker = WorkerProcess("benchmarks.open_worker", opened._arguments, limit=LIMIT_S, missing="")
    data = Data(rows=[{"item": f"Item {n}", "count": n, "price": 12.5} for n in range(ITEMS)])
    times: tuple[list[float], list[float]] = [], []
    with mock.patch.dict(os.environ, {"PYTHONPATH": str(ROOT)}), ExitStack() as started:
        for engine in (walled, opened):
            started.callback(engine.stop)
            engine.print(template(0), data)
            engine.export(template(0), data, "pdf")
        assert not walled.walls.missing and opened.walls.missing
        for number in range(1, rounds + 1):
            pair = list(zip((walled, opened), times, strict=True))
            for engine, taken in pair if number % 2 else reversed(pair):  # so that neither is always the second
                with timed(taken):
                    engine.print(template(number), data)
                    engine.export(template(number), data, "pdf")
    return _result("what the walls add to a template: compile, fill, draw, PDF", *times)


def _pages(name: str, rounds: int) -> Result:
    content = (ROOT / "samples" / name).read_bytes()
    apart, here = list[float](), list[float]()
    reader = DocumentReader(limit=LIMIT_S)
    try:
        reader.decode(name, content, None)
        decode_document(name, content, None)
        for _ in range(rounds):
            with timed(apart):
                reader.decode(name, content, None)
            with timed(here):
                decode_document(name, content, None)
    finally:
        reader.stop()
    return _result(f"what the reader's process adds to a page of {name}", apart, here)


def _result(what: str, isolated: list[float], free: list[float]) -> Result:
    """Compare the two of each round, since the machine may be busier in another round."""
    more = [(one - other) * 1000 for one, other in zip(isolated, free, strict=True)]
    low, middle, high = statistics.quantiles(more, n=4) if len(more) > 1 else more * 3
    whole = statistics.median(isolated) * 1000
    return Result(
        what, f"{middle:.0f} ms", "", f"of {whole:.0f} ms; half of {len(more)} rounds: {low:.0f} to {high:.0f} ms"
    )
