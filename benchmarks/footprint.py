"""What one session takes: messages and bytes on the bus, what is kept of it, and seconds of the processor by service.

Sessions of three kinds run one after the other on a real NATS server, each service in a process of its own; a listener
hears every message that the server carries. The figures go to ``footprint.json``, which ``benchmarks.scale`` reads.

python -m benchmarks.footprint [--sessions 3] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest import mock

import nats
from nats.aio.msg import Msg

from bandsmith.client import STATE, Client, attachment
from shared.bus.nats import NatsBus
from shared.log import configure

from .processes import PARTS, Services, apart
from .soak import SAMPLES

FILE = Path(__file__).with_name("footprint.json")
CHANGES = ("make the title larger", "delete the second column", "make the header bold", "add page numbers")
ENDS = (*CHANGES, "preview", "export pdf")
KINDS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "picture": (("", "sales-slip.jpg"), *((text, None) for text in ENDS)),
    "sheet": (("", "stock-list.xlsx"), *((text, None) for text in ENDS)),
    "words": (
        ("generate a sales report with customer, product and amount, total at the bottom", None),
        *((text, None) for text in ENDS),
    ),
}
"""Each a beginning, four changes, a preview and an export."""
FLOWS = {
    "cmd": "commands",
    "evt": "events",
    "obj": "objects",
    "$KV": "states",
    "$JS": "JetStream's own: asking for messages, acknowledging, looking up",
    "_INBOX": "answers to those, and deliveries",
}
"""The first word of a subject, and what travels there."""
QUIET = 2.0
"""Seconds after a session until its last messages are settled."""


@asynccontextmanager
async def heard(url: str) -> AsyncIterator[tuple[Counter[str], Counter[str]]]:
    """Messages and bytes by what they are, counted while the block lasts; a second hearing of the whole account."""
    messages: Counter[str] = Counter()
    sizes: Counter[str] = Counter()

    async def count(message: Msg) -> None:
        flow = FLOWS.get(message.subject.split(".")[0], "other")
        messages[flow] += 1
        head = sum(len(name) + len(value) + 4 for name, value in (message.headers or {}).items())
        sizes[flow] += len(message.subject) + head + len(message.data)

    client = await nats.connect(url)
    try:
        await client.subscribe(">", cb=count)
        await client.flush()
        yield messages, sizes
        await client.flush()
    finally:
        await client.close()


async def kept(bus: NatsBus) -> dict[str, int]:
    """Bytes in each stream, as the server counts them."""
    infos = await bus._jetstream.streams_info()
    return {str(info.config.name): info.state.bytes for info in infos}


async def session(client: Client, name: str, turns: tuple[tuple[str, str | None], ...]) -> None:
    for text, file in turns:
        await client.say(name, text, [attachment(SAMPLES / file)] if file else [])


async def measure(services: Services, kind: str, sessions: int) -> dict[str, object]:
    """Of one session of that kind: the mean of so many, after one that is not counted."""
    bus = await NatsBus.connect(services.url)
    client = Client(bus)
    try:
        await session(client, f"{kind}-warm", KINDS[kind])
        await asyncio.sleep(QUIET)
        server, before, stored = services.server, services.use(), await kept(bus)
        written = server.io_counters().write_bytes
        async with heard(services.url) as (messages, sizes):
            for number in range(sessions):
                await session(client, f"{kind}-{number}", KINDS[kind])
            await asyncio.sleep(QUIET)
        after, now = services.use(), await kept(bus)
        state = await bus.read_state(f"{STATE}{kind}-0")
        return {
            "turns": len(KINDS[kind]),
            "messages": {flow: round(messages[flow] / sessions, 1) for flow in FLOWS.values()},
            "bytes": {flow: round(sizes[flow] / sessions) for flow in FLOWS.values()},
            "kept": {stream: round((size - stored.get(stream, 0)) / sessions) for stream, size in now.items()},
            "state": len(state[0]) if state else 0,
            "written": round((server.io_counters().write_bytes - written) / sessions),
            "seconds": {part: round((after[part].cpu - before[part].cpu) / sessions, 3) for part in PARTS},
        }
    finally:
        await bus.close()


async def idle(services: Services, seconds: float = 10.0) -> dict[str, float]:
    """Cores that each part takes while nothing is to be done."""
    before = services.use()
    await asyncio.sleep(seconds)
    after = services.use()
    return {part: round((after[part].cpu - before[part].cpu) / seconds, 4) for part in PARTS}


def machine() -> str:
    info = Path("/proc/cpuinfo")
    names = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    return f"{len(names) or os.cpu_count()} cores of {names[0] if names else 'an unknown processor'}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sessions", type=int, default=3)
    options.add_argument("--write", action="store_true", help=f"keep the figures in {FILE.name}")
    given = options.parse_args()
    configure()
    with tempfile.TemporaryDirectory(prefix="bandsmith-footprint-") as folder:
        home = Path(folder)
        with (
            # One thread: what a page costs in all, without what threads lose by waiting for each other.
            mock.patch.dict(os.environ, BANDSMITH_HOME=folder, BANDSMITH_OCR_THREADS="1"),
            apart(home, store=home / "bus") as services,
        ):
            found = {kind: asyncio.run(measure(services, kind, given.sessions)) for kind in KINDS}
            memory = {part: round(use.pss) for part, use in services.use().items()}
            resting = asyncio.run(idle(services))
    figures = {"machine": machine(), "sessions": found, "idle": resting, "memory": memory}
    written = json.dumps(figures, indent=2)
    print(written)
    if given.write:
        FILE.write_text(written + "\n")


if __name__ == "__main__":
    main()
