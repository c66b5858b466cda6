"""``/mcp``: the Model Context Protocol over HTTP. Its library takes a fifth of the memory of a web process, so it is
loaded by the first request: in a thread, since that takes seconds, in which others are answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .door import Door

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class McpEndpoint:
    """Starts the server with the first request, and keeps it running until it is stopped."""

    def __init__(self, door: Door, secret: bytes) -> None:
        self._door, self._secret = door, secret
        self._starting = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def manager(self) -> StreamableHTTPSessionManager:
        """Return the running manager of sessions."""
        async with self._starting:
            if self._manager is None:
                manager, started = await asyncio.to_thread(self._load), asyncio.Event()
                task = asyncio.create_task(self._run(manager, started))
                starting = asyncio.create_task(started.wait())
                await asyncio.wait([task, starting], return_when=asyncio.FIRST_COMPLETED)
                if not started.is_set():  # it failed: this request gets the error, and the next one tries again
                    starting.cancel()
                    await task
                self._manager, self._task = manager, task
            return self._manager

    def _load(self) -> StreamableHTTPSessionManager:
        from .mcp_server import session_manager  # noqa: PLC0415 - see above

        return session_manager(self._door, self._secret)

    async def stop(self) -> None:
        self._stopping.set()
        if self._task:
            await self._task

    async def _run(self, manager: StreamableHTTPSessionManager, started: asyncio.Event) -> None:
        """Run the manager in one task, which its cancel scopes demand."""
        async with manager.run():
            started.set()
            await self._stopping.wait()


@asynccontextmanager
async def serving_mcp(app: Starlette, door: Door, secret: bytes) -> AsyncIterator[None]:
    """Answer the requests of ``/mcp`` while the block runs."""
    app.state.mcp = endpoint = McpEndpoint(door, secret)
    try:
        yield
    finally:
        await endpoint.stop()


async def serve_mcp(request: Request) -> Response:
    """Call a tool of the Model Context Protocol, or list the tools."""
    endpoint: McpEndpoint = request.app.state.mcp
    return _Delegated((await endpoint.manager()).handle_request)


class _Delegated(Response):
    """A response that another application sends."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
