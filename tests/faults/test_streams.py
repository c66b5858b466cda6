"""The web process, the gateway and the message server are killed (SIGKILL) in turn, while 200 readers follow turns."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.settings import BusSettings
from bandsmith.web.identity import Identity
from benchmarks.streams import OWNER, Reader, WebProcess

from ..gateway.scripted import scripted

SESSIONS, READERS, TURNS = 20, 200, 6
AWAY_S = 0.5
"""Seconds until a killed part is started again."""
ENDS = ("TurnFinished", "TurnFailed")
QUICK = {"BANDSMITH_ACK_WAIT": "1", "BANDSMITH_MAX_DELIVERIES": "20"}


class Gateway:
    """A gateway in a separate process."""

    def __init__(self, url: str) -> None:
        self._environment = os.environ | QUICK | {"NATS_URL": url}
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        program = "from bandsmith.cli import main; main()"
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", program, "serve", "gateway"), env=self._environment
        )

    async def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()


async def start_turns(web: WebProcess, session: str) -> None:
    """Start turns one after the other, each sent again under its id until it is accepted."""
    address = f"http://127.0.0.1:{web.port}"
    headers = {"origin": address, "cookie": web.cookie}
    async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=5, trust_env=False) as client:
        for number in range(TURNS):
            key = {"idempotency-key": f"{session}-{number}"}
            text = {"text": "a sales report with customer and amount" if not number else "make the title larger"}
            while True:
                with suppress(httpx2.HTTPError):
                    if (await client.post(f"/api/sessions/{session}/turns", data=text, headers=key)).status_code == 202:
                        break
                await asyncio.sleep(0.2)
            await asyncio.sleep(1)


async def logged(bus: NatsBus, session: str) -> list[tuple[str, str]]:
    """Return the kind and the turn of each event of a session, as the log has them."""
    events = await bus.read_turn_events(Identity(OWNER, "editor").key(session), after=0, limit=10_000)
    return [(entry.event.kind, entry.event.turn) for entry in events]


async def until_more_is_read(readers: list[Reader]) -> None:
    """Wait until events have reached readers, so that the part that is killed next is at work."""
    before = sum(len(reader.events) for reader in readers)
    async with asyncio.timeout(60):
        while sum(len(reader.events) for reader in readers) == before:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_readers_lose_nothing_when_each_part_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_MAX_DELIVERIES", "20")
    # Given a server, a gateway, scripted services, a web process and its readers
    with NatsServer(tmp_path / "store") as server:
        bus = await NatsBus.connect(server.url, BusSettings(ack_wait=1, max_deliveries=20))
        await scripted(bus)
        gateway, web = Gateway(server.url), WebProcess(server.url, tmp_path)
        await gateway.start()
        await web.start()
        sessions = [f"s{number}" for number in range(SESSIONS)]
        readers = [Reader(web, sessions[number % SESSIONS]) for number in range(READERS)]
        reading = [asyncio.create_task(reader.read()) for reader in readers]
        await asyncio.gather(*(reader.is_ready.wait() for reader in readers))

        # When each part is killed while turns are started and followed
        starting = [asyncio.create_task(start_turns(web, session)) for session in sessions]
        await until_more_is_read(readers)
        web.kill()
        await asyncio.sleep(AWAY_S)
        await web.start()
        await until_more_is_read(readers)
        await gateway.kill()
        await asyncio.sleep(AWAY_S)
        await gateway.start()
        await until_more_is_read(readers)
        server.kill()
        await asyncio.sleep(AWAY_S)
        await asyncio.to_thread(server.start)
        await asyncio.gather(*starting)

        # Then every turn begins once and ends once in the log
        turns = [f"{number}" for number in range(TURNS)]
        async with asyncio.timeout(200):
            for session in sessions:
                while sum(kind in ENDS for kind, _ in await logged(bus, session)) < TURNS:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
        log = {session: await logged(bus, session) for session in sessions}
        for session, events in log.items():
            assert sorted(turn for kind, turn in events if kind in ENDS) == [f"{session}{number}" for number in turns]
        # ... and every reader got each event once and in order
        async with asyncio.timeout(60):
            while any(len(reader.events) < len(log[reader.session]) for reader in readers):  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        for reader in readers:
            assert [(event["kind"], event["turn"]) for _, event in reader.events] == log[reader.session]
            numbers = [int(number.partition(".")[2]) for number, _ in reader.events]
            assert numbers == sorted(set(numbers)) and reader.resets == 0
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        web.kill()
        await gateway.kill()
        await bus.close()
