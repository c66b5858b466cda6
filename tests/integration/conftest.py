"""A NATS server with the guide's users, the services on it, and external programs in JavaScript and Python."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nats
import pytest
from nats.aio.client import Client

from bandsmith import asyncapi
from bandsmith.shared.bus.server import find_server
from bandsmith.shared.settings import BusSettings
from tests.shared.processes import until
from tools.node import Node, find_node

document = cache(asyncapi.document)
"""The document of the messages: it is the same for all tests, and takes a moment to make."""
ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "integration.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "consumer"
CLI = [sys.executable, "-c", "from bandsmith.cli import main; main()"]
SERVICES = ["planner", "generator", "validator", "gateway"]
"""Services that a turn without pictures needs."""
BANDSMITH = {"NATS_USER": "bandsmith", "NATS_PASSWORD": "secret-of-the-services"}
REPORTS = {"NATS_USER": "reports", "NATS_PASSWORD": "secret-of-reports"}
CONFIG = """
host: 127.0.0.1
port: -1
max_payload: 8MB
ports_file_dir: "{store}"
jetstream {{ store_dir: "{store}" }}
{users}
"""


Refused = Callable[[Exception], Awaitable[None]]


class Place(NamedTuple):
    """A NATS server with the guide's users, and the services on it."""

    address: str

    def environment(self, user: dict[str, str]) -> dict[str, str]:
        """Environment that tells the guide's examples the server and their user."""
        return os.environ | user | {"NATS_URL": f"nats://{self.address}"}

    @asynccontextmanager
    async def client(self, who: dict[str, str], refusals: Refused | None = None) -> AsyncIterator[Client]:
        client = await nats.connect(
            error_cb=refusals,
            servers=f"nats://{self.address}",
            user=who["NATS_USER"],
            password=who["NATS_PASSWORD"],
            inbox_prefix="_INBOX_reports" if who is REPORTS else "_INBOX",
        )
        try:
            yield client
        finally:
            await client.close()


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    store = tmp_path_factory.mktemp("nats")
    with server(store) as address, services(address, store):
        yield Place(address)


@contextmanager
def server(store: Path) -> Iterator[str]:
    """The real server, with the users of the guide."""
    [users] = re.findall(r"```conf\n(.*?)```", GUIDE, re.DOTALL)
    config = store / "nats-server.conf"
    config.write_text(CONFIG.format(store=store, users=users))
    passwords = {"BANDSMITH_PASSWORD": BANDSMITH["NATS_PASSWORD"], "REPORTS_PASSWORD": REPORTS["NATS_PASSWORD"]}
    program = find_server(BusSettings().nats_server)
    with running([program, "-c", str(config)], store / "server.log", os.environ | passwords) as process:
        ports = store / f"nats-server_{process.pid}.ports"
        until(lambda: ports.exists() and ports.read_text().endswith("}"))
        yield json.loads(ports.read_text())["nats"][0].removeprefix("nats://")


@contextmanager
def services(address: str, store: Path) -> Iterator[None]:
    url = f"nats://{BANDSMITH['NATS_USER']}:{BANDSMITH['NATS_PASSWORD']}@{address}"
    result = store / "services.log"
    with running([*CLI, "serve", *SERVICES], result, os.environ | {"NATS_URL": url}) as process:
        until(lambda: "Serving" in result.read_text() or process.poll() is not None, seconds=120)
        assert process.poll() is None, result.read_text()
        yield


@contextmanager
def running(command: list[str], log: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


# --- programs in other languages -------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def javascript() -> Node:
    return find_node()


@pytest.fixture(scope="session")
def npm_ci(javascript: Node, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Copy a JavaScript folder and install its locked packages."""
    calm = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", "--fetch-retries=5"]

    def install(folder: Path) -> Path:
        copy = tmp_path_factory.mktemp("npm") / folder.name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("node_modules"))
        done = subprocess.run([*javascript.npm, "ci", *calm], cwd=copy, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return copy

    return install


@pytest.fixture(scope="session")
def example(npm_ci: Callable[[Path], Path]) -> Path:
    return npm_ci(EXAMPLE)


@asynccontextmanager
async def script(
    folder: Path, place: Place, *command: str, user: dict[str, str] = REPORTS
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program as a user, `reports` unless another is named; it is killed at the end."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=place.environment(user),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line(process: asyncio.subprocess.Process) -> str:
    """Return the next line of its output."""
    assert process.stdout
    async with asyncio.timeout(60):
        return (await process.stdout.readline()).decode().rstrip("\n")
