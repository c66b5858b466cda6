"""Each service in a separate process on one nats-server, as on a cluster, and the resources that each uses."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from bandsmith.local import SERVICES
from bandsmith.shared.bus.server import NatsServer

ENGINE = "validator's JVM"
PARTS = ("gateway", "ocr", "planner", "generator", "validator", ENGINE, "nats-server")
START_TIMEOUT_S = 120.0
STOP_TIMEOUT_S = 20.0
COMMAND = [sys.executable, "-c", "from bandsmith.cli import main; main()", "serve"]


@dataclass(frozen=True)
class Use:
    """Resources of one part: memory in megabytes, and CPU seconds since its start."""

    rss: float
    pss: float
    """Shared pages count in equal parts for each process, so that parts add up."""
    cpu: float


class Services:
    """The processes of the services by name, and of the server."""

    def __init__(self, server: NatsServer, logs: Path) -> None:
        self.url = server.url
        self.server = psutil.Process(server.pid)
        self._logs = logs
        self._running: dict[str, psutil.Popen] = {}

    def start(self) -> None:
        """Start all services; return when each is ready."""
        environment = os.environ | {"NATS_URL": self.url}
        for name in SERVICES:
            with (self._logs / f"{name}.log").open("w") as log:
                self._running[name] = psutil.Popen([*COMMAND, name], env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + START_TIMEOUT_S
        for service, process in self._running.items():
            while "Serving" not in (said := (self._logs / f"{service}.log").read_text()):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{service} does not start: {said[-500:]}")
                time.sleep(0.1)

    def stop(self) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(STOP_TIMEOUT_S)
            except psutil.TimeoutExpired:
                process.kill()

    def ended(self) -> list[str]:
        """Return the services whose process has ended."""
        return [name for name, process in self._running.items() if process.poll() is not None]

    def complaints(self) -> list[str]:
        """Return what the services logged, except that they are ready."""
        return [
            f"{name}: {line}"
            for name in self._running
            for line in (self._logs / f"{name}.log").read_text(errors="replace").splitlines()
            if line and not line.startswith("Serving")
        ]

    def use(self) -> dict[str, Use]:
        """Return what each part uses now. A service includes its child processes; the engine is a part of its own."""
        used = {name: _use([process, *_children(process)]) for name, process in self._running.items()}
        validator = self._running["validator"]
        return used | {
            "validator": _use([validator]),
            ENGINE: _use(_children(validator)),
            "nats-server": _use([self.server, *_children(self.server)]),
        }


@contextmanager
def apart(logs: Path, store: Path | None = None) -> Iterator[Services]:
    """Run all five services while the block lasts, each with a log file in `logs`."""
    with NatsServer(store, open_to_others=False) as server:
        services = Services(server, logs)
        try:
            services.start()
            yield services
        finally:
            services.stop()


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return process.children(recursive=True)
    return []


def _use(processes: list[psutil.Process]) -> Use:
    rss = pss = cpu = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess), process.oneshot():
            memory, times = process.memory_full_info(), process.cpu_times()
            rss, pss = rss + memory.rss / 1e6, pss + memory.pss / 1e6
            cpu += times.user + times.system
    return Use(rss, pss, cpu)
