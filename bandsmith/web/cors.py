"""Pages of other sites that may use the interface with a key of their own (CORS): none, unless they are configured.

Cookies do not count there: a browser sends none that this server would accept, and ``check_origin`` refuses them.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, accept-language, idempotency-key, last-event-id, "
    "x-bandsmith-session, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name",
    "access-control-max-age": "600",
}
EXPOSED = b"x-bandsmith-session, retry-after, content-disposition"


class Cors:
    """Answers a browser that asks whether a page of another site may send a request, and lets it read the answer."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = Request(scope).headers.get("origin", "") if scope["type"] == "http" else ""
        if origin not in self._origins:
            await self._app(scope, receive, send)
            return

        async def send_with_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"access-control-allow-origin", origin.encode()),
                    (b"access-control-expose-headers", EXPOSED),
                    (b"vary", b"origin"),
                ]
            await send(message)

        if scope["method"] == "OPTIONS" and "access-control-request-method" in Request(scope).headers:
            await Response(status_code=204, headers=PREFLIGHT)(scope, receive, send_with_origin)
        else:
            await self._app(scope, receive, send_with_origin)
