"""A replica is killed every second while reports are built: each build ends exactly once.

REPLICAS=ray kills replicas on Ray Serve instead of child processes, one every two seconds; BUILDS sets the number of
builds.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from itertools import chain, count
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.shared.bus.base import Replica
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, KnowledgeRecalled, TurnFailed, TurnFinished
from bandsmith.shared.fonts import font_file

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ON_RAY = os.environ.get("REPLICAS") == "ray"
BUILDS = int(os.environ.get("BUILDS") or (20 if ON_RAY else 100))
AT_ONCE = 8
MIN_KILLS = 2 if ON_RAY else BUILDS // 10
"""Replicas that are killed: a quick machine builds some more until then."""
EACH = 3
"""Replicas of each service."""
PAUSE = 2.0 if ON_RAY else 0.7
"""Seconds between two kills, beside those of the roll: on Ray each that comes back costs seconds of work."""

SETTINGS = {
    "BANDSMITH_OCR_ENGINE": "rapid",
    "BANDSMITH_ACK_WAIT": "2",
    # A message that its worker did not survive counts as delivered, for it may be the message that kills workers: the
    # bus cannot tell. Where one of fifteen is killed every second, four deliveries are soon used up by innocent ones.
    "BANDSMITH_MAX_DELIVERIES": "30",
}
SAMPLES = Path(__file__).parents[2] / "samples"
PROCESSES = [sys.executable, "-m", "tests.faults.replicas", str(EACH)]
RAY = [sys.executable, "-c", "from bandsmith.cli import main; main()", "serve", "--host", "ray", "--config"]
POOLS = "".join(f"{name}: {{min: {EACH}, max: {EACH}}}\n" for name in ("ocr", "generator", "validator", "gateway"))


@asynccontextmanager
async def replicas(url: str, place: Path) -> AsyncIterator[None]:
    """Run replicas during the block; killed ones are replaced."""
    config = place / "serve.yaml"
    config.write_text(POOLS)
    command, ready = ([*RAY, str(config)], "Serving") if ON_RAY else (PROCESSES, "ready")
    environment = os.environ | SETTINGS | {"NATS_URL": url}
    host = await asyncio.create_subprocess_exec(
        *command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    assert host.stdout
    try:
        while not (line := await host.stdout.readline()).startswith(ready.encode()):
            assert line, "the replicas did not start"
        reading = asyncio.create_task(host.stdout.read())
        yield
        host.send_signal(signal.SIGTERM)
        await reading
    finally:
        with suppress(ProcessLookupError):
            os.killpg(host.pid, signal.SIGKILL)  # a child that survived would keep the output open, and wait() waiting
        await host.wait()


async def kill_one_every_second(bus: NatsBus, killed: Counter[str]) -> None:
    """Those who are there are asked for, so any that works may be the one."""
    while True:
        if present := await bus.replicas():
            victim: Replica = random.choice(present)
            with suppress(ProcessLookupError):
                os.kill(int(victim.process.rpartition("-")[2]), signal.SIGKILL)
                killed[victim.service] += 1
        await asyncio.sleep(PAUSE)


def picture(number: int) -> Attachment:
    """A small form that is read by the real OCR; each is another, so that nothing of it was seen before."""
    page = Image.new("RGB", (520, 260), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.truetype(str(font_file("LiberationSans-Regular.ttf")), 22)
    rows = (f"Delivery note {number}", "Item        Count     Price", f"Pencil        {number}        1.50")
    for line, text in enumerate(rows):
        draw.text((30, 30 + 60 * line), text, fill="black", font=font)
    content = io.BytesIO()
    page.save(content, "PNG")
    return Attachment(name="note.png", content=content.getvalue())


def request(number: int) -> tuple[str, list[Attachment]]:
    """Mostly sentences, some sheets, a few pictures."""
    if number % 40 == 0:
        return "", [picture(number)]
    if number % 10 == 0:
        return "", [Attachment(name="stock.xlsx", content=(SAMPLES / "stock-list.xlsx").read_bytes())]
    return f"a report titled Sales {number} with customer, amount and date, with the total of amount", []


async def test_every_build_ends_once_despite_killed_replicas(bus: NatsBus, nats_server: NatsServer, tmp_path: Path):
    client, killed, numbers = Client(bus), Counter[str](), count()

    async def builds() -> list[TurnFinished]:
        ends = []
        while (number := next(numbers)) < BUILDS or killed.total() < MIN_KILLS:
            text, attachments = request(number)
            ends.append(await client.say(f"build-{number}", text, attachments))
        return ends

    async with replicas(nats_server.url, tmp_path):
        # When replicas are killed all the while
        killing = asyncio.create_task(kill_one_every_second(bus, killed))
        try:
            async with asyncio.TaskGroup() as group:  # one that fails ends the others
                running = [group.create_task(builds()) for _ in range(AT_ONCE)]
        finally:
            killing.cancel()
        ends = list(chain(*(task.result() for task in running)))

    # Then every build has its report
    assert {end.status for end in ends} <= {"done", "unfinished"}
    assert all("report.jrxml" in end.files for end in ends)
    # ... its end was said once, and nothing was given up
    for number in range(len(ends)):
        assert await ends_of(bus, f"build-{number}") == 1
    assert await bus.dead_letters() == []
    print(f"{len(ends)} builds, {killed.total()} replicas killed: {dict(killed)}")


async def ends_of(bus: NatsBus, session: str) -> int:
    """Count the turn ends in a session's log, after adding an event that marks the end of the log."""
    nothing = KnowledgeRecalled()
    mark = Envelope(id=f"{session}-mark", kind=nothing.kind(), session=session, turn="", payload=nothing.model_dump())
    await bus.publish(mark)
    ends = 0
    async with aclosing(bus.follow(session)) as events:
        async for event in events:
            if event.id == mark.id:
                break
            ends += event.kind in (TurnFinished.kind(), TurnFailed.kind())
    return ends
