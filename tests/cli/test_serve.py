"""`bandsmith serve` runs services in a process of their own, and stops in good order when it is told to."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import aclosing

import pytest

from shared.bus.nats import NatsBus
from shared.bus.server import Server
from shared.events import Envelope, RecallKnowledge

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()", "serve"]


def planner_process(url: str) -> subprocess.Popen[str]:
    environment = os.environ | {"NATS_URL": url}
    return subprocess.Popen([*BANDSMITH, "planner"], env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_service_in_a_process_of_its_own_answers_and_stops_when_told(
    bus: NatsBus, nats_server: Server, number: int
):
    process = planner_process(nats_server.url)
    try:
        assert await asyncio.to_thread(process.stderr.readline) == "Serving planner; Ctrl-C stops.\n"
        command = RecallKnowledge(text="", layout=None)
        await bus.send(
            Envelope(id="c", kind=command.kind(), session="s", turn="t", payload=command.model_dump(mode="json"))
        )
        async with asyncio.timeout(20), aclosing(bus.follow("s")) as events:
            answered = await anext(aiter(events))
        assert answered.kind == "KnowledgeRecalled" and answered.causation == "c"

        process.send_signal(number)
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("services", "url", "words"),
    [
        ([], "", "Name the message server that the services share"),
        (["printer"], "nats://127.0.0.1:1", "There is no service printer; there are ocr, planner"),
    ],
)
def test_a_wrong_setting_is_told_in_one_sentence(services: list[str], url: str, words: str):
    ran = subprocess.run(
        [*BANDSMITH, *services], env=os.environ | {"NATS_URL": url}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2 and ran.stdout == ""
    assert ran.stderr.startswith(words) and ran.stderr.count("\n") == 1
