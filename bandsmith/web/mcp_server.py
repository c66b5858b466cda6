"""The server of the Model Context Protocol over HTTP.

No process remembers a client: any one may answer each request. What a client sends back to continue a call is sealed
with a key that all of them have.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from mcp.server.request_state import RequestStateSecurity
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.mcp.host import Call
from bandsmith.mcp.server import mcp_server
from bandsmith.shared.model.base import Ref

from .conversation import CHAT_LINK_S
from .door import Door, address_of, identity_of
from .identity import Identity


class WebHost:
    """Serves the owners of the requests, with files that they have uploaded."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def client(self) -> Client:
        return self._door.client

    def identity(self, call: Call) -> Identity:
        return identity_of(_request(call))

    async def attachment(self, call: Call, file: str) -> Attachment:
        stored = self._door.access.uploaded(self.identity(call).owner, file)
        return Attachment(name=stored.name, content=await self._door.client.fetch(stored.content))

    def link(self, call: Call, session: str, version: int | None, name: str, content: Ref) -> str:
        return address_of(_request(call)) + self._door.access.file_path(name, content, CHAT_LINK_S)


def session_manager(door: Door, secret: bytes) -> StreamableHTTPSessionManager:
    """Return what answers the requests, once it runs."""
    key = hmac.new(secret, b"mcp", hashlib.sha256).digest()
    server = mcp_server(WebHost(door), RequestStateSecurity(keys=[key], bind_principal=_principal))
    server.streamable_http_app(
        stateless_http=True, transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False)
    )
    return server.session_manager


def _principal(call: Any) -> str:
    """Return who a call's state is sealed for."""
    identity = identity_of(call.request)
    return f"{identity.owner}/{identity.role}"


def _request(call: Call) -> Request:
    request = call.request_context.request
    assert isinstance(request, Request), "every call over HTTP comes with its request"
    return request
