"""Logging: quiet by default, machine-readable, and every line names its message."""

import asyncio
import io
import json
import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import structlog

from bandsmith.client import Client
from bandsmith.shared import orphan_threads
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Envelope
from bandsmith.shared.settings import LogSettings
from bandsmith.shared.telemetry import log
from bandsmith.shared.telemetry.replica_stats import ReplicaStats

ENVELOPE = Envelope(id="c1", kind="RecallKnowledge", session="s1", turn="t1", node="retrieve", payload={})
ABOUT = {"session": "s1", "turn": "t1", "node": "retrieve", "message": "c1", "kind": "RecallKnowledge"}
BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()"]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The log of the process is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root.handlers = handlers
    root.setLevel(level)


def read(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().err.splitlines()]


def test_only_warnings_are_logged_by_default(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure()
    structlog.get_logger().info("all is well")
    structlog.get_logger().warning("something is not")

    out, err = capfd.readouterr()
    assert out == ""
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["something is not"]


def test_a_line_names_its_message(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure(LogSettings(log_level="info"))
    with log.message_context(ENVELOPE):
        structlog.get_logger().info("handled")
    structlog.get_logger().info("idle")

    handled, idle = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    assert {"session": "s1", "turn": "t1", "node": "retrieve", "message": "c1"}.items() <= handled.items()
    assert "session" not in idle


def test_a_closed_stderr_is_ignored_until_it_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log.configure()
    kept = structlog.get_logger()
    closed, later = io.StringIO(), io.StringIO()
    closed.close()

    monkeypatch.setattr("sys.stderr", closed)
    kept.warning("this is not logged")
    monkeypatch.setattr("sys.stderr", later)
    kept.warning("this is heard")

    assert json.loads(later.getvalue())["event"] == "this is heard"


# --- what threads and libraries say -----------------------------------------------------------------------------------


async def test_lines_from_a_thread_name_its_message(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure()

    def work() -> None:
        structlog.get_logger().warning("ours")
        logging.getLogger("engine").warning("theirs")

    with ThreadPoolExecutor(1) as thread:
        await orphan_threads.run_on(thread, lambda: None)  # the thread is older than the message
        with ReplicaStats("ocr").handling(ENVELOPE, 1):
            await orphan_threads.run_on(thread, work)
            await asyncio.to_thread(work)

    lines = read(capfd)
    assert [line["event"] for line in lines] == ["ours", "theirs"] * 2
    for line in lines:
        assert ABOUT.items() <= line.items() and line["service"] == "ocr" and line["replica"].startswith("ocr-")


def test_library_logs_and_warnings_get_the_same_format(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure()
    logging.getLogger("nats.aio").error("connection to %s lost", "a server")
    warnings.warn("an option is gone", DeprecationWarning, stacklevel=1)
    logging.getLogger("engine").info("below the log level")

    said, warned = read(capfd)
    assert (said["event"], said["logger"], said["level"]) == ("connection to a server lost", "nats.aio", "error")
    assert "an option is gone" in warned["event"] and warned["logger"] == "py.warnings"
    assert said.keys() == {"event", "logger", "level", "timestamp"}


def test_library_errors_are_logged_without_their_message(
    capfd: pytest.CaptureFixture[str],
) -> None:
    log.configure()
    try:
        raise ValueError("张三 6222 0000")
    except ValueError:
        logging.getLogger("asyncio").exception("Task exception was never retrieved")

    (line,) = read(capfd)
    assert line["error"] == "ValueError" and any("test_log" in place for place in line["where"])
    assert "张三" not in str(line)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("cannot open /data/forms/张三.png: denied", "cannot open …: denied"),
        ("loaded '/srv/models/det.onnx'", "loaded '…'"),
        (r"no such file: C:\Users\li\form.png", "no such file: …"),
        ("no such file: '/data/my forms/张三.png'", "no such file: '…'"),
        ("~/secret is there", "… is there"),
        ("file:///etc/passwd is there", "… is there"),
        ("connected to nats://li:s3cret@10.0.0.1:4222", "connected to nats://10.0.0.1:4222"),
        ("GET https://api.example.com/v1/chat 503 and/or 1/2", "GET https://api.example.com/v1/chat 503 and/or 1/2"),
        ("one\n  two\nthree", "one two three"),
        ("x" * 9_000, "x" * log.MAX_LIBRARY_LINE_CHARS),
    ],
)
def test_paths_and_keys_in_library_logs_are_removed(said: str, written: str, capfd: pytest.CaptureFixture[str]) -> None:
    log.configure()
    logging.getLogger("engine").warning(said)

    (line,) = read(capfd)
    assert line["event"] == written


@pytest.mark.slow
async def test_every_line_of_a_real_turn_names_its_message(bus: NatsBus, nats_server: NatsServer) -> None:
    # Given all services but the one that reads pictures, in a process that says everything
    environment = os.environ | {"NATS_URL": nats_server.url, "BANDSMITH_LOG_LEVEL": "info"}
    process = subprocess.Popen(  # noqa: ASYNC220 - it returns at once
        [*BANDSMITH, "serve", "gateway", "planner", "generator", "validator"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "Starting" in await asyncio.to_thread(process.stderr.readline)
        assert "Serving" in await asyncio.to_thread(process.stderr.readline)

        # When a user says something secret
        await Client(bus).say("sales", "generate a sales report called Zhangsan with customer and amount")
        process.terminate()
        _, output = await asyncio.to_thread(process.communicate)
    finally:
        process.kill()
        await asyncio.to_thread(process.wait)

    # Then there is a line for each message that was handled, and all say what they are about
    # (the last of them may be handled while the process stops)
    said = output.splitlines()
    assert said.count("Stopping ...") == 1
    lines = [json.loads(line) for line in said if line != "Stopping ..."]
    settled = [line for line in lines if line["event"] == "message.settled"]
    assert {line["service"] for line in settled} == {"gateway", "planner", "generator", "validator"}
    assert {line["outcome"] for line in settled} == {"acked"}
    for line in lines:
        assert {"session", "turn", "node", "message", "kind", "service", "replica", "level", "timestamp"} <= line.keys()
    assert len({(line["session"], line["turn"]) for line in lines}) == 1
    # ... and none of it
    assert "zhangsan" not in output.lower() and "customer" not in output
