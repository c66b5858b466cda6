"""Streams of events over HTTP: many readers of one web process, and the time until each event reaches all of them."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import psutil

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, NodeStarted
from bandsmith.web.access import Access
from bandsmith.web.authentication import COOKIE
from bandsmith.web.identity import Identity

from .results import Result

READERS = 200
SESSIONS = 50
PER_SECOND = 400
SECONDS = 20.0
BATCH_S = 0.05
RETRY_S = 0.2
OWNER = "user benchmark"


class WebProcess:
    """``bandsmith web`` at a bus, on one port for all its lives, and a user of it."""

    def __init__(self, nats_url: str, home: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.secret = secrets.token_hex(16).encode()
        """What the process signs its cookies and links with."""
        self._environment = os.environ | {
            "NATS_URL": nats_url,
            "BANDSMITH_HOME": str(home),
            "BANDSMITH_WEB": f"127.0.0.1:{self.port}",
            "BANDSMITH_WEB_SECRET": self.secret.decode(),
        }
        self.cookie = f"{COOKIE}={Access(self.secret).cookie(OWNER)}"
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Return when it accepts connections."""
        command = [sys.executable, "-c", "from bandsmith.cli import main; main()", "web", "--no-browser"]
        self._process = subprocess.Popen(command, env=self._environment, stderr=subprocess.DEVNULL)  # noqa: ASYNC220
        while self._process.poll() is None:
            with suppress(OSError):
                (await asyncio.open_connection("127.0.0.1", self.port))[1].close()
                return
            await asyncio.sleep(0.05)
        raise RuntimeError("bandsmith web ended")

    def kill(self) -> None:
        """Kill it as a crash would (SIGKILL)."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def memory(self) -> int:
        """Return the bytes of memory that it uses alone."""
        assert self._process
        return int(psutil.Process(self._process.pid).memory_full_info().uss)


class Reader:
    """Reads the events of a session, and goes on after the last one whenever the connection is lost."""

    def __init__(self, web: WebProcess, session: str) -> None:
        self._web = web
        self.session = session
        self.events: list[tuple[str, dict[str, object]]] = []
        """Id and content of each event, except those about the stream itself."""
        self.times: list[float] = []
        """When each event came."""
        self.resets = 0
        self.is_ready = asyncio.Event()
        self._last = ""

    async def read(self) -> None:
        """Read until cancelled."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._connection()
            await asyncio.sleep(RETRY_S)

    async def _connection(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._web.port)
        last = f"Last-Event-ID: {self._last}\r\n" if self._last else ""
        head = f"Host: 127.0.0.1:{self._web.port}\r\nCookie: {self._web.cookie}\r\n{last}\r\n"
        writer.write(f"GET /api/sessions/{self.session}/events HTTP/1.1\r\n{head}".encode())
        try:
            number = kind = ""
            while line := await reader.readline():  # between them are the sizes of chunks, which look like no field
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if name == "id":
                    number = value
                elif name == "event":
                    kind = value
                elif name == "data":
                    self._receive(number, kind, value)
        finally:
            writer.close()

    def _receive(self, number: str, kind: str, data: str) -> None:
        self._last = number
        if kind == "ready":
            self.is_ready.set()
        elif kind == "reset":
            self.resets += 1
        else:
            self.events.append((number, {"kind": kind, **json.loads(data)}))
            self.times.append(time.time())


async def publish(bus: NatsBus, sessions: list[str], per_second: float, seconds: float) -> dict[str, int]:
    """Publish events at a steady rate, each with its time; return how many each session got."""
    counts: dict[str, int] = defaultdict(int)
    began, sent = time.monotonic(), 0
    prefix = Identity(OWNER, "editor").prefix
    while time.monotonic() - began < seconds:
        batch = []
        for _ in range(max(round(per_second * BATCH_S), 1)):
            session = sessions[sent % len(sessions)]
            sent += 1
            counts[session] += 1
            payload = NodeStarted(node=repr(time.time())).model_dump(mode="json")
            kind = NodeStarted.kind()
            batch.append(
                Envelope(id=uuid.uuid4().hex, kind=kind, session=prefix + session, turn="turn", payload=payload)
            )
        await bus.publish(*batch)
        await asyncio.sleep(max(0.0, began + sent / per_second - time.monotonic()))
    return counts


async def measure(
    readers: int = READERS, sessions: int = SESSIONS, per_second: float = PER_SECOND, seconds: float = SECONDS
) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder, NatsServer(Path(folder) / "store") as server:
        bus, web = await NatsBus.connect(server.url), WebProcess(server.url, Path(folder))
        try:
            await web.start()
            idle = web.memory()
            names = [f"s{number}" for number in range(sessions)]
            people = [Reader(web, names[number % sessions]) for number in range(readers)]
            tasks = [asyncio.create_task(one.read()) for one in people]
            await asyncio.gather(*(one.is_ready.wait() for one in people))
            counts = await publish(bus, names, per_second, seconds)
            async with asyncio.timeout(60):
                while any(len(one.events) < counts[one.session] for one in people):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            grown = web.memory()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            web.kill()
            await bus.close()
    late = [
        at - float(str(event["node"])) for one in people for at, (_, event) in zip(one.times, one.events, strict=True)
    ]
    streams = f"{readers} open streams of {sessions} sessions, {per_second:g} events/s"
    return _rows(streams, late, grown, idle)


def _rows(streams: str, late: list[float], grown: int, idle: int) -> list[Result]:
    """Return the rows of the table; `late` is in seconds, `grown` and `idle` in bytes."""
    percentiles = statistics.quantiles(late, n=100)
    return [
        Result(
            f"{streams}: from the log to each reader",
            f"{percentiles[49] * 1000:.0f} ms p50, {percentiles[98] * 1000:.0f} ms p99",
            "p99 below 100 ms",
            f"{len(late)} events delivered; readers and publisher share a process",
        ),
        Result(
            "memory of the web process with these streams",
            f"{grown / 1e6:.0f} MB; {(grown - idle) / 1e6:.0f} MB more than idle",
            "below 100 MB for the streams",
            "unique set size",
        ),
    ]
