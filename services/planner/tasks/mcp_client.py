"""A client of the Model Context Protocol: the tools of other programs, listed and called.

A server is connected for one command and closed afterwards, so that nothing of it is left when a planner dies. What it
says is data: it is bounded here, and read as text.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import structlog

from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.model.task import ForeignTool
from bandsmith.shared.tool_servers import ToolServer

log = structlog.get_logger(__name__)

CONNECT_S = 30.0
CALL_S = 60.0
"""How long the connection, and a call, may take."""
MAX_TOOLS = 60
MAX_ABOUT_CHARS = 300
"""Of the description of a tool that a model reads."""
MAX_SCHEMA_CHARS = 4_000
"""A tool whose schema is longer is not offered."""
MAX_NAME_CHARS = 40
MAX_RESULT_CHARS = 20_000


class CallResult(NamedTuple):
    text: str
    is_error: bool
    """Whether the tool says that it failed."""


async def list_tools(server: ToolServer) -> list[ForeignTool]:
    """Return the tools of a server. Raises ``BadInput`` if it cannot be reached."""
    async with _connected(server) as client:
        listed = await client.list_tools()
    tools = []
    for tool in listed.tools[:MAX_TOOLS]:
        schema = dict(tool.input_schema or {"type": "object"})
        if len(str(schema)) <= MAX_SCHEMA_CHARS and len(tool.name) <= MAX_NAME_CHARS:
            reads = bool(tool.annotations and tool.annotations.read_only_hint)
            about = " ".join((tool.description or "").split())[:MAX_ABOUT_CHARS]
            tools.append(ForeignTool(server=server.name, name=tool.name, about=about, parameters=schema, reads=reads))
    return tools


async def call_tool(server: ToolServer, name: str, arguments: dict[str, Any]) -> CallResult:
    """Call a tool once. Raises ``BadInput`` if the server cannot be reached or does not answer in time."""
    async with _connected(server) as client:
        result = await client.call_tool(name, arguments, read_timeout_seconds=CALL_S)
    parts = [getattr(part, "text", None) or f"({part.type})" for part in getattr(result, "content", [])]
    return CallResult("\n".join(parts)[:MAX_RESULT_CHARS], bool(getattr(result, "is_error", False)))


@asynccontextmanager
async def _connected(server: ToolServer) -> AsyncIterator[Any]:
    """Connect to a server, and tell any failure in one sentence: what it says of itself may hold secrets."""
    from mcp.client.client import Client  # noqa: PLC0415 - slow to import, and needed by few tasks
    from mcp.client.stdio import StdioServerParameters  # noqa: PLC0415

    where: Any = server.url or StdioServerParameters(
        command=server.command[0], args=server.command[1:], env=server.environment
    )
    try:
        async with asyncio.timeout(CONNECT_S + CALL_S), Client(where, read_timeout_seconds=CONNECT_S) as client:
            yield client
    except BandsmithError:
        raise
    except Exception as error:
        log.warning("tool_server.failed", server=server.name, error=type(error).__name__)
        raise BadInput.of("schedule.servers.away", code="servers", name=server.name) from None
