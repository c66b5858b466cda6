"""Resources of one session: messages and bytes on the bus, what is stored of it, and CPU seconds by service.

Sessions of three kinds run one after the other on a real NATS server, each service in a separate process. A subscriber
sees every message that the server carries. The figures go to ``footprint.json``, which ``benchmarks.scale`` reads.

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
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import nats
import psutil
from nats.aio.msg import Msg

from bandsmith.attachments import attachment
from bandsmith.client import Client
from bandsmith.services.ocr.actor import OcrActor
from bandsmith.services.ocr.engines.paddle import PaddleEngine
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.session_view import STATE_PREFIX
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import ExtractLayout
from bandsmith.shared.model.document import Document
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.telemetry.log import configure

from .processes import PARTS, Services, apart
from .results import Result
from .soak import SAMPLES, TURN_TIMEOUT_S

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
"""Each kind: a first turn, four changes, a preview and an export."""
STREAMS = {"CMD": "commands", "EVT": "events", "OBJ": "objects", "KV_STATE": "states"}
SUBJECTS = {"cmd": "commands", "evt": "events", "obj": "objects", "$KV": "states"}
SETTLE_S = 2.0
"""Time after a session in which its last messages are acknowledged."""


@dataclass
class Carried:
    """Traffic of the server while it was watched."""

    messages: int = 0
    """Counts each passage: publishing, each delivery, the acknowledgement."""
    bytes: int = 0
    published: Counter[str] = field(default_factory=Counter)
    """Bytes published to streams, by what they are."""


@asynccontextmanager
async def watched(url: str) -> AsyncIterator[Carried]:
    """Count everything that the server carries while the block lasts."""
    carried = Carried()

    async def count(message: Msg) -> None:
        head = sum(len(name) + len(value) + 4 for name, value in (message.headers or {}).items())
        size = len(message.subject) + head + len(message.data)
        carried.messages += 1
        carried.bytes += size
        kind = SUBJECTS.get(message.subject.split(".")[0])
        if kind and message.reply.startswith("_INBOX"):  # the publisher expects an acknowledgement
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
    """Return for each stream the messages ever stored in it, and the bytes that it holds now."""
    infos = await bus._jetstream.streams_info()
    return {STREAMS[name]: (i.state.last_seq, i.state.bytes) for i in infos if (name := str(i.config.name)) in STREAMS}


async def indexed(bus: NatsBus) -> dict[str, int]:
    """Return for each stream the number of subjects that the server indexes."""
    infos = [await bus._jetstream.stream_info(stream, subjects_filter=">") for stream in STREAMS]
    return {STREAMS[str(info.config.name)]: len(info.state.subjects or {}) for info in infos}


async def session(client: Client, name: str, turns: tuple[tuple[str, str | None], ...]) -> None:
    for text, file in turns:
        async with asyncio.timeout(TURN_TIMEOUT_S):
            await client.say(name, text, [attachment(SAMPLES / file)] if file else [])


async def measure(services: Services, kind: str, sessions: int) -> dict[str, object]:
    """Measure a session of this kind.

    The first gives what is carried and stored; later ones find the same files stored already. The CPU seconds are the
    mean of the others, when everything is warm.
    """
    bus = await NatsBus.connect(services.url)
    client = Client(bus)
    try:
        before, known, written = await stored(bus), await indexed(bus), services.server.io_counters().write_bytes
        async with watched(services.url) as carried:
            await session(client, f"{kind}-0", KINDS[kind])
            await asyncio.sleep(SETTLE_S)
        after, written = await stored(bus), services.server.io_counters().write_bytes - written
        subjects = {what: number - known[what] for what, number in (await indexed(bus)).items()}
        state = await bus.read_state(f"{STATE_PREFIX}{kind}-0")

        began = services.use()
        for number in range(1, 1 + sessions):
            await session(client, f"{kind}-{number}", KINDS[kind])
        await asyncio.sleep(SETTLE_S)
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


async def cpu_of_page(warm_up: bool = True, file: str = "sales-slip.jpg") -> dict[str, float]:
    """Return the CPU seconds for a page: all, and the part that a GPU would do, detecting and recognising text."""
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
        if warm_up:
            await actor.handle(page)
        began, spent = time.process_time(), 0.0
        await actor.handle(page)
        whole = time.process_time() - began
    await actor.stop()
    return {"whole": round(whole, 2), "engine": round(spent, 2)}


async def server_memory(messages: int) -> dict[str, float]:
    """Return the bytes of the server's memory for a remembered message id, and for an indexed subject."""
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
            await bus.last_sequence()  # answered on the same connection, so all are stored by then
            taken[what] = (process.memory_full_info().pss - began) / messages
            await bus.close()
    return {what: round(taken[what] - taken["nothing"]) for what in ("id", "subject")}


async def idle(services: Services, seconds: float) -> dict[str, float]:
    """Return the cores that each part uses while idle."""
    before = services.use()
    await asyncio.sleep(seconds)
    after = services.use()
    return {part: round((after[part].cpu - before[part].cpu) / seconds, 4) for part in PARTS}


def machine() -> str:
    info = Path("/proc/cpuinfo")
    names = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    return f"{len(names) or os.cpu_count()} cores of {names[0] if names else 'an unknown processor'}"


async def smoke() -> list[Result]:
    """Measure with the smallest sizes, and write nothing."""
    figures = await asyncio.to_thread(measure_all, 1, ["words"], 0.1, 1000, False)
    sessions = figures["sessions"]
    return [Result("footprint: kinds of sessions", str(len(sessions)), "", "")]


def measure_all(
    sessions: int,
    kinds: Iterable[str] = KINDS,
    idle_s: float = 10.0,
    messages: int = 200_000,
    warm_up: bool = True,
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="bandsmith-footprint-") as folder:
        home = Path(folder)
        with (
            # One thread: the page's CPU in all, without what threads lose by waiting for each other.
            mock.patch.dict(os.environ, BANDSMITH_HOME=folder, BANDSMITH_OCR_THREADS="1"),
            apart(home, store=home / "bus") as services,
        ):
            measured = {kind: asyncio.run(measure(services, kind, sessions)) for kind in kinds}
            memory = {part: round(use.pss) for part, use in services.use().items()}
            idle_cores = asyncio.run(idle(services, idle_s))
    return {
        "machine": machine(),
        "sessions": measured,
        "idle": idle_cores,
        "memory": memory,
        "page": asyncio.run(cpu_of_page(warm_up)),
        "server": asyncio.run(server_memory(messages)),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sessions", type=int, default=3)
    options.add_argument("--write", action="store_true", help=f"keep the figures in {FILE.name}")
    given = options.parse_args()
    configure()
    figures = measure_all(given.sessions)
    written = json.dumps(figures, indent=2)
    print(written)
    if given.write:
        FILE.write_text(written + "\n")


if __name__ == "__main__":
    main()
