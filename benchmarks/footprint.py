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
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import nats
import psutil
from nats.aio.msg import Msg

from bandsmith.attachments import attachment
from bandsmith.client import STATE_PREFIX, Client
from bandsmith.services.ocr.actor import OcrActor
from bandsmith.services.ocr.engines.paddle import PaddleEngine
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import ExtractLayout
from bandsmith.shared.model.document import Document
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.telemetry.log import configure

from .processes import PARTS, Services, apart
from .soak import LOST, SAMPLES

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
STREAMS = {"CMD": "commands", "EVT": "events", "OBJ": "objects", "KV_STATE": "states"}
SUBJECTS = {"cmd": "commands", "evt": "events", "obj": "objects", "$KV": "states"}
QUIET = 2.0
"""Seconds after a session until its last messages are settled."""


@dataclass
class Carried:
    """What the server carried while it was listened to."""

    messages: int = 0
    """Each as often as it passed: once when it was published, once for each who got it, once to acknowledge it."""
    bytes: int = 0
    published: Counter[str] = field(default_factory=Counter)
    """Bytes that were published to be kept, by what they are."""


@asynccontextmanager
async def heard(url: str) -> AsyncIterator[Carried]:
    """Everything that the server carries, counted while the block lasts."""
    carried = Carried()

    async def count(message: Msg) -> None:
        head = sum(len(name) + len(value) + 4 for name, value in (message.headers or {}).items())
        size = len(message.subject) + head + len(message.data)
        carried.messages += 1
        carried.bytes += size
        kind = SUBJECTS.get(message.subject.split(".")[0])
        if kind and message.reply.startswith("_INBOX"):  # who publishes wants to be told that it is stored
            carried.published[kind] += size

    client = await nats.connect(url)
    try:
        await client.subscribe(">", cb=count)
        await client.flush()
        yield carried
        await client.flush()
    finally:
        await client.close()


async def stored(bus: NatsBus) -> dict[str, tuple[int, int]]:
    """For each stream, how many messages were ever stored in it, and the bytes that it holds now."""
    infos = await bus._jetstream.streams_info()
    return {STREAMS[name]: (i.state.last_seq, i.state.bytes) for i in infos if (name := str(i.config.name)) in STREAMS}


async def indexed(bus: NatsBus) -> dict[str, int]:
    """For each stream, how many subjects the server has an index of."""
    infos = [await bus._jetstream.stream_info(stream, subjects_filter=">") for stream in STREAMS]
    return {STREAMS[str(info.config.name)]: len(info.state.subjects or {}) for info in infos}


async def session(client: Client, name: str, turns: tuple[tuple[str, str | None], ...]) -> None:
    for text, file in turns:
        async with asyncio.timeout(LOST):
            await client.say(name, text, [attachment(SAMPLES / file)] if file else [])


async def measure(services: Services, kind: str, sessions: int) -> dict[str, object]:
    """Of one session of that kind.

    The first tells what is carried and kept: in later ones the same files are there already. The processor's seconds
    are the mean of the others: by then everything is warm.
    """
    bus = await NatsBus.connect(services.url)
    client = Client(bus)
    try:
        before, known, written = await stored(bus), await indexed(bus), services.server.io_counters().write_bytes
        async with heard(services.url) as carried:
            await session(client, f"{kind}-0", KINDS[kind])
            await asyncio.sleep(QUIET)
        after, written = await stored(bus), services.server.io_counters().write_bytes - written
        subjects = {what: number - known[what] for what, number in (await indexed(bus)).items()}
        state = await bus.read_state(f"{STATE_PREFIX}{kind}-0")

        began = services.use()
        for number in range(1, 1 + sessions):
            await session(client, f"{kind}-{number}", KINDS[kind])
        await asyncio.sleep(QUIET)
        ended = services.use()
        return {
            "turns": len(KINDS[kind]),
            "stored": {what: after[what][0] - before[what][0] for what in STREAMS.values()},
            "published": {what: carried.published[what] for what in STREAMS.values()},
            "kept": {what: after[what][1] - before[what][1] for what in STREAMS.values()},
            "carried": {"messages": carried.messages, "bytes": carried.bytes},
            "subjects": {what: subjects[what] for what in ("events", "objects")},
            "state": len(state[0]) if state else 0,
            "written": written,
            "seconds": {part: round((ended[part].cpu - began[part].cpu) / sessions, 3) for part in PARTS},
        }
    finally:
        await bus.close()


async def reading(file: str = "sales-slip.jpg") -> dict[str, float]:
    """Seconds of the processor for a page: in all, and finding and reading its text, which a GPU would do."""
    spent = 0.0

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            nonlocal spent
            began = time.process_time()
            try:
                return call(*given)
            finally:
                spent += time.process_time() - began

        return run

    store = MemoryBus(Broker(), BusSettings())
    actor = OcrActor(store, OcrSettings(threads=1))
    content = await store.put((SAMPLES / file).read_bytes(), "image/jpeg")
    page = ExtractLayout(document=Document(name=file, content=content))
    with mock.patch.multiple(PaddleEngine, detect=counted(PaddleEngine.detect), read=counted(PaddleEngine.read)):
        await actor.start()
        await actor.handle(page)  # everything is loaded now
        began, spent = time.process_time(), 0.0
        await actor.handle(page)
        whole = time.process_time() - began
    await actor.stop()
    return {"whole": round(whole, 2), "engine": round(spent, 2)}


async def remembering(messages: int = 200_000) -> dict[str, float]:
    """Bytes of the server's memory for an id that it must know again, and for a subject that it has an index of."""
    taken = {}
    for what in ("nothing", "id", "subject"):
        with NatsServer() as server:
            bus, process = await NatsBus.connect(server.url), psutil.Process(server.pid)
            began = process.memory_full_info().pss
            for number in range(messages):
                session = f"session-{number // 30:08d}" if what == "subject" else "session"
                headers = {"Nats-Msg-Id": f"{number:032x}"} if what == "id" else None
                await bus._client.publish(f"evt.v1.{session}.work.kind{number % 30}", b"x" * 400, headers=headers)
                if number % 2000 == 0:
                    await bus._client.flush()
            await bus.last_sequence()  # asked on the same connection: by now all are stored
            taken[what] = (process.memory_full_info().pss - began) / messages
            await bus.close()
    return {what: round(taken[what] - taken["nothing"]) for what in ("id", "subject")}


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
    figures = {
        "machine": machine(),
        "sessions": found,
        "idle": resting,
        "memory": memory,
        "page": asyncio.run(reading()),
        "server": asyncio.run(remembering()),
    }
    written = json.dumps(figures, indent=2)
    print(written)
    if given.write:
        FILE.write_text(written + "\n")


if __name__ == "__main__":
    main()
