"""`bandsmith serve` runs services in a separate process, and stops them in order on a signal."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import aclosing
from pathlib import Path

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, RecallKnowledge
from tests.cluster.slow import command

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()", "serve"]
SLOW = [sys.executable, "-m", "tests.cluster.slow", "serve", "planner"]


def planner_process(url: str, home: Path) -> subprocess.Popen[str]:
    # A home of its own, since one process at a time can open the knowledge base
    environment = os.environ | {"NATS_URL": url, "BANDSMITH_HOME": str(home)}
    return subprocess.Popen([*BANDSMITH, "planner"], env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_separate_service_process_answers_and_stops_on_a_signal(
    bus: NatsBus, nats_server: NatsServer, tmp_path: Path, number: int
):
    process = planner_process(nats_server.url, tmp_path)
    try:
        assert await asyncio.to_thread(process.stderr.readline) == "Starting planner ...\n"
        assert await asyncio.to_thread(process.stderr.readline) == "Serving planner; press Ctrl-C to stop.\n"
        command = RecallKnowledge(text="", layout=None)
        await bus.send(
            Envelope(id="c", kind=command.kind(), session="s", turn="t", payload=command.model_dump(mode="json"))
        )
        async with asyncio.timeout(20), aclosing(bus.follow("s")) as events:
            answered = await anext(aiter(events))
        assert answered.kind == "KnowledgeRecalled" and answered.causation == "c"

        process.send_signal(number)
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert process.stderr.read() == "Stopping ...\n"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
async def test_ctrl_c_loses_and_repeats_no_message_in_flight(bus: NatsBus, nats_server: NatsServer, tmp_path: Path):
    def planner(seconds: float) -> subprocess.Popen[str]:
        environment = os.environ | {"NATS_URL": nats_server.url, "NOTES": str(notes), "SECONDS": str(seconds)}
        return subprocess.Popen(SLOW, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True)

    # Given a process at its concurrency limit, and more messages waiting
    notes, texts = tmp_path / "notes", [f"{number}" for number in range(400)]
    first = await asyncio.to_thread(planner, 0.5)
    others = [first]
    try:
        await asyncio.gather(*(bus.send(command(text)) for text in texts))
        async with asyncio.timeout(30):
            while not any(replica.in_flight for replica in await bus.replicas()):
                pass
        # When Ctrl-C is pressed, then it exits with 0 and has finished the messages in flight
        os.killpg(first.pid, signal.SIGINT)
        assert await asyncio.to_thread(first.wait, 20) == 0
        assert "Traceback" not in first.stderr.read()
        done = notes.read_text().splitlines()
        assert 0 < len(done) < len(texts)

        # ... and another process handles the others: each is handled and answered once
        others.append(await asyncio.to_thread(planner, 0))
        causes = []
        async with asyncio.timeout(30), aclosing(bus.follow("s1")) as events:
            async for event in events:
                causes.append(event.causation)
                if len(causes) == len(texts):
                    break
        assert Counter(causes) == Counter({f"c-{text}": 1 for text in texts})
        assert Counter(line.split()[0] for line in notes.read_text().splitlines()) == Counter(dict.fromkeys(texts, 1))
    finally:
        for process in others:
            process.kill()
            process.communicate()


@pytest.mark.slow
def test_ctrl_c_works_while_the_nats_server_is_unreachable():
    environment = os.environ | {"NATS_URL": "nats://127.0.0.1:1", "BANDSMITH_LOG_LEVEL": "debug"}
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # an ignored signal, as after `&`, is inherited
    process = subprocess.Popen([*BANDSMITH, "planner"], env=environment, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, ours)
    try:
        assert process.stderr.readline() == "Starting planner ...\n"
        assert "bus.error" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130 and "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("services", "url", "words"),
    [
        ([], "", "Set NATS_URL to the address of the NATS server"),
        (["printer"], "nats://127.0.0.1:1", "Unknown service printer; use one of ocr, planner"),
        (["--host", "moon"], "nats://127.0.0.1:1", "Unknown host moon; use one of local, ray."),
        (["--config", "none.yaml"], "nats://127.0.0.1:1", "The file given with --config cannot be read."),
    ],
)
def test_a_wrong_setting_is_reported_in_one_sentence(talk, monkeypatch, services: list[str], url: str, words: str):
    monkeypatch.setenv("NATS_URL", url)
    printed = talk("serve", *services)
    assert printed.code == 2 and printed.out == ""
    assert printed.err.startswith(words) and printed.err.count("\n") == 1
