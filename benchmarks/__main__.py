"""Measure speed, as ratios within one run: ``python -m benchmarks [--write]``, which writes docs/benchmarks.md."""

import asyncio
import os
import statistics
import sys

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.worker import run_actor
from tools import docs

from . import bus, conversation, engine, growth, orchestration, pages, replicas, windows
from .table import Row, markdown


async def hops() -> list[Row]:
    with NatsServer() as server:
        client, worker = await NatsBus.connect(server.url), await NatsBus.connect(server.url)
        await run_actor(worker, "planner", bus.Planner(), concurrency=8)
        took = statistics.quantiles(await bus.one_by_one(client), n=100)
        await worker.close()
        await client.close()
    return [
        Row(
            "a hop on the bus: send, handle, answer",
            f"{took[49]:.2f} ms",
            "",
            f"median; 99 of 100 in {took[98]:.2f} ms",
        )
    ]


async def measured() -> list[Row]:
    parts = (
        pages.rows,
        engine.rows,
        hops,
        orchestration.rows,
        growth.rows,
        replicas.rows,
        windows.rows,
        conversation.rows,
    )
    return [row for part in parts for row in await part()]


def main() -> None:
    table = f"{markdown(asyncio.run(measured()))}\n\nMeasured on {os.cpu_count()} cores."
    print(table)
    if "--write" in sys.argv[1:]:
        docs.BENCHMARKS.write_text(docs.put(docs.BENCHMARKS.read_text(), "speed", table))


if __name__ == "__main__":
    main()
