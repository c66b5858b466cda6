"""What a client may cost: the size of a body, and the time that a connection may wait for it."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bandsmith.shared.model.document import MAX_DOCUMENT_BYTES

from .problems import TooLarge, TooSlow, problem

MAX_BODY_BYTES = MAX_DOCUMENT_BYTES + 1024 * 1024
"""The files of a turn together, and the fields beside them."""
HEADERS_S = 20.0
"""Seconds in which a request's first line and headers have to arrive."""
BODY_PART_S = 30.0
"""Seconds without any byte of a body after which the request is refused."""
BODY_S = 600.0
"""Seconds in which a whole body has to arrive."""
STALLED_S = 60.0
"""Seconds after which a client that reads nothing of what it was sent is disconnected."""


class BodyLimit:
    """Refuses a body that is too large, by its announced length before it is read, else as soon as it is too long,
    and one that arrives too slowly."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = Request(scope).headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            await problem(Request(scope), _too_large())(scope, receive, send)
            return
        await self._app(scope, _Body(receive).receive, send)


class _Body:
    """A body as it arrives."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0
        self._end = asyncio.get_running_loop().time() + BODY_S
        self._is_whole = False

    async def receive(self) -> Message:
        """Return the next part. Raises ``TooLarge`` and ``TooSlow``."""
        if self._is_whole:  # what comes is the end of the connection, for which there is no hurry
            return await self._receive()
        try:
            async with asyncio.timeout_at(min(self._end, asyncio.get_running_loop().time() + BODY_PART_S)):
                message = await self._receive()
        except TimeoutError:
            raise TooSlow.of("web.error.slow", code="slow") from None
        self._is_whole = not message.get("more_body", False)
        self._bytes += len(message.get("body", b""))
        if self._bytes > MAX_BODY_BYTES:
            raise _too_large()
        return message


class ClientConnection(H11Protocol):
    """A connection that is closed when its client is too slow: with a request's headers, or in reading what it asked
    for. A file or a stream that no one reads would otherwise stay open for as long as the client likes."""

    _silent: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._silent = self.loop.call_later(HEADERS_S, self._close_silent)

    def data_received(self, data: bytes) -> None:
        if self._silent is None and self._waits_for_request():
            self._silent = self.loop.call_later(HEADERS_S, self._close_silent)
        super().data_received(data)
        if self._silent and not self._waits_for_request():
            self._silent.cancel()
            self._silent = None

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._silent, self._stalled):
            if timer:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_S, self.transport.abort)

    def resume_writing(self) -> None:
        if self._stalled:
            self._stalled.cancel()
        super().resume_writing()

    def _waits_for_request(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _close_silent(self) -> None:
        self._silent = None
        if self._waits_for_request():
            self.transport.abort()


def _too_large() -> TooLarge:
    return TooLarge.of("web.error.large", code="large", limit=MAX_DOCUMENT_BYTES // 1024 // 1024)
