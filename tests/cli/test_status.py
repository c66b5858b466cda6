"""`bandsmith status`: replicas, waiting messages, and advice."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bandsmith.cli import main
from bandsmith.shared.bus.base import Replica
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope, RecallKnowledge
from bandsmith.shared.settings import HomeSettings

from .terminal import ESCAPES

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run the command line with a home folder of its own."""
    for name in ("NATS_URL", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bandsmith", *words])
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


async def work(bus: NatsBus) -> None:
    """Send three commands to the planner, and register a replica of OCR."""
    for number in range(3):
        payload = RecallKnowledge(text="", layout=None).model_dump()
        await bus.send(Envelope(id=f"c{number}", kind="RecallKnowledge", session="s", turn="t", payload=payload))
    ocr = Replica(
        name="ocr-1", service="ocr", host="here", process="here-1", version="1", began=datetime(2026, 1, 1, tzinfo=UTC),
        in_flight=1, handled=7, failed=2,
    )  # fmt: skip
    await bus.register(lambda: ocr)


async def test_status_shows_counts_and_advice(
    bus: NatsBus, nats_server: NatsServer, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await work(bus)
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setenv("COLUMNS", "100")

    code, shown, _ = await asyncio.to_thread(run, "status")

    assert code == 0
    lines = [line.split() for line in shown.splitlines()]
    assert " ".join(lines[0]) == "service replicas waiting in flight redelivered handled failed dead"
    assert ["ocr", "1", "0", "0", "0", "7", "2", "0"] in lines
    assert ["planner", "0", "3", "0", "0", "0", "0", "0"] in lines
    assert [line[0] for line in lines[1:6]] == ["ocr", "planner", "generator", "validator", "gateway"]
    assert shown.endswith(
        "No replica of planner is running, and 3 messages are waiting: run `bandsmith serve planner`.\n"
    )

    # ... in Chinese too
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    _, shown, _ = await asyncio.to_thread(run, "status")
    assert shown.startswith("服务") and "没有进程处理 planner，3 条消息在等待" in shown

    # ... and with the most important columns on a narrow terminal
    monkeypatch.setenv("COLUMNS", "40")
    _, shown, _ = await asyncio.to_thread(run, "status")
    assert shown.splitlines()[0].split() == ["服务", "副本", "等待", "处理中", "死信"]


async def test_status_without_services_says_so(
    bus: NatsBus, nats_server: NatsServer, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NATS_URL", nats_server.url)
    code, shown, _ = await asyncio.to_thread(run, "status")
    assert code == 0 and shown.endswith("No service is running: run `bandsmith serve`.\n")


async def test_status_as_json_has_every_count_and_replica(
    bus: NatsBus, nats_server: NatsServer, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await work(bus)
    monkeypatch.setenv("NATS_URL", nats_server.url)

    _, shown, _ = await asyncio.to_thread(run, "status", "--json")

    found = json.loads(shown)
    services = {one.pop("service"): one for one in found["services"]}
    assert services["planner"] == {
        "replicas": 0, "waiting": 3, "in_hand": 0, "redelivered": 0, "handled": 0, "failed": 0, "dead": 0,
    }  # fmt: skip
    assert [(one["name"], one["host"]) for one in found["replicas"]] == [("ocr-1", "here")]


def test_status_without_a_bandsmith_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run("status")
    assert (code, out) == (3, "") and err.startswith("Bandsmith is not running here: start it with")
    assert err.count("\n") == 1 and not HomeSettings().bus.exists()
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert run("status")[2].startswith("本机没有正在运行的 Bandsmith")


def test_status_finds_the_bandsmith_on_this_machine(run: Run) -> None:
    with NatsServer(HomeSettings().bus):
        code, out, _ = run("status", "--json")
    assert code == 0 and json.loads(out)["services"][0]["service"] == "ocr"


@pytest.mark.slow
def test_status_refreshes_on_a_terminal_until_ctrl_c(nats_server: NatsServer) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"NATS_URL": nats_server.url, "LANG": "C.UTF-8", "LC_ALL": "", "TERM": "xterm", "COLUMNS": "80"}
        os.execv(sys.executable, [sys.executable, "-c", "from bandsmith.cli import main; main()", "status"])
    shown = b""
    while len(ESCAPES.sub("", shown.decode()).split("replicas")) <= 3:
        shown += os.read(terminal, 4096)
    os.kill(pid, signal.SIGINT)
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:  # it has ended
        pass
    _, ended = os.waitpid(pid, 0)
    os.close(terminal)

    assert os.waitstatus_to_exitcode(ended) == 0
    assert b"Traceback" not in shown and b"Aborted" not in shown
