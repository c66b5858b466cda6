"""What isolation costs: a template in the walled worker against one without walls, a page in the reader's process
against the same page in this one.

Processor time of this process and of the worker is what counts: a worker has no children, and a busy machine changes
its processor time little. The time by the clock is shown beside it. The two of a round follow each other, in turns in
either order.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.reader import DocumentReader
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.confined import WorkerProcess
from bandsmith.shared.model.plan import Data

from .engine import ITEMS, template
from .results import Result

ROOT = Path(__file__).parents[1]
PAGES = ("sales-slip.jpg", "quotation.pdf")
ROUNDS, WARM_UP_ROUNDS = 60, 20
"""The JVM compiles what it runs often; it has done most of that after some reports."""
LIMIT_S = 60.0
_PROCESS_CLOCK = 2
"""The kernel's number of a process's clock of processor time."""


class Cost(NamedTuple):
    processor: float
    clock: float


async def measure(rounds: int = ROUNDS) -> list[Result]:
    return await asyncio.to_thread(lambda: [_templates(rounds), *(_pages(name, rounds) for name in PAGES)])


def _templates(rounds: int) -> Result:
    walled, opened = ReportEngine(limit=LIMIT_S), ReportEngine(limit=LIMIT_S)
    opened._worker = WorkerProcess("benchmarks.open_worker", opened._arguments, limit=LIMIT_S, missing="")
    data = Data(rows=[{"item": f"Item {n}", "count": n, "price": 12.5} for n in range(ITEMS)])
    costs: tuple[list[Cost], list[Cost]] = [], []
    with mock.patch.dict(os.environ, {"PYTHONPATH": str(ROOT)}), ExitStack() as started:
        for engine in (walled, opened):
            started.callback(engine.stop)
            engine.start()
        assert not walled.walls.missing and opened.walls.missing
        for number in range(1 - min(rounds, WARM_UP_ROUNDS), rounds + 1):
            pair = list(zip((walled, opened), costs, strict=True))
            for engine, spent in pair if number % 2 else reversed(pair):
                with _measured(engine, spent if number > 0 else []):
                    engine.print(template(number), data)
                    engine.export(template(number), data, "pdf")
    return _result("what the walls add to a template: compile, fill, draw, PDF", *costs)


def _pages(name: str, rounds: int) -> Result:
    content = (ROOT / "samples" / name).read_bytes()
    apart, here = list[Cost](), list[Cost]()
    reader = DocumentReader(limit=LIMIT_S)
    try:
        reader.decode(name, content, None)
        decode_document(name, content, None)
        for _ in range(rounds):
            with _measured(reader, apart):
                reader.decode(name, content, None)
            with _measured(None, here):
                decode_document(name, content, None)
    finally:
        reader.stop()
    return _result(f"what the reader's process adds to a page of {name}", apart, here)


@contextmanager
def _measured(owner: ReportEngine | DocumentReader | None, costs: list[Cost]) -> Iterator[None]:
    """Add what the block costs this process and the owner's worker, which stays the same."""
    worker = owner.pid if owner else None
    pids = {os.getpid(), worker or os.getpid()}
    before, started = _processor(pids), time.perf_counter()
    yield
    assert not owner or owner.pid == worker, "the worker was replaced"
    costs.append(Cost(_processor(pids) - before, time.perf_counter() - started))


def _processor(pids: set[int]) -> float:
    """Return the processor time of processes, all their threads together."""
    return sum(time.clock_gettime(~pid << 3 | _PROCESS_CLOCK) for pid in pids)


def _result(what: str, isolated: list[Cost], free: list[Cost]) -> Result:
    """Compare the two of each round, since the machine may be busier in another round."""
    processor, spread = _more([cost.processor for cost in isolated], [cost.processor for cost in free])
    clock, clock_spread = _more([cost.clock for cost in isolated], [cost.clock for cost in free])
    whole = statistics.median(cost.processor for cost in isolated) * 1000
    details = f"of {whole:.0f} ms; half of {len(free)} rounds: {spread}; by the clock {clock}, {clock_spread}"
    return Result(what, f"{processor} of a core", "", details)


def _more(isolated: list[float], free: list[float]) -> tuple[str, str]:
    """Return by how much the one is more, in the median, and between which figures half of the rounds are."""
    more = [(one - other) * 1000 for one, other in zip(isolated, free, strict=True)]
    low, middle, high = statistics.quantiles(more, n=4) if len(more) > 1 else more * 3
    return f"{middle:.0f} ms", f"{low:.0f} to {high:.0f} ms"
