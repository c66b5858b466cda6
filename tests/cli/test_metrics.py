"""`bandsmith metrics`, and `bandsmith serve` with BANDSMITH_METRICS."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from tests.shared.processes import free_ports

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()"]


@pytest.fixture
def port() -> int:
    """Return a free port."""
    [port] = free_ports(1)
    return port


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    begun: list[subprocess.Popen[str]] = []
    yield begun
    for process in begun:
        process.kill()
        process.communicate()


def begin(processes: list[subprocess.Popen[str]], *arguments: str, **environment: str) -> str:
    """Start the program, and return its first line of output about the metrics."""
    process = subprocess.Popen(
        [*BANDSMITH, *arguments], env=os.environ | environment, stderr=subprocess.PIPE, text=True
    )
    processes.append(process)
    result = process.stderr.readline()
    return process.stderr.readline() if result.startswith("Starting") else result


def replicas(address: str) -> dict[str, float]:
    with urllib.request.urlopen(f"{address}/metrics") as answer:
        families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
    return {sample.labels["service"]: sample.value for sample in families["bandsmith_replicas"].samples}


@pytest.mark.slow
async def test_metrics_of_all_processes_are_served_by_a_separate_one(
    bus: NatsBus, nats_server: NatsServer, port: int, processes: list[subprocess.Popen[str]]
):
    address = f"127.0.0.1:{port}"
    for _ in range(2):
        await asyncio.to_thread(begin, processes, "serve", "planner", NATS_URL=nats_server.url)
    result = await asyncio.to_thread(begin, processes, "metrics", "--listen", address, NATS_URL=nats_server.url)

    assert result == f"Metrics at http://{address}/metrics; press Ctrl-C to stop.\n"
    assert await asyncio.to_thread(replicas, f"http://{address}") == {"planner": 2}

    *_, metrics = processes
    metrics.terminate()
    assert await asyncio.to_thread(metrics.communicate, None, 20) == (None, "")
    assert metrics.returncode == 0


@pytest.mark.slow
async def test_serve_exposes_metrics_at_the_configured_address(
    bus: NatsBus, nats_server: NatsServer, port: int, processes: list[subprocess.Popen[str]]
):
    environment = {"NATS_URL": nats_server.url, "BANDSMITH_METRICS": f"127.0.0.1:{port}"}
    await asyncio.to_thread(lambda: begin(processes, "serve", "planner", **environment))

    assert await asyncio.to_thread(replicas, f"http://127.0.0.1:{port}") == {"planner": 1}

    # ... and reports an address that it cannot use
    refused = await asyncio.to_thread(lambda: begin(processes, "serve", "planner", **environment))
    assert f"Cannot listen on port {port} of 127.0.0.1" in refused
    assert await asyncio.to_thread(processes[-1].wait, 20) == 2


@pytest.mark.slow
def test_metrics_need_a_running_bandsmith(processes: list[subprocess.Popen[str]]):
    result = begin(processes, "metrics", NATS_URL="nats://127.0.0.1:1")
    assert result.startswith("No NATS server with JetStream responds") and processes[0].wait(20) == 3
