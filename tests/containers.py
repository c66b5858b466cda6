"""Servers for tests: in containers where a container engine responds, child processes elsewhere."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.settings import BusSettings

NATS_IMAGE = "nats:2.14.5-alpine3.22"
"""The image in compose.yaml."""
NATS_PORT = 4222
START_TIMEOUT_S = 60.0


@cache
def container_engine_responds() -> bool:
    """Whether there is a container engine; Docker's API also works with Podman's socket in DOCKER_HOST."""
    try:
        from testcontainers.core.docker_client import DockerClient

        return bool(DockerClient().client.ping())
    except Exception:  # the package is missing, or the client raises one of its many errors
        return False


def nats_server_for_tests(engine_responds: Callable[[], bool] = container_engine_responds) -> NatsServer:
    """Return a server, not started yet."""
    return NatsContainer() if engine_responds() else NatsServer(program=BusSettings().nats_server)


class NatsContainer(NatsServer):
    """A NATS server in a container, on a fixed port so that clients reconnect after ``kill`` and ``start``."""

    def __init__(self) -> None:
        super().__init__()
        self._port = _free_port()
        self._container: Any = None

    @property
    def url(self) -> str:
        return f"nats://{self._token}@{self._container.get_container_host_ip()}:{self._port}"

    def start(self) -> None:
        if self._container is not None:
            self._container.get_wrapped_container().start()
        else:
            from testcontainers.core.container import DockerContainer

            config = f'max_payload: 8MB\njetstream {{}}\nauthorization {{ token: "{self._token}" }}\n'
            container = DockerContainer(NATS_IMAGE).with_command("--config /etc/nats/test.conf")
            container.with_bind_ports(NATS_PORT, self._port)
            container.with_copy_into_container(config.encode(), "/etc/nats/test.conf")
            self._container = container.start()
        self._wait_until_ready()

    def kill(self) -> None:
        self._container.get_wrapped_container().kill()

    def stop(self) -> None:
        if self._container is not None:
            self._container.stop()
            self._container = None

    def _wait_until_ready(self) -> None:
        """Wait for the server's greeting: the engine accepts connections before the server does."""
        deadline = time.monotonic() + START_TIMEOUT_S
        address = (self._container.get_container_host_ip(), self._port)
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(address, timeout=1) as connection:
                if connection.recv(4) == b"INFO":
                    return
            time.sleep(0.05)
        raise TimeoutError("the NATS container did not start")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
