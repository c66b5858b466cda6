"""Marked secrets in requests, files and settings: after a run they are in no log, metric, trace, header or reason."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import structlog
from prometheus_client import REGISTRY, generate_latest

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.local import SERVICES, Host
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.settings import LogSettings
from bandsmith.shared.telemetry import log, traces
from tests.shared.test_traces import Collector, collector
from tests.validator.reports import field, report, static

__all__ = ["collector"]
MARK = "zebra7731"
"""In every text, file, path and key of the run."""
FILES = {
    "broken.jrxml": f"<jasperReport><{MARK}".encode(),
    "failing.jrxml": report(static(MARK), field(f'Integer.valueOf("{MARK}").toString()')),
    "hostile.jrxml": report(field(f'new java.io.File("/{MARK}").toString()'), attributes=f'resourceBundle="{MARK}"'),
    f"{MARK}.jrxml": b"\x00" + MARK.encode(),
}


async def run(bus: NatsBus) -> None:
    """Hold conversations that succeed, fail and are refused, each with the mark in them."""
    client = Client(bus)
    async with Host(bus, [service for service in SERVICES if service != "ocr"]):
        for number, (name, content) in enumerate(FILES.items()):
            try:
                await client.say(f"s{number}", f"why does {MARK} fail?", [Attachment(name=name, content=content)])
            except BandsmithError:
                continue
        await client.say("report", f'generate a sales report with customer and amount, titled "{MARK}"')
        await client.say("report", f'change the title to "{MARK} again"')


async def wire(url: str) -> str:
    """Return the subjects and headers of every message, and the reasons of dead letters."""
    bus = await NatsBus.connect(url)
    found = [letter.reason + letter.subject for letter in await bus.dead_letters()]
    for stream in ("EVT", "OBJ", "DEAD"):
        number = 1
        while (message := await bus._next(stream, number)) is not None:
            found.append(f"{message.subject} {message.headers}")
            number = (message.seq or 0) + 1
    await bus.close()
    return "\n".join(found)


@pytest.mark.slow
@pytest.mark.timeout(200)
async def test_what_is_said_stays_in_the_messages_that_carry_it(
    tmp_path: Path,
    collector: Collector,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    # Given debug logs, traces, and a model whose key and address are secret and that cannot be reached
    monkeypatch.setenv("BANDSMITH_MODEL_URL", f"http://127.0.0.1:9/{MARK}")
    monkeypatch.setenv("BANDSMITH_MODEL_NAME", "some-model")
    monkeypatch.setenv("BANDSMITH_MODEL_KEY", f"sk-{MARK}")
    handlers, level = logging.getLogger().handlers, logging.getLogger().level
    log.configure(LogSettings(log_level="debug"))

    # When conversations with secrets in them are held
    with NatsServer(tmp_path / MARK) as server:
        bus = await NatsBus.connect(server.url)
        await run(bus)
        traces.close()
        beside = await wire(server.url)
        replicas = "".join(replica.model_dump_json() for replica in await bus.replicas())
        await bus.close()
    structlog.reset_defaults()
    logging.getLogger().handlers, logging.getLogger().level = handlers, level

    # Then none is where it does not belong
    said = "".join(capfd.readouterr())
    assert said and beside and collector.spans
    places = {"logs": said, "traces": str(collector.spans), "metrics": generate_latest(REGISTRY).decode()}
    for place, text in (places | {"headers and reasons": beside, "registry": replicas}).items():
        assert [line[:300] for line in text.splitlines() if MARK in line] == [], place
