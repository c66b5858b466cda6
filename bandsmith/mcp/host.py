"""What the tools need of the process that serves them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import structlog
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import MCPServerError, ToolError
from mcp.shared.exceptions import MCPError

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.language import language_of
from bandsmith.shared.model.base import Ref
from bandsmith.shared.telemetry import log as telemetry_log

log = structlog.get_logger(__name__)

Call = Context[Any, Any]
"""The context of a call of a tool."""


class SessionNames(Protocol):
    """The names of someone's sessions: ids for programs, and keys for the bus."""

    @property
    def prefix(self) -> str:
        """What the keys of their sessions start with."""

    def key(self, session: str) -> str:
        """Return the key of a session by its id. Raises ``NotFound`` for an invalid id."""

    def session(self, key: str) -> str:
        """Return the id of a session by its key."""


class ToolHost(Protocol):
    """Over stdio, the process of one person; over HTTP, the web process, where each request has its owner."""

    async def client(self) -> Client:
        """Return the client of the bus, once there is one."""

    def identity(self, call: Call) -> SessionNames:
        """Return whose sessions a call is about."""

    async def attachment(self, call: Call, file: str) -> Attachment:
        """Read a file that an argument names. Raises ``BadInput``."""

    def link(self, call: Call, session: str, version: int | None, name: str, content: Ref) -> str:
        """Return a link to a file of a version."""


@asynccontextmanager
async def sentences(request: str = "") -> AsyncIterator[None]:
    """Turn every error into a ``ToolError`` with one sentence, in the language of the request."""
    try:
        yield
    except (MCPError, MCPServerError):
        raise
    except BandsmithError as error:
        raise ToolError(error.message_zh if language_of(request) == "zh" else error.message) from None
    except Exception as error:
        log.error("mcp.failed", error=type(error).__name__, where=telemetry_log.error_locations(error))
        unexpected = BandsmithError.of("web.error.unexpected")
        raise ToolError(unexpected.message_zh if language_of(request) == "zh" else unexpected.message) from None
