"""A cluster of three NATS servers on loopback, each of which can be killed and restarted."""

from __future__ import annotations

import secrets
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType

import nats
import nats.errors
from nats.aio.client import Client

from bandsmith.shared.bus.server import find_server
from bandsmith.shared.settings import BusSettings
from tests.shared.processes import free_ports

CONFIG = """
server_name: {name}
listen: 127.0.0.1:{port}
log_file: "{folder}/nats-server.log"
authorization {{ token: "{token}" }}
jetstream {{ store_dir: "{folder}" }}
cluster {{ name: bandsmith, listen: 127.0.0.1:{route}, routes: [{routes}] }}
"""


class Cluster:
    """A context manager. The servers have the names a, b and c; their stores stay in `folder`."""

    def __init__(self, folder: Path, names: str = "abc") -> None:
        self._folder = folder
        self._token = secrets.token_hex(16)
        ports = free_ports(2 * len(names))
        self._ports = dict(zip(names, ports, strict=False))
        self._routes = dict(zip(names, ports[len(names) :], strict=True))
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        """The addresses of all, separated by commas."""
        return ",".join(f"nats://{self._token}@127.0.0.1:{port}" for port in self._ports.values())

    def start(self, name: str) -> None:
        store = self._folder / name
        store.mkdir(parents=True, exist_ok=True)
        config = self._folder / f"{name}.conf"
        routes = ", ".join(f"nats://127.0.0.1:{port}" for port in self._routes.values())
        about = {"name": name, "folder": store, "token": self._token, "routes": routes}
        config.write_text(CONFIG.format(port=self._ports[name], route=self._routes[name], **about))
        self._running[name] = subprocess.Popen([find_server(BusSettings().nats_server), "-c", str(config)])

    def kill(self, name: str) -> None:
        """As a crash would (SIGKILL)."""
        server = self._running.pop(name)
        server.kill()
        server.wait()

    async def leader(self, stream: str) -> str:
        """The name of the server that leads this stream, as soon as one does."""
        async with self._asking() as client:
            while True:
                with suppress(nats.errors.Error):
                    info = await client.jetstream().stream_info(stream)
                    if info.cluster and info.cluster.leader in self._running:
                        return info.cluster.leader

    async def whole(self, stream: str) -> None:
        """Returns when every member of the stream has all of it."""
        async with self._asking() as client:
            while True:
                with suppress(nats.errors.Error):
                    about = (await client.jetstream().stream_info(stream)).cluster
                    others = (about and about.replicas) or []
                    if len(others) == len(self._ports) - 1 and all(one.current and not one.offline for one in others):
                        return

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[Client]:
        """A client of its own, which may meet a killed server first: that is no news, and nothing is said of it."""

        async def heed(error: Exception) -> None: ...

        client = await nats.connect(self.url.split(","), token=self._token, error_cb=heed)
        try:
            yield client
        finally:
            await client.close()

    def __enter__(self) -> Cluster:
        for name in self._ports:
            self.start(name)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for name in list(self._running):
            self.kill(name)
