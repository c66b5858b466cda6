"""An actor's process is killed during a build: its command is delivered again, and the build finishes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import nats
import pytest

from bandsmith.cli.build import build
from bandsmith.local import SERVICES, Host
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, Message, NodeStarted

FORM = Path(__file__).parents[2] / "samples" / "sales-slip.jpg"
OCR = [sys.executable, "-c", "from bandsmith.cli import main; main()", "serve", "ocr"]


def ocr_process(url: str) -> subprocess.Popen[str]:
    """An OCR service in a separate process, which has loaded its models and takes commands."""
    environment = os.environ | {"NATS_URL": url, "BANDSMITH_ACK_WAIT": "2", "BANDSMITH_OCR_ENGINE": "rapid"}
    process = subprocess.Popen(OCR, env=environment, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("Serving"):
            return process
    raise AssertionError("the OCR service did not start")


async def until_it_has_a_command(url: str) -> None:
    """The server knows: a command was delivered to the OCR service and is not settled."""
    client = await nats.connect(url)
    while (await client.jetstream().consumer_info("CMD", "ocr")).num_ack_pending == 0:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.01)
    await client.close()


@pytest.mark.slow
async def test_a_build_survives_a_killed_ocr_process(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    # Given a build whose picture is being read by a process of its own
    monkeypatch.setenv("BANDSMITH_ACK_WAIT", "2")
    victim = await asyncio.to_thread(ocr_process, nats_server.url)
    seen: list[Message] = []
    processes = [victim]
    try:
        async with Host(bus, [service for service in SERVICES if service != "ocr"]):
            building = asyncio.create_task(build(bus, FORM, None, seen.append))
            async with asyncio.timeout(60):
                await until_it_has_a_command(nats_server.url)

            # When it is killed, and another takes its place
            victim.kill()
            processes.append(await asyncio.to_thread(ocr_process, nats_server.url))

            # Then the build finishes
            async with asyncio.timeout(120):
                end, files = await building
    finally:
        for process in processes:
            process.kill()
            process.communicate()

    assert end.status in ("done", "unfinished") and b"<jasperReport" in files["report.jrxml"]
    # ... after one reading, with one result, and nothing was done twice
    events = await everything_said(bus, nats_server.url)
    kinds = [event.kind for event in events]
    assert kinds.count("LayoutExtracted") == 1 and kinds.count("TurnFinished") == 1
    assert [event.node for event in seen if isinstance(event, NodeStarted)].count("process_input") == 1
    assert await bus.dead_letters() == []


async def everything_said(bus: NatsBus, url: str) -> list[Envelope]:
    """Every event in the log: there is one session."""
    client = await nats.connect(url)
    stored = await client.jetstream().stream_info("EVT", subjects_filter="evt.>")
    await client.close()
    [session] = {subject.split(".")[2] for subject in stored.state.subjects}
    events = []
    async with aclosing(bus.follow(session)) as log:
        async for event in log:
            events.append(event)
            if len(events) == stored.state.messages:
                break
    return events
