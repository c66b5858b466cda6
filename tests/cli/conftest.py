"""The command line on a bus in memory, whose content lasts for one test."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import pytest

from bandsmith import local
from bandsmith.cli import main
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.worker import run_actor

from .scripted import Script, ScriptedActor

OBJECTS = ("generated", "modified", "data", "page", "pdf", "compare", "verdict-0", "verdict-1", "exported")


class Printed(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def script() -> Script:
    return {}


@pytest.fixture
def stored() -> Broker:
    """The store that all runs of one test share."""
    broker = Broker()
    broker.objects |= {key: key.encode() for key in OBJECTS}
    return broker


@pytest.fixture
def talk(
    script: Script,
    stored: Broker,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Callable[..., Printed]:
    """Run the command line in `tmp_path`, with `piped` on its standard input."""

    @asynccontextmanager
    async def scripted(
        services: Iterable[str] = local.SERVICES,
        store: Path | None = None,
        before: Callable[[Bus], Awaitable[None]] | None = None,
        warm_up: bool = False,
    ) -> AsyncIterator[MemoryBus]:
        broker = Broker()
        broker.objects, broker.states = stored.objects, stored.states
        bus = MemoryBus(broker)
        if before:
            await before(bus)
        if services:
            await GatewayActor(bus).start()
            for service in local.WIRING:
                await run_actor(bus, service, ScriptedActor(script), concurrency=4)
        yield bus
        await bus.close()

    def run(*arguments: object, piped: str = "") -> Printed:
        with TemporaryFile("w+") as stdin:
            stdin.write(piped)
            stdin.seek(0)
            monkeypatch.setattr(sys, "stdin", stdin)
            monkeypatch.setattr(sys, "argv", ["bandsmith", *map(str, arguments)])
            with pytest.raises(SystemExit) as end:
                main()
        captured = capsys.readouterr()
        return Printed(int(end.value.code or 0), captured.out, captured.err)

    monkeypatch.setattr(local, "local", scripted)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.chdir(tmp_path)
    return run
