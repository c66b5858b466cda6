"""Run the benchmarks: ``python -m benchmarks [--smoke] [--write] [NAME ...]``, all of them where none is named.

Results are printed as each benchmark finishes. One that fails is reported; the others still run, and the exit code
is 1. ``--smoke`` runs each with its smallest size, to see that it still works: its figures mean nothing. ``--write``
puts the results into the table of docs/benchmarks.md; rows of benchmarks that were not named stay.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from bandsmith.shared.telemetry.log import configure
from tools import docs

from . import (
    browser,
    bus,
    conversation,
    devices,
    engine,
    footprint,
    growth,
    isolation,
    orchestration,
    pages,
    placement,
    replicas,
    soak,
    sql,
    streams,
    windows,
)
from .results import HEADER, Result, markdown


@dataclass(frozen=True)
class Benchmark:
    measure: Callable[..., Coroutine[Any, Any, list[Result]]]
    smallest: dict[str, Any] = field(default_factory=dict)
    """Arguments of the smallest size."""
    alone: bool = False
    """Takes long and has its own command; here it runs only with ``--smoke`` or by name."""


BENCHMARKS = {
    "pages": Benchmark(pages.measure, {"rounds": 1, "warm_up": False}),
    "devices": Benchmark(devices.measure, {"rounds": 1, "replicas": (1,)}),
    "engine": Benchmark(engine.measure, {"rounds": 1}),
    "isolation": Benchmark(isolation.measure, {"rounds": 1}),
    "hop": Benchmark(bus.measure_hop, {"hops": 10}),
    "orchestration": Benchmark(orchestration.measure, {"runs": 2, "at_once": 2, "rounds": 1}),
    "growth": Benchmark(growth.measure, {"sizes": (1, 2), "turns": 1}),
    "replicas": Benchmark(replicas.measure, {"commands": 10, "warm_up": 2}),
    "windows": Benchmark(windows.measure, {"rounds": 1, "delay": 0.05, "warm_up": False}),
    "streams": Benchmark(streams.measure, {"readers": 4, "sessions": 2, "per_second": 20, "seconds": 1.0}),
    "placement": Benchmark(placement.measure, {"items": 10, "events": 4, "days": 7, "rounds": 1}),
    "browser": Benchmark(browser.measure, {"rounds": 1}),
    "conversation": Benchmark(conversation.measure, {"sessions": 1, "at_once": 1}),
    "bus": Benchmark(bus.measure, {"hops": 20, "rounds": 1, "at_once": 2, "sizes": (100_000,)}, alone=True),
    "footprint": Benchmark(footprint.smoke, alone=True),
    "soak": Benchmark(soak.smoke, alone=True),
    "sql": Benchmark(sql.smoke, alone=True),
}


def run(names: list[str], smoke: bool) -> tuple[list[Result], list[str]]:
    """Return all results, and the names of the benchmarks that failed."""
    results, failed = list[Result](), list[str]()
    print(HEADER, flush=True)
    for name in names:
        benchmark, began = BENCHMARKS[name], time.monotonic()
        try:
            measured = asyncio.run(benchmark.measure(**(benchmark.smallest if smoke else {})))
        except (Exception, SystemExit):  # shown, and counted: the other benchmarks still run
            traceback.print_exc()
            failed.append(name)
            continue
        for result in measured:
            print(result, flush=True)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        results += measured
    return results, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--smoke", action="store_true", help="use the smallest sizes")
    parser.add_argument("--write", action="store_true", help="write the table to docs/benchmarks.md")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}")
    configure()
    names = options.names or [name for name, benchmark in BENCHMARKS.items() if options.smoke or not benchmark.alone]
    results, failed = run(names, options.smoke)
    print(f"\nMeasured on {os.cpu_count()} cores.")
    if options.write and not failed:
        page = docs.BENCHMARKS.read_text()
        earlier = page.partition("<!-- speed -->")[2].partition("<!-- /speed -->")[0] if options.names else ""
        table = f"{markdown(results, earlier)}\n\nMeasured on {os.cpu_count()} cores."
        docs.BENCHMARKS.write_text(docs.put(page, "speed", table))
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
