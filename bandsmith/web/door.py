"""What every handler of the web door works with."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from bandsmith.client import Client

from .access import Access
from .hub import Hub
from .identity import Identity
from .keys import Keys
from .oidc import Issuer
from .rates import Rates, Streams


@dataclass(frozen=True)
class Door:
    """One web process."""

    client: Client
    hub: Hub
    access: Access
    keys: Keys
    rates: Rates
    streams: Streams
    issuer: Issuer | None = None
    origin: str = ""
    """Address under which browsers reach it; empty: the one that the request names."""
    cors: tuple[str, ...] = ()
    """Origins of other sites whose pages may send requests with a key."""

    @property
    def is_secure(self) -> bool:
        return self.origin.startswith("https:")


def door_of(request: Request) -> Door:
    door: Door = request.app.state.door
    return door


def address_of(request: Request) -> str:
    """Return the address under which the one who sends a request reaches this server."""
    return door_of(request).origin or f"{request.url.scheme}://{request.headers.get('host', '')}"


def identity_of(request: Request) -> Identity:
    """Return who sends a request; ``authentication.admit`` has noted it before the handler is called."""
    identity: Identity = request.state.identity
    return identity


def session_key(request: Request) -> str:
    """Return the key of the session that the path names."""
    return identity_of(request).key(request.path_params["session"])
