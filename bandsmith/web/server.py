"""The HTTP server: uvicorn on one socket, until it is stopped."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn

from bandsmith.client import Client
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.files import private_folder
from bandsmith.shared.settings import HomeSettings, OidcSettings, WebSettings

from .access import Access
from .app import LOOPBACK, application
from .door import Door
from .hub import Hub
from .keys import Keys
from .limits import ClientConnection
from .mcp import serving_mcp
from .oidc import Issuer
from .rates import Rates, Streams

SHUTDOWN_S = 3
"""Seconds that requests in flight have to finish."""
MAX_CONNECTIONS = 2000
SECRET_FILE = "web.secret"  # noqa: S105 - the name of the file


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the program."""
        yield


@asynccontextmanager
async def serving(bus: Bus, settings: WebSettings) -> AsyncIterator[tuple[str, Door]]:
    """Serve the page while the block runs; provide its address, and what it works with. Raises ``BadInput``."""
    secret = _secret(settings)
    access, keys = Access(secret), Keys(settings.keys_file)
    keys.all()  # a file that cannot be read must not look like one without keys
    oidc = OidcSettings()
    with _listening(settings.web, is_public=bool(settings.web_origin)) as listener:
        host, port = listener.getsockname()[:2]
        address = settings.web_origin or f"http://{f'[{host}]' if ':' in host else host}:{port}"
        async with Hub(bus) as hub:
            issuer = Issuer(oidc.oidc_issuer, oidc) if oidc.oidc_issuer else None
            rates, streams = Rates(settings.web_rate), Streams()
            door = Door(
                Client(bus), hub, access, keys, rates, streams, issuer, settings.web_origin, settings.cors_origins
            )
            app = application(door)
            server = _Server(
                uvicorn.Config(
                    app,
                    http=ClientConnection,
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    proxy_headers=False,
                    lifespan="off",
                    timeout_graceful_shutdown=SHUTDOWN_S,
                    limit_concurrency=MAX_CONNECTIONS,
                )
            )
            async with serving_mcp(app, door, secret):
                task = asyncio.create_task(server.serve(sockets=[listener]))
                try:
                    yield address, door
                finally:
                    hub.close()  # ends the streams, which would keep the server from stopping
                    server.should_exit = True
                    await task


@contextmanager
def _listening(address: str, *, is_public: bool) -> Iterator[socket.socket]:
    """Provide a socket that listens at ``host:port``. Raises ``BadInput`` for a wrong or occupied address."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not port.isdecimal() or int(port) > 65535 or not host:
        raise BadInput.of("web.error.address", code="input", address=address)
    if host not in LOOPBACK and not is_public:
        raise BadInput.of("web.error.not_loopback", code="input")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, int(port)))
        except OSError:
            raise BadInput.of("web.error.occupied", code="input", address=address) from None
        listener.listen()  # a link that is shown before the server accepts waits instead of being refused
        yield listener


def _secret(settings: WebSettings) -> bytes:
    """Return the secret that signs cookies and links: the configured one, else one that is kept on this machine."""
    if settings.web_secret:
        return settings.web_secret.get_secret_value().encode()
    file = HomeSettings().home / SECRET_FILE
    private_folder(file.parent)
    _create(file)
    return file.read_bytes()


def _create(file: Path) -> None:
    """Create the file with a new secret, readable by its owner only, unless it exists."""
    new = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as written:
            written.write(secrets.token_bytes(32))
        os.link(new, file)  # fails where another process was first
    except FileExistsError:
        pass
    finally:
        new.unlink(missing_ok=True)
