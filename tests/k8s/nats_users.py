"""NATS servers with the configuration in k8s/, and connections as its users."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import nats
from nats.aio.client import Client

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import find_server
from bandsmith.shared.settings import BusSettings
from tests.shared.processes import until

K8S = Path(__file__).resolve().parents[2] / "k8s"
SMALL = [K8S / "base" / name for name in ("nats.conf", "users.conf", "cluster.conf")]
CLOUD = [*SMALL[:2], K8S / "overlays" / "cloud" / "cluster.conf"]
USERS = ["services", "gateway", "worker", "engine", "watch", "web", "reports", "servers"]
ENVIRONMENT = {"POD_NAME": "nats-0", "STORE": "1GB", **{f"NATS_{user.upper()}_PASSWORD": f"p-{user}" for user in USERS}}


def configured(folder: Path, files: list[Path], cluster_port: int = -1) -> Path:
    """The files as they are, but for places: ports of loopback, and folders that are there."""
    folder.mkdir(exist_ok=True)
    for file in files:
        text = file.read_text(encoding="utf-8")
        text = re.sub(r"\b(port|http_port): (4222|8222)\b", r"\1: -1", text)
        text = text.replace("port: 6222", f"port: {cluster_port}")
        text = re.sub(r"(pid_file|store_dir): /\S+", lambda found: f'{found[1]}: "{folder}/{found[1]}"', text)
        (folder / file.name).write_text(text, encoding="utf-8")
    config = folder / "nats.conf"
    config.write_text(f'host: 127.0.0.1\nports_file_dir: "{folder}"\n{config.read_text(encoding="utf-8")}')
    return config


@contextmanager
def running(config: Path, environment: dict[str, str]) -> Iterator[str]:
    """Its address."""
    program = find_server(BusSettings().nats_server)
    with (config.parent / "log").open("wb") as log:
        process = subprocess.Popen([program, "-c", str(config)], env=environment, stdout=log, stderr=log)
    ports = config.parent / f"{Path(program).name}_{process.pid}.ports"
    try:
        until(lambda: process.poll() is not None or (ports.exists() and ports.read_text().endswith("}")))
        assert process.poll() is None, (config.parent / "log").read_text()
        yield json.loads(ports.read_text())["nats"][0].removeprefix("nats://")
    finally:
        process.kill()
        process.wait()


def url(user: str, address: str) -> str:
    return f"nats://{user}:p-{user}@{address}"


@asynccontextmanager
async def bus(user: str, address: str) -> AsyncIterator[NatsBus]:
    connected = await NatsBus.connect(url(user, address))
    try:
        yield connected
    finally:
        await connected.close()


@asynccontextmanager
async def refused(user: str, address: str) -> AsyncIterator[tuple[Client, asyncio.Queue[str]]]:
    """A plain client of a user, and what the server would not let it do."""
    refusals: asyncio.Queue[str] = asyncio.Queue()

    async def hear(error: Exception) -> None:
        refusals.put_nowait(str(error))

    client = await nats.connect(url(user, address), error_cb=hear, inbox_prefix=f"_INBOX_{user}")
    try:
        yield client, refusals
    finally:
        await client.close()
