"""Serving over stdio: one person, whose files below chosen folders may be read."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from bandsmith.attachments import Attachment, attachment
from bandsmith.client import Client
from bandsmith.output_folder import update_files
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Ref

from .files import files_of_version, resource_uri
from .host import Call, SessionNames, sentences
from .server import mcp_server
from .tools import SessionId

OpenBus = Callable[[], AbstractAsyncContextManager[Bus]]


class LocalHost:
    """Starts the services in the background, so that a program which starts this one does not wait for them."""

    def __init__(self, roots: Sequence[Path], names: SessionNames) -> None:
        """`names` are those of the person at this machine."""
        self._roots = [root.resolve() for root in roots]
        self._names = names
        self._client: asyncio.Future[Client] | None = None

    @asynccontextmanager
    async def running(self, open_bus: OpenBus) -> AsyncIterator[None]:
        """Have the bus open while the block runs."""
        self._client = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._serve(open_bus, self._client))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def client(self) -> Client:
        assert self._client is not None
        return await asyncio.shield(self._client)

    def identity(self, call: Call) -> SessionNames:
        return self._names

    async def attachment(self, call: Call, file: str) -> Attachment:
        return await asyncio.to_thread(attachment, self.path(file))

    def link(self, call: Call, session: str, version: int | None, name: str, content: Ref) -> str:
        return resource_uri(session, version, name)

    def path(self, name: str) -> Path:
        """Return the path of a file or folder below a root, with links followed. Raises ``BadInput`` for any other."""
        for root in self._roots:
            try:
                path = (root / name).resolve()
            except (OSError, ValueError):
                continue
            if path.is_relative_to(root):
                return path
        raise BadInput.of("mcp.outside", code="path")

    async def _serve(self, open_bus: OpenBus, client: asyncio.Future[Client]) -> None:
        try:
            async with open_bus() as bus:
                client.set_result(Client(bus))
                await asyncio.Event().wait()
        except Exception as error:
            if client.done():
                self._client = asyncio.get_running_loop().create_future()
                self._client.set_exception(error)
            else:
                client.set_exception(error)


def local_server(host: LocalHost) -> MCPServer:
    """Return the server for stdio; it can also write files."""
    server = mcp_server(host)

    async def save_files(
        call: Call,
        session: SessionId,
        folder: Annotated[str, Field(description="Path of the folder; it is made if there is none.")],
        version: Annotated[int | None, Field(description="Number of the version; the current one if null.")] = None,
        names: Annotated[list[str] | None, Field(description="Names of the files; all if null.")] = None,
    ) -> list[str]:
        """Write a report's files into a folder: template, data, PDF, pages, and what was exported of this version.

        Files that Bandsmith did not write are never replaced.
        """
        async with sentences():
            client = await host.client()
            key, target = host.identity(call).key(session), host.path(folder)
            report = (await client.session(key)).report
            number = version if version is not None else report.number if report else 0
            found = await files_of_version(client, key, number)
            if missing := set(names or []) - set(found):
                raise BadInput.of("mcp.no_file", code="file", names=", ".join(sorted(missing)))
            files = await client.files({name: ref for name, ref in found.items() if names is None or name in names})
            written = await asyncio.to_thread(update_files, target, files, overwrite=False)
            return [str(path) for path in written]

    annotations = ToolAnnotations(read_only_hint=False, destructive_hint=False)
    server.add_tool(save_files, description=inspect.getdoc(save_files), annotations=annotations)
    return server
